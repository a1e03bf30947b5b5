// The smallest files of each type that can be uploaded, with space for metadata.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace chirp::test {

// A text that must not be in any stored file.
inline constexpr std::string_view kSecretPlace = "51.5007N 0.1246W";

// A PNG chunk; its check sum is not verified.
[[nodiscard]] std::string png_chunk(std::string_view type, std::string_view content);
[[nodiscard]] std::string png(std::string_view extra_chunks = {});
[[nodiscard]] std::string jpeg_segment(char marker, std::string_view content);
[[nodiscard]] std::string jpeg(std::string_view extra_segments = {});
// EXIF with an orientation and the secret place.
[[nodiscard]] std::string exif(char orientation);
[[nodiscard]] std::string gif(std::string_view extra_blocks = {});
// Its VP8X declares EXIF and XMP.
[[nodiscard]] std::string webp(std::string_view extra_chunks = {});
[[nodiscard]] std::string riff_chunk(std::string_view type, std::string_view content);
[[nodiscard]] std::string mp4_box(std::string_view type, std::string_view content);
// A track for `vide`, `soun` and so on, with further boxes in its media and its sample table.
[[nodiscard]] std::string mp4_track(std::string_view handler, std::string_view extra_boxes = {},
                                    std::string_view extra_tables = {});
[[nodiscard]] std::string mp4(std::string_view extra_boxes = {}, std::string_view in_track = {});

// One of each type, with the secret place in every possible position. 3 by 2 pixels.
[[nodiscard]] std::vector<std::string> telling_pictures();

}  // namespace chirp::test
