#include "cli/input/zip_end.h"

namespace chirp::cli::input {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kEnd = "PK\x05\x06"sv;
constexpr std::string_view kLocator = "PK\x06\x07"sv;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kLocatorBytes = 20;
constexpr std::uint64_t kLargeEndBytes = 56;  // the smallest end record of a large zip

// A little-endian number of `bytes` bytes.
std::uint64_t number_at(std::string_view text, std::size_t at, std::size_t bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes; i-- > 0;) {
    number = number << 8 | static_cast<unsigned char>(text[at + i]);
  }
  return number;
}

// Whether a complete end record is at `at`, and the directory reaches up to it.
bool is_end(std::string_view tail, std::size_t at, std::uint64_t size) {
  if (tail.size() - at < kEndBytes) return false;
  if (number_at(tail, at + 20, 2) > tail.size() - at - kEndBytes) return false;
  const std::uint64_t place = size - tail.size() + at;  // position in the file
  if (at >= kLocatorBytes && tail.substr(at - kLocatorBytes).starts_with(kLocator)) {
    // A zip of more than 4 GiB or 65,535 members has another end record before this one.
    const std::uint64_t other = number_at(tail, at - kLocatorBytes + 8, 8);
    const std::uint64_t room = place - kLocatorBytes;
    return other <= room && room - other >= kLargeEndBytes;
  }
  // Programs without support for large zips write only the lower half of its position.
  const std::uint64_t bytes = number_at(tail, at + 12, 4);
  const std::uint64_t begin = number_at(tail, at + 16, 4);
  return bytes <= place && ((place - bytes) & 0xFFFF'FFFFU) == begin;
}

}  // namespace

bool has_zip_end(std::string_view tail, std::uint64_t size) {
  for (std::size_t at = tail.rfind(kEnd); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : tail.rfind(kEnd, at - 1)) {
    if (is_end(tail, at, size)) return true;
  }
  return false;
}

}  // namespace chirp::cli::input
