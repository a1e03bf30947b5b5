// A file that somebody has uploaded: what is known of it beside its bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/model/ids.h"

namespace chirp {

// Stored; numbers are for good.
enum class MediaType : std::uint8_t { kPng = 1, kJpeg = 2, kGif = 3, kWebp = 4, kMp4 = 5 };

// `image/png` and so on.
[[nodiscard]] std::string_view mime_type(MediaType type);
[[nodiscard]] std::optional<MediaType> media_type_of(std::uint64_t number);
// Where the file is found: `/media/<id>`.
[[nodiscard]] std::string address_of(MediaId id);

// What a file's header says; it is never decoded.
struct MediaFacts {
  MediaType type = MediaType::kPng;
  std::uint32_t width = 0;  // pixels
  std::uint32_t height = 0;

  bool operator==(const MediaFacts&) const = default;
};

// A user has a file once: uploading it again is the same upload, as new as the first time.
struct Upload {
  MediaId id;
  UserNumber owner;
  std::string hash;  // SHA-256 of the bytes, in hexadecimal
  MediaFacts facts;
  std::uint64_t bytes = 0;
  Time created_at;
  // Since when nothing is known to name it. Equal to `created_at` until something was first going
  // to name it; 0 once its removal has begun.
  Time idle_since;

  bool operator==(const Upload&) const = default;
};

}  // namespace chirp
