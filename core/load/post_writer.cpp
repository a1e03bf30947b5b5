#include "core/load/post_writer.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace chirp::load {

PostWriter::PostWriter(Storage& storage, const Clock& clock, Turns& turns, Tally& tally,
                       const WriterBounds& bounds)
    : storage_(storage),
      clock_(clock),
      turns_(turns),
      tally_(tally),
      pace_(bounds.first_rows, bounds.first_rows, bounds.most_rows),
      rows_(bounds.first_rows),
      waiting_bytes_(bounds.waiting_bytes) {}

void PostWriter::store(std::vector<PostRow> rows) {
  const auto linked = std::stable_partition(
      rows.begin(), rows.end(), [](const PostRow& row) { return row.link == Link::kNone; });
  std::vector<PostRow> others(std::make_move_iterator(linked), std::make_move_iterator(rows.end()));
  rows.erase(linked, rows.end());
  place(std::move(rows), std::move(others));
  while (waiting_.bytes() > waiting_bytes_) place(waiting_.give_up(pace_.rows()), {});
}

void PostWriter::finish() {
  while (!waiting_.empty()) place(waiting_.give_up(pace_.rows()), {});
}

void PostWriter::abandon() { waiting_.clear(); }

// Each round may bring what others have waited for.
void PostWriter::place(std::vector<PostRow> plain, std::vector<PostRow> linked) {
  while (!plain.empty() || !linked.empty()) {
    std::vector<SourceId> placed;
    for (const PostRow& row : plain) placed.push_back(row.source);
    store_plain(std::exchange(plain, {}));
    Sorted sorted = sort(std::exchange(linked, {}));
    for (const LoadedPost& repost : sorted.reposts) placed.push_back(repost.source);
    for (const LoadedComment& comment : sorted.comments) placed.push_back(comment.source);
    tally_.reposts += store_rows(std::span<const LoadedPost>(sorted.reposts), [&](auto rows) {
                        return storage_.load_posts(rows, clock_.now());
                      }).stored;
    tally_.comments += store_rows(std::span<const LoadedComment>(sorted.comments), [&](auto rows) {
                         return storage_.load_comments(rows, clock_.now());
                       }).stored;
    plain = std::move(sorted.plain);
    for (const SourceId source : placed) {
      std::ranges::move(waiting_.arrived(source), std::back_inserter(linked));
    }
  }
}

PostWriter::Sorted PostWriter::sort(std::vector<PostRow> linked) {
  Sorted sorted;
  if (linked.empty()) return sorted;
  std::vector<SourceId> sources;
  sources.reserve(linked.size() * 2);
  for (const PostRow& row : linked) {
    sources.push_back(row.source);
    sources.push_back(row.target);
  }
  const auto known = storage_.contents_of(sources);
  for (std::size_t i = 0; i < linked.size(); ++i) {
    PostRow& row = linked[i];
    const auto& other = known[2 * i + 1];
    if (known[2 * i]) {
      tally_.duplicates += row.came == Came::kItself ? 1 : 0;
    } else if (!other) {
      const Came came = row.came;
      const bool waits = waiting_.put(std::move(row));
      tally_.duplicates += !waits && came == Came::kItself ? 1 : 0;
    } else if (row.link == Link::kReply) {
      sorted.comments.push_back({row.source, row.author, row.created_at, std::move(row.text),
                                 other->post, other->comment});
    } else if (other->comment == kNoComment) {
      sorted.reposts.push_back({row.source, row.author, row.created_at, {}, other->post});
    } else {  // comments are not reposted
      sorted.plain.push_back(std::move(row));
    }
  }
  return sorted;
}

// What came inside of others often comes more than once, and is no duplicate of the input's.
void PostWriter::leave_out_known(std::vector<PostRow>& plain) const {
  std::vector<SourceId> inside;
  std::unordered_set<SourceId> seen;
  for (const PostRow& row : plain) {
    if (row.came == Came::kInside) {
      inside.push_back(row.source);
    } else {
      seen.insert(row.source);
    }
  }
  if (inside.empty()) return;
  const auto known = storage_.contents_of(inside);
  std::vector<PostRow> kept;
  kept.reserve(plain.size());
  std::size_t at = 0;
  for (PostRow& row : plain) {
    const bool again =
        row.came == Came::kInside && (known[at++].has_value() || !seen.insert(row.source).second);
    if (!again) kept.push_back(std::move(row));
  }
  plain = std::move(kept);
}

void PostWriter::store_plain(std::vector<PostRow> rows) {
  leave_out_known(rows);
  std::vector<LoadedPost> posts;
  posts.reserve(rows.size());
  for (PostRow& row : rows) {
    tally_.originals += row.came == Came::kInside ? 1 : 0;
    posts.push_back({row.source, row.author, row.created_at, std::move(row.text), {}});
  }
  store_rows(std::span<const LoadedPost>(posts),
             [&](auto some) { return storage_.load_posts(some, clock_.now()); });
}

// In transactions of the pace.
template <class Row, class Store>
LoadCounts PostWriter::store_rows(std::span<const Row> rows, Store store) {
  LoadCounts all;
  while (!rows.empty()) {
    const std::size_t count = std::min(pace_.rows(), rows.size());
    const LoadCounts counts = turns_.take(pace_, count, [&] { return store(rows.first(count)); });
    rows_ = pace_.rows();
    all.stored += counts.stored;
    tally_.stored += counts.stored;
    tally_.duplicates += counts.duplicates;
    tally_.missing += counts.missing;
    rows = rows.subspan(count);
  }
  return all;
}

}  // namespace chirp::load
