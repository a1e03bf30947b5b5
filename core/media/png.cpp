#include "core/media/bytes.h"
#include "core/media/formats.h"

namespace chirp::media {
namespace {

constexpr std::string_view kMagic = "\x89PNG\r\n\x1a\n";
constexpr std::size_t kChunkFrame = 12;  // length, type, check
constexpr std::uint64_t kHeaderBytes = 13;

// What may say where and by whom a picture was taken: EXIF, and XMP, which comes as a text.
bool tells(std::string_view type) {
  return type == "eXIf" || type == "tEXt" || type == "zTXt" || type == "iTXt";
}

}  // namespace

bool is_png(std::string_view bytes) { return bytes.starts_with(kMagic); }

File read_png(std::string_view bytes) {
  File file;
  file.facts.type = MediaType::kPng;
  file.bytes = kMagic;
  for (std::size_t at = kMagic.size();;) {
    if (!has(bytes, at, kChunkFrame)) throw Broken{"it ends before its last chunk"};
    const std::uint64_t length = big<4>(bytes, at);
    const std::string_view type = bytes.substr(at + 4, 4);
    if (!has(bytes, at, length + kChunkFrame)) throw Broken{"a chunk runs past its end"};
    if (at == kMagic.size()) {
      if (type != "IHDR" || length != kHeaderBytes) throw Broken{"it does not begin with IHDR"};
      file.facts.width = static_cast<std::uint32_t>(big<4>(bytes, at + 8));
      file.facts.height = static_cast<std::uint32_t>(big<4>(bytes, at + 12));
    }
    if (!tells(type)) file.bytes += bytes.substr(at, length + kChunkFrame);
    if (type == "IEND") return file;
    at += length + kChunkFrame;
  }
}

}  // namespace chirp::media
