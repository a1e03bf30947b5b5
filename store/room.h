// Why there is no room for what is written, and what to do.
#pragma once

#include <filesystem>
#include <string>

namespace chirp::store {

// Whether an errno says so.
[[nodiscard]] bool is_no_room(int error);

// A sentence for such an errno. `where` is the file that is written, or empty if it is not known.
[[nodiscard]] std::string room_advice(int error, const std::filesystem::path& where = {});

}  // namespace chirp::store
