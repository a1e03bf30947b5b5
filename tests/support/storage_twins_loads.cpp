// The calls of loads and exports.
#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/loads.h"
#include "core/rules/writing.h"
#include "tests/support/source_keys.h"
#include "tests/support/storage_contract.h"
#include "tests/support/storage_twins_both.h"

namespace chirp::test {
namespace {

// Comments that are there; one of them is often answered.
std::vector<Comment> comments_of(const Storage& storage) {
  return reads::rows_above<tables::Comments>(*storage.snapshot(), {kNoComment}, kAll);
}

bool is_blocked(const Snapshot& snapshot, const LoadedEdge& edge) {
  return snapshot.find(tables::Relations::Key{edge.follower, Relation::kBlock, edge.followee}) ||
         snapshot.find(tables::Relations::Key{edge.followee, Relation::kBlock, edge.follower});
}

// Those that a load would store, with their times.
std::vector<RestoredEdge> allowed_edges(const Snapshot& snapshot,
                                        const std::vector<LoadedEdge>& edges,
                                        const std::map<std::uint64_t, Time>& times) {
  const auto is_kept = [&](UserNumber user) {
    const auto card = snapshot.find(tables::Cards::Key{user});
    return card && card->presence != Presence::kRemoved;
  };
  std::vector<RestoredEdge> allowed;
  for (const LoadedEdge& edge : edges) {
    const bool is_there =
        snapshot.find(tables::Following::Key{edge.follower, edge.followee}).has_value();
    if (is_there || is_blocked(snapshot, edge) || !is_kept(edge.follower) ||
        !is_kept(edge.followee)) {
      continue;
    }
    const std::uint64_t key = std::uint64_t{edge.follower.value} << 32 | edge.followee.value;
    allowed.push_back({edge.follower, edge.followee, times.at(key)});
  }
  return allowed;
}

// In transactions; how many.
std::uint64_t load_allowed(Storage& model, const BulkOptions& options,
                           const std::vector<LoadedEdge>& edges,
                           const std::map<std::uint64_t, Time>& times, Time now) {
  if (options.since) return rules::load_edges(model, edges, now).counts.stored;
  const auto allowed = allowed_edges(*model.snapshot(), edges, times);
  rules::restore_edges(model, allowed, now);
  return allowed.size();
}

// In two runs, with times if each edge has its own.
void add_halves(BulkEdges& bulk, const BulkOptions& options, std::span<const std::uint64_t> keys,
                const std::map<std::uint64_t, Time>& times) {
  for (const auto part : {keys.first(keys.size() / 2), keys.subspan(keys.size() / 2)}) {
    std::vector<TimedEdge> timed;
    for (const std::uint64_t key : part) timed.push_back({key, times.at(key)});
    if (options.since) {
      bulk.add(part);
    } else {
      bulk.add(timed);
    }
  }
}

}  // namespace

void Twins::load_cards() {
  const std::vector<AuthorCard> cards{some_card(), some_card()};
  both([&](Storage& store) { rules::load_cards(store, cards, now_); });
}

void Twins::load_edges() {
  std::vector<LoadedEdge> edges;
  for (std::uint64_t i = 0; i < below(12); ++i) {
    const auto follower = somebody_there();
    const auto followee = somebody_there();
    if (follower && followee && *follower != *followee) edges.push_back({*follower, *followee});
  }
  both([&](Storage& store) { return rules::load_edges(store, edges, now_); });
}

// Between the transactions of the build anything else happens to both. The model takes the edges at
// once, when the other store shows them: those that the first pass found missing and that are
// allowed at the end. In one piece, the first pass sees the state before its only transaction, and
// blocks as they stood in a state before that.
void Twins::bulk_load() {
  BulkOptions options;
  if (one_in(2)) options.since = now_;
  options.changes_at_end = below(3);
  options.memory = 0;
  // It would wait for ever for the lock of a load that waits for it.
  const auto bulk = is_bulk_ || is_early_ ? nullptr : other_->storage().bulk_edges(options);
  if (!bulk) return;
  is_bulk_ = true;
  std::vector<std::uint64_t> keys;
  std::vector<LoadedEdge> edges;
  for (std::uint64_t i = 0; i < below(40); ++i) {
    const auto follower = somebody_there();
    const auto followee = somebody_there();
    if (!follower || !followee || *follower == *followee) continue;
    keys.push_back(std::uint64_t{follower->value} << 32 | followee->value);
  }
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::map<std::uint64_t, Time> times;
  for (const std::uint64_t key : keys) times[key] = options.since ? now_ : past();
  add_halves(*bulk, options, keys, times);
  constexpr int kFirstPass = 3;  // after its beginning, the users and the blocks
  int transactions = 0;
  bool is_over = false;
  const Time since = now_;
  const LoadCounts counts = bulk->finish(now_, [&](const std::function<void()>& transaction) {
    if (transactions++ == kFirstPass) {
      const auto snapshot = model_->storage().snapshot();
      for (const std::uint64_t key : keys) {
        const LoadedEdge edge{UserNumber{static_cast<std::uint32_t>(key >> 32)},
                              UserNumber{static_cast<std::uint32_t>(key)}};
        if (snapshot->find(tables::Following::Key{edge.follower, edge.followee})) continue;
        if (first_blocks_.contains(key) && is_blocked(*snapshot, edge)) continue;
        edges.push_back(edge);
      }
    }
    transaction();
    if (transactions == kFirstPass) {
      first_blocks_.clear();
      const auto snapshot = model_->storage().snapshot();
      for (const std::uint64_t key : keys) {
        for (const std::uint64_t user : {key >> 32, key & ~std::uint32_t{0}}) {
          const UserNumber number{static_cast<std::uint32_t>(user)};
          const bool any = !snapshot
                                ->range(tables::Relations::Key{number, Relation::kBlock, kNobody},
                                        tables::Relations::Key{number, Relation::kBlock,
                                                               UserNumber{~std::uint32_t{0}}},
                                        Direction::kUp, 1)
                                .empty();
          if (any) first_blocks_.insert(key);
        }
      }
    }
    const BulkProgress reach = bulk->reach();
    is_over = is_over || (reach.phase == BulkPhase::kChanges && reach.share == 1);
    if (is_over || one_in(2)) return;
    const std::uint64_t acts = below(4);
    for (std::uint64_t i = 0; i < acts; ++i) act();
    compare();
  });
  const std::uint64_t stored = load_allowed(model_->storage(), options, edges, times, since);
  if (stored != counts.stored) found_.push_back("another number of edges");
  is_bulk_ = false;
}

void Twins::load_posts() {
  std::vector<LoadedPost> posts;
  for (std::uint64_t i = 0; i < below(8); ++i) {
    const auto author = somebody_there();
    const auto original = one_in(3) ? some_post() : std::nullopt;
    if (author) {
      posts.push_back({drawn_source(below(60)), *author, past(), "#loaded",
                       original ? original->id : kBelowAllPosts});
      if (!original && one_in(4)) posts.back().privacy = static_cast<Privacy>(below(3));
    }
  }
  both([&](Storage& store) { return rules::load_posts(store, posts, now_); });
}

namespace {

// A load puts entries in the order of authors.
std::vector<EarlyEntry> entries_of(std::span<const LoadedPost> posts) {
  std::vector<EarlyEntry> entries;
  for (const LoadedPost& post : posts) {
    if (post.is_early) entries.push_back({post.author, post.id});
  }
  std::ranges::sort(entries, {},
                    [](const EarlyEntry& entry) { return std::pair(entry.author, entry.id); });
  return entries;
}

std::vector<LoadedPost> without_entries(std::span<const LoadedPost> posts) {
  std::vector<LoadedPost> plain(posts.begin(), posts.end());
  for (LoadedPost& post : plain) {
    post.is_early = false;
    post.id = {};
  }
  return plain;
}

}  // namespace

// In the order of their times, by people who may not be there. Most that are public get an entry.
std::vector<LoadedPost> Twins::early_posts() {
  std::vector<LoadedPost> posts;
  for (std::uint64_t i = 0; i < 1 + below(10); ++i) {
    LoadedPost post{drawn_source(below(60)), anybody(), past(), "#early"};
    if (one_in(4)) post.privacy = static_cast<Privacy>(below(3));
    post.is_early = post.privacy == Privacy::kPublic && !one_in(6);
    posts.push_back(post);
  }
  std::ranges::stable_sort(posts, {}, &LoadedPost::created_at);
  std::vector<Time> times;
  for (const LoadedPost& post : posts) {
    if (post.is_early) times.push_back(post.created_at);
  }
  const auto snapshot = other_->storage().snapshot();
  const auto ids = rules::ids_for_posts(*snapshot, snapshot->state(), times);
  auto id = ids.begin();
  for (LoadedPost& post : posts) {
    if (post.is_early) post.id = *id++;
  }
  return posts;
}

void Twins::early_load() {
  const auto held = is_early_ ? nullptr : other_->storage().early_entries();
  if (!held) return;
  is_early_ = true;
  put_early_and_load(one_in(3) ? below(8) : ~std::uint64_t{0});
  early_.clear();
  is_early_ = false;
}

// Between the transactions anything else happens to both. The model takes the posts alone.
void Twins::put_early_and_load(std::uint64_t dies_at) {
  std::uint64_t step = 0;
  const auto goes_on = [&] {
    const std::uint64_t acts = step == 0 ? 0 : below(3);
    for (std::uint64_t i = 0; i < acts; ++i) act();
    if (step != 0) compare();
    return step++ != dies_at;
  };
  const std::vector<LoadedPost> posts = early_posts();
  early_ = entries_of(posts);
  const std::vector<EarlyEntry> entries = early_;
  for (std::span<const EarlyEntry> left = entries; !left.empty();) {
    if (!goes_on()) return;
    const std::size_t count = std::min<std::size_t>(1 + below(3), left.size());
    rules::put_early_entries(other_->storage(), left.first(count), now_);
    left = left.subspan(count);
  }
  for (std::span<const LoadedPost> left = posts; !left.empty();) {
    if (!goes_on()) return;
    const std::size_t count = std::min<std::size_t>(1 + below(4), left.size());
    const LoadCounts wanted =
        rules::load_posts(model_->storage(), without_entries(left.first(count)), now_);
    const LoadCounts counts = rules::load_posts(other_->storage(), left.first(count), now_);
    if (counts != wanted) found_.emplace_back("another number of posts");
    left = left.subspan(count);
  }
  if (goes_on()) rules::end_early_entries(other_->storage(), now_);
}

void Twins::settle() {
  both([](Storage& store) { store.settle(); });
  const bool is_left = other_->storage().snapshot()->state().early_below != PostId{};
  if (is_left && !is_early_ && !is_bulk_) found_.emplace_back("early entries are left");
}

void Twins::restore() {
  const auto author = somebody_there();
  const auto other = somebody_there();
  if (!author || !other) return;
  const auto there = some_post();
  PostId id = there && one_in(4)
                  ? there->id
                  : PostId{snowflake::make(snowflake::ticks_of(past()), 900, below(4096))};
  if (!early_.empty()) id = early_[below(early_.size())].id;
  const auto privacy = one_in(3) ? static_cast<Privacy>(below(3)) : Privacy::kPublic;
  const std::vector<Post> posts{{id, *author, "#restored", past(), privacy, std::nullopt}};
  const std::vector<RestoredEdge> edges{{*author, *other, past()}};
  both([&](Storage& store) {
    try {
      rules::restore_posts(store, posts, now_);
      if (*author != *other) rules::restore_edges(store, edges, now_);
      return true;
    } catch (const Error& error) {
      return error.code() != ErrorCode::kAlreadyExists;
    }
  });
}

void Twins::load_talk() {
  std::vector<LoadedComment> comments;
  std::vector<LoadedReaction> reactions;
  std::vector<SourceKey> sources;
  const auto there = comments_of(model_->storage());
  for (std::uint64_t i = 0; i < 1 + below(6); ++i) {
    const auto author = somebody_there();
    const auto post = some_post();
    if (!author || !post) return;
    CommentId parent = kNoComment;
    if (!there.empty() && one_in(2)) parent = there[below(there.size())].id;
    // At times of another post, or of one that is gone.
    comments.push_back({drawn_source(below(60)), *author, past(), "said", post->id, parent});
    reactions.push_back({*author, post->id, static_cast<ReactionType>(1 + below(kReactionTypes))});
    if (one_in(2)) reactions.back().since = past();
    sources.push_back(drawn_source(below(60)));
  }
  both([&](Storage& store) { return rules::load_comments(store, comments, now_); });
  both([&](Storage& store) { return rules::load_reactions(store, reactions, now_); });
  both([&](Storage& store) { return reads::contents_of(*store.snapshot(), sources); });
}

void Twins::restore_talk() {
  const auto user = somebody_there();
  const auto other = somebody_there();
  const auto post = some_post();
  if (!user || !other || !post || post->is_repost()) return;
  Comment comment;
  comment.id = CommentId{snowflake::make(snowflake::ticks_of(past()), 901, below(4096))};
  comment.post = post->id;
  comment.author = *user;
  comment.text = "restored";
  comment.created_at = past();
  const std::vector<Comment> comments{comment};
  const std::vector<RestoredReaction> reactions{
      {content_of(post->id), *user, ReactionType::kSad, past()},
      {content_of(comment.id), *user, ReactionType::kLike, past()}};
  const std::vector<RestoredRelation> relations{{*user, *other, Relation::kMute, past()}};
  both([&](Storage& store) {
    try {
      rules::restore_comments(store, comments, now_);
      rules::restore_reactions(store, reactions, now_);
      if (*user != *other) rules::restore_relations(store, relations, now_);
      return ErrorCode::kInternal;  // there was none
    } catch (const Error& error) {
      return error.code();
    }
  });
}

}  // namespace chirp::test
