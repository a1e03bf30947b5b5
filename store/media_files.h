// The bytes of uploads: files below DIR/media, each named by the SHA-256 of what is in it.
//
// A file is written under another name and renamed when it is durable. Who puts or removes one
// holds the turn from before looking for it until the row that names it is written or gone.
#pragma once

#include <filesystem>
#include <memory>
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

  // Makes sure that the bytes are there, durable. With the turn.
  void put(const std::string& hash, std::string_view bytes) const;
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
