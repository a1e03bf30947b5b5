// Loads of posts and reposts.
#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/rules/content.h"
#include "core/rules/counters.h"
#include "core/rules/loaded_ids.h"
#include "core/rules/loads.h"
#include "core/rules/steps.h"

namespace chirp::rules {

using namespace tables;

namespace {

// Skips sorting if possible, because most loads are sorted.
template <class Less>
void sort_unless_sorted(std::vector<std::size_t>& order, Less less) {
  if (!std::ranges::is_sorted(order, less)) std::ranges::sort(order, less);
}

// Whether the store has no numeric source id from this one on. Most loads come in the order of
// source ids, so one look-up here replaces one for each post.
bool is_bare_from(const Rows& rows, const SourceKey& source) {
  return !source.is_word() &&
         rows.range(PostSources::Key{source.number},
                    PostSources::Key{{std::numeric_limits<std::uint64_t>::max()}}, Direction::kUp,
                    1)
             .empty();
}

// The new posts of a batch, sorted by time; the others are duplicates.
std::vector<std::size_t> fresh_ones(const Rows& rows, std::span<const LoadedPost> posts,
                                    LoadCounts& counts) {
  // Sorted by source, to find existing ones and duplicates in the batch.
  std::vector<std::size_t> order(posts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  sort_unless_sorted(order, [&](std::size_t a, std::size_t b) {
    return posts[a].source != posts[b].source ? posts[a].source < posts[b].source : a < b;
  });
  const bool is_bare = !order.empty() && is_bare_from(rows, posts[order.front()].source);
  std::vector<std::size_t> fresh;
  fresh.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const SourceKey& source = posts[order[i]].source;
    const bool again = i > 0 && posts[order[i - 1]].source == source;
    const bool is_there = (!is_bare || source.is_word()) && has_source(rows, source);
    if (again || is_there) {
      ++counts.duplicates;
    } else {
      fresh.push_back(order[i]);
    }
  }
  sort_unless_sorted(fresh, [&](std::size_t a, std::size_t b) {
    return posts[a].created_at != posts[b].created_at ? posts[a].created_at < posts[b].created_at
                                                      : a < b;
  });
  return fresh;
}

// The missing authors; each is looked up once, in order.
std::vector<UserNumber> absent_authors(const Rows& rows, std::span<const LoadedPost> posts) {
  std::vector<UserNumber> authors;
  authors.reserve(posts.size());
  for (const LoadedPost& post : posts) authors.push_back(post.author);
  std::ranges::sort(authors);
  authors.erase(std::unique(authors.begin(), authors.end()), authors.end());
  std::erase_if(authors, [&](UserNumber author) { return rows.kept(author); });
  return authors;
}

// Whether a repost is allowed; sets the author of its original.
enum class Repostable : std::uint8_t { kYes, kAlready, kMissing };
Repostable repostable(const Rows& rows, Post& repost) {
  const auto original = loaded_original(rows, repost.original);
  const bool already = rows.find(RepostsOf::Key{repost.original, repost.author}).has_value();
  if (!original || original->privacy != Privacy::kPublic || repost.privacy != Privacy::kPublic) {
    return Repostable::kMissing;
  }
  repost.original_author = original->author;
  repost.text.clear();
  repost.media.clear();
  return already ? Repostable::kAlready : Repostable::kYes;
}

// The posts to write, without ids, with the ids they request and their early entries.
struct AcceptedPosts {
  std::vector<Post> posts;
  std::vector<std::uint64_t> wishes;
  std::vector<PostId> early;
};

AcceptedPosts accept(const Rows& rows, std::span<const LoadedPost> posts, LoadCounts& counts) {
  AcceptedPosts accepted;
  accepted.posts.reserve(posts.size());
  const std::vector<UserNumber> absent = absent_authors(rows, posts);
  std::set<std::pair<PostId, UserNumber>> reposted;
  for (const std::size_t i : fresh_ones(rows, posts, counts)) {
    const LoadedPost& loaded = posts[i];
    if (std::ranges::binary_search(absent, loaded.author)) {
      ++counts.missing;
      continue;
    }
    Post post{{},
              loaded.author,
              loaded.text,
              loaded.created_at,
              loaded.privacy,
              loaded.source,
              loaded.original,
              {},
              loaded.media};
    if (post.is_repost()) {
      const Repostable can = repostable(rows, post);
      // A refused repost does not prevent a later one.
      const bool made =
          can == Repostable::kYes && reposted.emplace(post.original, post.author).second;
      if (!made) {
        ++(can == Repostable::kMissing ? counts.missing : counts.duplicates);
        continue;
      }
    }
    accepted.posts.push_back(std::move(post));
    accepted.wishes.push_back(loaded.is_early ? 0 : loaded.id.value);
    accepted.early.push_back(loaded.is_early ? loaded.id : PostId{});
  }
  return accepted;
}

// Writes the indexes of posts, each table in key order. Returns the authors' deltas.
std::vector<CounterDelta> put_indexes(Rows& rows, std::span<const Post> posts) {
  std::vector<const Post*> order;
  order.reserve(posts.size());
  for (const Post& post : posts) order.push_back(&post);
  std::vector<const Post*> by_source = order;
  // Stable, so that each author's posts stay in the order of their ids.
  std::ranges::stable_sort(order, {}, &Post::author);
  std::vector<CounterDelta> deltas;
  for (const Post* post : order) {
    // The post is stored by now, so readers see an early entry.
    const bool was_early = rows.state().may_be_early(post->id) &&
                           post->privacy == Privacy::kPublic &&
                           rows.find(AuthorLogs::Key{post->author, post->id});
    if (was_early) continue;
    put_in_log(rows, *post);
    if (deltas.empty() || deltas.back().user != post->author) {
      deltas.push_back({post->author, 0, 0, 0});
    }
    if (counts_for_author(post->privacy)) ++deltas.back().posts;
  }
  if (!std::ranges::is_sorted(by_source, {}, &Post::source)) {
    std::ranges::sort(by_source, {}, &Post::source);
  }
  for (const Post* post : by_source) put_source(rows, post->source, content_of(post->id));
  return deltas;
}

}  // namespace

void put_posts(Rows& rows, std::span<const Post> posts) {
  std::vector<ContentDelta> reposted;
  for (const Post& post : posts) {
    put_record(rows, post);
    put_recent_tags(rows, post);
    if (!post.is_repost()) continue;
    put_under_original(rows, post);
    ContentDelta delta{content_of(post.original), {}};
    delta.change.reposts = 1;
    reposted.push_back(delta);
  }
  const auto deltas = put_indexes(rows, posts);
  // A repost changes the counters of its original, which may be far below.
  log_load(rows, posts.size(), Entries::kMade, reposted.empty() ? posts.back().id : PostId{});
  add_counters(rows, deltas);
  add_combined(rows, std::move(reposted));
}

namespace {

// Removes the early entries of posts that were refused or got another id.
void take_back_unused(Rows& rows, std::span<const LoadedPost> posts) {
  std::vector<EarlyEntry> early;
  for (const LoadedPost& post : posts) {
    if (post.is_early) early.push_back({post.author, post.id});
  }
  std::ranges::sort(early, {}, &EarlyEntry::author);
  take_back_entries(rows, early);
}

}  // namespace

LoadCounts load_posts(Rows& rows, std::span<const LoadedPost> posts) {
  LoadCounts counts;
  auto [accepted, wishes, early] = accept(rows, posts, counts);
  if (accepted.empty()) {
    take_back_unused(rows, posts);
    return counts;
  }
  rows.mint();
  LoadedIds ids(rows, rows.state(), rows.turn().machine, accepted.back().created_at);
  for (std::size_t i = 0; i < accepted.size(); ++i) {
    accepted[i].id = {ids.next(accepted[i].created_at, wishes[i])};
  }
  const bool are_all_there =
      accepted.size() == posts.size() &&
      std::ranges::equal(early, accepted, [](PostId entry, const Post& post) {
        return entry == PostId{} || entry == post.id;
      });
  if (!std::ranges::is_sorted(accepted, {}, &Post::id)) std::ranges::sort(accepted, {}, &Post::id);
  put_posts(rows, accepted);
  if (!are_all_there) take_back_unused(rows, posts);
  counts.stored = accepted.size();
  return counts;
}

std::vector<PostId> ids_for_posts(const RowReader& rows, StoreState state,
                                  std::span<const Time> written) {
  std::vector<PostId> given;
  if (written.empty()) return given;
  given.reserve(written.size());
  LoadedIds ids(rows, state, snowflake::kLoadMachine, written.back());
  for (const Time time : written) given.push_back({ids.next(time)});
  return given;
}

void put_early_entries(Rows& rows, std::span<const EarlyEntry> entries) {
  StoreState& state = rows.state();
  const bool is_first = state.early_below == PostId{};
  std::vector<CounterDelta> deltas;
  bool is_there = false;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& [author, id] = entries[i];
    if (i == 0 || author != entries[i - 1].author) is_there = rows.kept(author);
    // Another load may have stored a post with this id.
    if (!is_there || rows.find(AuthorLogs::Key{author, id})) continue;
    rows.put(AuthorLogs::Key{author, id}, {});
    if (deltas.empty() || deltas.back().user != author) deltas.push_back({author, 0, 0, 0});
    ++deltas.back().posts;
  }
  add_counters(rows, deltas);
  if (entries.empty()) return;
  const auto [first, last] = std::ranges::minmax(entries, {}, &EarlyEntry::id);
  state.early_from = is_first ? first.id : std::min(state.early_from, first.id);
  state.early_below = std::max(state.early_below, PostId{last.id.value + 1});
}

void take_back_entries(Rows& rows, std::span<const EarlyEntry> entries) {
  std::vector<CounterDelta> deltas;
  for (const auto& [author, id] : entries) {
    const auto post = rows.find(Posts::Key{id});
    const bool is_of_it = post && post->author == author && post->privacy == Privacy::kPublic;
    if (is_of_it || !rows.erase(AuthorLogs::Key{author, id})) continue;
    if (deltas.empty() || deltas.back().user != author) deltas.push_back({author, 0, 0, 0});
    --deltas.back().posts;
  }
  add_counters(rows, deltas);
}

void end_early_entries(Rows& rows) {
  rows.state().early_from = {};
  rows.state().early_below = {};
}

bool restore_posts(Rows& rows, std::span<const Post> posts) {
  if (posts.empty()) return false;
  PostId& last = rows.state().last_id;
  for (const Post& post : posts) {
    if (rows.find(Posts::Key{post.id})) {
      throw Error(ErrorCode::kAlreadyExists,
                  fmt::format("Post {} is there already.", post.id.value));
    }
    last = std::max(last, post.id);
  }
  std::vector<Post> sorted(posts.begin(), posts.end());
  std::ranges::sort(sorted, {}, &Post::id);
  put_posts(rows, sorted);
  return true;
}

std::optional<Post> loaded_original(const Rows& rows, PostId id) {
  auto post = rows.find(Posts::Key{id});
  if (!post || post->is_repost() || !rows.kept(post->author)) return std::nullopt;
  return post;
}

}  // namespace chirp::rules
