// What the twins' random calls are made of.
#include <algorithm>
#include <string>

#include "core/ports/reads.h"
#include "tests/support/source_keys.h"
#include "tests/support/storage_contract.h"
#include "tests/support/storage_twins.h"

namespace chirp::test {
namespace {

constexpr std::uint32_t kTwinUsers = 9;

}  // namespace

UserNumber Twins::anybody() {
  return UserNumber{static_cast<std::uint32_t>(1 + below(kTwinUsers))};
}

std::optional<UserNumber> Twins::somebody_there() {
  std::vector<UserNumber> users;
  for (const AuthorCard& card :
       reads::rows_above<tables::Cards>(*model_->storage().snapshot(), {kNobody}, kAll)) {
    if (card.presence != Presence::kRemoved) users.push_back(card.number);
  }
  if (users.empty()) return std::nullopt;
  return users[below(users.size())];
}

std::optional<Post> Twins::some_post() {
  const auto posts =
      reads::rows_above<tables::Posts>(*model_->storage().snapshot(), {kBelowAllPosts}, kAll);
  if (posts.empty()) return std::nullopt;
  return posts[below(posts.size())];
}

Time Twins::past() { return Time{now_.ms - static_cast<std::int64_t>(below(one_in(2) ? 4 : 400))}; }

AuthorCard Twins::some_card() {
  AuthorCard result = card(anybody().value);
  if (result.number.value % 2 == 0) result.source = drawn_source(result.number.value);
  if (one_in(2)) result.display_name = result.username;
  if (one_in(4)) result.presence = Presence::kSuspended;
  return result;
}

Change Twins::some_change() {
  const auto post = some_post();
  switch (below(15)) {
    case 0:
      return PutCard{some_card()};
    case 1:
      return RemovePost{post ? post->id : PostId{17}};
    case 2:
      return Unfollow{anybody(), anybody()};
    case 3:
    case 4:
    case 5: {
      const UserNumber follower = anybody();
      const UserNumber followee = anybody();
      if (follower != followee) return Follow{follower, followee};
      return Publish{follower, "by the way"};
    }
    case 6:
    case 7:
    case 8:
      return Repost{anybody(), post ? post->id : PostId{17}};
    case 9:
      return Unrepost{anybody(), post ? post->id : PostId{17}};
    case 10: {
      const UserNumber user = anybody();
      const UserNumber other = anybody();
      if (user == other) return Unrepost{user, PostId{17}};
      const Relation relation = one_in(3) ? Relation::kMute : Relation::kBlock;
      if (one_in(2)) return Unrelate{user, other, relation};
      return Relate{user, other, relation};
    }
    case 11: {
      const UserNumber author = anybody();
      const UserNumber other = anybody();
      if (author == other) return Publish{author, "to nobody"};
      return Publish{author, "to somebody", static_cast<Privacy>(below(3)), {}, {other}};
    }
    default:
      return Publish{anybody(), "#a " + std::string(1 + below(30), 'x') + " #b",
                     static_cast<Privacy>(below(3))};
  }
}

// A reaction or a comment. Few types and posts, so that they meet.
Change Twins::some_remark() {
  const auto posts =
      reads::rows_above<tables::Posts>(*model_->storage().snapshot(), {kBelowAllPosts}, kAll);
  const auto comments =
      reads::rows_above<tables::Comments>(*model_->storage().snapshot(), {kNoComment}, kAll);
  const PostId post =
      posts.empty() ? PostId{17} : posts[below(std::min<std::size_t>(posts.size(), 6))].id;
  const CommentId comment = comments.empty() ? CommentId{17} : comments[below(comments.size())].id;
  const UserNumber user = anybody();
  switch (below(9)) {
    case 0:
    case 1:
      return React{user, post, static_cast<ReactionType>(1 + below(3))};
    case 2:
      return Unreact{user, post};
    case 3:
      return LikeComment{user, comment};
    case 4:
      return UnlikeComment{user, comment};
    case 5:
      return RemoveComment{comment};
    case 6:
      return AddComment{user, post, "yes", kNoComment, {anybody(), anybody()}};
    default: {
      const bool under = !comments.empty() && !one_in(6);
      const PostId place =
          under ? model_->storage().snapshot()->find(tables::Comments::Key{comment})->post : post;
      return AddComment{user, place, "and so on", comment, {}};
    }
  }
}

}  // namespace chirp::test
