// A folder under construction: it is built beside its destination until it is complete, and then
// renamed into place, so that the destination is never half there.
//
//   DESTINATION.tmp.XXXXXX/.unfinished    locked by the builder; without a lock it is left over
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "store/lock_file.h"

namespace chirp::store {

// The mark of an unfinished folder. In a complete folder it means nothing.
inline constexpr const char* kUnfinished = ".unfinished";

// Removes a folder, its mark last, so that a folder left by a crash is still recognised as
// unfinished. Returns false if something of it is left.
bool remove_marked(const std::filesystem::path& folder) noexcept;

// `path` without links, dots or a slash at its end; it need not exist.
[[nodiscard]] std::filesystem::path plain_path(const std::filesystem::path& path);

// Throws Error{kBadInput} for a destination below the data directory `data`, by whatever name.
void refuse_inside(const std::filesystem::path& destination, const std::filesystem::path& data);

class BuildFolder {
 public:
  // Makes the folder, mode 0700, and the folders above it that are missing; clears up what builders
  // of the same destination that died have left. `destination` is a plain_path.
  explicit BuildFolder(std::filesystem::path destination);
  // Removes everything made, unless it is in its place.
  ~BuildFolder();
  BuildFolder(const BuildFolder&) = delete;
  BuildFolder& operator=(const BuildFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  // Makes all of it durable and renames it to the destination, which must be missing or an empty
  // folder. Throws Error{kConflict} if something else is there by now, and leaves it untouched.
  // After any other Error the destination is missing, unless the Error says otherwise.
  void put_in_place();
  // The same if the destination is a folder, which is removed once the new one is durably in place.
  // Returns where its rest is, if it could not be removed completely.
  std::optional<std::filesystem::path> replace();

 private:
  bool begin();
  void settle();
  std::filesystem::path exchange();
  void take_back(const std::filesystem::path& old);
  void clear_up() noexcept;

  std::filesystem::path destination_;
  std::filesystem::path path_;
  std::vector<std::filesystem::path> parents_;  // made by us, outermost first
  std::optional<LockFile> marker_;
  bool placed_ = false;
};

}  // namespace chirp::store
