// Texts as bytes, for rows that a load keeps packed; for numbers see core/varint.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/varint.h"

namespace chirp::load {

inline void put_text(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out.append(text);
}

inline std::string_view take_text(std::string_view& bytes) {
  const auto size = static_cast<std::size_t>(take_varint(bytes));
  const std::string_view text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return text;
}

}  // namespace chirp::load
