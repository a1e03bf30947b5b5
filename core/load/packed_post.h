// Posts of a load as bytes, for what is sorted outside of memory.
#pragma once

#include <string>
#include <string_view>

#include "core/load/waiting_posts.h"

namespace chirp::load {

// Everything of a row but its time. The row has no id yet.
void pack(const PostRow& row, std::string& out);
[[nodiscard]] PostRow unpacked(std::string_view bytes, Time created_at);

}  // namespace chirp::load
