// The world of a benchmark, generated into a temporary directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/ports/clock.h"
#include "core/ports/storage.h"
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
// Loads users with these numbers.
void load_users(Storage& storage, const Clock& clock, std::uint32_t first, std::uint32_t last);

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
