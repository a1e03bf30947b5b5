#include "core/load/post_window.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <numeric>
#include <string>

namespace chirp::load {
namespace {

// Precedes each text.
struct TextHeader {
  std::uint64_t target;
  std::uint64_t early;  // the id of an entry in the author's log, or 0
  std::uint32_t author;
  std::uint32_t text_bytes;
  Link link;
  Nesting came;
  Privacy privacy;
};

// Allocator overhead of each piece, and a row's place in the table of source ids.
constexpr std::size_t kPieceBytes = 16;
constexpr std::size_t kHeldBytes = 40;

TextHeader head_of(const char* rest) {
  TextHeader head;
  std::memcpy(&head, rest, sizeof head);
  return head;
}

}  // namespace

bool PostWindow::add(const PostRow& row) {
  if (!held_.try_emplace(row.source).second) return false;
  const TextHeader head{.target = row.target.value,
                        .early = 0,
                        .author = row.author.value,
                        .text_bytes = static_cast<std::uint32_t>(row.text.size()),
                        .link = row.link,
                        .came = row.came,
                        .privacy = row.privacy};
  if (!row.media.empty()) media_.emplace(row.source, row.media);
  Entry entry{row.source, row.created_at,
              std::make_unique_for_overwrite<char[]>(sizeof head + row.text.size())};
  std::memcpy(entry.rest.get(), &head, sizeof head);
  std::memcpy(entry.rest.get() + sizeof head, row.text.data(), row.text.size());
  entries_.push_back(std::move(entry));
  bytes_ += bytes_of(row);
  return true;
}

std::vector<PostRow> PostWindow::take(std::size_t most) {
  sort();
  auto first =
      next_ ? std::ranges::lower_bound(entries_, *next_, {}, &Entry::created_at) : entries_.begin();
  if (first == entries_.end()) first = entries_.begin();
  const auto begin = static_cast<std::size_t>(first - entries_.begin());
  const std::size_t end = begin + std::min(most, entries_.size() - begin);
  next_ = end == entries_.size() ? std::nullopt : std::optional(entries_[end].created_at);
  std::vector<PostRow> rows;
  for (const std::size_t place : with_named(begin, end)) {
    Entry& entry = entries_[place];
    rows.push_back(row_of(entry));
    if (auto media = media_.extract(entry.source)) rows.back().media = std::move(media.mapped());
    held_.erase(entry.source);
    bytes_ -= bytes_of(rows.back());
    entry.rest.reset();
  }
  std::erase_if(entries_, [](const Entry& entry) { return !entry.rest; });
  sorted_ = entries_.size();
  return rows;
}

std::vector<PostWindow::Candidate> PostWindow::candidates() {
  sort();
  std::vector<Candidate> found;
  for (std::size_t begin = 0; begin < entries_.size();) {
    std::size_t end = begin;
    bool are_plain = true;
    for (; end < entries_.size() && entries_[end].created_at == entries_[begin].created_at; ++end) {
      are_plain = are_plain && head_of(entries_[end].rest.get()).link == Link::kNone;
    }
    for (; begin < end; ++begin) {
      const TextHeader head = head_of(entries_[begin].rest.get());
      const bool says_something = head.text_bytes != 0 || media_.contains(entries_[begin].source);
      if (!are_plain || head.privacy != Privacy::kPublic || !says_something) continue;
      found.push_back(
          {begin, entries_[begin].source, UserNumber{head.author}, entries_[begin].created_at});
    }
  }
  return found;
}

void PostWindow::set_early(const Candidate& candidate) {
  char* const rest = entries_[candidate.place].rest.get();
  TextHeader head = head_of(rest);
  head.early = candidate.id.value;
  std::memcpy(rest, &head, sizeof head);
}

// Earlier posts of the same time as a named one go with it, so that the order of arrival stays.
std::vector<std::size_t> PostWindow::with_named(std::size_t begin, std::size_t end) {
  std::vector<std::size_t> places(end - begin);
  std::iota(places.begin(), places.end(), begin);
  std::vector<bool> taken;  // allocated when it is needed; indexed like the places in held_
  for (std::size_t i = 0; i < places.size(); ++i) {
    const TextHeader head = head_of(entries_[places[i]].rest.get());
    if (head.link == Link::kNone) continue;
    const auto named = held_.find(SourceId{head.target});
    if (named == held_.end()) continue;
    if (taken.empty()) {
      taken.resize(entries_.size());
      std::fill(taken.begin() + static_cast<std::ptrdiff_t>(begin),
                taken.begin() + static_cast<std::ptrdiff_t>(end), true);
      for (std::size_t at = 0; at < entries_.size(); ++at) held_[entries_[at].source] = at;
    }
    const Time time = entries_[named->second].created_at;
    for (std::size_t at = named->second; !taken[at]; --at) {
      taken[at] = true;
      places.push_back(at);
      if (at == 0 || entries_[at - 1].created_at != time) break;
    }
  }
  std::ranges::sort(places);
  return places;
}

// Stable, so that equal times stay in the order of arrival.
void PostWindow::sort() {
  const auto came = entries_.begin() + static_cast<std::ptrdiff_t>(sorted_);
  const auto older = [](const Entry& a, const Entry& b) { return a.created_at < b.created_at; };
  std::stable_sort(came, entries_.end(), older);
  std::inplace_merge(entries_.begin(), came, entries_.end(), older);
  sorted_ = entries_.size();
}

std::size_t PostWindow::bytes_of(const PostRow& row) {
  return sizeof(Entry) + sizeof(TextHeader) + row.text.size() + kPieceBytes + kHeldBytes +
         media_bytes(row);
}

PostRow PostWindow::row_of(const Entry& entry) {
  const TextHeader head = head_of(entry.rest.get());
  return {.source = entry.source,
          .author = UserNumber{head.author},
          .created_at = entry.created_at,
          .text = std::string(entry.rest.get() + sizeof head, head.text_bytes),
          .link = head.link,
          .target = SourceId{head.target},
          .came = head.came,
          .id = PostId{head.early},
          .is_early = head.early != 0,
          .privacy = head.privacy};
}

}  // namespace chirp::load
