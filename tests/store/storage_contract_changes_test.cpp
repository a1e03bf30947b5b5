// Goal: every store applies people's changes as core/ports/storage.h says: outcomes, events, reads.
// Method: each promise on a fresh store of every kind.
#include <set>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {

using events::Event;
using events::Topic;

TEST_CASE("storage contract: a card is written, edited, and there already") {
  for_each_store([](Subject& s) {
    AuthorCard ann = card(1);
    CHECK(s.apply(PutCard{ann}).result == Result::kDone);
    CHECK(s.apply(PutCard{ann}).result == Result::kAlready);
    ann.display_name = "Ann";
    CHECK(s.apply(PutCard{ann}).result == Result::kDone);
    const auto events = s.events();
    REQUIRE(events.size() == 2);
    CHECK(events[0] == Event{Sequence{1}, Topic::kUserCreated, s.now, ann.number});
    CHECK(events[1] == Event{Sequence{2}, Topic::kUserEdited, s.now, ann.number});

    const auto snapshot = s.see();
    const std::vector<UserNumber> asked{UserNumber{2}, ann.number, kNobody};
    const auto cards = reads::cards(*snapshot, asked);
    REQUIRE(cards.size() == 3);
    CHECK_FALSE(cards[0]);
    CHECK(cards[1] == ann);
    CHECK_FALSE(cards[2]);
    CHECK(snapshot->find(tables::UserIds::Key{ann.id}) == ann.number);
    CHECK_FALSE(snapshot->find(tables::UserIds::Key{UserId{1}}));
  });
}

TEST_CASE("storage contract: a new user has an empty timeline, complete and read today") {
  for_each_store([](Subject& s) {
    const UserNumber ann = s.users(1).front();
    const auto timeline = s.see()->timeline(ann);
    REQUIRE(timeline);
    CHECK(timeline->entries.empty());
    CHECK(timeline->complete_from == kBelowAllPosts);
    CHECK(timeline->generation == s.state().generation);
    CHECK(timeline->last_read == Time{s.now.ms - s.now.ms % kDayMs});
    AuthorCard edited = card(1);
    edited.display_name = "Ann";
    rules::drop_timeline(s.storage(), ann);
    s.apply(PutCard{edited});
    CHECK_FALSE(s.see()->timeline(ann));
  });
}

TEST_CASE("storage contract: a post is kept as it was given") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    const Sequence before = s.log_end();
    const std::string text = "a\nb \xF0\x9F\x90\xA6";
    const Outcome done = s.apply(Publish{users[0], text, Privacy::kFollowers});
    CHECK(done.result == Result::kDone);
    CHECK(done.time == s.now);
    CHECK(snowflake::time_of(done.post.value) == s.now);
    CHECK(snowflake::machine(done.post.value) == kTestMachine);
    const Post wanted{done.post, users[0], text, s.now, Privacy::kFollowers, std::nullopt};
    const auto snapshot = s.see();
    CHECK(snapshot->post(done.post) == wanted);
    const std::vector<Entry> asked{
        {done.post, users[0]}, {done.post, users[1]}, {PostId{5}, users[0]}};
    const auto posts = snapshot->posts(asked);
    REQUIRE(posts.size() == 3);
    CHECK(posts[0] == wanted);
    CHECK_FALSE(posts[1]);
    CHECK_FALSE(posts[2]);
    CHECK(s.events(before) == std::vector{Event{.sequence = before,
                                                .topic = Topic::kPostCreated,
                                                .time = s.now,
                                                .actor = users[0],
                                                .post = done.post,
                                                .privacy = Privacy::kFollowers}});
    CHECK(snapshot->state().last_id == done.post);
    CHECK(s.timeline_ids(users[0]).empty());  // fan-out has not run
  });
}

TEST_CASE("storage contract: ids rise whatever the clock does") {
  for_each_store([](Subject& s) {
    const UserNumber ann = s.users(1).front();
    PostId last;
    for (const std::int64_t step :
         std::vector<std::int64_t>{0, 0, 1, -1, -kDayMs, 0, kDayMs, -100 * 365 * kDayMs, 1}) {
      s.now.ms += step;
      const Outcome outcome = s.apply(Publish{ann, "text"});
      CHECK(outcome.post > last);
      CHECK(snowflake::time_of(outcome.post.value) >= s.now);
      CHECK(snowflake::machine(outcome.post.value) == kTestMachine);
      CHECK(s.see()->post(outcome.post)->created_at == s.now);
      last = outcome.post;
    }
  });
}

TEST_CASE("storage contract: a millisecond holds no more than its sequence") {
  for_each_store([](Subject& s) {
    const UserNumber ann = s.users(1).front();
    const std::vector<Change> changes(snowflake::kSequences + 10, Publish{ann, "text"});
    const auto outcomes = s.storage().write(changes, s.now);
    REQUIRE(outcomes.size() == changes.size());
    std::set<PostId> ids;
    for (const Outcome& outcome : outcomes) {
      CHECK((ids.empty() || outcome.post > *ids.rbegin()));
      ids.insert(outcome.post);
    }
    CHECK(ids.size() == changes.size());
    CHECK(snowflake::time_of(ids.begin()->value) == s.now);
    CHECK(snowflake::time_of(ids.rbegin()->value) == Time{s.now.ms + 1});
  });
}

TEST_CASE("storage contract: at the end of the id space nothing is written") {
  for_each_store([](Subject& s) {
    const UserNumber ann = s.users(1).front();
    const Sequence before = s.log_end();
    const Time end{snowflake::kEpochMs + static_cast<std::int64_t>(snowflake::kMaxTicks)};
    const std::vector<Change> changes{PutCard{card(9)}, Publish{ann, "text"}};
    CHECK_THROWS_AS(s.storage().write(changes, end), Error);
    CHECK(s.log_end() == before);
    CHECK_FALSE(s.see()->find(tables::UserIds::Key{card(9).id}));
  });
}

TEST_CASE("storage contract: a removed post is gone, once") {
  for_each_store([](Subject& s) {
    const UserNumber ann = s.users(1).front();
    const PostId kept = s.post(ann);
    const PostId gone = s.post(ann);
    s.drain();
    const Sequence before = s.log_end();
    const Outcome outcome = s.apply(RemovePost{gone});
    CHECK(outcome.result == Result::kDone);
    CHECK(outcome.author == ann);
    CHECK(s.apply(RemovePost{gone}).result == Result::kMissing);
    CHECK(s.apply(RemovePost{PostId{12345}}).result == Result::kMissing);
    CHECK(s.events(before) ==
          std::vector{Event{before, Topic::kPostRemoved, s.now, ann, kNobody, gone}});
    const auto snapshot = s.see();
    CHECK_FALSE(snapshot->post(gone));
    CHECK(snapshot->author_entries(std::vector{ann}, {}, Direction::kDown, 10) ==
          std::vector<Entry>{{kept, ann}});
    CHECK(reads::rows_above<tables::Posts>(*snapshot, {kBelowAllPosts}, 10).size() == 1);
    CHECK(s.counters(ann).posts == 1);
  });
}

TEST_CASE("storage contract: following is idempotent and seen from both sides") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    const Sequence before = s.log_end();
    const Time first = s.now;
    const Outcome done = s.apply(Follow{u[0], u[1]});
    CHECK(done.result == Result::kDone);
    CHECK(done.time == first);
    s.now.ms += kHourMs;
    const Outcome again = s.apply(Follow{u[0], u[1]});
    CHECK(again.result == Result::kAlready);
    CHECK(again.time == first);
    CHECK(s.apply(Follow{u[0], UserNumber{77}}).result == Result::kMissing);
    CHECK(s.apply(Follow{UserNumber{77}, u[0]}).result == Result::kMissing);
    CHECK(s.events(before) == std::vector{Event{before, Topic::kFollowAdded, first, u[0], u[1]}});

    const auto snapshot = s.see();
    CHECK(reads::follows(*snapshot, u[0], u[1]) == first);
    CHECK_FALSE(reads::follows(*snapshot, u[1], u[0]));
    CHECK(reads::following(*snapshot, u[0], kNobody, 9).edges == std::vector<Edge>{{u[1], first}});
    CHECK(reads::followers(*snapshot, u[1], kNobody, 9).edges == std::vector<Edge>{{u[0], first}});
    CHECK(reads::following(*snapshot, u[1], kNobody, 9).edges.empty());
  });
}

TEST_CASE("storage contract: unfollowing is idempotent and leaves the timeline alone") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    const PostId post = s.post(u[1]);
    s.follow(u[0], u[1]);
    const Sequence before = s.log_end();
    CHECK(s.apply(Unfollow{u[1], u[0]}).result == Result::kAlready);
    CHECK(s.apply(Unfollow{u[0], u[1]}).result == Result::kDone);
    CHECK(s.apply(Unfollow{u[0], u[1]}).result == Result::kAlready);
    CHECK(s.apply(Unfollow{u[0], UserNumber{77}}).result == Result::kMissing);
    CHECK(s.events(before) == std::vector{Event{before, Topic::kFollowRemoved, s.now, u[0], u[1]}});
    const auto snapshot = s.see();
    CHECK_FALSE(reads::follows(*snapshot, u[0], u[1]));
    CHECK(reads::following(*snapshot, u[0], kNobody, 9).edges.empty());
    CHECK(reads::followers(*snapshot, u[1], kNobody, 9).edges.empty());
    CHECK(s.timeline_ids(u[0]) == std::vector{post.value});
  });
}

TEST_CASE("storage contract: a batch is applied in order, in one commit") {
  for_each_store([](Subject& s) {
    const std::vector<Change> changes{
        Publish{UserNumber{1}, "too early"},
        PutCard{card(1)},
        PutCard{card(2)},
        Publish{UserNumber{1}, "hello"},
        Follow{UserNumber{2}, UserNumber{1}},
        Unfollow{UserNumber{2}, UserNumber{1}},
        Follow{UserNumber{2}, UserNumber{1}},
    };
    const auto before = s.see();
    const auto outcomes = s.storage().write(changes, s.now);
    REQUIRE(outcomes.size() == changes.size());
    CHECK(outcomes[0].result == Result::kMissing);
    for (std::size_t i = 1; i < outcomes.size(); ++i) CHECK(outcomes[i].result == Result::kDone);
    const auto events = s.events();
    REQUIRE(events.size() == 6);
    for (std::size_t i = 0; i < events.size(); ++i) CHECK(events[i].sequence.value == i + 1);
    CHECK(s.state().version > before->state().version);
    CHECK(reads::rows_above<tables::Cards>(*before, {kNobody}, 9)
              .empty());  // an old snapshot stays what it was
    CHECK(reads::events(*before, Sequence{1}, 9).empty());
    CHECK(s.storage().version() == s.state().version);
    CHECK(s.storage().write({}, s.now).empty());
  });
}

}  // namespace chirp::test
