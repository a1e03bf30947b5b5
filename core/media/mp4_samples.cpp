#include <algorithm>
#include <cstdint>

#include "core/media/mp4_boxes.h"

namespace chirp::media {
namespace {

constexpr std::size_t kCount = 4;  // after version and flags
constexpr std::size_t kTable = 8;  // after the count

// Number of entries of `size` bytes in a table; checks that all of them exist.
std::uint64_t entries(std::string_view content, std::size_t count_at, std::size_t size) {
  if (!has(content, count_at, 4)) throw Broken{"a table of its samples is cut off"};
  const std::uint64_t count = big<4>(content, count_at);
  if (size > 0 && !has(content, count_at + 4, count * size)) {
    throw Broken{"a table of its samples is cut off"};
  }
  return count;
}

// Reads sample sizes in order.
class SampleSizes {
 public:
  explicit SampleSizes(std::string_view content) : content_(content) {
    if (content.empty()) return;
    if (!has(content, kCount, 8)) throw Broken{"a table of its samples is cut off"};
    same_ = big<4>(content, kCount);
    count_ = entries(content, kTable, same_ == 0 ? 4 : 0);
  }
  // Sum of the next `samples` sizes; fewer at the end.
  std::uint64_t next(std::uint64_t samples) {
    if (samples > count_ - at_) samples = count_ - at_;
    if (same_ != 0) {
      at_ += samples;
      return same_ * samples;
    }
    std::uint64_t sum = 0;
    for (; samples > 0; --samples, ++at_) sum += big<4>(content_, kTable + 4 + at_ * 4);
    return sum;
  }

 private:
  std::string_view content_;
  std::uint64_t same_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t at_ = 0;
};

bool lies_in(const std::vector<Box>& data, std::uint64_t at, std::uint64_t length) {
  if (length == 0) return true;
  return std::any_of(data.begin(), data.end(), [&](const Box& box) {
    return at >= box.content && at <= box.end && length <= box.end - at;
  });
}

}  // namespace

void SamplePlaces::chunk_offsets(std::string_view content, bool are_long) {
  offsets_ = content;
  are_long_ = are_long;
}

void SamplePlaces::blank(std::string& file, const std::vector<Box>& data) const {
  if (offsets_.empty()) return;
  constexpr std::size_t kRun = 12;  // first chunk, samples per chunk, description
  const std::size_t width = are_long_ ? 8 : 4;
  const std::uint64_t chunks = entries(offsets_, kCount, width);
  const std::uint64_t runs = lengths_.empty() ? 0 : entries(lengths_, kCount, kRun);
  SampleSizes sizes(sizes_);
  std::uint64_t room = file.size();
  std::uint64_t run = 0;
  for (std::uint64_t chunk = 0; chunk < chunks; ++chunk) {
    const auto first_of = [&](std::uint64_t of) { return big<4>(lengths_, kTable + of * kRun); };
    while (run + 1 < runs && first_of(run + 1) <= chunk + 1) ++run;
    const std::uint64_t samples = runs == 0 ? 0 : big<4>(lengths_, kTable + run * kRun + 4);
    const std::uint64_t length = sizes.next(samples);
    const std::size_t from = kTable + static_cast<std::size_t>(chunk) * width;
    const std::uint64_t at = are_long_ ? big<8>(offsets_, from) : big<4>(offsets_, from);
    if (length > room || !lies_in(data, at, length)) throw Broken{"a sample is outside its data"};
    room -= length;
    file.replace(static_cast<std::size_t>(at), static_cast<std::size_t>(length),
                 static_cast<std::size_t>(length), '\0');
  }
}

}  // namespace chirp::media
