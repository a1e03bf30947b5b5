#include "server/http/chunks.h"

#include <algorithm>
#include <charconv>

#include "server/http/grammar.h"

namespace chirp::http {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::size_t kSizeLineBytesMax = 256;     // a chunk size with its extensions
constexpr std::size_t kTrailerBytesMax = 8 << 10;  // all lines after the last chunk

Fault broken(std::string_view what) {
  return bad("The body does not come in chunks as RFC 9112 has them: " + std::string(what) + ".");
}

// As in the head: another program could take a control character for the end of a line.
bool has_control(std::string_view line) {
  return std::any_of(line.begin(), line.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7F;
  });
}

std::optional<std::uint64_t> size_in(std::string_view line) {
  std::string_view digits = line.substr(0, line.find(';'));
  if (digits.size() < line.size()) {
    while (digits.ends_with(' ') || digits.ends_with('\t')) digits.remove_suffix(1);
  }
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size, 16);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole ? std::optional(size) : std::nullopt;
}

}  // namespace

std::optional<Fault> ChunkedBody::take(std::string& input, std::string& body, std::size_t most) {
  std::size_t at = 0;
  std::optional<Fault> fault;
  while (!fault && part_ != Part::kOver) {
    const std::string_view rest = std::string_view(input).substr(at);
    if (part_ == Part::kData) {
      if (left_ > most - body.size()) {
        fault = Fault{413, "The body is longer than the " + std::to_string(most) +
                               " bytes that are taken here."};
        break;
      }
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, rest.size()));
      body.append(rest.substr(0, count));
      at += count;
      left_ -= count;
      if (left_ != 0) break;
      part_ = Part::kDataEnd;
      continue;
    }
    const std::size_t end = rest.find(kLineEnd);
    const bool is_whole = end != std::string_view::npos;
    if (std::min(end, rest.size()) > kSizeLineBytesMax && part_ != Part::kTrailer) {
      fault = broken("the size of a chunk is longer than 256 bytes");
    } else if (rest.find('\n') < end) {
      fault = broken("a line ends with a line feed alone");
    } else if (part_ == Part::kTrailer &&
               trailer_bytes_ + std::min(end, rest.size()) > kTrailerBytesMax) {
      fault = Fault{431, "What stands behind the body is longer than 8 KiB."};
    }
    if (fault || !is_whole) break;
    at += end + kLineEnd.size();
    fault = take_line(rest.substr(0, end));
  }
  input.erase(0, at);
  return fault;
}

std::optional<Fault> ChunkedBody::take_line(std::string_view line) {
  if (has_control(line)) return broken("a line has a control character");
  switch (part_) {
    case Part::kSize: {
      const auto size = size_in(line);
      if (!size) return broken("a chunk does not begin with its size in hexadecimal digits");
      left_ = *size;
      part_ = left_ == 0 ? Part::kTrailer : Part::kData;
      break;
    }
    case Part::kDataEnd:
      if (!line.empty()) return broken("a chunk is longer than its size");
      part_ = Part::kSize;
      break;
    case Part::kTrailer:
      trailer_bytes_ += line.size() + kLineEnd.size();
      if (line.empty()) part_ = Part::kOver;
      break;
    case Part::kData:
    case Part::kOver:
      break;
  }
  return std::nullopt;
}

}  // namespace chirp::http
