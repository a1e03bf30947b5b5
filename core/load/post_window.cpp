#include "core/load/post_window.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

namespace chirp::load {
namespace {

// What stands before a text.
struct Head {
  std::uint64_t target;
  std::uint32_t author;
  std::uint32_t text_bytes;
  Link link;
  Came came;
};

// What the allocator keeps of each piece, and a row's place in the set of source ids.
constexpr std::size_t kPieceBytes = 16;
constexpr std::size_t kHeldBytes = 40;

}  // namespace

bool PostWindow::add(const PostRow& row) {
  if (!held_.insert(row.source).second) return false;
  const Head head{.target = row.target.value,
                  .author = row.author.value,
                  .text_bytes = static_cast<std::uint32_t>(row.text.size()),
                  .link = row.link,
                  .came = row.came};
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
  const auto left = static_cast<std::size_t>(entries_.end() - first);
  const auto last = first + static_cast<std::ptrdiff_t>(std::min(most, left));
  std::vector<PostRow> rows;
  rows.reserve(static_cast<std::size_t>(last - first));
  for (auto entry = first; entry != last; ++entry) {
    rows.push_back(row_of(*entry));
    held_.erase(entry->source);
    bytes_ -= bytes_of(rows.back());
  }
  next_ = last == entries_.end() ? std::nullopt : std::optional(last->created_at);
  entries_.erase(first, last);
  sorted_ = entries_.size();
  return rows;
}

// Stable, so that among equal times the order of arrival stays.
void PostWindow::sort() {
  const auto came = entries_.begin() + static_cast<std::ptrdiff_t>(sorted_);
  const auto older = [](const Entry& a, const Entry& b) { return a.created_at < b.created_at; };
  std::stable_sort(came, entries_.end(), older);
  std::inplace_merge(entries_.begin(), came, entries_.end(), older);
  sorted_ = entries_.size();
}

std::size_t PostWindow::bytes_of(const PostRow& row) {
  return sizeof(Entry) + sizeof(Head) + row.text.size() + kPieceBytes + kHeldBytes;
}

PostRow PostWindow::row_of(const Entry& entry) {
  Head head;
  std::memcpy(&head, entry.rest.get(), sizeof head);
  return {.source = entry.source,
          .author = UserNumber{head.author},
          .created_at = entry.created_at,
          .text = std::string(entry.rest.get() + sizeof head, head.text_bytes),
          .link = head.link,
          .target = SourceId{head.target},
          .came = head.came};
}

}  // namespace chirp::load
