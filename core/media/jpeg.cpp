#include "core/limits.h"
#include "core/media/bytes.h"
#include "core/media/formats.h"

namespace chirp::media {
namespace {

constexpr std::uint8_t kStart = 0xD8;
constexpr std::uint8_t kEnd = 0xD9;
constexpr std::uint8_t kScan = 0xDA;
constexpr std::uint8_t kJfif = 0xE0;
constexpr std::uint8_t kExifs = 0xE1;
constexpr std::uint8_t kProfile = 0xE2;
constexpr std::uint8_t kAdobe = 0xEE;
constexpr std::string_view kExif("Exif\0\0", 6);
constexpr std::uint16_t kOrientation = 0x0112;

bool is_frame(std::uint8_t marker) {
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}
// Markers without a length.
bool stands_alone(std::uint8_t marker) {
  return marker == 0x01 || (marker >= 0xD0 && marker <= 0xD7);
}
// Frames, tables, scans, and the number of lines.
bool is_for_decoding(std::uint8_t marker) {
  return is_frame(marker) || marker == 0xC4 || marker == 0xCC ||
         (marker >= kScan && marker < kJfif);
}

// A segment with its marker and length.
std::string segment_of(std::uint8_t marker, std::string_view content) {
  const std::size_t length = content.size() + 2;
  std::string segment{'\xFF', static_cast<char>(marker), static_cast<char>(length >> 8),
                      static_cast<char>(length & 0xFF)};
  return segment += content;
}

// JFIF without its thumbnail; empty for anything else.
std::string jfif(std::string_view content) {
  constexpr std::size_t kBytes = 14;
  constexpr std::size_t kThumbnailAt = 12;
  if (!content.starts_with(std::string_view("JFIF\0", 5)) || !has(content, 0, kBytes)) return {};
  return segment_of(kJfif, std::string(content.substr(0, kThumbnailAt)) + std::string(2, '\0'));
}

// Adobe's colour transform; empty for anything else.
std::string adobe(std::string_view content) {
  constexpr std::size_t kBytes = 12;
  if (!content.starts_with("Adobe") || !has(content, 0, kBytes)) return {};
  return segment_of(kAdobe, content.substr(0, kBytes));
}

// The orientation from the first directory of an EXIF block; 1 means unrotated.
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

// A segment with only the orientation.
std::string orientation_segment(std::uint8_t orientation) {
  std::string content(
      "Exif\0\0"
      "MM\x00\x2A\x00\x00\x00\x08"
      "\x00\x01"
      "\x01\x12\x00\x03\x00\x00\x00\x01\x00",
      25);
  content += static_cast<char>(orientation);
  content += std::string(6, '\0');
  return segment_of(kExifs, content);
}

class JpegReader {
 public:
  explicit JpegReader(std::string_view bytes) : bytes_(bytes) {}

  CleanFile read() {
    file_.facts.type = MediaType::kJpeg;
    at_ = 2;
    while (step()) {
    }
    if (!has_picture_) throw Broken{"it has no picture"};
    std::string start = "\xFF\xD8";
    if (orientation_ != 1) start += orientation_segment(orientation_);
    start += jfif_;
    start += adobe_;
    if (profile_.size() <= limits::kColourProfileMax) start += profile_;
    file_.bytes = start + rest_;
    return std::move(file_);
  }

 private:
  // Reads one marker with its segment; false at the end.
  bool step() {
    while (has(bytes_, at_, 2) && byte_at(bytes_, at_) == 0xFF &&
           byte_at(bytes_, at_ + 1) == 0xFF) {
      ++at_;  // fill bytes
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
    if (marker == kScan) {
      if (file_.facts.width == 0) throw Broken{"its picture has no header"};
      scan();
      has_picture_ = true;
    }
    return true;
  }

  void segment(std::uint8_t marker) {
    if (!has(bytes_, at_, 4)) throw Broken{"it ends within a segment"};
    const std::size_t length = big<2>(bytes_, at_ + 2);
    if (length < 2 || !has(bytes_, at_ + 2, length)) throw Broken{"a segment runs past its end"};
    const std::string_view content = bytes_.substr(at_ + 4, length - 2);
    if (is_frame(marker)) read_size(content);
    if (marker == kExifs && content.starts_with(kExif)) {
      orientation_ = Exif(content.substr(kExif.size())).orientation();
    } else if (marker == kJfif && jfif_.empty()) {
      jfif_ = jfif(content);
    } else if (marker == kAdobe && adobe_.empty()) {
      adobe_ = adobe(content);
    } else if (marker == kProfile && content.starts_with(std::string_view("ICC_PROFILE\0", 12))) {
      profile_ += bytes_.substr(at_, length + 2);
    } else if (is_for_decoding(marker)) {
      rest_ += bytes_.substr(at_, length + 2);
    }
    at_ += length + 2;
  }

  void read_size(std::string_view frame) {
    constexpr std::size_t kFixed = 6;
    constexpr std::size_t kOfComponent = 3;
    if (file_.facts.width != 0) throw Broken{"it has two headers"};
    if (frame.size() < kFixed || frame.size() != kFixed + kOfComponent * byte_at(frame, 5)) {
      throw Broken{"its header has a wrong length"};
    }
    const auto height = big<2>(frame, 1);
    const auto width = big<2>(frame, 3);
    check_size(width, height);
    file_.facts.height = static_cast<std::uint32_t>(height);
    file_.facts.width = static_cast<std::uint32_t>(width);
  }

  // Copies the image data, up to the next marker.
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
  CleanFile file_;
  std::string jfif_;
  std::string adobe_;
  std::string profile_;  // may come in several segments
  std::string rest_;
  std::uint8_t orientation_ = 1;
  bool has_picture_ = false;
};

}  // namespace

bool is_jpeg(std::string_view bytes) { return bytes.starts_with("\xFF\xD8\xFF"); }

CleanFile read_jpeg(std::string_view bytes) { return JpegReader(bytes).read(); }

}  // namespace chirp::media
