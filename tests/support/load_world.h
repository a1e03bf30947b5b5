// An empty in-memory world to load into, with a clock that does not move.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/load/post_loader.h"
#include "core/ports/clock.h"
#include "tests/model/storage.h"
#include "tests/model/user_directory.h"

namespace chirp::test {

class StandingClock final : public Clock {
 public:
  explicit StandingClock(Time now) : now_(now) {}
  [[nodiscard]] Time now() const override { return now_; }
  // Advances by a millisecond with each read.
  [[nodiscard]] std::int64_t steady_ns() const override { return steady_ += 1'000'000; }
  void set(Time now) { now_ = now; }

 private:
  Time now_;
  mutable std::atomic<std::int64_t> steady_{0};
};

class LoadWorld {
 public:
  static constexpr Time kNow{1'767'225'600'000};  // 2026-01-01

  // A follow, by source ids.
  using Follow = std::pair<std::uint64_t, std::uint64_t>;

  StandingClock clock{kNow};
  model::ModelStorage storage;
  model::ModelUserDirectory directory;
  std::atomic<int> pauses{0};

  // Adds a user with this name to both stores.
  UserNumber sign_up(const std::string& username);

  [[nodiscard]] auto pause() {
    return [this] { ++pauses; };
  }

  [[nodiscard]] std::set<Follow> follows() const;
  // The usernames by source id, from the cards; checks that the directory agrees.
  [[nodiscard]] std::map<std::uint64_t, std::string> names() const;
  // Texts by id, oldest first.
  [[nodiscard]] std::vector<std::string> texts() const;
  [[nodiscard]] std::vector<Post> posts() const;
  [[nodiscard]] std::optional<User> user(std::uint64_t source) const;
};

// A post that says `text ID`.
[[nodiscard]] load::SourcePost source_post(std::uint64_t author, std::uint64_t id, Time time);
// A repost that came with its original.
[[nodiscard]] load::SourcePost with(load::SourcePost outer, load::SourcePost inner);
// Loads all of them to the end; fails the test if one is refused.
load::Counts load_all(load::PostLoader& loader, const std::vector<load::SourcePost>& posts);

}  // namespace chirp::test
