#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/events/deltas.h"
#include "core/limits.h"
#include "core/radix_sort.h"
#include "store/lmdb/cards.h"
#include "store/lmdb/content_counters.h"
#include "store/lmdb/counters.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/loading.h"
#include "store/lmdb/page_budget.h"
#include "store/lmdb/posts.h"
#include "store/lmdb/relations.h"
#include "store/lmdb/reposts.h"
#include "store/lmdb/tags.h"

namespace chirp::lmdb {
namespace {

// A disk that others keep busy makes every commit slow, and smaller ones no quicker: below so many
// there would only be more of them.
constexpr std::size_t kEdgesAtOnceMin = 8'192;
constexpr std::size_t kEdgesAtOnceMax = 2'000'000;
// Of 4 KiB: 32 MiB, which a disk of 300 MB/s takes in in about a hundred milliseconds.
constexpr std::size_t kPagesAtOnceMax = 8'192;

// ---------------------------------------------------------------- edges

// Edges as numbers: the side the table is keyed by above, its neighbour below.
constexpr std::uint64_t packed(UserNumber user, UserNumber other) {
  return (std::uint64_t{user.value} << 32) | other.value;
}
constexpr UserNumber upper(std::uint64_t pair) { return {static_cast<std::uint32_t>(pair >> 32)}; }
constexpr UserNumber lower(std::uint64_t pair) { return {static_cast<std::uint32_t>(pair)}; }

// Merges sorted pairs into one direction. Calls `merged(user, fresh)` for each user.
template <class Merged>
void merge_direction(Batch& batch, Table table, std::span<const std::uint64_t> pairs,
                     Merged merged) {
  EdgeMerger merger(batch, table);
  std::vector<Edge> edges;
  while (!pairs.empty()) {
    const UserNumber user = upper(pairs.front());
    edges.clear();
    while (!pairs.empty() && upper(pairs.front()) == user) {
      edges.push_back({lower(pairs.front()), batch.now});
      pairs = pairs.subspan(1);
    }
    merged(user, merger.add(user, edges));
  }
}

// Adds two lists, each ascending by user, into one.
std::vector<CounterDelta> merged_deltas(const std::vector<CounterDelta>& a,
                                        const std::vector<CounterDelta>& b) {
  std::vector<CounterDelta> all;
  all.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all),
             [](const CounterDelta& x, const CounterDelta& y) { return x.user < y.user; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (kept > 0 && all[kept - 1].user == all[i].user) {
      all[kept - 1].followers += all[i].followers;
      all[kept - 1].following += all[i].following;
    } else {
      all[kept++] = all[i];
    }
  }
  all.resize(kept);
  return all;
}

std::vector<std::uint64_t> pairs_of(std::span<const LoadedEdge> edges) {
  std::vector<std::uint64_t> pairs;
  pairs.reserve(edges.size());
  for (const LoadedEdge& edge : edges) {
    check(edge.follower != edge.followee, "nobody follows themselves");
    pairs.push_back(packed(edge.follower, edge.followee));
  }
  return pairs;
}

// Looks each user up once: a batch names the same ones again and again.
class WhoIsThere {
 public:
  // `highest` is the highest number that will be asked for.
  WhoIsThere(const Txn& txn, UserNumber highest)
      : cards_(txn, Table::kCards),
        asked_(highest.value + std::size_t{1}),
        there_(highest.value + std::size_t{1}) {}

  bool operator()(UserNumber user) {
    if (!asked_[user.value]) {
      asked_[user.value] = true;
      const auto item = cards_.at(key(user));
      there_[user.value] = item && is_present(*item);
    }
    return there_[user.value];
  }

 private:
  Cursor cards_;
  std::vector<bool> asked_;
  std::vector<bool> there_;
};

// Users may have been removed since the load looked them up. How many pairs are left out.
std::uint64_t leave_out_absent(const Txn& txn, std::vector<std::uint64_t>& pairs) {
  UserNumber highest;
  for (const std::uint64_t pair : pairs) highest = std::max({highest, upper(pair), lower(pair)});
  WhoIsThere is_there(txn, highest);
  return std::erase_if(
      pairs, [&](std::uint64_t pair) { return !is_there(upper(pair)) || !is_there(lower(pair)); });
}

std::uint64_t store_edges(Batch& batch, std::vector<std::uint64_t> pairs) {
  std::vector<std::uint64_t> scratch;
  if (!std::is_sorted(pairs.begin(), pairs.end())) radix_sort(pairs, scratch);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());

  std::vector<std::uint64_t> reverse;
  std::vector<CounterDelta> following;
  merge_direction(batch, Table::kFollowing, pairs,
                  [&](UserNumber follower, std::span<const UserNumber> fresh) {
                    if (fresh.empty()) return;
                    following.push_back({follower, 0, static_cast<std::int64_t>(fresh.size()), 0});
                    for (const UserNumber followee : fresh) {
                      reverse.push_back(packed(followee, follower));
                    }
                  });
  radix_sort(reverse, scratch);
  std::vector<CounterDelta> followers;
  merge_direction(batch, Table::kFollowers, reverse,
                  [&](UserNumber followee, std::span<const UserNumber> fresh) {
                    followers.push_back({followee, static_cast<std::int64_t>(fresh.size()), 0, 0});
                  });
  if (!reverse.empty()) {
    log_load(batch, reverse.size());
    add_counters(batch, merged_deltas(following, followers));
  }
  return reverse.size();
}

// ---------------------------------------------------------------- posts

// Writes posts with their ids (ascending), each table in the order of its keys.
void put_posts(Batch& batch, std::span<const Post> posts) {
  std::vector<ContentDelta> reposted;
  for (const Post& post : posts) {
    put_record(batch, post);
    put_recent_tags(batch, post);
    if (!post.is_repost()) continue;
    put_under_original(batch, post);
    ContentDelta delta{content_of(post.original), {}};
    delta.change.reposts = 1;
    reposted.push_back(delta);
  }
  std::vector<const Post*> order;
  order.reserve(posts.size());
  for (const Post& post : posts) order.push_back(&post);
  // Stable, so that each author's posts stay in the order of their ids.
  std::stable_sort(order.begin(), order.end(),
                   [](const Post* a, const Post* b) { return a->author < b->author; });
  std::vector<CounterDelta> deltas;
  for (const Post* post : order) {
    put_in_log(batch, *post);
    if (deltas.empty() || deltas.back().user != post->author) {
      deltas.push_back({post->author, 0, 0, 0});
    }
    ++deltas.back().posts;
  }
  std::sort(order.begin(), order.end(),
            [](const Post* a, const Post* b) { return a->source < b->source; });
  for (const Post* post : order) put_source(batch, *post);
  log_load(batch, posts.size());
  add_counters(batch, deltas);
  events::combine(reposted);
  add_content_counters(batch, reposted);
}

// The author of the original, of a repost that can be made.
enum class Repostable : std::uint8_t { kYes, kAlready, kMissing };
Repostable repostable(const Batch& batch, Post& repost) {
  const auto original = loaded_original(batch.txn, repost.original);
  if (!original || original->privacy != Privacy::kPublic) return Repostable::kMissing;
  repost.original_author = original->author;
  repost.text.clear();
  return repost_of(batch.txn, repost.original, repost.author) ? Repostable::kAlready
                                                              : Repostable::kYes;
}

}  // namespace

std::vector<std::optional<UserNumber>> LmdbStorage::numbers_of(
    std::span<const SourceId> sources) const {
  const Env::Reader reader(env_);
  Cursor cursor(reader.txn(), Table::kUserSources);
  std::vector<std::optional<UserNumber>> numbers;
  numbers.reserve(sources.size());
  for (const SourceId source : sources) {
    const auto item = cursor.at(key(source));
    numbers.push_back(item ? std::optional(user_at(item->value)) : std::nullopt);
  }
  return numbers;
}

void LmdbStorage::load_cards(std::span<const AuthorCard> cards, Time now) {
  run(now, [&](Batch& batch) {
    std::uint64_t stored = 0;
    for (const AuthorCard& card : cards) {
      if (batch.txn.get(Table::kCards, key(card.number))) continue;
      put_card(batch, card);
      ++stored;
    }
    if (stored == 0) return Verdict::kNothing;
    log_load(batch, stored);
    return Verdict::kCommit;
  });
}

Storage::EdgeResult LmdbStorage::load_edges(std::span<const LoadedEdge> edges, Time now) {
  EdgeResult result;
  if (edges.empty()) return result;
  using Clock = std::chrono::steady_clock;
  const std::size_t at_once = edges_at_once_;
  Clock::time_point start;  // of the transaction: waiting for others' turns does not count
  run(now, [&](Batch& batch) {
    start = Clock::now();
    result.taken =
        edges_within(batch.txn, edges.first(std::min(edges.size(), at_once)), kPagesAtOnceMax);
    std::vector<std::uint64_t> pairs = pairs_of(edges.first(result.taken));
    result.counts.missing = leave_out_absent(batch.txn, pairs);
    result.counts.stored = store_edges(batch, std::move(pairs));
    return result.counts.stored > 0 ? Verdict::kCommit : Verdict::kNothing;
  });
  result.counts.duplicates = result.taken - result.counts.stored - result.counts.missing;

  const auto ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  const double factor = std::clamp(limits::kLoadTransactionMs / std::max(ms, 0.1), 0.5, 1.5);
  if (result.taken == at_once || factor < 1) {
    edges_at_once_ =
        std::clamp(static_cast<std::size_t>(static_cast<double>(result.taken) * factor),
                   kEdgesAtOnceMin, kEdgesAtOnceMax);
  }
  return result;
}

LoadCounts LmdbStorage::load_posts(std::span<const LoadedPost> posts, Time now) {
  LoadCounts counts;
  run(now, [&](Batch& batch) {
    counts = {};
    // By source: which are there, and which come twice in this batch.
    std::vector<std::size_t> order(posts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return posts[a].source != posts[b].source ? posts[a].source < posts[b].source : a < b;
    });
    Cursor sources(batch.txn, Table::kPostSources);
    std::vector<std::size_t> fresh;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const SourceId source = posts[order[i]].source;
      const bool again = i > 0 && posts[order[i - 1]].source == source;
      if (again || sources.at(key(source))) {
        ++counts.duplicates;
      } else {
        fresh.push_back(order[i]);
      }
    }
    std::sort(fresh.begin(), fresh.end(), [&](std::size_t a, std::size_t b) {
      return posts[a].created_at != posts[b].created_at ? posts[a].created_at < posts[b].created_at
                                                        : a < b;
    });
    std::vector<Post> rows;
    rows.reserve(fresh.size());
    std::vector<std::uint64_t> wishes;  // of the rows, for an id
    std::set<std::pair<PostId, UserNumber>> reposted;
    for (const std::size_t i : fresh) {
      const LoadedPost& loaded = posts[i];
      if (!is_present(batch.txn, loaded.author)) {
        ++counts.missing;
        continue;
      }
      Post post{{},
                loaded.author,
                loaded.text,
                loaded.created_at,
                Privacy::kPublic,
                loaded.source,
                loaded.original};
      if (post.is_repost()) {
        const Repostable can = repostable(batch, post);
        const bool once = reposted.emplace(post.original, post.author).second;
        if (can != Repostable::kYes || !once) {
          ++(can == Repostable::kMissing ? counts.missing : counts.duplicates);
          continue;
        }
      }
      rows.push_back(std::move(post));
      wishes.push_back(loaded.id.value);
    }
    if (rows.empty()) return Verdict::kNothing;
    batch.mint();
    LoadedIds ids(batch);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].id = {ids.next(rows[i].created_at, wishes[i])};
    }
    if (!std::ranges::is_sorted(rows, {}, &Post::id)) std::ranges::sort(rows, {}, &Post::id);
    put_posts(batch, rows);
    counts.stored = rows.size();
    return Verdict::kCommit;
  });
  return counts;
}

void LmdbStorage::restore_posts(std::span<const Post> posts, Time now) {
  if (posts.empty()) return;
  run(now, [&](Batch& batch) {
    for (const Post& post : posts) {
      if (batch.txn.get(Table::kPosts, key(post.id))) {
        throw Error(ErrorCode::kAlreadyExists,
                    fmt::format("Post {} is there already.", post.id.value));
      }
      batch.state.last_id = std::max(batch.state.last_id, post.id);
    }
    std::vector<Post> rows(posts.begin(), posts.end());
    std::sort(rows.begin(), rows.end(), [](const Post& a, const Post& b) { return a.id < b.id; });
    put_posts(batch, rows);
    return Verdict::kCommit;
  });
}

void LmdbStorage::restore_edges(std::span<const RestoredEdge> edges, Time now) {
  if (edges.empty()) return;
  run(now, [&](Batch& batch) {
    EdgeMerger following(batch, Table::kFollowing);
    EdgeMerger followers(batch, Table::kFollowers);
    for (const RestoredEdge& edge : edges) {
      const Edge out{edge.followee, edge.since};
      const Edge in{edge.follower, edge.since};
      if (following.add(edge.follower, {&out, 1}).empty()) {
        throw Error(ErrorCode::kAlreadyExists, "A follow of the export is there already.");
      }
      followers.add(edge.followee, {&in, 1});
      if (edge.reposts == Reposts::kOff) {
        put_relation(batch, edge.follower, Relation::kRepostsOff, edge.followee, edge.since);
      }
      const CounterDelta deltas[] = {{edge.follower, 0, 1, 0}, {edge.followee, 1, 0, 0}};
      add_counters(batch, deltas);
    }
    log_load(batch, edges.size());
    return Verdict::kCommit;
  });
}

}  // namespace chirp::lmdb
