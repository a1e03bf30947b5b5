#include "core/load/post_writer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "core/load/post_check.h"
#include "core/load/text_digest.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::load {

PostWriter::PostWriter(Storage& storage, const Clock& clock, Turns& turns, Tally& tally,
                       const Words& words, const WriterBounds& bounds)
    : storage_(storage),
      clock_(clock),
      turns_(turns),
      tally_(tally),
      words_(words),
      pace_(bounds.first_rows, bounds.first_rows, bounds.most_rows),
      early_pace_(bounds.first_rows, bounds.first_rows, bounds.most_rows * kEarlyRows),
      bounds_(bounds) {}

void PostWriter::store(std::vector<PostRow> rows) {
  const std::vector<StoredRow> stored = leave_out_known(rows);
  Places(storage_, waiting_).give(rows, stored);
  const auto linked = std::stable_partition(
      rows.begin(), rows.end(), [](const PostRow& row) { return row.link == Link::kNone; });
  std::vector<PostRow> others(std::make_move_iterator(linked), std::make_move_iterator(rows.end()));
  rows.erase(linked, rows.end());
  place(std::move(rows), std::move(others));
  while (waiting_.bytes() > bounds_.waiting_bytes) tally_.given_up += give_up();
  count_again(Round::kOpen);
}

void PostWriter::finish() {
  while (!waiting_.empty()) give_up();
  count_again(Round::kLast);
  end_early();
}

void PostWriter::abandon() {
  waiting_.clear();
  count_again(Round::kLast);
  end_early();
}

// Always gives up the same number, so that the result does not depend on the speed of the disk.
std::size_t PostWriter::give_up() {
  std::vector<PostRow> rows = waiting_.give_up(bounds_.most_rows);
  const std::size_t count = rows.size();
  place(std::move(rows), {});
  return count;
}

// Each round may store posts that others have waited for.
void PostWriter::place(std::vector<PostRow> plain, std::vector<PostRow> linked) {
  while (!plain.empty() || !linked.empty()) {
    std::vector<SourceId> placed;
    for (const PostRow& row : plain) placed.push_back(row.source);
    store_plain(std::exchange(plain, {}));
    Sorted sorted = sort(std::exchange(linked, {}));
    placed.insert(placed.end(), sorted.placed.begin(), sorted.placed.end());
    tally_.reposts += store_rows(std::span<const LoadedPost>(sorted.reposts), [&](auto rows) {
                        return rules::load_posts(storage_, rows, clock_.now());
                      }).stored;
    tally_.comments += store_rows(std::span<const LoadedComment>(sorted.comments), [&](auto rows) {
                         return rules::load_comments(storage_, rows, clock_.now());
                       }).stored;
    plain = std::move(sorted.plain);
    note_stored(placed);
    for (const SourceId source : placed) {
      std::ranges::move(waiting_.arrived(source), std::back_inserter(linked));
    }
  }
}

// An interrupted load leaves one batch half stored. The same load reaches it before it has stored
// much.
void PostWriter::note_stored(std::span<const SourceId> sources) {
  if (!knows_stored_) return;
  stored_here_.insert(sources.begin(), sources.end());
  if (stored_here_.size() <= 2 * bounds_.most_rows) return;
  knows_stored_ = false;
  stored_here_ = {};
}

std::vector<std::optional<LoadedContent>> PostWriter::contents_of(
    std::span<const SourceId> ids) const {
  const auto snapshot = storage_.snapshot();
  if (std::ranges::none_of(ids, Words::is_word)) return reads::contents_of(*snapshot, ids);
  return reads::contents_of(*snapshot, std::span<const SourceKey>(words_.keys_of(ids)));
}

namespace {

// Whether a reply may be a comment on the post: the comment must not be visible to more people, and
// its author must be able to see the post.
bool may_hang_on(UserNumber author, Privacy privacy, const std::optional<Post>& post) {
  if (privacy == Privacy::kPublic && (!post || post->privacy != Privacy::kPrivate)) return true;
  return post && post->author == author && post->privacy >= privacy;
}

}  // namespace

// Decides which rows stay plain posts. A comment is visible with its post, and a repost is public.
// So a reply for followers may only be a comment on a post by the same author for the same or fewer
// people. A post that is not public is never reposted: the retweet becomes a private post.
std::vector<bool> PostWriter::kept_apart(
    std::span<PostRow> linked, std::span<const std::optional<LoadedContent>> known) const {
  std::vector<std::size_t> places;
  std::vector<PostId> targets;
  for (std::size_t i = 0; i < linked.size(); ++i) {
    if (!known[i]) continue;
    places.push_back(i);
    targets.push_back(known[i]->post);
  }
  std::vector<bool> apart(linked.size());
  if (targets.empty()) return apart;
  const auto posts = storage_.snapshot()->posts_at(targets);
  for (std::size_t i = 0; i < places.size(); ++i) {
    PostRow& row = linked[places[i]];
    const auto& post = posts[i];
    if (row.link == Link::kRepost) {
      if (post)
        row.privacy = privacy_of_repost(row.privacy, post->privacy, post->author == row.author);
      apart[places[i]] = row.privacy != Privacy::kPublic;
    } else {
      apart[places[i]] = !may_hang_on(row.author, row.privacy, post);
    }
  }
  return apart;
}

PostWriter::Sorted PostWriter::sort(std::vector<PostRow> linked) {
  Sorted sorted;
  if (linked.empty()) return sorted;
  std::vector<SourceId> targets;
  targets.reserve(linked.size());
  for (const PostRow& row : linked) targets.push_back(row.target);
  const auto known = contents_of(targets);
  const auto apart = kept_apart(linked, known);
  for (std::size_t i = 0; i < linked.size(); ++i) {
    PostRow& row = linked[i];
    const auto& other = known[i];
    const bool came_inside = row.came == Nesting::kInside;
    if (!other) {
      check(waiting_.put(std::move(row)), "a source id waits once");
    } else if (apart[i] || (row.link != Link::kReply && other->comment != kNoComment)) {
      sorted.plain.push_back(std::move(row));  // comments are not reposted
    } else if (row.link == Link::kReply) {
      tally_.originals += came_inside ? 1 : 0;
      sorted.placed.push_back(row.source);
      sorted.comments.push_back({words_.key_of(row.source), row.author, row.created_at,
                                 std::move(row.text), other->post, other->comment,
                                 CommentId{row.id.value}});
    } else {
      tally_.originals += came_inside ? 1 : 0;
      sorted.placed.push_back(row.source);
      sorted.reposts.push_back(
          {words_.key_of(row.source), row.author, row.created_at, {}, other->post, row.id});
    }
  }
  return sorted;
}

namespace {

// Rows that wait to be compared with the post of their source id.
constexpr std::size_t kRememberedAgain = std::size_t{1} << 20;

// The contents stored under source ids. A repost has no text and is not found by its own id, so it
// counts as the same.
class StoredContents {
 public:
  StoredContents(const Snapshot& snapshot, std::span<const SourceKey> keys)
      : keys_(keys), there_(reads::contents_of(snapshot, keys)) {
    std::vector<PostId> posts;
    std::vector<CommentId> comments;
    for (const auto& content : there_) {
      const bool is_comment = content && content->comment != kNoComment;
      posts.push_back(content && !is_comment ? content->post : kBelowAllPosts);
      comments.push_back(is_comment ? content->comment : kNoComment);
    }
    posts_ = snapshot.posts_at(posts);
    comments_ = reads::comments(snapshot, comments);
  }
  [[nodiscard]] bool has(std::size_t i) const { return there_[i].has_value(); }
  // Whether it has another author or another text, or a wider audience.
  [[nodiscard]] bool is_other(std::size_t i, UserNumber author, std::uint64_t text,
                              Privacy privacy) const {
    if (const auto& post = posts_[i]; post && post->source == keys_[i]) {
      return post->author != author || text_digest(post->text) != text || post->privacy < privacy;
    }
    const auto& comment = comments_[i];
    return comment && comment->state == CommentState::kThere &&
           (comment->author != author || text_digest(comment->text) != text);
  }

 private:
  std::span<const SourceKey> keys_;
  std::vector<std::optional<LoadedContent>> there_;
  std::vector<std::optional<Post>> posts_;
  std::vector<std::optional<Comment>> comments_;
};

}  // namespace

// The id of a stored row.
std::uint64_t PostWriter::id_of(const PostRow& row, const LoadedContent& content) const {
  if (content.comment != kNoComment) return content.comment.value;
  if (row.link != Link::kRepost) return content.post.value;
  const std::array original{content.post};
  const auto repost = reads::reposts_by(*storage_.snapshot(), row.author, original).front();
  return repost.value_or(content.post).value;
}

// The first post of a source id counts, wherever the batches end. A post inside of others often
// comes more than once, and then does not count as a duplicate of the input. If there are only
// plain posts, the store counts repeated ones.
std::vector<StoredRow> PostWriter::leave_out_known(std::vector<PostRow>& rows) {
  const auto is_plain = [](const PostRow& row) {
    return row.link == Link::kNone && row.came == Nesting::kItself;
  };
  if (waiting_.empty() && std::ranges::all_of(rows, is_plain)) return {};
  std::vector<SourceId> sources;
  sources.reserve(rows.size());
  for (const PostRow& row : rows) sources.push_back(row.source);
  const auto there = contents_of(sources);
  std::unordered_set<SourceId> seen;
  seen.reserve(rows.size());
  std::vector<PostRow> kept;
  kept.reserve(rows.size());
  std::vector<EarlyEntry> unused;
  std::vector<StoredRow> stored;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    PostRow& row = rows[i];
    if (!there[i] && !waiting_.holds(row.source) && seen.insert(row.source).second) {
      kept.push_back(std::move(row));
      continue;
    }
    if (there[i] && knows_stored_ && !stored_here_.contains(row.source) &&
        seen.insert(row.source).second) {
      stored.push_back({kept.size(), row.created_at, id_of(row, *there[i])});
    }
    if (row.is_early) unused.push_back({row.author, row.id});
    if (row.came == Nesting::kItself) again_.emplace_back(row);
  }
  take_back(std::move(unused));
  rows = std::move(kept);
  return stored;
}

PostWriter::Again::Again(const PostRow& row)
    : source(row.source), author(row.author), text(text_digest(row.text)), privacy(row.privacy) {}

void PostWriter::add_again(std::span<const Again> rows) {
  again_.insert(again_.end(), rows.begin(), rows.end());
  count_again(Round::kOpen);
}

void PostWriter::count_again(Round round) {
  if (again_.empty()) return;
  std::vector<SourceKey> keys;
  for (const Again& row : again_) keys.push_back(words_.key_of(row.source));
  const auto snapshot = storage_.snapshot();
  const StoredContents stored(*snapshot, keys);
  std::vector<Again> rest;
  for (std::size_t i = 0; i < again_.size(); ++i) {
    const Again& row = again_[i];
    if (!stored.has(i) && round == Round::kOpen && rest.size() < kRememberedAgain) {
      rest.push_back(row);
    } else if (stored.is_other(i, row.author, row.text, row.privacy)) {
      ++tally_.same_id_other_text;
    } else {
      ++tally_.duplicates;
    }
  }
  again_ = std::move(rest);
}

void PostWriter::count_others(std::span<const LoadedPost> posts) {
  std::vector<SourceKey> keys;
  for (const LoadedPost& post : posts) keys.push_back(post.source);
  const auto snapshot = storage_.snapshot();
  const StoredContents stored(*snapshot, keys);
  for (std::size_t i = 0; i < posts.size(); ++i) {
    const LoadedPost& post = posts[i];
    if (!stored.is_other(i, post.author, text_digest(post.text), post.privacy)) continue;
    ++tally_.same_id_other_text;
    --tally_.duplicates;
  }
}

void PostWriter::store_plain(std::vector<PostRow> rows) {
  std::vector<LoadedPost> posts;
  posts.reserve(rows.size());
  for (PostRow& row : rows) {
    if (row.text.empty() && row.media.empty()) {  // a repost without words of its own
      tally_.unknown_originals += row.came == Nesting::kItself ? 1 : 0;
      continue;
    }
    tally_.originals += row.came == Nesting::kInside ? 1 : 0;
    posts.push_back({words_.key_of(row.source),
                     row.author,
                     row.created_at,
                     std::move(row.text),
                     {},
                     row.id,
                     row.privacy,
                     std::move(row.media),
                     row.is_early});
  }
  std::vector<std::span<const LoadedPost>> duplicated;
  store_rows(std::span<const LoadedPost>(posts), [&](auto some) {
    const LoadCounts counts = rules::load_posts(storage_, some, clock_.now());
    if (counts.duplicates > 0) duplicated.push_back(some);
    return counts;
  });
  for (const auto some : duplicated) count_others(some);
}

namespace {

// Bytes of text in a transaction. The disk reserve is checked only before each.
constexpr std::size_t kMostText = std::size_t{4} << 20;

template <class Row>
std::size_t rows_of_text(std::span<const Row> rows) {
  std::size_t bytes = 0;
  const auto beyond = std::ranges::find_if(
      rows, [&](const Row& row) { return (bytes += row.text.size()) > kMostText; });
  return std::max<std::size_t>(1, static_cast<std::size_t>(beyond - rows.begin()));
}

}  // namespace

// Stores rows in transactions whose size the pace sets, with bounded texts.
template <class Row, class Store>
LoadCounts PostWriter::store_rows(std::span<const Row> rows, Store store) {
  LoadCounts all;
  while (!rows.empty()) {
    const std::size_t count = rows_of_text(rows.first(std::min(pace_.rows(), rows.size())));
    const LoadCounts counts = turns_.take(pace_, count, [&] { return store(rows.first(count)); });
    all.stored += counts.stored;
    tally_.add(counts);
    rows = rows.subspan(count);
  }
  return all;
}

}  // namespace chirp::load
