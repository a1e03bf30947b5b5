// An LMDB store with a few users who follow each other, and random posts to load.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "core/load/post_loader.h"
#include "tests/model/user_directory.h"
#include "tests/support/load_world.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {

// The time of the earliest loaded posts.
inline constexpr Time kThen{kStart.ms - 5000};

[[nodiscard]] load::SourcePost post_of(std::uint64_t id, std::uint64_t author, Time time = kThen);

// Users by source id, 1 to kUsers, and the loaded data.
struct LoadedPlace {
  static constexpr std::uint32_t kUsers = 5;

  explicit LoadedPlace(std::uint64_t seed);
  [[nodiscard]] Storage& storage() const { return world.storage(); }
  std::uint64_t below(std::uint64_t end) { return random() % end; }
  UserNumber anybody() { return UserNumber{static_cast<std::uint32_t>(1 + below(kUsers))}; }
  void follow_some();
  [[nodiscard]] std::vector<Post> posts() const;
  // Everything that a load stores, in a comparable form.
  [[nodiscard]] std::vector<std::string> rows() const;
  [[nodiscard]] load::Counts load(
      const std::vector<load::SourcePost>& input, const load::PostOptions& options,
      const std::function<void()>& between = [] {});
  // Loads into another view of the store.
  [[nodiscard]] load::Counts load_into(
      Storage& into, const std::vector<load::SourcePost>& input, const load::PostOptions& options,
      const std::function<void()>& between = [] {});
  // Makes the users first, so that later transactions of a load come from one thread.
  static void bring_people(load::PostLoader& loader);
  [[nodiscard]] std::string wrong() const;
  [[nodiscard]] bool has_mark() const { return world.state().early_below != PostId{}; }

  std::mt19937_64 random;
  Subject world;
  model::ModelUserDirectory directory;
  StandingClock clock{kStart};
};

// Posts in random order, some of them repeated, within few milliseconds.
[[nodiscard]] std::vector<load::SourcePost> plain_posts(LoadedPlace& place, std::uint64_t count);
// Replies and retweets between them, to posts that are missing, and with the other post inside;
// some for followers only or private, some with media.
[[nodiscard]] std::vector<load::SourcePost> any_posts(LoadedPlace& place, std::uint64_t count);

// How a load ends early: its process dies; or it stores what it has gathered, as after a bad line;
// or it fails to, because the disk is full.
enum class Ends : std::uint8_t { kDies, kAbandons, kDiskFull };

// Loads `input` until an exception, and ends the load in that way. False if nothing threw.
bool load_until_failure(LoadedPlace& place, Storage& storage,
                        const std::vector<load::SourcePost>& input,
                        const load::PostOptions& options, const std::function<void()>& between,
                        Ends ends);

}  // namespace chirp::test
