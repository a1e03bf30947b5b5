// Why there is no room for a write, and what to do about it.
#pragma once

#include <filesystem>
#include <string>

namespace chirp::store {

// Whether an errno means that there is no room.
[[nodiscard]] bool is_no_room(int error);

// Returns a sentence for such an errno. `where` is the file being written, or empty if unknown.
[[nodiscard]] std::string room_advice(int error, const std::filesystem::path& where = {});

}  // namespace chirp::store
