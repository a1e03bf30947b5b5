// A folder under construction: built next to its destination until it is complete, then renamed, so
// that the destination is never incomplete.
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

// Returns `path` without links, dots or a final slash; it need not exist.
[[nodiscard]] std::filesystem::path plain_path(const std::filesystem::path& path);

// Throws Error{kBadInput} for a destination below the data directory `data`, under any name.
void refuse_inside(const std::filesystem::path& destination, const std::filesystem::path& data);

class BuildFolder {
 public:
  // Makes the folder, mode 0700, and missing parent folders. Removes what dead builders of the same
  // destination left. `destination` must be a plain_path.
  explicit BuildFolder(std::filesystem::path destination);
  // Removes everything made, unless it was put in place.
  ~BuildFolder();
  BuildFolder(const BuildFolder&) = delete;
  BuildFolder& operator=(const BuildFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  // Makes everything durable and renames it to the destination, which must be missing or an empty
  // folder. Throws Error{kConflict} if something else is there by now, and leaves it untouched.
  // After any other Error the destination is missing, unless the Error says otherwise.
  void put_in_place();
  // The same if the destination is a folder, which is removed once the new one is durably in place.
  // Returns the path of its remains if it could not be removed completely.
  std::optional<std::filesystem::path> replace();

 private:
  bool begin();
  void settle();
  std::filesystem::path exchange();
  void take_back(const std::filesystem::path& old);
  void clear_up() noexcept;

  std::filesystem::path destination_;
  std::filesystem::path path_;
  std::vector<std::filesystem::path> parents_;  // made by this builder, outermost first
  std::optional<LockFile> marker_;
  bool placed_ = false;
};

}  // namespace chirp::store
