#include "core/load/post_sort.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/load/bytes.h"

namespace chirp::load {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{64} << 10;
constexpr std::uint64_t kTickEvery = std::uint64_t{1} << 18;  // source ids

}  // namespace

PostSort::PostSort(std::unique_ptr<Scratch> scratch, const SortBounds& bounds)
    : scratch_(std::move(scratch)), bounds_(bounds), posts_(*scratch_), sources_(*scratch_) {}

void PostSort::add(const PostRow& row) {
  packed_.clear();
  pack(row, packed_);
  entries_.push_back({static_cast<std::uint64_t>(row.created_at.ms), row.source.value,
                      keep(packed_), static_cast<std::uint32_t>(packed_.size()),
                      static_cast<std::uint32_t>(entries_.size())});
  ++rows_;
  bytes_ += sizeof(Entry) + packed_.size();
  if (bytes_ >= bounds_.gathered) write_run();
}

const char* PostSort::keep(std::string_view bytes) {
  if (free_.size() < bytes.size()) {
    const std::size_t size = std::max(kChunkBytes, bytes.size());
    if (chunks_used_ == chunks_.size()) chunks_.emplace_back();
    std::unique_ptr<char[]>& chunk = chunks_[chunks_used_++];
    if (!chunk || size > kChunkBytes) chunk = std::make_unique_for_overwrite<char[]>(size);
    free_ = {chunk.get(), size};
  }
  char* const at = free_.data();
  std::memcpy(at, bytes.data(), bytes.size());
  free_ = free_.subspan(bytes.size());
  return at;
}

void PostSort::write_run() {
  is_whole_ = false;
  const std::uint64_t first = rows_ - entries_.size();
  std::ranges::sort(entries_, {},
                    [](const Entry& entry) { return std::tuple(entry.time, entry.place); });
  posts_.begin(first);
  for (const Entry& entry : entries_) {
    posts_.add(entry.time, first + entry.place, {entry.bytes, entry.size});
  }
  posts_.end();
  std::ranges::sort(entries_, {},
                    [](const Entry& entry) { return std::tuple(entry.source, entry.place); });
  sources_.begin(first);
  for (const Entry& entry : entries_) sources_.add(entry.source, first + entry.place, {});
  sources_.end();
  entries_.clear();
  chunks_used_ = bytes_ = 0;
  free_ = {};
  is_whole_ = true;
}

void PostSort::finish(const std::function<void()>& tick) {
  if (!entries_.empty()) write_run();
  entries_ = std::vector<Entry>();
  chunks_ = std::vector<std::unique_ptr<char[]>>();
  find_again(tick);
  merge_.emplace(posts_, bounds_.merged);
}

void PostSort::find_again(const std::function<void()>& tick) {
  std::optional<std::uint64_t> last;
  std::uint64_t seen = 0;
  for (RecordMerge merge(sources_, bounds_.merged); !merge.done(); merge.next()) {
    if (++seen % kTickEvery == 0) tick();
    if (std::exchange(last, merge.key()) != merge.key()) continue;
    if (again_.empty()) again_.resize(rows_);
    again_[merge.number()] = true;
  }
}

std::optional<PostRow> PostSort::next() { return next_of(false); }

std::optional<PostRow> PostSort::next_again() {
  if (again_.empty()) return std::nullopt;
  if (!merge_again_) {
    merge_.reset();
    merge_again_.emplace(posts_, bounds_.merged);
  }
  return next_of(true);
}

std::optional<PostRow> PostSort::next_of(bool again) {
  RecordMerge& merge = again ? *merge_again_ : *merge_;
  while (!merge.done() && !again_.empty() && again_[merge.number()] != again) merge.next();
  if (merge.done()) return std::nullopt;
  PostRow row = unpacked(merge.bytes(), Time{static_cast<std::int64_t>(merge.key())});
  merge.next();
  return row;
}

// ---------------------------------------------------------------- whether to sort

bool TimeSpread::end_group() {
  if (times_.empty()) return false;
  constexpr std::size_t kTenth = 10;
  std::ranges::sort(times_);
  const bool overlaps = within_earlier() > times_.size() / 2;
  note({times_[times_.size() / kTenth], times_[times_.size() - 1 - times_.size() / kTenth]});
  times_.clear();
  return overlaps;
}

// The ends do not count: posts that all have one time are in order.
std::size_t TimeSpread::within_earlier() const {
  std::size_t count = 0;
  for (const Range& range : earlier_) {
    const auto first = std::ranges::upper_bound(times_, range.first);
    const auto last = std::lower_bound(first, times_.end(), range.last);
    count += static_cast<std::size_t>(last - first);
  }
  return count;
}

void TimeSpread::note(Range range) {
  const auto begin = std::ranges::lower_bound(earlier_, range.first, {}, &Range::last);
  auto end = begin;
  for (; end != earlier_.end() && end->first <= range.last; ++end) {
    range.first = std::min(range.first, end->first);
    range.last = std::max(range.last, end->last);
  }
  earlier_.insert(earlier_.erase(begin, end), range);
}

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
