// What a request has learned of how new the stores are. A store that is far away answers
// Storage::version() and UserDirectory::version() by a round trip; within the life of a Glance one
// look is enough for all that is asked on its thread, since that look began after the request had
// come. What this process writes meanwhile ends what was seen, so whoever reads after it looks
// anew.
//
// Stores in memory that is shared take no notice of it. One thread has several, one within the
// other: the innermost counts.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "core/error.h"

namespace chirp {

// Of one moment.
struct Versions {
  std::uint64_t store = 0;  // Storage::version()
  std::uint64_t users = 0;  // UserDirectory::version()

  bool operator==(const Versions&) const = default;
};

class Glance {
 public:
  struct Seen {
    const void* where = nullptr;  // which store has said it; never looked into
    std::uint64_t changes = 0;    // that this process had made there before the look began
    Versions versions{};
    std::optional<Error> failure{};  // instead of them
  };

  // `seen` is of a look that began after what is done in this scope was asked for.
  explicit Glance(std::optional<Seen> seen = std::nullopt) noexcept;
  ~Glance();
  Glance(const Glance&) = delete;
  Glance& operator=(const Glance&) = delete;

  // The innermost of this thread; null if it has none.
  [[nodiscard]] static Glance* current() noexcept;

  // To be handed on to who goes on with the same request.
  [[nodiscard]] const std::optional<Seen>& seen() const { return seen_; }
  void see(Seen seen) { seen_ = std::move(seen); }

 private:
  std::optional<Seen> seen_;
  Glance* outer_;
};

}  // namespace chirp
