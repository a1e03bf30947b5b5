// The metadata of an uploaded file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/model/ids.h"
#include "core/model/value_names.h"

namespace chirp {

// Stored; never renumber.
enum class MediaType : std::uint8_t { kPng = 1, kJpeg = 2, kGif = 3, kWebp = 4, kMp4 = 5 };

inline constexpr ValueNames<MediaType, 5> kMimeTypes{{
    {MediaType::kPng, "image/png"},
    {MediaType::kJpeg, "image/jpeg"},
    {MediaType::kGif, "image/gif"},
    {MediaType::kWebp, "image/webp"},
    {MediaType::kMp4, "video/mp4"},
}};
[[nodiscard]] constexpr std::string_view mime_type(MediaType type) {
  return name_in(kMimeTypes, type);
}
[[nodiscard]] constexpr std::optional<MediaType> media_type_of(std::uint64_t number) {
  if (number < 1 || number > kMimeTypes.size()) return std::nullopt;
  return static_cast<MediaType>(number);
}
// The path of the file: `/media/<id>`.
[[nodiscard]] inline std::string address_of(MediaId id) {
  return "/media/" + std::to_string(id.value);
}

// Facts from a file's header; the file is never decoded.
struct MediaFacts {
  MediaType type = MediaType::kPng;
  std::uint32_t width = 0;  // pixels
  std::uint32_t height = 0;

  bool operator==(const MediaFacts&) const = default;
};

// A user has each file once: uploading it again returns the same upload, and counts as a new
// upload.
struct Upload {
  MediaId id;
  UserNumber owner;
  std::string hash;  // SHA-256 of the bytes, in hexadecimal
  MediaFacts facts;
  std::uint64_t bytes = 0;
  Time created_at;
  // Since when no post or profile is known to use it. Equal to `created_at` until something first
  // uses it; 0 once its removal has begun.
  Time idle_since;

  bool operator==(const Upload&) const = default;
};

}  // namespace chirp
