// Container formats of pictures and videos, one function each: reads the size from the header and
// rewrites the file without metadata. They throw Broken for bytes that can't be parsed.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/media/file.h"

namespace chirp::media {

struct Broken {
  const char* what;  // "a chunk runs past the end"
};

[[nodiscard]] bool is_png(std::string_view bytes);
[[nodiscard]] bool is_jpeg(std::string_view bytes);
[[nodiscard]] bool is_gif(std::string_view bytes);
[[nodiscard]] bool is_webp(std::string_view bytes);
[[nodiscard]] bool is_mp4(std::string_view bytes);

// Throws Error{kInvalidArgument} with field `media` for too many pixels. Call it for every size in
// a file, because a viewer may use any of them.
void check_size(std::uint64_t width, std::uint64_t height);

// Keeps only the chunks needed to show the picture, animations too.
[[nodiscard]] CleanFile read_png(std::string_view bytes);
// Keeps only the segments needed to decode the picture, JFIF without its thumbnail, the colour
// profile, Adobe's transform, and the orientation from EXIF; drops bytes after the picture.
[[nodiscard]] CleanFile read_jpeg(std::string_view bytes);
// Keeps only images, their timing and the loop.
[[nodiscard]] CleanFile read_gif(std::string_view bytes);
// Keeps only the chunks needed to show the picture, including those within frames.
[[nodiscard]] CleanFile read_webp(std::string_view bytes);
// Keeps only the boxes needed to show pictures and play sound. Turns the others, and the samples of
// other tracks, into free space, so that nothing moves; cuts off free space at the end.
[[nodiscard]] CleanFile read_mp4(std::string_view bytes);

}  // namespace chirp::media
