// Posts of a load as bytes, for sorting outside memory.
#pragma once

#include <string>
#include <string_view>

#include "core/load/waiting_posts.h"

namespace chirp::load {

// The whole row except its time. The row must not have an id yet.
void pack(const PostRow& row, std::string& out);
[[nodiscard]] PostRow unpacked(std::string_view bytes, Time created_at);

}  // namespace chirp::load
