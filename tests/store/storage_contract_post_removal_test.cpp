// Goal: what hangs on removed posts, and on removed users, goes in bounded steps with its counters;
// an upload is named as long as one of its posts exists.
// Method: posts with reactions, comments, likes of them and reposts are removed a row at a time;
// the invariants hold after each step, on every store.
#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test::storage_contract_post_removal_test {
namespace {

// A post by the first, with something of everybody else on it.
PostId busy_post(Subject& s, const std::vector<UserNumber>& u) {
  const PostId post = s.post(u[0]);
  CommentId parent = kNoComment;
  for (std::size_t i = 1; i < u.size(); ++i) {
    s.apply(React{u[i], post, static_cast<ReactionType>(1 + i % kReactionTypes)});
    parent = s.apply(AddComment{u[i], post, "text", i % 2 == 0 ? kNoComment : parent}).comment;
    s.apply(LikeComment{u[0], parent});
    s.apply(Repost{u[i], post});
  }
  return post;
}

int finish(Subject& s, std::uint32_t rows) {
  int steps = 1;
  while (!rules::remove_post_traces(s.storage(), rows, s.now)) {
    CHECK(breaches(*s.see()) == std::vector<std::string>{});
    REQUIRE(++steps < 100);
  }
  CHECK(breaches(*s.see()) == std::vector<std::string>{});
  return steps;
}

void check_nothing_hangs(const Subject& s) {
  const auto snapshot = s.see();
  CHECK(reads::reactions_above(*snapshot, {}, kNobody, kAll).empty());
  CHECK(reads::rows_above<tables::Comments>(*snapshot, {kNoComment}, kAll).empty());
  CHECK(reads::unfinished_post_removals(*snapshot).empty());
  CHECK(snapshot->state().post_removals == 0);
}

}  // namespace

TEST_CASE("storage contract: what hangs on a removed post goes a step at a time") {
  for (const bool counted_before : {true, false}) {
    for_each_store([&](Subject& s) {
      const auto u = s.users(5);
      const PostId post = busy_post(s, u);
      if (counted_before) s.drain();
      const Sequence before = s.log_end();
      CHECK(s.apply(RemovePost{post}).result == Result::kDone);
      CHECK(s.events(before).size() == 1);
      CHECK(reads::unfinished_post_removals(*s.see()) == std::vector{content_of(post)});
      CHECK(s.apply(React{u[1], post}).result == Result::kMissing);
      CHECK(s.apply(Unreact{u[1], post}).result == Result::kMissing);
      CHECK(s.apply(AddComment{u[1], post, "text"}).result == Result::kMissing);
      // Four reactions, comments, likes of them and reposts each.
      CHECK(finish(s, 2) >= 8);
      check_nothing_hangs(s);
      CHECK(s.events(before).size() == 1);
      for (std::size_t i = 1; i < u.size(); ++i) CHECK(s.counters(u[i]) == UserCounters{});
      CHECK(reads::rows_above<tables::Posts>(*s.see(), {kBelowAllPosts}, kAll).empty());
      s.drain();
      CHECK(s.counted(content_of(post)) == ContentCounters{});
      CHECK(reads::content_counters_above(*s.see(), {}, kAll).empty());
      CHECK(breaches(*s.see()) == std::vector<std::string>{});
    });
  }
}

TEST_CASE("storage contract: a post without anything on it leaves nothing to do") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    s.apply(RemovePost{s.post(u[0])});
    CHECK(s.state().post_removals == 0);
    const std::uint64_t version = s.state().version;
    CHECK(rules::remove_post_traces(s.storage(), 5, s.now));
    CHECK(reads::unfinished_post_removals(*s.see()).empty());
    CHECK(s.state().version <= version + 1);
  });
}

TEST_CASE(
    "storage contract: a removed user's reactions, comments and reposts go with the counters") {
  for (const bool counted_before : {true, false}) {
    for_each_store([&](Subject& s) {
      const auto u = s.users(4);
      const PostId post = busy_post(s, u);                         // by the first
      const PostId gone = busy_post(s, {u[1], u[0], u[2], u[3]});  // by the second
      const PostId mine = s.apply(Repost{u[1], s.post(u[2])}).post;
      if (counted_before) s.drain();
      REQUIRE(s.apply(MarkRemoved{u[1]}).result == Result::kDone);
      CHECK_FALSE(s.see()->post(gone));
      CHECK(s.apply(React{u[2], gone}).result == Result::kMissing);
      int steps = 1;
      while (!rules::remove_traces(s.storage(), u[1], 1, s.now)) {
        REQUIRE(++steps < 100);
        CHECK(breaches(*s.see()) == std::vector<std::string>{});
      }
      CHECK(steps > 6);
      finish(s, 1);
      CHECK_FALSE(s.see()->post(mine));
      ContentCounters left;
      left.reactions[index_of(ReactionType::kLaugh)] = 1;  // of the third, and …
      left.reactions[index_of(ReactionType::kAngry)] = 1;  // … the fourth
      left.comments = 2;
      left.reposts = 2;
      CHECK(s.counted(content_of(post)) == left);
      CHECK(s.counted(content_of(gone)) == ContentCounters{});
      s.drain();
      CHECK(s.counted(content_of(post)) == left);
      for (const ReactionRow& row : reads::reactions_above(*s.see(), {}, kNobody, kAll)) {
        CHECK(row.reaction.user != u[1]);
      }
      for (const Comment& comment :
           reads::rows_above<tables::Comments>(*s.see(), {kNoComment}, kAll)) {
        CHECK(comment.author != u[1]);
        CHECK(comment.post == post);
      }
      CHECK(breaches(*s.see()) == std::vector<std::string>{});
    });
  }
}

}  // namespace chirp::test::storage_contract_post_removal_test

namespace chirp::test {

TEST_CASE("storage contract: an upload is named as long as one of its posts is there") {
  for_each_store([](Subject& s) {
    const UserNumber ann = s.users(1).front();
    const MediaId one{77};
    const MediaId two{(std::uint64_t{1} << 63) - 1};
    const std::vector<MediaId> asked{one, MediaId{78}, two};
    const auto named = [&] { return reads::media_named(*s.see(), asked); };
    CHECK(named() == std::vector<bool>{false, false, false});
    const PostId first = s.apply(Publish{ann, "a", Privacy::kPublic, {{one, {}}, {two, {}}}}).post;
    const PostId second =
        s.apply(Publish{ann, "b", Privacy::kPrivate, {{one, {}}, {one, {}}}}).post;
    CHECK(named() == std::vector<bool>{true, false, true});
    s.apply(RemovePost{first});
    CHECK(named() == std::vector<bool>{true, false, false});
    s.apply(RemovePost{second});
    CHECK(named() == std::vector<bool>{false, false, false});
    s.apply(Publish{ann, "c", Privacy::kPublic, {{two, {}}}});
    s.apply(MarkRemoved{ann});
    while (!rules::remove_traces(s.storage(), ann, 1, s.now)) {
    }
    CHECK(named() == std::vector<bool>{false, false, false});
    CHECK(s.see()->problems().empty());
  });
}

}  // namespace chirp::test
