// The engine of a dry run. The loaders run unchanged over a data directory that is only read, or
// over none.
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

class LoadRehearsal {
 public:
  // Limit in bytes on the rows that a dry run keeps, besides users.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 30;

  // `below` is null if there is no data directory yet.
  LoadRehearsal(Engine* below, const Clock& clock, std::size_t most_bytes = kMostBytes);
  LoadRehearsal(const LoadRehearsal&) = delete;
  LoadRehearsal& operator=(const LoadRehearsal&) = delete;

  [[nodiscard]] Engine& engine() { return engine_; }
  // Returns the user of this name. Makes one up if there is no data directory.
  [[nodiscard]] User user(const std::string& name);
  // Whether the limit was reached. From then on duplicates may count as new.
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
