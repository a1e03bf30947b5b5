#include "tests/support/mixed_changes.h"

#include <algorithm>

#include <fmt/format.h>

#include "tests/support/source_keys.h"

namespace chirp::test {
namespace {

constexpr std::uint32_t kMixedUsers = 60;
constexpr std::uint64_t kMixedNewest = 200;  // posts and comments that most is about

template <class Made>
const Made& recent(const std::vector<Made>& made, std::uint64_t pick) {
  return made[made.size() - 1 - pick % std::min<std::size_t>(made.size(), kMixedNewest)];
}

}  // namespace

UserNumber MixedChanges::anybody() {
  return UserNumber{static_cast<std::uint32_t>(1 + below(kMixedUsers))};
}

UserNumber MixedChanges::anybody_but(UserNumber user) {
  const UserNumber other = anybody();
  return other != user ? other : UserNumber{user.value % kMixedUsers + 1};
}

PostId MixedChanges::some_post() {
  if (posts_.empty()) return PostId{17};
  return below(10) == 0 ? posts_[below(posts_.size())] : recent(posts_, random_());
}

CommentId MixedChanges::some_comment() {
  return comments_.empty() ? CommentId{17} : recent(comments_, random_()).comment;
}

AuthorCard MixedChanges::some_card() {
  const UserNumber number = anybody();
  return {.number = number,
          .id = UserId{snowflake::make(number.value, snowflake::kMachineDefault, 0)},
          .username = fmt::format("user{}", number.value),
          .display_name = fmt::format("name {}", below(3)),
          .source = drawn_source(number.value)};
}

Change MixedChanges::next() {
  switch (below(20)) {
    case 0:
      return PutCard{some_card()};
    case 1:
      if (below(40) == 0) return MarkRemoved{anybody()};
      return PutCard{some_card()};
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
      return some_relation_change();
    case 7:
    case 8:
    case 9:
    case 10:
    case 11:
    case 12:
      return some_post_change();
    default:
      return some_remark();
  }
}

Change MixedChanges::some_post_change() {
  switch (below(8)) {
    case 0:
      return RemovePost{some_post()};
    case 1:
    case 2:
      return Repost{anybody(), some_post()};
    case 3:
      return Unrepost{anybody(), some_post()};
    default: {
      Publish change{anybody(), fmt::format("text {} #a", below(2))};
      change.privacy = below(3) == 0 ? static_cast<Privacy>(below(3)) : Privacy::kPublic;
      if (below(4) == 0) change.media = {{MediaId{1 + below(4)}, {}}};
      if (below(3) == 0) change.mentions = {anybody_but(change.author)};
      if (below(3) == 0) change.idempotency_key = fmt::format("key {}", below(4));
      return change;
    }
  }
}

Change MixedChanges::some_relation_change() {
  const UserNumber user = anybody();
  const UserNumber other = anybody_but(user);
  const Relation relation = below(2) == 0 ? Relation::kMute : Relation::kBlock;
  switch (below(9)) {
    case 0:
      return Relate{user, other, relation};
    case 1:
      return Unrelate{user, other, relation};
    case 2:
    case 3:
      return Unfollow{user, other};
    case 4:
      return Follow{user, other, static_cast<Reposts>(below(2))};
    default:
      return Follow{user, other};
  }
}

Change MixedChanges::some_remark() {
  const UserNumber user = anybody();
  switch (below(10)) {
    case 0:
    case 1:
      return React{user, some_post(), static_cast<ReactionType>(1 + below(3))};
    case 2:
      return Unreact{user, some_post()};
    case 3:
      return LikeComment{user, some_comment()};
    case 4:
      return UnlikeComment{user, some_comment()};
    case 5:
    case 6:
      return RemoveComment{some_comment()};
    case 7:
      return AddComment{user,
                        some_post(),
                        "yes",
                        kNoComment,
                        {anybody(), anybody()},
                        below(3) == 0 ? fmt::format("key {}", below(4)) : std::string()};
    default: {
      if (comments_.empty()) return AddComment{user, some_post(), "yes", kNoComment, {}};
      const Said& above = recent(comments_, random_());
      return AddComment{user, above.post, "and so on", above.comment, {}};
    }
  }
}

void MixedChanges::made(const Change& change, const Outcome& outcome) {
  if (outcome.result != Result::kDone) return;
  if (std::holds_alternative<Publish>(change) || std::holds_alternative<Repost>(change)) {
    posts_.push_back(outcome.post);
  } else if (std::holds_alternative<AddComment>(change)) {
    comments_.push_back({outcome.comment, outcome.post});
  }
}

}  // namespace chirp::test
