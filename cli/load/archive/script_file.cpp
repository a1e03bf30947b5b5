#include "cli/load/archive/script_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/input/notations.h"

namespace chirp::cli::archive {
namespace {

// The longest name of a variable.
constexpr std::size_t kNameMax = 4096;
constexpr std::string_view kYourData = "window.YTD.";

// Consumes the name and the equals sign, and returns the name.
std::string read_variable(input::TextBuffer& buffer) {
  std::size_t sign = std::string_view::npos;
  while ((sign = buffer.unread().substr(0, kNameMax).find('=')) == std::string_view::npos &&
         buffer.unread().size() < kNameMax) {
    if (buffer.fill() != input::TextBuffer::Filled::kMore) break;
  }
  if (sign == std::string_view::npos) return {};
  std::string_view name = input::trimmed(buffer.unread().substr(0, sign));
  if (name.starts_with("var ")) name = input::trimmed(name.substr(4));
  const bool odd = name.empty() || name.find_first_of("[{\"<\n") != std::string_view::npos;
  std::string variable(odd ? std::string_view() : name);
  if (!odd) buffer.consume(sign + 1);
  return variable;
}

}  // namespace

ScriptFile::ScriptFile(input::ByteStream& stream, input::TextBuffer& buffer)
    : buffer_(buffer), variable_((buffer.open(stream), read_variable(buffer))), values_(buffer) {}

std::string_view ScriptFile::kind() const {
  std::string_view name = variable_;
  if (!name.starts_with(kYourData)) return {};
  name.remove_prefix(kYourData.size());
  return name.substr(0, name.find('.'));
}

// A quote inside of a text follows a backslash, so a quoted name is never part of a text.
std::uint64_t ScriptFile::count_members(std::string_view name) {
  const std::string wanted = fmt::format("\"{}\"", name);
  std::uint64_t count = 0;
  for (;;) {
    const std::string_view text = buffer_.unread();
    std::size_t at = 0;
    for (std::size_t found = 0; (found = text.find(wanted, at)) != std::string_view::npos;
         ++count) {
      at = found + wanted.size();
    }
    const std::size_t kept = std::min(text.size() - at, wanted.size() - 1);
    buffer_.consume(text.size() - kept);
    if (buffer_.fill() != input::TextBuffer::Filled::kMore) return count;
  }
}

std::string_view script_value(std::string_view text) {
  const std::size_t sign = text.substr(0, kNameMax).find('=');
  return sign == std::string_view::npos ? std::string_view() : text.substr(sign + 1);
}

}  // namespace chirp::cli::archive
