#include "core/media/bytes.h"
#include "core/media/formats.h"

namespace chirp::media {
namespace {

constexpr std::uint8_t kStart = 0xD8;
constexpr std::uint8_t kEnd = 0xD9;
constexpr std::uint8_t kScan = 0xDA;
constexpr std::uint8_t kComment = 0xFE;
constexpr std::uint8_t kFirstApp = 0xE0;
constexpr std::uint8_t kLastApp = 0xEF;
constexpr std::string_view kExif("Exif\0\0", 6);
constexpr std::uint16_t kOrientation = 0x0112;

bool is_frame(std::uint8_t marker) {
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}
// Markers that no length follows.
bool stands_alone(std::uint8_t marker) {
  return marker == 0x01 || (marker >= 0xD0 && marker <= 0xD7);
}
bool is_kept(std::uint8_t marker, std::string_view content) {
  if (marker == kComment) return false;
  if (marker < kFirstApp || marker > kLastApp) return true;
  return (marker == kFirstApp && content.starts_with("JFIF")) ||
         (marker == 0xE2 && content.starts_with("ICC_PROFILE")) ||
         (marker == 0xEE && content.starts_with("Adobe"));
}

// How the picture is to be turned, by the first directory of an EXIF block; 1 for as it is.
class Exif {
 public:
  explicit Exif(std::string_view tiff) : tiff_(tiff), little_(tiff.starts_with("II")) {}

  [[nodiscard]] std::uint8_t orientation() const {
    if (!has(tiff_, 0, 8) || (!little_ && !tiff_.starts_with("MM"))) return 1;
    const std::size_t directory = number<4>(4);
    if (!has(tiff_, directory, 2)) return 1;
    const std::size_t entries = number<2>(directory);
    for (std::size_t i = 0; i < entries; ++i) {
      const std::size_t entry = directory + 2 + i * 12;
      if (!has(tiff_, entry, 12)) return 1;
      if (number<2>(entry) != kOrientation) continue;
      const std::size_t value = number<2>(entry + 8);
      return value >= 1 && value <= 8 ? static_cast<std::uint8_t>(value) : std::uint8_t{1};
    }
    return 1;
  }

 private:
  template <std::size_t Size>
  [[nodiscard]] std::size_t number(std::size_t at) const {
    return little_ ? little<Size>(tiff_, at) : big<Size>(tiff_, at);
  }
  std::string_view tiff_;
  bool little_;
};

// A segment that says the orientation and nothing else.
std::string orientation_segment(std::uint8_t orientation) {
  std::string segment(
      "\xFF\xE1\x00\x22"
      "Exif\0\0"
      "MM\x00\x2A\x00\x00\x00\x08"
      "\x00\x01"
      "\x01\x12\x00\x03\x00\x00\x00\x01\x00",
      29);
  segment += static_cast<char>(orientation);
  segment += std::string(
      "\x00\x00"
      "\x00\x00\x00\x00",
      6);
  segment[3] = static_cast<char>(segment.size() - 2);
  return segment;
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  File read() {
    file_.facts.type = MediaType::kJpeg;
    at_ = 2;
    while (step()) {
    }
    if (orientation_ != 1) start_ += orientation_segment(orientation_);
    file_.bytes = start_ + rest_;
    return std::move(file_);
  }

 private:
  // One marker with what belongs to it; false at the end.
  bool step() {
    while (has(bytes_, at_, 2) && byte_at(bytes_, at_) == 0xFF &&
           byte_at(bytes_, at_ + 1) == 0xFF) {
      ++at_;  // filling
    }
    if (!has(bytes_, at_, 2)) throw Broken{"it ends before its picture does"};
    if (byte_at(bytes_, at_) != 0xFF) throw Broken{"a marker is missing"};
    const std::uint8_t marker = byte_at(bytes_, at_ + 1);
    if (marker == kStart || marker == 0) throw Broken{"a marker is out of place"};
    if (marker == kEnd || stands_alone(marker)) {
      rest_ += bytes_.substr(at_, 2);
      at_ += 2;
      return marker != kEnd;
    }
    segment(marker);
    if (marker == kScan) scan();
    return true;
  }

  void segment(std::uint8_t marker) {
    if (!has(bytes_, at_, 4)) throw Broken{"it ends within a segment"};
    const std::size_t length = big<2>(bytes_, at_ + 2);
    if (length < 2 || !has(bytes_, at_ + 2, length)) throw Broken{"a segment runs past its end"};
    const std::string_view content = bytes_.substr(at_ + 4, length - 2);
    if (is_frame(marker) && content.size() >= 5) {
      file_.facts.height = static_cast<std::uint32_t>(big<2>(content, 1));
      file_.facts.width = static_cast<std::uint32_t>(big<2>(content, 3));
    }
    if (marker == kFirstApp + 1 && content.starts_with(kExif)) {
      orientation_ = Exif(content.substr(kExif.size())).orientation();
    }
    if (is_kept(marker, content)) rest_ += bytes_.substr(at_, length + 2);
    at_ += length + 2;
  }

  // The picture itself, to the next marker.
  void scan() {
    const std::size_t from = at_;
    for (; has(bytes_, at_, 2); ++at_) {
      if (byte_at(bytes_, at_) != 0xFF) continue;
      const std::uint8_t next = byte_at(bytes_, at_ + 1);
      if (next != 0 && next != 0xFF && !stands_alone(next)) break;
    }
    if (!has(bytes_, at_, 2)) throw Broken{"it ends before its picture does"};
    rest_ += bytes_.substr(from, at_ - from);
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  File file_;
  std::string start_ = "\xFF\xD8";
  std::string rest_;
  std::uint8_t orientation_ = 1;
};

}  // namespace

bool is_jpeg(std::string_view bytes) { return bytes.starts_with("\xFF\xD8\xFF"); }

File read_jpeg(std::string_view bytes) { return Reader(bytes).read(); }

}  // namespace chirp::media
