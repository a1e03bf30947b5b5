#include "core/limits.h"
#include "core/media/bytes.h"
#include "core/media/formats.h"

namespace chirp::media {
namespace {

constexpr std::size_t kWebpHeader = 12;
constexpr std::size_t kChunkHeader = 8;
constexpr std::size_t kFrameHeader = 16;     // in ANMF, before the chunks of the frame
constexpr std::size_t kExtendedBytes = 10;   // in VP8X
constexpr std::uint8_t kProfileFlag = 0x20;  // in VP8X, like the next two
constexpr std::uint8_t kAlphaFlag = 0x10;
constexpr std::uint8_t kAnimationFlag = 0x02;

void append_size(std::string& out, std::uint64_t size) {
  for (int i = 0; i < 4; ++i) out += static_cast<char>(size >> (8 * i) & 0xFF);
}

std::string chunk_of(std::string_view type, std::string_view content) {
  std::string chunk(type);
  append_size(chunk, content.size());
  chunk += content;
  if (content.size() % 2 != 0) chunk += '\0';
  return chunk;
}

struct Chunk {
  std::string_view type;
  std::string_view content;
  std::size_t end = 0;
};

Chunk chunk_at(std::string_view body, std::size_t at) {
  if (!has(body, at, kChunkHeader)) throw Broken{"it ends within a chunk"};
  const std::uint64_t length = little<4>(body, at + 4);
  const std::uint64_t padded = length + (length & 1);
  if (!has(body, at + kChunkHeader, padded)) throw Broken{"a chunk runs past its end"};
  return {body.substr(at, 4), body.substr(at + kChunkHeader, length),
          at + kChunkHeader + static_cast<std::size_t>(padded)};
}

// The background and loop count of an animation.
bool is_loop(const Chunk& chunk) { return chunk.type == "ANIM" && chunk.content.size() == 6; }

class WebpReader {
 public:
  CleanFile read(std::string_view body) {
    file_.facts.type = MediaType::kWebp;
    std::string kept;
    for (std::size_t at = kWebpHeader; at < body.size();) {
      const Chunk chunk = chunk_at(body, at);
      kept += kept_of(chunk, kept.empty());
      at = chunk.end;
    }
    if (!has_picture_) throw Broken{"it has no picture"};
    if (is_extended_) {
      constexpr std::size_t kFlagsAt = kChunkHeader;
      const int flags = (has_profile_ ? kProfileFlag : 0) | kAlphaFlag | kAnimationFlag;
      kept[kFlagsAt] = static_cast<char>(byte_at(kept, kFlagsAt) & flags);
      kept.replace(kFlagsAt + 1, 3, 3, '\0');
    }
    file_.bytes = "RIFF";
    append_size(file_.bytes, kept.size() + 4);
    file_.bytes += "WEBP" + kept;
    return std::move(file_);
  }

 private:
  std::string kept_of(const Chunk& chunk, bool is_first) {
    if (chunk.type == "VP8X") {
      if (!is_first) throw Broken{"its header is not first"};
      return extended(chunk.content);
    }
    if (chunk.type == "ANMF") return frame(chunk.content);
    if (chunk.type == "ICCP") {
      if (!is_extended_ || has_profile_ || chunk.content.size() > limits::kColourProfileMax)
        return {};
      has_profile_ = true;
    } else if (!is_picture(chunk) && chunk.type != "ALPH" && !is_loop(chunk)) {
      return {};
    }
    return chunk_of(chunk.type, chunk.content);
  }

  std::string extended(std::string_view content) {
    if (content.size() != kExtendedBytes) throw Broken{"its header has a wrong length"};
    is_extended_ = true;
    take_size(little<3>(content, 4) + 1, little<3>(content, 7) + 1);
    return chunk_of("VP8X", content);
  }

  // A frame of an animation, with chunks of its own.
  std::string frame(std::string_view content) {
    if (!has(content, 0, kFrameHeader)) throw Broken{"it ends within a picture"};
    check_size(little<3>(content, 6) + 1, little<3>(content, 9) + 1);
    std::string kept(content.substr(0, kFrameHeader));
    for (std::size_t at = kFrameHeader; at < content.size();) {
      const Chunk chunk = chunk_at(content, at);
      if (is_picture(chunk) || chunk.type == "ALPH") kept += chunk_of(chunk.type, chunk.content);
      at = chunk.end;
    }
    return chunk_of("ANMF", kept);
  }

  // Whether the chunk is an image of an accepted size.
  bool is_picture(const Chunk& chunk) {
    const std::string_view content = chunk.content;
    if (chunk.type == "VP8L") {
      if (content.size() < 5 || content[0] != '\x2f') throw Broken{"a picture has no header"};
      const std::uint64_t bits = little<4>(content, 1);
      take_size((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1);
    } else if (chunk.type == "VP8 ") {
      if (content.size() < 10 || !stands_at(content, 3, "\x9d\x01\x2a")) {
        throw Broken{"a picture has no header"};
      }
      take_size(little<2>(content, 6) & 0x3FFF, little<2>(content, 8) & 0x3FFF);
    } else {
      return false;
    }
    has_picture_ = true;
    return true;
  }

  // The first size is that of the whole picture.
  void take_size(std::uint64_t width, std::uint64_t height) {
    check_size(width, height);
    if (file_.facts.width != 0) return;
    file_.facts.width = static_cast<std::uint32_t>(width);
    file_.facts.height = static_cast<std::uint32_t>(height);
  }

  CleanFile file_;
  bool is_extended_ = false;
  bool has_profile_ = false;
  bool has_picture_ = false;
};

}  // namespace

bool is_webp(std::string_view bytes) {
  return bytes.starts_with("RIFF") && stands_at(bytes, 8, "WEBP");
}

CleanFile read_webp(std::string_view bytes) {
  const std::uint64_t size = little<4>(bytes, 4);
  if (size < 4 || !has(bytes, 8, size)) throw Broken{"it is shorter than it says"};
  return WebpReader().read(bytes.substr(0, 8 + size));
}

}  // namespace chirp::media
