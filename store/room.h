// Explains errors of a full disk or of a limit of the process, and what to do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace chirp::store {

// The space of a file system.
struct DiskSpace {
  std::uint64_t free = 0;   // bytes that this user may still write
  std::uint64_t bytes = 0;  // total
};
// Returns it for the file system of a path, or of its nearest existing parent. Empty if the system
// does not say.
[[nodiscard]] std::optional<DiskSpace> disk_at(const std::filesystem::path& path);

// Whether an errno means that the disk or the quota is full.
[[nodiscard]] bool is_no_room(int error);

// Returns a sentence for such an errno. `where` is the file being written, or empty if unknown.
[[nodiscard]] std::string room_advice(int error, const std::filesystem::path& where = {});

// Returns a sentence that names the limit of this process behind an errno, and a value that is
// enough. Empty if no limit is known to cause it.
[[nodiscard]] std::string limit_advice(int error);

}  // namespace chirp::store
