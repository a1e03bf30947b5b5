#include "server/api/byte_range.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/model/utf8.h"

namespace chirp::api {
namespace {

constexpr std::string_view kUnit = "bytes=";

// What is too large for the type is past the end of any file: it becomes the largest there is.
std::optional<std::uint64_t> natural(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (stop != end) return std::nullopt;
  if (error == std::errc::result_out_of_range) return std::numeric_limits<std::uint64_t>::max();
  if (error != std::errc{}) return std::nullopt;
  return number;
}

}  // namespace

std::optional<ByteRange> byte_range(std::string_view header, std::uint64_t size) {
  if (utf8::ascii_lower(header.substr(0, kUnit.size())) != kUnit) return std::nullopt;
  header.remove_prefix(kUnit.size());
  const std::size_t dash = header.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view from = header.substr(0, dash);
  const std::string_view to = header.substr(dash + 1);
  if (from.empty()) {  // the last so many
    const auto count = natural(to);
    if (!count) return std::nullopt;
    if (*count == 0 || size == 0) return ByteRange{0, 0, false};
    return ByteRange{size - std::min(*count, size), size - 1, true};
  }
  const auto first = natural(from);
  const auto last = to.empty() ? std::optional(size) : natural(to);
  if (!first || !last || (!to.empty() && *last < *first)) return std::nullopt;
  if (*first >= size) return ByteRange{0, 0, false};
  return ByteRange{*first, std::min(*last, size - 1), true};
}

}  // namespace chirp::api
