#include "core/media/file.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/media/formats.h"

namespace chirp::media {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::kInvalidArgument, what, "media");
}

CleanFile read(std::string_view bytes) {
  if (const auto type = type_of(bytes)) {
    switch (*type) {
      case MediaType::kPng:
        return read_png(bytes);
      case MediaType::kJpeg:
        return read_jpeg(bytes);
      case MediaType::kGif:
        return read_gif(bytes);
      case MediaType::kWebp:
        return read_webp(bytes);
      case MediaType::kMp4:
        return read_mp4(bytes);
    }
  }
  refuse("The file is not a PNG, JPEG, GIF, WebP or MP4, whatever its name says.");
}

}  // namespace

void check_size(std::uint64_t width, std::uint64_t height) {
  constexpr std::uint64_t kSide = limits::kMediaSideMax;
  if (width <= kSide && height <= kSide && width * height <= limits::kMediaPixelsMax) return;
  refuse(
      fmt::format("The picture has {} x {} pixels. At most {} are allowed per side, and {} million "
                  "in total. Make it smaller.",
                  width, height, kSide, limits::kMediaPixelsMax / 1'000'000));
}

std::optional<MediaType> type_of(std::string_view bytes) {
  if (is_png(bytes)) return MediaType::kPng;
  if (is_jpeg(bytes)) return MediaType::kJpeg;
  if (is_gif(bytes)) return MediaType::kGif;
  if (is_webp(bytes)) return MediaType::kWebp;
  if (is_mp4(bytes)) return MediaType::kMp4;
  return std::nullopt;
}

CleanFile checked(std::string_view bytes) {
  if (bytes.size() > limits::kMediaBytesMax) {
    refuse(
        fmt::format("The file is larger than {} bytes. Make it smaller.", limits::kMediaBytesMax));
  }
  try {
    CleanFile file = read(bytes);
    check_size(file.facts.width, file.facts.height);
    if (file.facts.width == 0 || file.facts.height == 0) throw Broken{"it has no width or height"};
    return file;
  } catch (const Broken& broken) {
    refuse(fmt::format("The file is damaged: {}.", broken.what));
  }
}

}  // namespace chirp::media
