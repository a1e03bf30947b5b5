// Goal: reactions are one a user and content, seen through the rules of sight, and
// counted_reactions. Method: each promise on a fresh store of every kind; counters read before and
// after the consumer.
#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using events::Event;
using events::Topic;

ContentCounters likes(std::int64_t like, std::int64_t love = 0) {
  ContentCounters counters;
  counters.reactions[index_of(ReactionType::kLike)] = like;
  counters.reactions[index_of(ReactionType::kLove)] = love;
  return counters;
}

}  // namespace

TEST_CASE("storage contract: a reaction is set, changed and taken back") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    const PostId post = s.post(u[0]);
    const Sequence before = s.log_end();
    const Time first = s.now;
    const Outcome set = s.apply(React{u[1], post, ReactionType::kLike});
    CHECK(set.result == Result::kDone);
    CHECK(set.post == post);
    CHECK(set.author == u[0]);
    CHECK(set.time == first);
    CHECK_FALSE(set.before);
    s.now.ms += kHourMs;
    const Outcome same = s.apply(React{u[1], post, ReactionType::kLike});
    CHECK(same.result == Result::kAlready);
    CHECK(same.time == first);
    CHECK(same.before == ReactionType::kLike);
    const Outcome other = s.apply(React{u[1], post, ReactionType::kLove});
    CHECK(other.result == Result::kDone);
    CHECK(other.time == first);
    CHECK(other.before == ReactionType::kLike);

    const auto row = Reaction{u[1], ReactionType::kLove, first, before};
    const ContentId content = content_of(post);
    CHECK(s.see()->find(tables::Reactions::Key{content, u[1]}) == row);
    CHECK_FALSE(s.see()->find(tables::Reactions::Key{content, u[0]}));
    CHECK(s.counted(content_of(post)) == likes(0, 1));
    s.drain();
    CHECK(s.counted(content_of(post)) == likes(0, 1));

    const Outcome back = s.apply(Unreact{u[1], post});
    CHECK(back.result == Result::kDone);
    CHECK(back.before == ReactionType::kLove);
    CHECK(s.apply(Unreact{u[1], post}).result == Result::kAlready);
    CHECK(s.counted(content_of(post)) == ContentCounters{});
    s.drain();
    CHECK(reads::content_counters_above(*s.see(), {}, kAll).empty());
    const auto events = s.events(before);
    REQUIRE(events.size() == 3);
    Event wanted{.sequence = before,
                 .topic = Topic::kReactionSet,
                 .time = first,
                 .actor = u[1],
                 .other = u[0],
                 .post = post};
    wanted.reaction = ReactionType::kLike;
    CHECK(events[0] == wanted);
    wanted.sequence.value += 1;
    wanted.time = s.now;
    wanted.reaction = ReactionType::kLove;
    wanted.reaction_before = ReactionType::kLike;
    CHECK(events[1] == wanted);
    wanted.sequence.value += 1;
    wanted.topic = Topic::kReactionRemoved;
    wanted.reaction_before.reset();
    CHECK(events[2] == wanted);
  });
}

TEST_CASE("storage contract: reacting to a hidden post, and undoing it, says that it is missing") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    const PostId hidden = s.apply(Publish{u[0], "text", Privacy::kFollowers}).post;
    const PostId own = s.apply(Publish{u[0], "text", Privacy::kPrivate}).post;
    const PostId open = s.post(u[0]);
    CHECK(s.apply(React{u[1], hidden}).result == Result::kMissing);
    CHECK(s.apply(React{u[1], own}).result == Result::kMissing);
    CHECK(s.apply(React{u[0], own}).result == Result::kDone);
    CHECK(s.apply(Unreact{u[1], hidden}).result == Result::kMissing);
    CHECK(s.apply(React{u[1], PostId{12345}}).result == Result::kMissing);
    CHECK(s.apply(React{UserNumber{77}, open}).result == Result::kMissing);
    s.follow(u[1], u[0]);
    CHECK(s.apply(React{u[1], hidden}).result == Result::kDone);
    CHECK(s.apply(React{u[2], open}).result == Result::kDone);
    s.apply(Relate{u[0], u[2], Relation::kBlock});
    CHECK(s.apply(React{u[2], open, ReactionType::kSad}).result == Result::kMissing);
    s.apply(Unfollow{u[1], u[0]});
    const Sequence end = s.log_end();
    for (int times = 0; times < 2; ++times) {  // the reactions from before tell nothing
      CHECK(s.apply(Unreact{u[2], open}).result == Result::kMissing);
      CHECK(s.apply(Unreact{u[1], hidden}).result == Result::kMissing);
    }
    CHECK(s.log_end() == end);
    CHECK(s.counted(content_of(hidden)) == likes(1, 0));
    s.apply(Unrelate{u[0], u[2], Relation::kBlock});
    s.follow(u[1], u[0]);
    CHECK(s.apply(Unreact{u[2], open}).result == Result::kDone);
    CHECK(s.apply(Unreact{u[1], hidden}).result == Result::kDone);
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: an act on a repost is an act on its original") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    const PostId post = s.post(u[0]);
    const PostId repost = s.apply(Repost{u[1], post}).post;
    const Outcome set = s.apply(React{u[2], repost, ReactionType::kLove});
    CHECK(set.post == post);
    CHECK(set.author == u[0]);
    ContentCounters wanted = likes(0, 1);
    wanted.reposts = 1;
    CHECK(s.counted(content_of(post)) == wanted);
    CHECK(s.counted(content_of(repost)) == ContentCounters{});
    s.drain();
    CHECK(s.counted(content_of(post)) == wanted);
    CHECK(s.apply(Unreact{u[2], repost}).result == Result::kDone);
    s.apply(Unrepost{u[1], post});
    CHECK(s.counted(content_of(post)) == ContentCounters{});
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: reactions are listed by user, by type if asked") {
  for_each_store([](Subject& s) {
    const auto u = s.users(6);
    const PostId post = s.post(u[0]);
    for (std::size_t i = 0; i < u.size(); ++i) {
      s.apply(React{u[i], post, i % 2 == 0 ? ReactionType::kLike : ReactionType::kAngry});
    }
    const ContentId content = content_of(post);
    const auto users = [&](UserNumber after, std::optional<ReactionType> type,
                           std::uint32_t limit) {
      std::vector<UserNumber> result;
      for (const Reaction& reaction : reads::reactions(*s.see(), content, after, type, limit)) {
        result.push_back(reaction.user);
      }
      return result;
    };
    CHECK(users(kNobody, std::nullopt, 9) == u);
    CHECK(users(u[1], std::nullopt, 2) == std::vector{u[2], u[3]});
    CHECK(users(kNobody, ReactionType::kAngry, 2) == std::vector{u[1], u[3]});
    CHECK(users(u[3], ReactionType::kAngry, 2) == std::vector{u[5]});
    CHECK(users(u[5], std::nullopt, 9).empty());
    CHECK(users(kNobody, ReactionType::kSad, 9).empty());
    const auto rows = reads::reactions_above(*s.see(), {}, kNobody, 4);
    REQUIRE(rows.size() == 4);
    CHECK(reads::reactions_above(*s.see(), rows[3].content, rows[3].reaction.user, 9).size() == 2);
  });
}

TEST_CASE("storage contract: recent partners are those of the newest contents") {
  for_each_store([](Subject& s) {
    const auto u = s.users(4);
    const PostId a = s.post(u[1]);
    const PostId b = s.post(u[2]);
    s.apply(React{u[0], b});
    s.apply(React{u[0], a});
    const CommentId comment = s.apply(AddComment{u[3], a, "text"}).comment;
    s.apply(LikeComment{u[0], comment});
    s.apply(AddComment{u[0], b, "text"});
    CHECK(reads::recent_partners(*s.see(), u[0], 9) == std::vector{u[2], u[3], u[2], u[1]});
    CHECK(reads::recent_partners(*s.see(), u[0], 2) == std::vector{u[2], u[3]});
    CHECK(reads::recent_partners(*s.see(), u[1], 9).empty());
  });
}

TEST_CASE("storage contract: repaired counters count what is pending once") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    const PostId post = s.post(u[0]);
    s.apply(React{u[0], post});
    s.drain();
    s.apply(React{u[1], post});
    ContentCounters wrong = likes(9, 4);
    wrong.comments = 3;
    rules::repair_content_counters(s.storage(), content_of(post), wrong, s.now);
    CHECK(s.counted(content_of(post)) == wrong);
    rules::repair_content_counters(s.storage(), content_of(post), likes(2), s.now);
    CHECK(s.counted(content_of(post)) == likes(2));
    s.drain();
    CHECK(s.counted(content_of(post)) == likes(2));
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: a held state keeps its counts, whatever is written and read since") {
  for_each_store([](Subject& s) {
    const auto u = s.users(6);
    const PostId post = s.post(u[0]);
    const ContentId content = content_of(post);
    std::vector<std::unique_ptr<Snapshot>> held;
    std::vector<std::int64_t> liked;
    const auto hold = [&](std::int64_t count) {
      held.push_back(s.see());
      liked.push_back(count);
    };
    hold(0);
    for (std::size_t i = 1; i <= 4; ++i) {
      s.apply(React{u[i], post});
      hold(static_cast<std::int64_t>(i));
      // The counters process a part of what is pending, so that the part begins elsewhere.
      const Sequence end = s.log_end();
      if (i == 2)
        REQUIRE(rules::commit(s.storage(), counter_step(*s.see(), {end.value - 1}), s.now));
      hold(static_cast<std::int64_t>(i));
    }
    const auto check_all = [&](auto from, auto to, int step) {
      for (auto at = from; at != to; at += step) {
        const auto i = static_cast<std::size_t>(at);
        CAPTURE(i);
        CHECK(held[i]->content_counters({&content, 1}).front() == likes(liked[i]));
        CHECK(held[i]->counters({&u[0], 1}).front().posts == 1);
      }
    };
    const int count = static_cast<int>(held.size());
    check_all(0, count, 1);
    check_all(count - 1, -1, -1);
    check_all(0, count, 1);
    s.drain();
    hold(4);
    check_all(count, -1, -1);
  });
}

}  // namespace chirp::test
