// What the random calls of a written world are made of: few users and contents, so that they meet.
#include <algorithm>

#include <fmt/format.h>

#include "tests/support/source_keys.h"
#include "tests/support/written_world.h"

namespace chirp::test {
namespace {

constexpr std::uint32_t kWrittenUsers = 12;
constexpr std::uint64_t kNewest = 8;  // posts and comments that most is about

template <class Map>
typename Map::key_type recent(const Map& map, std::uint64_t pick) {
  const std::size_t back = pick % std::min<std::size_t>(map.size(), kNewest);
  return std::prev(map.end(), static_cast<std::ptrdiff_t>(back + 1))->first;
}

}  // namespace

std::optional<UserNumber> WrittenWorld::somebody_there() {
  std::vector<UserNumber> users;
  for (const auto& [user, card] : world_.cards) {
    if (world_.kept(user)) users.push_back(user);
  }
  if (users.empty()) return std::nullopt;
  return users[below(std::min<std::size_t>(users.size(), 7))];
}

// Mostly somebody who is there.
UserNumber WrittenWorld::anybody() {
  const auto user = one_in(10) ? std::nullopt : somebody_there();
  return user ? *user : UserNumber{static_cast<std::uint32_t>(1 + below(kWrittenUsers))};
}

UserNumber WrittenWorld::anybody_but(UserNumber user) {
  const UserNumber other = anybody();
  return other != user ? other : UserNumber{user.value % kWrittenUsers + 1};
}

PostId WrittenWorld::some_post() {
  if (!published_.empty() && one_in(12)) return published_[below(published_.size())];
  return world_.posts.empty() ? PostId{17} : recent(world_.posts, random_());
}

CommentId WrittenWorld::some_comment() {
  if (one_in(20)) return CommentId{some_post().value};
  return world_.comments.empty() ? CommentId{17} : recent(world_.comments, random_());
}

Time WrittenWorld::past() {
  constexpr std::int64_t kAgo[] = {2, 400, kDayMs, 9 * kDayMs};
  const auto ago = static_cast<std::uint64_t>(kAgo[below(std::size(kAgo))]);
  return Time{now_.ms - static_cast<std::int64_t>(below(ago))};
}

std::vector<UserNumber> WrittenWorld::mentions_by(UserNumber author) {
  std::vector<UserNumber> mentioned;
  for (std::uint64_t i = 0; i < below(3); ++i) {
    const UserNumber user = one_in(6) ? author : anybody_but(author);
    const bool known = std::find(mentioned.begin(), mentioned.end(), user) != mentioned.end();
    if (!known) mentioned.push_back(user);
  }
  return mentioned;
}

// Edits of who is there keep the source id; a new one is nobody else's, so it comes alone.
AuthorCard WrittenWorld::some_card(Comes comes) {
  const UserNumber number{static_cast<std::uint32_t>(1 + below(kWrittenUsers))};
  const SourceKey source = drawn_source(1 + below(6));
  AuthorCard card{.number = number,
                  .id = UserId{snowflake::make(number.value, kTestMachine, 0)},
                  .username = fmt::format("user{}", number.value),
                  .display_name = fmt::format("name {}", below(3)),
                  .source = std::nullopt};
  if (one_in(4)) card.picture = MediaId{1 + below(3)};
  const auto old = world_.cards.find(number);
  if (old != world_.cards.end()) card.source = old->second.source;
  const bool was_suspended = old != world_.cards.end() && !world_.present(number);
  if (was_suspended != one_in(4)) card.presence = Presence::kSuspended;
  const bool taken = std::any_of(world_.cards.begin(), world_.cards.end(),
                                 [&](const auto& row) { return row.second.source == source; });
  if (!card.source && !taken && comes == Comes::kAlone && one_in(2)) card.source = source;
  return card;
}

Publish WrittenWorld::some_publish() {
  Publish change{anybody(), fmt::format("text {}{}", below(2), one_in(2) ? " #a #b" : "")};
  if (one_in(3)) change.privacy = static_cast<Privacy>(below(3));
  if (one_in(5)) change.media = {{MediaId{1 + below(4)}, {}}};
  if (one_in(5)) {
    change.media.push_back({{}, "https://example.org/a.png", one_in(2) ? "What it shows" : ""});
  }
  if (one_in(3)) change.mentions = mentions_by(change.author);
  if (one_in(4)) change.idempotency_key = fmt::format("key {}", below(2));
  return change;
}

Change WrittenWorld::some_post_change() {
  switch (below(10)) {
    case 0:
      return RemovePost{some_post()};
    case 1:
    case 2:
    case 3:
      return Repost{anybody(), some_post()};
    case 4:
      return Unrepost{anybody(), some_post()};
    case 5:
      return PutCard{some_card(Comes::kWithOthers)};
    default:
      return some_publish();
  }
}

Change WrittenWorld::some_relation_change() {
  const UserNumber user = anybody();
  const UserNumber other = anybody_but(user);
  const Relation relation = one_in(3) ? Relation::kMute : Relation::kBlock;
  switch (below(10)) {
    case 0:
      if (one_in(10)) return MarkRemoved{user};
      return Relate{user, other, relation};
    case 1:
    case 2:
      return Unrelate{user, other, relation};
    case 3:
      return Unfollow{user, other};
    case 4:
      return Follow{user, other, Reposts::kOff};
    case 5:
      return Follow{user, other, Reposts::kOn};
    case 6:
      return Follow{user, other};
    default: {  // one of them gets enough followers for any tier
      const UserNumber popular{static_cast<std::uint32_t>(1 + below(2))};
      if (user == popular) return Follow{user, other};
      if (one_in(4)) return Unfollow{user, popular};
      return Follow{user, popular};
    }
  }
}

Change WrittenWorld::some_remark() {
  const UserNumber user = anybody();
  const CommentId comment = some_comment();
  switch (below(10)) {
    case 0:
    case 1:
      return React{user, some_post(), static_cast<ReactionType>(1 + below(3))};
    case 2:
      return Unreact{user, some_post()};
    case 3:
    case 4:
      return LikeComment{user, comment};
    case 5:
      return UnlikeComment{user, comment};
    case 6:
      return RemoveComment{comment};
    case 7:
      return AddComment{user,
                        some_post(),
                        "yes",
                        kNoComment,
                        mentions_by(user),
                        one_in(3) ? fmt::format("key {}", below(2)) : std::string()};
    default: {
      const auto above = world_.comments.find(comment);
      const bool fits = above != world_.comments.end() && !one_in(8);
      const PostId post = fits ? above->second.comment.post : some_post();
      return AddComment{user, post, "and so on", comment, {}};
    }
  }
}

}  // namespace chirp::test
