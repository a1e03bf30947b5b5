// Why there is no room for a write, or a limit of the process is reached, and what to do about it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace chirp::store {

// What a file system has.
struct DiskSpace {
  std::uint64_t free = 0;   // bytes that this user may still write
  std::uint64_t bytes = 0;  // in all
};
// Returns it for the file system of a path, or of the nearest folder above it that exists. Empty if
// the system does not say.
[[nodiscard]] std::optional<DiskSpace> disk_at(const std::filesystem::path& path);

// Whether an errno means that there is no room.
[[nodiscard]] bool is_no_room(int error);

// Returns a sentence for such an errno. `where` is the file being written, or empty if unknown.
[[nodiscard]] std::string room_advice(int error, const std::filesystem::path& where = {});

// Returns a sentence that names the limit of this process behind an errno, and a value that is
// enough. Empty if no limit is known to cause it.
[[nodiscard]] std::string limit_advice(int error);

}  // namespace chirp::store
