// A store whose loads sort in memory, and fail there when a test asks for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/ports/forwarding_storage.h"

namespace chirp::test {

// Counts calls to all scratches of a store.
struct ScratchCalls {
  int rooms = 0;
  int appends = 0;
  int reads = 0;
  std::uint64_t bytes = 0;
  std::optional<int> failing_append{};  // and all later ones
  std::optional<int> failing_read{};
};

class MemoryScratch final : public Scratch {
 public:
  explicit MemoryScratch(ScratchCalls& calls) : calls_(calls) {}

  std::uint64_t append(std::string_view bytes) override {
    if (!bytes.empty() && calls_.failing_append && calls_.appends++ >= *calls_.failing_append) {
      throw Error(ErrorCode::kStorageFull, "no room to sort in");
    }
    calls_.bytes += bytes.size();
    bytes_.append(bytes);
    return bytes_.size() - bytes.size();
  }
  // Returns the fewest bytes allowed, or some more.
  std::size_t read(std::uint64_t place, std::span<char> bytes, std::size_t least) const override {
    check(place + least <= bytes_.size() && least <= bytes.size(), "what is read is there");
    if (calls_.failing_read && calls_.reads >= *calls_.failing_read) {
      throw Error(ErrorCode::kIo, "what was sorted can't be read");
    }
    const std::size_t wanted = least + static_cast<std::size_t>(calls_.reads++ % 3) * 5;
    const std::size_t got = std::min({wanted, bytes.size(), bytes_.size() - place});
    std::memcpy(bytes.data(), bytes_.data() + place, got);
    return got;
  }

 private:
  ScratchCalls& calls_;
  std::string bytes_;
};

class ScratchStorage final : public ForwardingStorage {
 public:
  using ForwardingStorage::ForwardingStorage;

  [[nodiscard]] std::unique_ptr<Scratch> scratch(std::string_view /*doing*/,
                                                 std::size_t /*memory*/) override {
    ++calls.rooms;
    return std::make_unique<MemoryScratch>(calls);
  }

  ScratchCalls calls;
};

}  // namespace chirp::test
