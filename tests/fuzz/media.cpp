// Pictures and videos as they are uploaded: refused, or made clean. What is clean stays as it is
// when it is cleaned again, and holds none of the parts that tell of the photographer.

#include "core/error.h"
#include "core/limits.h"
#include "core/media/bytes.h"
#include "core/media/file.h"
#include "tests/fuzz/targets.h"

namespace chirp::fuzz {
namespace {

// The containers once more, in the plainest way that finds their parts. `visit` gets the type and
// the content of each.
template <class Visit>
void each_png_chunk(Bytes bytes, Visit visit) {
  for (std::size_t at = 8; at < bytes.size();) {
    const std::size_t length = media::big<4>(bytes, at);
    visit(bytes.substr(at + 4, 4), bytes.substr(at + 8, length));
    at += length + 12;
  }
}

template <class Visit>
void each_webp_chunk(Bytes bytes, Visit visit) {
  for (std::size_t at = 12; at < bytes.size();) {
    const std::size_t length = media::little<4>(bytes, at + 4);
    visit(bytes.substr(at, 4), bytes.substr(at + 8, length));
    at += 8 + length + length % 2;
  }
}

// The segments before the picture itself.
template <class Visit>
void each_jpeg_segment(Bytes bytes, Visit visit) {
  for (std::size_t at = 2; media::has(bytes, at, 4) && bytes[at] == '\xFF';) {
    const std::uint8_t marker = media::byte_at(bytes, at + 1);
    if (marker == 0xDA || marker == 0xD9) return;
    if (marker == 0xFF || marker == 0x01 || (marker >= 0xD0 && marker <= 0xD7)) {
      at += marker == 0xFF ? 1 : 2;
      continue;
    }
    const std::size_t length = media::big<2>(bytes, at + 2);
    visit(marker, bytes.substr(at + 4, length - 2));
    at += 2 + length;
  }
}

bool is_zeros(Bytes bytes) { return bytes.find_first_not_of('\0') == Bytes::npos; }

void check_png(Bytes bytes) {
  each_png_chunk(bytes, [](Bytes type, Bytes /*content*/) {
    for (const Bytes tells : {"eXIf", "tEXt", "zTXt", "iTXt"}) {
      holds(type != tells, "no PNG keeps EXIF or a text");
    }
  });
}

void check_webp(Bytes bytes) {
  each_webp_chunk(bytes, [](Bytes type, Bytes /*content*/) {
    holds(type != "EXIF" && type != "XMP ", "no WebP keeps EXIF or XMP");
  });
}

void check_jpeg(Bytes bytes) {
  each_jpeg_segment(bytes, [](std::uint8_t marker, Bytes content) {
    holds(marker != 0xFE, "no JPEG keeps a comment");
    if (marker != 0xE1) return;
    // One entry, the orientation: nothing has room for a place.
    holds(content.starts_with(Bytes("Exif\0\0MM\0\x2A\0\0\0\x08\0\x01\x01\x12", 18)) &&
              content.size() == 32,
          "the EXIF of a JPEG is the orientation alone");
  });
}

void check_mp4(Bytes bytes) {
  for (std::size_t at = 0; media::has(bytes, at, 8);) {
    std::uint64_t size = media::big<4>(bytes, at);
    std::size_t header = 8;
    if (size == 1) size = media::big<8>(bytes, at + (header = 16) - 8);
    if (size == 0) size = bytes.size() - at;
    const Bytes type = bytes.substr(at + 4, 4);
    const Bytes content = bytes.substr(at + header, size - header);
    if (type == "udta" || type == "meta" || type == "uuid") {
      holds(is_zeros(content), "no MP4 keeps user data");
    }
    if (type == "moov" || type == "trak") check_mp4(content);
    at += size;
  }
}

void check_clean(const media::CleanFile& file) {
  switch (file.facts.type) {
    case MediaType::kPng:
      return check_png(file.bytes);
    case MediaType::kJpeg:
      return check_jpeg(file.bytes);
    case MediaType::kWebp:
      return check_webp(file.bytes);
    case MediaType::kMp4:
      return check_mp4(file.bytes);
    case MediaType::kGif:
      return;
  }
}

}  // namespace

void media(Bytes input) {
  media::CleanFile file;
  try {
    file = media::checked(input);
  } catch (const Error& error) {
    holds(error.code() == ErrorCode::kInvalidArgument && error.field() == "media",
          "a file that is not taken is an invalid argument");
    return;
  }
  constexpr std::size_t kOrientation = 64;  // bytes of the one part that is written anew
  holds(file.bytes.size() <= input.size() + kOrientation, "cleaning makes nothing larger");
  holds(file.facts.width > 0 && file.facts.height > 0, "what is shown has a size");
  holds(media::type_of(file.bytes) == file.facts.type, "a clean file is of the same type");
  check_clean(file);
  try {
    const media::CleanFile again = media::checked(file.bytes);
    holds(again.bytes == file.bytes && again.facts == file.facts,
          "cleaning a clean file changes nothing");
  } catch (const Error&) {
    holds(false, "a clean file is taken");
  }
}

}  // namespace chirp::fuzz
