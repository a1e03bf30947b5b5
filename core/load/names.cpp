#include "core/load/names.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/chosen_names.h"
#include "core/model/names.h"

namespace chirp::load {
namespace {

enum class LineBreaks : std::uint8_t { kBlank, kKept };

// At most `code_points` of `text` without control characters; line breaks become blanks, or stay.
std::string fitting(std::string_view text, std::size_t code_points, LineBreaks breaks) {
  std::string out;
  std::size_t seen = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool starts = (byte & 0xC0u) != 0x80u;
    if (starts && ++seen > code_points) break;
    const bool is_break = c == '\n' || c == '\t';
    if (is_break && breaks == LineBreaks::kBlank) {
      out.push_back(' ');
    } else if ((byte >= 0x20 && byte != 0x7F) || is_break) {
      out.push_back(c);
    }
  }
  return out;
}

template <class Check>
std::optional<std::string> checked(std::string_view text, std::size_t code_points,
                                   LineBreaks breaks, Check check) {
  if (text.empty()) return std::nullopt;
  try {
    return check(text);
  } catch (const Error&) {
    // Cut to fit, once more; other faults, such as invalid UTF-8, can't be repaired.
  }
  try {
    return check(fitting(text, code_points, breaks));
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

LoadedUser loaded_user(const SourceUser& said) {
  LoadedUser user{
      .source = said.id,
      .username = std::nullopt,
      .display_name = checked(without_turns(said.display_name), limits::kDisplayNameMax,
                              LineBreaks::kBlank, checked_display_name),
      .bio = checked(without_turns(said.bio), limits::kBioMax, LineBreaks::kKept, checked_bio)
                 .value_or(std::string()),
      .created_at = std::nullopt};
  if (is_username(said.username)) {
    user.username = said.username;
  } else if (!user.display_name) {
    user.display_name = display_name_of(said.username);
  }
  return user;
}

}  // namespace chirp::load
