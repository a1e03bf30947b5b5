// The bytes of uploads: files below DIR/media, each named by the SHA-256 of its content.
//
// A file is written under the name `begun.tmp`. When it is durable, it gets its own name as a
// second link. The first name is removed when the row that names the file is written, so a
// remaining `begun.tmp` shows what a killed process left. To put or remove a file, a process holds
// the turn from before it looks for the file until its row is written or removed.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/media_store.h"
#include "store/lock_file.h"

namespace chirp::store {

class MediaFiles {
 public:
  explicit MediaFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Throws Error{kUnavailable} if the turn is not free within limits::kBusyMs.
  [[nodiscard]] LockFile turn() const;
  // Returns the turn, or empty if another process has it.
  [[nodiscard]] std::optional<LockFile> try_turn() const;

  // Stores the bytes durably, if they are not there yet. Hold the turn.
  void put(const std::string& hash, std::string_view bytes) const;
  // Whether a process is putting a file, or died while doing so.
  [[nodiscard]] bool has_begun() const;
  // Returns the hash of a file that a process put and died before settling; empty if all files are
  // settled. Hold the turn.
  [[nodiscard]] std::optional<std::string> unsettled() const;
  // Settles the file that was put last: its row is written, or it was removed. Hold the turn.
  void settle() const;
  // Throws Error{kCorrupt} if the bytes are missing or damaged.
  [[nodiscard]] std::string read(const std::string& hash) const;
  // Opens the bytes to read them in pieces, all from the file that was checked. Throws like read().
  [[nodiscard]] std::shared_ptr<const MediaFile> open(const std::string& hash) const;
  // Whether the bytes are there and undamaged.
  [[nodiscard]] bool is_sound(const std::string& hash) const;
  // Removes the bytes once no row uses them; does nothing if they are missing. Hold the turn.
  void remove(const std::string& hash) const;
  // Returns the names of all files, including unknown ones.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  [[nodiscard]] std::filesystem::path path_of(const std::string& hash) const;

  std::filesystem::path folder_;
};

}  // namespace chirp::store
