#include "core/model/upload.h"

#include <fmt/format.h>

namespace chirp {

std::string_view mime_type(MediaType type) {
  switch (type) {
    case MediaType::kPng:
      return "image/png";
    case MediaType::kJpeg:
      return "image/jpeg";
    case MediaType::kGif:
      return "image/gif";
    case MediaType::kWebp:
      return "image/webp";
    case MediaType::kMp4:
      return "video/mp4";
  }
  return {};
}

std::optional<MediaType> media_type_of(std::uint64_t number) {
  if (number < 1 || number > 5) return std::nullopt;
  return static_cast<MediaType>(number);
}

std::string address_of(MediaId id) { return fmt::format("/media/{}", id.value); }

}  // namespace chirp
