#include <array>

#include "core/limits.h"
#include "core/media/bytes.h"
#include "core/media/formats.h"

namespace chirp::media {
namespace {

constexpr std::string_view kMagic = "\x89PNG\r\n\x1a\n";
constexpr std::size_t kChunkFrame = 12;  // length, type, check
constexpr std::uint64_t kAny = limits::kMediaBytesMax;

// Chunks needed to show the picture. A chunk of another size is invalid.
struct Kept {
  std::string_view type;
  std::uint64_t least;  // bytes
  std::uint64_t most;
};
constexpr std::array kKept{
    Kept{"IHDR", 13, 13},
    Kept{"PLTE", 3, 768},
    Kept{"IDAT", 0, kAny},
    Kept{"IEND", 0, 0},
    // Transparency and colours.
    Kept{"tRNS", 1, 256},
    Kept{"gAMA", 4, 4},
    Kept{"cHRM", 32, 32},
    Kept{"sRGB", 1, 1},
    Kept{"sBIT", 1, 4},
    Kept{"bKGD", 1, 6},
    Kept{"pHYs", 9, 9},
    Kept{"cICP", 4, 4},
    Kept{"mDCV", 24, 24},
    Kept{"cLLI", 8, 8},
    Kept{"iCCP", 1, limits::kColourProfileMax},
    // Animation.
    Kept{"acTL", 8, 8},
    Kept{"fcTL", 26, 26},
    Kept{"fdAT", 4, kAny},
};

bool is_kept(std::string_view type, std::uint64_t length) {
  // An upper-case first letter marks a chunk without which no picture can be shown.
  const bool is_critical = (byte_at(type, 0) & 0x20) == 0;
  for (const Kept& kept : kKept) {
    if (kept.type != type) continue;
    const bool fits = length >= kept.least && length <= kept.most;
    if (!fits && is_critical) throw Broken{"a chunk has a size that it can't have"};
    return fits;
  }
  if (is_critical) throw Broken{"a critical chunk is of an unknown kind"};
  return false;
}

}  // namespace

bool is_png(std::string_view bytes) { return bytes.starts_with(kMagic); }

CleanFile read_png(std::string_view bytes) {
  CleanFile file;
  file.facts.type = MediaType::kPng;
  file.bytes = kMagic;
  bool has_picture = false;
  for (std::size_t at = kMagic.size();;) {
    if (!has(bytes, at, kChunkFrame)) throw Broken{"it ends before its last chunk"};
    const std::uint64_t length = big<4>(bytes, at);
    const std::string_view type = bytes.substr(at + 4, 4);
    if (!has(bytes, at, length + kChunkFrame)) throw Broken{"a chunk runs past its end"};
    const bool is_kept_one = is_kept(type, length);
    const bool is_first = at == kMagic.size();
    if ((type == "IHDR") != is_first) throw Broken{"IHDR is not its first chunk, and no other"};
    if (is_first) {
      file.facts.width = static_cast<std::uint32_t>(big<4>(bytes, at + 8));
      file.facts.height = static_cast<std::uint32_t>(big<4>(bytes, at + 12));
    }
    if (type == "fcTL" && is_kept_one) {
      check_size(big<4>(bytes, at + 12), big<4>(bytes, at + 16));
    }
    has_picture = has_picture || type == "IDAT";
    if (is_kept_one) file.bytes += bytes.substr(at, length + kChunkFrame);
    if (type == "IEND") {
      if (!has_picture) throw Broken{"it has no picture"};
      return file;
    }
    at += length + kChunkFrame;
  }
}

}  // namespace chirp::media
