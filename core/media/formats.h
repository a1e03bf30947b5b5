// The containers of pictures and videos, one function each: reads the size out of the header and
// writes the file anew without what tells about the photographer. Throw Broken for bytes that can't
// be followed.
#pragma once

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

// Without eXIf and texts.
[[nodiscard]] File read_png(std::string_view bytes);
// Without segments of applications, but for JFIF, colour profiles, Adobe's transform and the
// orientation; without what follows the picture.
[[nodiscard]] File read_jpeg(std::string_view bytes);
// Without comments, and extensions of applications other than loops.
[[nodiscard]] File read_gif(std::string_view bytes);
// Without EXIF and XMP chunks.
[[nodiscard]] File read_webp(std::string_view bytes);
// With its user data and metadata made free space, so that nothing moves.
[[nodiscard]] File read_mp4(std::string_view bytes);

}  // namespace chirp::media
