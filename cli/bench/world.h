// The world of a benchmark, generated into a temporary directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "store/data_directory.h"
#include "store/data_place.h"
#include "store/private_folder.h"

namespace chirp::cli::bench {

struct WorldSize {
  std::uint32_t users = 0;
  std::uint64_t follows = 0;  // in all
  std::uint64_t posts = 0;    // in all
  std::uint64_t follows_of_reader = 200;
};

// Fills an empty store with users, follows, and posts of 120 characters over the last hundred days.
// The first follows / follows_of_reader users, or all, follow equal numbers of accounts. Returns
// the users with follows, ascending. Does not run the consumers.
std::vector<UserNumber> fill_world(Storage& storage, const WorldSize& size, const Clock& clock);
// The same for a data directory, whose users also have rows.
std::vector<UserNumber> fill_world(store::DataDirectory& directory, const WorldSize& size,
                                   const Clock& clock);
// Loads users with these numbers.
void load_users(Storage& storage, const Clock& clock, std::uint32_t first, std::uint32_t last);
void load_follows(Storage& storage, std::span<const LoadedEdge> edges, Time now);

// Calls `add(rows, n)`, which appends rows, for each n below `count`, and `store(rows)` with at
// least `at_once` rows at a time, and with the last ones.
template <class Row, class Add, class Store>
void in_batches(std::uint64_t count, std::size_t at_once, const Add& add, const Store& store) {
  std::vector<Row> rows;
  for (std::uint64_t n = 0; n < count; ++n) {
    add(rows, n);
    if (rows.size() < at_once && n + 1 < count) continue;
    store(rows);
    rows.clear();
  }
}
// The same for changes, a thousand a commit.
void write_changes(Storage& storage, const Clock& clock, std::uint64_t count,
                   const std::function<void(std::vector<Change>&, std::uint64_t)>& add);

// Calls `use` with the cards of all users, ascending, some at a time.
void each_card(const Snapshot& snapshot,
               const std::function<void(std::span<const AuthorCard>)>& use);
// All users, ascending.
[[nodiscard]] std::vector<UserNumber> all_users(const Snapshot& snapshot);
// The ids of all posts, ascending.
[[nodiscard]] std::vector<PostId> post_ids(const Snapshot& snapshot);
// Appends the followers of a user, ascending.
void append_followers(const Snapshot& snapshot, UserNumber user, std::vector<UserNumber>& to);

// A folder in the system's temporary folder, removed with its contents on destruction.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return folder_->path(); }

 private:
  std::unique_ptr<store::PrivateFolder> folder_;
};

// A reproducible pseudo-random generator (SplitMix64, Steele et al., OOPSLA 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

class World {
 public:
  // An empty world.
  explicit World(const Clock& clock);
  // Generates a world with fill_world().
  World(const WorldSize& size, const Clock& clock);
  // Copies the given directory into a folder; readers are the first users with follows.
  World(const store::DataPlace& directory, const Clock& clock);

  [[nodiscard]] Storage& storage() { return *storage_; }
  // The readers: users with follows, ascending.
  [[nodiscard]] std::span<const UserNumber> readers() const { return readers_; }

 private:
  void open(const std::filesystem::path& engine);

  const Clock& clock_;
  TemporaryFolder folder_;
  std::unique_ptr<Storage> storage_;  // without users, because names are not measured
  std::vector<UserNumber> readers_;
};

// Returns a post text of 120 characters that depends on `n`.
[[nodiscard]] std::string post_text(std::uint64_t n);

}  // namespace chirp::cli::bench
