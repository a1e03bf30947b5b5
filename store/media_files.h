// The bytes of uploads: files below DIR/media, each named by the SHA-256 of what is in it.
//
// A file is written under another name, `begun.tmp`, and gets its own name as a second one when it
// is durable. The first name goes when the row that names the file is written: what a process that
// was killed has left is told by it. Who puts or removes a file holds the turn from before looking
// for it until the row that names it is written or gone.
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

  // Throws Error{kUnavailable} when it does not come within limits::kBusyMs.
  [[nodiscard]] LockFile turn() const;
  // Empty if somebody has it.
  [[nodiscard]] std::optional<LockFile> try_turn() const;

  // Makes sure that the bytes are there, durable. With the turn.
  void put(const std::string& hash, std::string_view bytes) const;
  // Whether somebody is putting a file, or died there.
  [[nodiscard]] bool has_begun() const;
  // The file that was put by whoever died before it was settled; empty if there is none. With the
  // turn.
  [[nodiscard]] std::optional<std::string> unsettled() const;
  // The file that was put last has its row, or was removed. With the turn.
  void settle() const;
  // Throws Error{kCorrupt} if they are missing or damaged.
  [[nodiscard]] std::string read(const std::string& hash) const;
  // To be read in pieces; what is read is of the file that was checked. Throws the same.
  [[nodiscard]] std::shared_ptr<const MediaFile> open(const std::string& hash) const;
  // Whether they are there as they were put.
  [[nodiscard]] bool is_sound(const std::string& hash) const;
  // Of nobody any more; nothing if there is none. With the turn.
  void remove(const std::string& hash) const;
  // Names of all files, whatever they are.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  [[nodiscard]] std::filesystem::path path_of(const std::string& hash) const;

  std::filesystem::path folder_;
};

}  // namespace chirp::store
