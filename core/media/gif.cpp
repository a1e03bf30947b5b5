#include "core/media/bytes.h"
#include "core/media/formats.h"

namespace chirp::media {
namespace {

constexpr std::size_t kGifHeader = 13;
constexpr std::uint8_t kExtension = 0x21;
constexpr std::uint8_t kImage = 0x2C;
constexpr std::uint8_t kTrailer = 0x3B;

// Size of a colour table in bytes, by the flags in the header.
std::size_t table_bytes(std::uint8_t flags) {
  return (flags & 0x80) != 0 ? std::size_t{3} << ((flags & 7) + 1) : 0;
}

// The end of the blocks that begin at `at`, with their terminator.
std::size_t after_blocks(std::string_view bytes, std::size_t at) {
  for (;;) {
    if (!has(bytes, at, 1)) throw Broken{"it ends within a block"};
    const std::size_t size = byte_at(bytes, at);
    at += 1 + size;
    if (size == 0) return at;
  }
}

// The part of the extension from `at` to `end` that is kept: the timing of an image, or the number
// of loops. Written again, because a block may have extra bytes.
std::string kept_of(std::string_view bytes, std::size_t at, std::size_t end) {
  constexpr std::string_view kTiming("\x21\xF9\x04", 3);
  constexpr std::size_t kTimingBytes = 8;
  constexpr std::string_view kLoop("\x03\x01", 2);
  constexpr std::size_t kLoopAt = 14;
  constexpr std::size_t kLoopBytes = 19;
  const std::string_view block = bytes.substr(at, end - at);
  if (block.starts_with(kTiming) && has(block, 0, kTimingBytes)) {
    return std::string(block.substr(0, kTimingBytes - 1)) + '\0';
  }
  const bool loops = block.starts_with("\x21\xFF\x0BNETSCAPE2.0") || block.starts_with(
                                                                         "\x21\xFF\x0B"
                                                                         "ANIMEXTS1.0");
  if (loops && stands_at(block, kLoopAt, kLoop) && has(block, 0, kLoopBytes)) {
    return std::string(block.substr(0, kLoopBytes - 1)) + '\0';
  }
  return {};
}

std::size_t after_image(std::string_view bytes, std::size_t at) {
  constexpr std::size_t kDescriptor = 10;
  if (!has(bytes, at, kDescriptor)) throw Broken{"it ends within an image"};
  check_size(little<2>(bytes, at + 5), little<2>(bytes, at + 7));
  // One byte with the code size comes before the blocks.
  return after_blocks(bytes, at + kDescriptor + table_bytes(byte_at(bytes, at + 9)) + 1);
}

}  // namespace

bool is_gif(std::string_view bytes) {
  return bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a");
}

CleanFile read_gif(std::string_view bytes) {
  if (!has(bytes, 0, kGifHeader)) throw Broken{"it ends within its header"};
  CleanFile file;
  file.facts = {MediaType::kGif, static_cast<std::uint32_t>(little<2>(bytes, 6)),
                static_cast<std::uint32_t>(little<2>(bytes, 8))};
  std::size_t at = kGifHeader + table_bytes(byte_at(bytes, 10));
  if (!has(bytes, 0, at)) throw Broken{"it ends within its colours"};
  file.bytes = bytes.substr(0, at);
  for (bool has_picture = false;;) {
    if (!has(bytes, at, 1)) throw Broken{"its end is missing"};
    const std::uint8_t kind = byte_at(bytes, at);
    if (kind == kTrailer) {
      if (!has_picture) throw Broken{"it has no picture"};
      file.bytes += static_cast<char>(kTrailer);
      return file;
    }
    if (kind != kExtension && kind != kImage) throw Broken{"a block of an unknown kind"};
    const std::size_t end = kind == kImage ? after_image(bytes, at) : after_blocks(bytes, at + 2);
    if (end > bytes.size()) throw Broken{"a block runs past its end"};
    if (kind == kImage) {
      file.bytes += bytes.substr(at, end - at);
      has_picture = true;
    } else {
      file.bytes += kept_of(bytes, at, end);
    }
    at = end;
  }
}

}  // namespace chirp::media
