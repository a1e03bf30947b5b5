// The world a benchmark runs on: generated into a temporary directory that goes with it.
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

// Fills an empty store: users; the first follows / follows_of_reader of them (all, if they are
// fewer) follow so many accounts each, or what comes out even; posts of 120 characters by everybody
// over the last hundred days. Who follows others, in ascending order. Consumers have yet to run.
std::vector<UserNumber> fill_world(Storage& storage, const WorldSize& size, const Clock& clock);
// Users of these numbers, as a load brings them.
void load_users(Storage& storage, const Clock& clock, std::uint32_t first, std::uint32_t last);

// A folder below the system's temporary one, removed with all that is in it.
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

// Numbers without a pattern, the same in every run (SplitMix64, Steele et al., OOPSLA 2014).
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
  // As fill_world() has it.
  World(const WorldSize& size, const Clock& clock);
  // A copy of the directory given, in a folder; readers are the first users who follow somebody.
  World(const store::DataPlace& directory, const Clock& clock);

  [[nodiscard]] Storage& storage() { return *storage_; }
  // Who reads: users that follow others, in ascending order.
  [[nodiscard]] std::span<const UserNumber> readers() const { return readers_; }

 private:
  void open(const std::filesystem::path& engine);

  const Clock& clock_;
  TemporaryFolder folder_;
  std::unique_ptr<Storage> storage_;  // without users: names are not what is measured
  std::vector<UserNumber> readers_;
};

// A post's text of 120 characters; differs with `n`.
[[nodiscard]] std::string post_text(std::uint64_t n);

}  // namespace chirp::cli::bench
