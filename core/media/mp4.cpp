#include <array>

#include "core/media/bytes.h"
#include "core/media/formats.h"

namespace chirp::media {
namespace {

constexpr int kDepthMax = 4;

struct Box {
  std::string_view type;
  std::size_t at = 0;       // of its header
  std::size_t content = 0;  // past its header
  std::size_t end = 0;
};

// The box at `at`, which ends at or before `end`.
Box box_at(std::string_view bytes, std::size_t at, std::size_t end) {
  const std::string_view within = bytes.substr(0, end);
  if (!has(within, at, 8)) throw Broken{"it ends within a box"};
  std::uint64_t size = big<4>(within, at);
  std::size_t header = 8;
  if (size == 1) {
    if (!has(within, at, 16)) throw Broken{"it ends within a box"};
    size = big<8>(within, at + 8);
    header = 16;
  } else if (size == 0) {
    size = end - at;  // to the end
  }
  if (size < header || !has(within, at, size)) throw Broken{"a box runs past its end"};
  return {bytes.substr(at + 4, 4), at, at + header, at + static_cast<std::size_t>(size)};
}

bool tells(std::string_view type) { return type == "udta" || type == "meta" || type == "uuid"; }

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {
    file_.facts.type = MediaType::kMp4;
    file_.bytes = bytes;
  }

  File read() {
    walk(0, bytes_.size(), 0);
    return std::move(file_);
  }

 private:
  void walk(std::size_t at, std::size_t end, int depth) {
    while (at < end) {
      const Box box = box_at(bytes_, at, end);
      if (tells(box.type)) {
        file_.bytes.replace(box.at + 4, 4, "free");
        file_.bytes.replace(box.content, box.end - box.content,
                            std::string(box.end - box.content, '\0'));
      } else if (box.type == "moov" || box.type == "trak" || box.type == "moof" ||
                 box.type == "traf") {
        if (depth == kDepthMax) throw Broken{"its boxes lie too deep"};
        walk(box.content, box.end, depth + 1);
      } else if (box.type == "tkhd") {
        read_size(bytes_.substr(box.content, box.end - box.content));
      }
      at = box.end;
    }
  }

  // Of the first track that has one; fixed-point numbers at the end of the box.
  void read_size(std::string_view header) {
    constexpr std::size_t kBytes = 84;
    constexpr std::size_t kBytesLong = 96;  // of version 1
    if (file_.facts.width != 0 || header.empty()) return;
    const std::size_t size = byte_at(header, 0) == 1 ? kBytesLong : kBytes;
    if (!has(header, 0, size)) throw Broken{"a track's header is cut off"};
    file_.facts.width = static_cast<std::uint32_t>(big<4>(header, size - 8) >> 16);
    file_.facts.height = static_cast<std::uint32_t>(big<4>(header, size - 4) >> 16);
  }

  std::string_view bytes_;
  File file_;
};

}  // namespace

bool is_mp4(std::string_view bytes) {
  constexpr std::array<std::string_view, 13> kBrands{"isom", "iso2", "iso3", "iso4", "iso5",
                                                     "iso6", "mp41", "mp42", "avc1", "M4V ",
                                                     "MSNV", "dash", "f4v "};
  if (!stands_at(bytes, 4, "ftyp")) return false;
  for (const std::string_view brand : kBrands) {
    if (stands_at(bytes, 8, brand)) return true;
  }
  return false;
}

File read_mp4(std::string_view bytes) { return Reader(bytes).read(); }

}  // namespace chirp::media
