// The boxes of an MP4 file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/media/bytes.h"
#include "core/media/formats.h"

namespace chirp::media {

struct Box {
  std::string_view type;
  std::size_t at = 0;       // start of its header
  std::size_t content = 0;  // end of its header
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const { return end - content; }
};

// The box at `at`, which ends at or before `end`.
inline Box box_at(std::string_view bytes, std::size_t at, std::size_t end) {
  const std::string_view within = bytes.substr(0, end);
  if (!has(within, at, 8)) throw Broken{"it ends within a box"};
  std::uint64_t size = big<4>(within, at);
  std::size_t header = 8;
  if (size == 1) {
    if (!has(within, at, 16)) throw Broken{"it ends within a box"};
    size = big<8>(within, at + 8);
    header = 16;
  } else if (size == 0) {
    size = end - at;  // up to the end
  }
  if (size < header || !has(within, at, size)) throw Broken{"a box runs past its end"};
  return {bytes.substr(at + 4, 4), at, at + header, at + static_cast<std::size_t>(size)};
}

// The places of one track's samples, from the boxes of its sample table.
class SamplePlaces {
 public:
  void chunk_offsets(std::string_view content, bool are_long);
  void chunk_lengths(std::string_view content) { lengths_ = content; }
  void sample_sizes(std::string_view content) { sizes_ = content; }
  // Overwrites the samples with zeros. Throws Broken for places outside `data`, or more samples
  // than the file can hold.
  void blank(std::string& file, const std::vector<Box>& data) const;

 private:
  std::string_view offsets_;
  bool are_long_ = false;
  std::string_view lengths_;
  std::string_view sizes_;
};

}  // namespace chirp::media
