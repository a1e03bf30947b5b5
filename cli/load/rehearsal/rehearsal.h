// A dry run's engine: loads run in it as they are, over a data directory that is only read, or over
// nothing.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "cli/load/rehearsal/directory.h"
#include "cli/load/rehearsal/newcomers.h"
#include "cli/load/rehearsal/storage.h"
#include "core/engine.h"
#include "core/load/words.h"

namespace chirp::cli::rehearsal {

class Rehearsal {
 public:
  // What a dry run keeps of what it has put, besides users: some 250 million follows, or 20 million
  // posts.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 30;

  // `below` is null if there is no data directory yet.
  Rehearsal(Engine* below, const Clock& clock, std::size_t most_bytes = kMostBytes);
  Rehearsal(const Rehearsal&) = delete;
  Rehearsal& operator=(const Rehearsal&) = delete;

  [[nodiscard]] Engine& engine() { return engine_; }
  // The user of this name; somebody is made up if there is no data directory.
  [[nodiscard]] User user(const std::string& name);
  // Whether there was more than it keeps: then what comes twice is not all told.
  [[nodiscard]] bool is_full() const { return storage_.is_full(); }

 private:
  bool is_bare_;  // there is no data directory
  load::Words words_;
  Newcomers users_;
  RehearsedDirectory directory_;
  RehearsedStorage storage_;
  std::unique_ptr<PasswordHasher> hasher_;
  Engine engine_;
};

}  // namespace chirp::cli::rehearsal
