// Uploads of a dry run: counted against what their owners have, and not kept.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/media_store.h"

namespace chirp::cli::rehearsal {

class RehearsedMedia final : public MediaStore {
 public:
  // What is there, or null.
  explicit RehearsedMedia(MediaStore* below) : below_(below) {}

  KeptMedia keep(UserNumber owner, const MediaFacts& facts, std::string_view bytes,
                 std::uint64_t most, Time now) override;
  bool touch_all(std::optional<UserNumber> /*owner*/, std::span<const MediaId> /*uploads*/,
                 Time /*now*/) override {
    return true;
  }
  // ---- not asked by loads
  [[nodiscard]] std::optional<Upload> find(MediaId /*id*/) const override { return std::nullopt; }
  [[nodiscard]] std::shared_ptr<const MediaFile> open(const Upload& /*upload*/) const override {
    return nullptr;
  }
  [[nodiscard]] std::vector<Upload> scan(MediaId /*after*/,
                                         std::uint32_t /*limit*/) const override {
    return {};
  }
  void restore(const Upload& /*upload*/, std::string_view /*bytes*/) override {}
  [[nodiscard]] std::vector<MediaId> idle(Time /*before*/, std::uint32_t /*limit*/) const override {
    return {};
  }
  std::uint64_t remove_idle(std::span<const MediaId> /*uploads*/, Time /*before*/) override {
    return 0;
  }
  void remove_of(UserNumber /*owner*/) override {}
  bool begin_sweep(Time /*now*/, Time /*since*/) override { return false; }
  [[nodiscard]] std::vector<MediaProblem> problems() const override { return {}; }
  void repair() override {}

 private:
  // By hash.
  using Owned = std::map<std::string, Upload>;
  Owned& owned_by(UserNumber owner);

  MediaStore* below_;
  std::map<UserNumber, Owned> owned_;
  std::uint64_t last_id_ = ~std::uint64_t{0} >> 1;  // far from those of others, which are random
};

}  // namespace chirp::cli::rehearsal
