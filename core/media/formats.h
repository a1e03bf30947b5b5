// The containers of pictures and videos, one function each: reads the size out of the header and
// writes the file anew without what tells about the photographer. Throw Broken for bytes that can't
// be followed.
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

// Throws Error{kInvalidArgument} with field `media` for more pixels than are taken. To be asked for
// every size that a file names, since any of them may be the one that is believed.
void check_size(std::uint64_t width, std::uint64_t height);

// With the chunks alone that it takes to show the picture, moving ones too.
[[nodiscard]] File read_png(std::string_view bytes);
// With the segments alone that it takes to decode the picture, JFIF without its thumbnail, the
// colour profile, Adobe's transform, and of EXIF the orientation; without what follows the picture.
[[nodiscard]] File read_jpeg(std::string_view bytes);
// With images, their timing and the loop alone.
[[nodiscard]] File read_gif(std::string_view bytes);
// With the chunks alone that it takes to show the picture, those within frames too.
[[nodiscard]] File read_webp(std::string_view bytes);
// With the boxes alone that it takes to show pictures and play sound. The others, and the samples
// of other tracks, are made free space, so that nothing moves; free space at the end is cut off.
[[nodiscard]] File read_mp4(std::string_view bytes);

}  // namespace chirp::media
