// The metadata of an uploaded file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/model/ids.h"

namespace chirp {

// Stored; never renumber.
enum class MediaType : std::uint8_t { kPng = 1, kJpeg = 2, kGif = 3, kWebp = 4, kMp4 = 5 };

// `image/png` and so on.
[[nodiscard]] std::string_view mime_type(MediaType type);
[[nodiscard]] std::optional<MediaType> media_type_of(std::uint64_t number);
// The path of the file: `/media/<id>`.
[[nodiscard]] std::string address_of(MediaId id);

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
