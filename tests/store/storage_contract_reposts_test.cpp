// Goal: every store keeps reposts as core/ports/changes.h and core/ports/snapshot.h say.
// Method: each promise on a fresh store of every kind.
#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using events::Event;
using events::Topic;

std::optional<PostId> repost_by(const Subject& s, UserNumber user, PostId original) {
  return s.see()->find(tables::RepostsOf::Key{original, user});
}

PostId repost(Subject& s, UserNumber user, PostId post) {
  const Outcome outcome = s.apply(Repost{user, post});
  REQUIRE(outcome.result == Result::kDone);
  return outcome.post;
}

PostId post(Subject& s, UserNumber author, Privacy privacy) {
  return s.apply(Publish{author, "text", privacy}).post;
}

}  // namespace

TEST_CASE("storage contract: a post keeps its privacy and its media") {
  for_each_store([](Subject& s) {
    const UserNumber ann = s.users(1).front();
    for (const Privacy privacy : {Privacy::kPublic, Privacy::kFollowers, Privacy::kPrivate}) {
      const std::vector<Medium> media{{MediaId{77}, {}}, {MediaId{}, "https://example.org/a.png"}};
      const PostId id = s.apply(Publish{ann, "text", privacy, media}).post;
      CHECK(s.see()->post(id)->privacy == privacy);
      CHECK(s.see()->post(id)->media == media);
      CHECK(s.events().back().privacy == privacy);
    }
  });
}

TEST_CASE("storage contract: a repost is a post of its own, made once") {
  for_each_store([](Subject& s) {
    const auto users = s.users(3);
    const PostId original = s.post(users[0]);
    s.now.ms += 5;
    const Outcome made = s.apply(Repost{users[1], original});
    CHECK(made.result == Result::kDone);
    CHECK(made.post > original);
    CHECK(made.author == users[0]);
    CHECK(made.time == s.now);
    Post wanted{made.post, users[1], "", s.now, Privacy::kPublic, std::nullopt};
    wanted.original = original;
    wanted.original_author = users[0];
    CHECK(s.see()->post(made.post) == wanted);
    Event event{s.events().back().sequence, Topic::kRepostCreated, s.now, users[1], users[0]};
    event.post = made.post;
    event.original = original;
    CHECK(s.events().back() == event);

    const Sequence end = s.log_end();
    s.now.ms += 5;
    const Outcome again = s.apply(Repost{users[1], original});
    CHECK(again.result == Result::kAlready);
    CHECK(again.post == made.post);
    CHECK(again.author == users[0]);
    CHECK(again.time == made.time);
    CHECK(s.log_end() == end);

    const PostId third = repost(s, users[2], made.post);  // of the original, not of the repost
    CHECK(s.see()->post(third)->original == original);
    CHECK(s.apply(Repost{users[1], third}).post == made.post);
    const PostId own = repost(s, users[0], original);
    CHECK(repost_by(s, users[0], original) == own);
    CHECK(reads::reposts(*s.see(), original, kNobody, 2) ==
          std::vector<Entry>{{own, users[0]}, {made.post, users[1]}});
    CHECK(reads::reposts(*s.see(), original, users[1], 9) == std::vector<Entry>{{third, users[2]}});
    CHECK(reads::reposts(*s.see(), made.post, kNobody, 9).empty());
    CHECK(s.see()->table_rows().at("reposts") == 3);
    s.drain();
    CHECK(s.counters(users[0]).posts == 2);
    CHECK(breaches(*s.see()) == std::vector<std::string>{});
  });
}

TEST_CASE("storage contract: a repost can be withdrawn, and made again under another id") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    const PostId original = s.post(users[0]);
    CHECK(s.apply(Unrepost{users[1], original}).result == Result::kAlready);
    const PostId first = repost(s, users[1], original);
    CHECK(s.apply(Unrepost{users[0], first}).result == Result::kAlready);
    const Outcome undone = s.apply(Unrepost{users[1], original});
    CHECK(undone.result == Result::kDone);
    CHECK(undone.post == first);
    CHECK_FALSE(s.see()->post(first));
    CHECK_FALSE(repost_by(s, users[1], original));
    Event event{s.events().back().sequence, Topic::kRepostRemoved, s.now, users[1], users[0]};
    event.post = first;
    event.original = original;
    CHECK(s.events().back() == event);

    const PostId second = repost(s, users[1], original);
    CHECK(second > first);
    CHECK(s.apply(Unrepost{users[1], second}).result == Result::kDone);
    const PostId third = repost(s, users[1], original);
    const Outcome removed = s.apply(RemovePost{third});  // removing one withdraws it
    CHECK(removed.result == Result::kDone);
    CHECK(removed.author == users[1]);
    CHECK(s.events().back().topic == Topic::kRepostRemoved);
    CHECK(s.events().back().original == original);
    CHECK(s.see()->post(original));
    CHECK_FALSE(repost_by(s, users[1], original));
    CHECK(reads::reposts(*s.see(), original, kNobody, 9).empty());
    s.drain();
    CHECK(s.counters(users[1]).posts == 0);
    CHECK(breaches(*s.see()) == std::vector<std::string>{});
  });
}

TEST_CASE("storage contract: what may not be seen is missing, what is not public is refused") {
  for_each_store([](Subject& s) {
    const auto users = s.users(4);
    const UserNumber ann = users[0];
    const UserNumber bob = users[1];
    const auto result = [&](UserNumber user, PostId id) {
      const Sequence end = s.log_end();
      const Result got = s.apply(Repost{user, id}).result;
      CHECK((got == Result::kDone || s.log_end() == end));
      return got;
    };
    CHECK(result(bob, PostId{17}) == Result::kMissing);
    CHECK(s.apply(Unrepost{bob, PostId{17}}).result == Result::kMissing);
    CHECK(result(UserNumber{99}, s.post(ann)) == Result::kMissing);

    const PostId secret = post(s, ann, Privacy::kPrivate);
    const PostId inner = post(s, ann, Privacy::kFollowers);
    CHECK(result(bob, secret) == Result::kMissing);
    CHECK(result(bob, inner) == Result::kMissing);
    CHECK(s.apply(Unrepost{bob, inner}).result == Result::kMissing);
    CHECK(result(ann, secret) == Result::kRefused);
    s.follow(bob, ann);
    CHECK(result(bob, secret) == Result::kMissing);
    CHECK(result(bob, inner) == Result::kRefused);
    CHECK(s.apply(Unrepost{bob, inner}).result == Result::kAlready);

    const PostId open = s.post(ann);
    const PostId by_cat = repost(s, users[2], open);
    const PostId by_bob = repost(s, bob, open);
    s.apply(Relate{ann, bob, Relation::kBlock});
    CHECK(result(bob, open) == Result::kMissing);
    CHECK(result(bob, by_cat) == Result::kMissing);
    CHECK(result(users[3], by_bob) == Result::kDone);
    CHECK(s.apply(Unrepost{bob, open}).result == Result::kMissing);  // and so the second time
    CHECK(s.apply(Unrepost{bob, by_bob}).result == Result::kMissing);
    CHECK(s.see()->post(by_bob));
    CHECK(s.apply(RemovePost{by_bob}).result ==
          Result::kDone);  // one's own post is named by its id
    CHECK(s.apply(Unrepost{bob, open}).result == Result::kMissing);
    s.apply(Unrelate{ann, bob, Relation::kBlock});
    s.apply(Relate{bob, users[2], Relation::kBlock});
    CHECK(result(bob, by_cat) == Result::kMissing);  // who hides the reposter does not see the id
    CHECK(result(bob, open) == Result::kDone);
    s.apply(Unrepost{bob, open});
    s.apply(Relate{bob, ann, Relation::kMute});
    CHECK(result(bob, open) == Result::kDone);  // a mute hides from the feed alone
    CHECK(breaches(*s.see()) == std::vector<std::string>{});
  });
}

TEST_CASE("storage contract: removing the original's author leaves nothing to repost") {
  for_each_store([](Subject& s) {
    const auto users = s.users(3);
    const PostId original = s.post(users[0]);
    const PostId by_bob = repost(s, users[1], original);
    s.apply(MarkRemoved{users[0]});
    CHECK(s.apply(Repost{users[2], original}).result == Result::kMissing);
    CHECK(s.apply(Repost{users[2], by_bob}).result == Result::kMissing);
    CHECK(s.apply(Unrepost{users[1], original}).result == Result::kMissing);
    CHECK(s.apply(RemovePost{by_bob}).result == Result::kDone);
  });
}

TEST_CASE("storage contract: removing a reposter takes the reposts along") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    const PostId original = s.post(users[0]);
    repost(s, users[1], original);
    s.drain();
    s.apply(MarkRemoved{users[1]});
    while (!rules::remove_traces(s.storage(), users[1], 1, s.now)) {
    }
    CHECK(reads::reposts(*s.see(), original, kNobody, 9).empty());
    CHECK_FALSE(repost_by(s, users[1], original));
    CHECK(breaches(*s.see()) == std::vector<std::string>{});
  });
}

TEST_CASE("storage contract: reposts are put back by a restore") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    Post original{PostId{snowflake::make(500, 2, 0)}, users[0],         "text",
                  Time{snowflake::kEpochMs},          Privacy::kPublic, std::nullopt};
    Post again = original;
    again.id = PostId{snowflake::make(600, 2, 0)};
    again.author = users[1];
    again.text.clear();
    again.original = original.id;
    again.original_author = users[0];
    const std::vector<Post> rows{original, again};
    rules::restore_posts(s.storage(), rows, s.now);
    CHECK(s.see()->post(again.id) == again);
    CHECK(repost_by(s, users[1], original.id) == again.id);
    CHECK(s.counters(users[1]).posts == 1);
    CHECK(breaches(*s.see()) == std::vector<std::string>{});
  });
}

TEST_CASE("storage contract: a repost is pending until fan-out has taken it in, then delivered") {
  for_each_store([](Subject& s) {
    const auto users = s.users(3);
    s.follow(users[2], users[1]);
    const PostId original = s.post(users[0]);
    s.drain();
    const PostId id = repost(s, users[1], original);
    CHECK(s.see()->feed_sources(users[2]).pending == std::vector<Entry>{{id, users[1]}});
    CHECK(s.timeline_ids(users[2]).empty());
    s.drain();
    CHECK(s.timeline_ids(users[2]) == std::vector<std::uint64_t>{id.value});
    CHECK(s.see()->feed_sources(users[2]).pending.empty());
  });
}

TEST_CASE("storage contract: a repost that can't be made does not hinder those after it") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    const PostId original = s.post(u[0]);
    LoadedPost hidden{SourceId{1}, u[1], s.now, ""};
    hidden.original = original;
    hidden.privacy = Privacy::kFollowers;
    LoadedPost open = hidden;
    open.source = SourceId{2};
    open.privacy = Privacy::kPublic;
    LoadedPost again = open;
    again.source = SourceId{3};
    const LoadCounts counts =
        rules::load_posts(s.storage(), std::vector{hidden, open, again}, s.now);
    CHECK(counts == LoadCounts{.stored = 1, .duplicates = 1, .missing = 1});
    CHECK(s.see()->find(tables::RepostsOf::Key{original, u[1]}).has_value());
  });
}

}  // namespace chirp::test
