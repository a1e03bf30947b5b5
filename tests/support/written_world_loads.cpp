// Loads and what is put back, on a written world.
#include <fmt/format.h>

#include "core/error.h"
#include "core/rules/writing.h"
#include "tests/support/source_keys.h"
#include "tests/support/written_world.h"

namespace chirp::test {
namespace {

std::string text_of(const LoadCounts& counts) {
  return fmt::format("{} stored, {} duplicates, {} missing, {} severed", counts.stored,
                     counts.duplicates, counts.missing, counts.severed);
}

std::string text_of(const char* what, const LoadCounts& is, const LoadCounts& wanted) {
  return fmt::format("{}: {}, not {}", what, text_of(is), text_of(wanted));
}

}  // namespace

void WrittenWorld::load_cards() {
  const std::vector<AuthorCard> cards{some_card(Comes::kAlone)};
  rules::load_cards(storage_, cards, now_);
  world_.load_cards(cards, now_);
}

void WrittenWorld::load_edges() {
  std::vector<LoadedEdge> edges;
  for (std::uint64_t i = 0; i < below(8); ++i) {
    const UserNumber follower = anybody();
    edges.push_back({follower, anybody_but(follower)});
  }
  if (one_in(2)) {  // a crowd, at the bounds of tiers
    const UserNumber popular{static_cast<std::uint32_t>(1 + below(2))};
    for (std::uint32_t user = 3; user <= 5 + below(8); ++user) {
      edges.push_back({UserNumber{user}, popular});
    }
  }
  LoadCounts is;
  std::size_t taken = 0;
  while (taken < edges.size()) {  // as many as a store takes at once
    const std::span rest = std::span<const LoadedEdge>(edges).subspan(taken);
    const EdgeResult result = rules::load_edges(storage_, rest, now_);
    const LoadCounts wanted = world_.load_edges(rest.first(result.taken), now_);
    expect(result.counts == wanted, text_of("edges", result.counts, wanted));
    taken += result.taken;
  }
}

void WrittenWorld::load_posts() {
  std::vector<LoadedPost> posts;
  for (std::uint64_t i = 0; i < below(6); ++i) {
    LoadedPost post{drawn_source(below(40)), anybody(), past(), "loaded #a"};
    if (one_in(2)) post.original = some_post();
    if (one_in(5)) post.privacy = one_in(2) ? Privacy::kFollowers : Privacy::kPrivate;
    if (one_in(5)) post.media.push_back({{}, "https://example.org/loaded.png"});
    if (one_in(5)) {
      post.id = PostId{
          snowflake::make(snowflake::ticks_of(post.created_at), snowflake::kLoadMachine, below(4))};
    }
    posts.push_back(post);
  }
  const LoadCounts is = rules::load_posts(storage_, posts, now_);
  const LoadCounts wanted = world_.load_posts(posts, now_);
  expect(is == wanted, text_of("posts", is, wanted));
}

void WrittenWorld::load_comments() {
  std::vector<LoadedComment> comments;
  for (std::uint64_t i = 0; i < below(5); ++i) {
    LoadedComment comment{drawn_source(below(40)), anybody(), past(), "loaded", some_post()};
    if (one_in(2) && !world_.comments.empty()) {
      comment.parent = some_comment();
      const auto parent = world_.comments.find(comment.parent);
      if (parent != world_.comments.end() && !one_in(6)) comment.post = parent->second.comment.post;
    }
    comments.push_back(comment);
  }
  const LoadCounts is = rules::load_comments(storage_, comments, now_);
  const LoadCounts wanted = world_.load_comments(comments, now_);
  expect(is == wanted, text_of("comments", is, wanted));
}

void WrittenWorld::load_reactions() {
  std::vector<LoadedReaction> reactions;
  for (std::uint64_t i = 0; i < below(5); ++i) {
    LoadedReaction& loaded = reactions.emplace_back(
        LoadedReaction{anybody(), some_post(), static_cast<ReactionType>(1 + below(3))});
    if (world_.comments.empty() || !one_in(2)) continue;
    loaded.type = ReactionType::kLike;
    loaded.comment = some_comment();
    const auto there = world_.comments.find(loaded.comment);
    if (there != world_.comments.end() && !one_in(6)) loaded.post = there->second.comment.post;
  }
  const LoadCounts is = rules::load_reactions(storage_, reactions, now_);
  const LoadCounts wanted = world_.load_reactions(reactions, now_);
  expect(is == wanted, text_of("reactions", is, wanted));
}

// ---- rows of an export

template <class Call>
void WrittenWorld::restore(const char* what, ErrorCode wanted, Call call) {
  ErrorCode is = ErrorCode::kInternal;
  try {
    call();
  } catch (const Error& error) {
    is = error.code();
  }
  expect(is == wanted, fmt::format("restored {}: another error", what));
}

void WrittenWorld::restore_posts() {
  const auto author = somebody_there();
  if (!author) return;
  std::vector<Post> posts;
  for (std::uint64_t i = 0; i < 1 + below(2); ++i) {
    Post post;
    post.created_at = past();
    post.id = PostId{snowflake::make(snowflake::ticks_of(post.created_at), 900, 2 * below(5) + i)};
    const PostId there = some_post();
    if (one_in(6) && world_.posts.contains(there)) post.id = there;
    post.author = *author;
    post.text = "restored #b";
    post.privacy = static_cast<Privacy>(below(3));
    if (!posts.empty() && posts.front().id == post.id) continue;
    posts.push_back(post);
  }
  const ErrorCode wanted = world_.restore_posts(posts, now_);
  restore("posts", wanted, [&] { rules::restore_posts(storage_, posts, now_); });
}

void WrittenWorld::restore_edges() {
  const auto follower = somebody_there();
  const auto followee = somebody_there();
  if (!follower || !followee || *follower == *followee) return;
  const std::vector<RestoredEdge> edges{
      {*follower, *followee, past(), one_in(2) ? Reposts::kOff : Reposts::kOn}};
  const ErrorCode wanted = world_.restore_edges(edges, now_);
  restore("edges", wanted, [&] { rules::restore_edges(storage_, edges, now_); });
}

void WrittenWorld::restore_comments() {
  const auto author = somebody_there();
  const PostId post = some_post();
  if (!author || (world_.posts.contains(post) && world_.posts.at(post).is_repost())) return;
  Comment comment;
  comment.created_at = past();
  const auto ticks = snowflake::ticks_of(comment.created_at);
  comment.id = CommentId{snowflake::make(ticks, 901, 2 * below(5))};
  comment.post = post;
  comment.author = *author;
  comment.text = "restored";
  std::vector<Comment> comments{comment};
  if (one_in(2)) {  // a reply to it, before it
    comment.parent = comment.id;
    comment.id = CommentId{comment.id.value + 1};
    comments.insert(comments.begin(), comment);
    if (one_in(2)) {
      comments.back().author = kNobody;
      comments.back().text.clear();
      comments.back().state = CommentState::kRemoved;
    }
  }
  const ErrorCode wanted = world_.restore_comments(comments, now_);
  restore("comments", wanted, [&] { rules::restore_comments(storage_, comments, now_); });
}

void WrittenWorld::restore_reactions() {
  const auto user = somebody_there();
  const PostId post = some_post();
  if (!user || (world_.posts.contains(post) && world_.posts.at(post).is_repost())) return;
  std::vector<RestoredReaction> reactions{{content_of(post), *user, ReactionType::kSad, past()}};
  const CommentId comment = some_comment();
  const auto found = world_.comments.find(comment);
  if (found != world_.comments.end() && found->second.comment.state == CommentState::kThere) {
    reactions.push_back({content_of(comment), *user, ReactionType::kLike, past()});
  }
  const ErrorCode wanted = world_.restore_reactions(reactions, now_);
  restore("reactions", wanted, [&] { rules::restore_reactions(storage_, reactions, now_); });
}

void WrittenWorld::restore_relations() {
  const auto user = somebody_there();
  const auto other = somebody_there();
  if (!user || !other || *user == *other) return;
  const std::vector<RestoredRelation> relations{
      {*user, *other, one_in(2) ? Relation::kMute : Relation::kBlock, past()}};
  const ErrorCode wanted = world_.restore_relations(relations, now_);
  restore("relations", wanted, [&] { rules::restore_relations(storage_, relations, now_); });
}

}  // namespace chirp::test
