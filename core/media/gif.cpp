#include "core/media/bytes.h"
#include "core/media/formats.h"

namespace chirp::media {
namespace {

constexpr std::size_t kHeader = 13;
constexpr std::uint8_t kExtension = 0x21;
constexpr std::uint8_t kImage = 0x2C;
constexpr std::uint8_t kTrailer = 0x3B;
constexpr std::uint8_t kComment = 0xFE;
constexpr std::uint8_t kApplication = 0xFF;

// Bytes of a colour table, by the flags that announce it.
std::size_t table_bytes(std::uint8_t flags) {
  return (flags & 0x80) != 0 ? std::size_t{3} << ((flags & 7) + 1) : 0;
}

// Past the blocks that begin at `at`, their end included.
std::size_t after_blocks(std::string_view bytes, std::size_t at) {
  for (;;) {
    if (!has(bytes, at, 1)) throw Broken{"it ends within a block"};
    const std::size_t size = byte_at(bytes, at);
    at += 1 + size;
    if (size == 0) return at;
  }
}

bool is_kept(std::string_view bytes, std::size_t at) {
  const std::uint8_t kind = byte_at(bytes, at + 1);
  if (kind == kComment) return false;
  if (kind != kApplication) return true;
  return stands_at(bytes, at + 3, "NETSCAPE2.0") || stands_at(bytes, at + 3, "ANIMEXTS1.0");
}

std::size_t after_image(std::string_view bytes, std::size_t at) {
  constexpr std::size_t kDescriptor = 10;
  if (!has(bytes, at, kDescriptor)) throw Broken{"it ends within an image"};
  // One byte of code size stands before the blocks.
  return after_blocks(bytes, at + kDescriptor + table_bytes(byte_at(bytes, at + 9)) + 1);
}

}  // namespace

bool is_gif(std::string_view bytes) {
  return bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a");
}

File read_gif(std::string_view bytes) {
  if (!has(bytes, 0, kHeader)) throw Broken{"it ends within its header"};
  File file;
  file.facts = {MediaType::kGif, static_cast<std::uint32_t>(little<2>(bytes, 6)),
                static_cast<std::uint32_t>(little<2>(bytes, 8))};
  std::size_t at = kHeader + table_bytes(byte_at(bytes, 10));
  if (!has(bytes, 0, at)) throw Broken{"it ends within its colours"};
  file.bytes = bytes.substr(0, at);
  for (;;) {
    if (!has(bytes, at, 2)) {
      if (!has(bytes, at, 1) || byte_at(bytes, at) != kTrailer) throw Broken{"its end is missing"};
      file.bytes += static_cast<char>(kTrailer);
      return file;
    }
    const std::uint8_t kind = byte_at(bytes, at);
    if (kind == kTrailer) {
      file.bytes += static_cast<char>(kTrailer);
      return file;
    }
    if (kind != kExtension && kind != kImage) throw Broken{"a block of an unknown kind"};
    const std::size_t end = kind == kImage ? after_image(bytes, at) : after_blocks(bytes, at + 2);
    if (end > bytes.size()) throw Broken{"a block runs past its end"};
    if (kind == kImage || is_kept(bytes, at)) file.bytes += bytes.substr(at, end - at);
    at = end;
  }
}

}  // namespace chirp::media
