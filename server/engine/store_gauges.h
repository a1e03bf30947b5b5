// Gauges of how many users, posts, follows and authors there are: counted now and then, so that a
// scrape costs nothing. One thread counts; the gauges may be read from any.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"
#include "server/metrics.h"

namespace chirp {

class StoreGauges {
 public:
  // Makes the gauges chirp_users, chirp_posts, chirp_follows and chirp_authors. All must outlive
  // it; what the gauges read outlives this.
  StoreGauges(Storage& storage, const UserRows& directory, const Clock& clock, Metrics& metrics);

  // Counts what has changed unless it was done lately: every limits::kGaugesMs, and seldom enough
  // to take no more than a hundredth of the time.
  void update_if_due();

 private:
  struct Counts {
    std::atomic<std::uint64_t> users{0};
    std::atomic<std::uint64_t> posts{0};
    std::atomic<std::uint64_t> follows{0};
    std::array<std::atomic<std::uint64_t>, 3> authors{};  // by tier
  };

  void update();
  void count_authors(const RowReader& snapshot);

  Storage& storage_;
  const UserRows& directory_;
  const Clock& clock_;
  std::shared_ptr<Counts> counts_ = std::make_shared<Counts>();
  std::optional<std::int64_t> next_ns_;           // at the first time at once
  std::optional<std::uint64_t> counted_version_;  // of the store
};

}  // namespace chirp
