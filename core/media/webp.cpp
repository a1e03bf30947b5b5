#include "core/media/bytes.h"
#include "core/media/formats.h"

namespace chirp::media {
namespace {

constexpr std::size_t kHeader = 12;
constexpr std::size_t kFlagsAt = 20;  // of VP8X, which comes first
constexpr unsigned kExifFlag = 0x08;
constexpr unsigned kXmpFlag = 0x04;

void read_size(MediaFacts& facts, std::string_view type, std::string_view content) {
  if (facts.width != 0) return;
  if (type == "VP8X" && content.size() >= 10) {
    facts.width = static_cast<std::uint32_t>(little<3>(content, 4) + 1);
    facts.height = static_cast<std::uint32_t>(little<3>(content, 7) + 1);
  } else if (type == "VP8L" && content.size() >= 5 && content[0] == '\x2f') {
    const std::uint64_t bits = little<4>(content, 1);
    facts.width = static_cast<std::uint32_t>((bits & 0x3FFF) + 1);
    facts.height = static_cast<std::uint32_t>((bits >> 14 & 0x3FFF) + 1);
  } else if (type == "VP8 " && content.size() >= 10 && stands_at(content, 3, "\x9d\x01\x2a")) {
    facts.width = static_cast<std::uint32_t>(little<2>(content, 6) & 0x3FFF);
    facts.height = static_cast<std::uint32_t>(little<2>(content, 8) & 0x3FFF);
  }
}

}  // namespace

bool is_webp(std::string_view bytes) {
  return bytes.starts_with("RIFF") && stands_at(bytes, 8, "WEBP");
}

File read_webp(std::string_view bytes) {
  const std::uint64_t size = little<4>(bytes, 4);
  if (size < 4 || !has(bytes, 8, size)) throw Broken{"it is shorter than it says"};
  File file;
  file.facts.type = MediaType::kWebp;
  file.bytes = bytes.substr(0, kHeader);
  const std::string_view body = bytes.substr(0, 8 + size);
  for (std::size_t at = kHeader; at < body.size();) {
    if (!has(body, at, 8)) throw Broken{"it ends within a chunk"};
    const std::string_view type = body.substr(at, 4);
    const std::uint64_t length = little<4>(body, at + 4);
    const std::uint64_t padded = length + (length & 1);
    if (!has(body, at + 8, padded)) throw Broken{"a chunk runs past its end"};
    read_size(file.facts, type, body.substr(at + 8, length));
    if (type != "EXIF" && type != "XMP ") file.bytes += body.substr(at, 8 + padded);
    at += 8 + padded;
  }
  if (stands_at(file.bytes, kHeader, "VP8X") && file.bytes.size() > kFlagsAt) {
    file.bytes[kFlagsAt] =
        static_cast<char>(byte_at(file.bytes, kFlagsAt) & ~(kExifFlag | kXmpFlag));
  }
  const std::uint64_t left = file.bytes.size() - 8;
  for (std::size_t i = 0; i < 4; ++i) file.bytes[4 + i] = static_cast<char>(left >> (8 * i) & 0xFF);
  return file;
}

}  // namespace chirp::media
