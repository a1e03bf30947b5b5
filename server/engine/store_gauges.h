// Gauges for the numbers of users, posts, follows and authors. They are counted periodically, so
// that a scrape costs nothing. One thread counts; any thread may read the gauges.
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
  // Creates the gauges chirp_users, chirp_posts, chirp_follows and chirp_authors. All arguments
  // must outlive this; the gauges may be read after its end.
  StoreGauges(Storage& storage, const UserRows& directory, const Clock& clock, Metrics& metrics);

  // Counts again if the store changed and the last count is old enough: at most every
  // limits::kGaugesMs, and for at most a hundredth of the time.
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
  std::optional<std::int64_t> next_ns_;           // empty: count at once
  std::optional<std::uint64_t> counted_version_;  // the store's version at the last count
};

}  // namespace chirp
