#include "core/load/packed_post.h"

#include <cstdint>

#include "core/error.h"
#include "core/load/bytes.h"

namespace chirp::load {
namespace {

// The parts that a row has, in one number.
constexpr unsigned kLinkBits = 2;
constexpr unsigned kPrivacyBits = 2;
constexpr unsigned kLowTwo = 3;

std::uint64_t kinds_of(const PostRow& row) {
  std::uint64_t kinds = row.media.size();
  kinds = kinds << 1 | static_cast<unsigned>(row.came);
  kinds = kinds << kPrivacyBits | static_cast<unsigned>(row.privacy);
  return kinds << kLinkBits | static_cast<unsigned>(row.link);
}

}  // namespace

void pack(const PostRow& row, std::string& out) {
  check(row.id == PostId{} && !row.is_early, "a row that is sorted has no id yet");
  put_varint(out, kinds_of(row));
  put_varint(out, row.source.value);
  put_varint(out, row.author.value);
  if (row.link != Link::kNone) put_varint(out, row.target.value);
  put_text(out, row.text);
  for (const Medium& medium : row.media) {
    put_varint(out, medium.upload.value);
    put_text(out, medium.address);
    put_text(out, medium.alt_text);
  }
}

PostRow unpacked(std::string_view bytes, Time created_at) {
  PostRow row;
  std::uint64_t kinds = take_varint(bytes);
  row.link = static_cast<Link>(kinds & kLowTwo);
  kinds >>= kLinkBits;
  row.privacy = static_cast<Privacy>(kinds & kLowTwo);
  kinds >>= kPrivacyBits;
  row.came = static_cast<Nesting>(kinds & 1);
  row.source = SourceId{take_varint(bytes)};
  row.author = UserNumber{static_cast<std::uint32_t>(take_varint(bytes))};
  row.created_at = created_at;
  if (row.link != Link::kNone) row.target = SourceId{take_varint(bytes)};
  row.text = take_text(bytes);
  for (std::uint64_t media = kinds >> 1; media > 0; --media) {
    const MediaId upload{take_varint(bytes)};
    const std::string_view address = take_text(bytes);
    row.media.push_back({upload, std::string(address), std::string(take_text(bytes))});
  }
  return row;
}

}  // namespace chirp::load
