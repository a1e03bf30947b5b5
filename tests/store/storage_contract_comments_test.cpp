// Goal: comments hang in threads that outlive single removals, through the rules of sight.
// Method: each promise on a fresh store of every kind; the invariants after each.
#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using events::Event;
using events::Topic;

constexpr CommentId kNewest{~std::uint64_t{0}};

CommentId say(Subject& s, UserNumber author, PostId post, CommentId parent = kNoComment) {
  const Outcome outcome = s.apply(AddComment{author, post, "text", parent});
  REQUIRE(outcome.result == Result::kDone);
  return outcome.comment;
}

std::vector<CommentId> thread(const Subject& s, PostId post, CommentId parent = kNoComment) {
  return reads::thread(*s.see(), post, parent, kNewest, Direction::kDown, kAll);
}

std::optional<Comment> find(const Subject& s, CommentId id) {
  return s.see()->find(tables::Comments::Key{id});
}

void finish(Subject& s) {
  while (!rules::remove_post_traces(s.storage(), 1, s.now)) {
  }
  CHECK(breaches(*s.see()).empty());
}

}  // namespace

TEST_CASE("storage contract: a comment is kept as it was given, and tells whom it mentions") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    const PostId post = s.post(u[0]);
    const Sequence before = s.log_end();
    const Outcome done =
        s.apply(AddComment{u[1], post, "hello", kNoComment, {u[2], UserNumber{77}, u[0]}});
    REQUIRE(done.result == Result::kDone);
    CHECK(done.post == post);
    CHECK(done.author == u[0]);
    CHECK(done.time == s.now);
    CHECK(done.comment.value > post.value);
    CHECK(s.state().last_id.value == done.comment.value);
    Comment wanted;
    wanted.id = done.comment;
    wanted.post = post;
    wanted.author = u[1];
    wanted.text = "hello";
    wanted.created_at = s.now;
    CHECK(find(s, done.comment) == wanted);
    Event event{.sequence = before,
                .topic = Topic::kCommentCreated,
                .time = s.now,
                .actor = u[1],
                .other = u[0],
                .post = post};
    event.comment = done.comment;
    const auto events = s.events(before);
    REQUIRE(events.size() == 3);
    CHECK(events[0] == event);
    event.topic = Topic::kMentionCreated;
    event.sequence.value += 1;
    event.other = u[2];
    CHECK(events[1] == event);
    event.sequence.value += 1;
    event.other = u[0];
    CHECK(events[2] == event);
    CHECK(s.counted(content_of(post)).comments == 1);
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: a reply needs a comment of this post that its author sees") {
  for_each_store([](Subject& s) {
    const auto u = s.users(4);
    const PostId post = s.post(u[0]);
    const PostId other = s.post(u[0]);
    const PostId hidden = s.apply(Publish{u[0], "text", Privacy::kFollowers}).post;
    const CommentId comment = say(s, u[1], post);
    const auto reply = [&](UserNumber author, PostId to, CommentId parent) {
      return s.apply(AddComment{author, to, "text", parent}).result;
    };
    CHECK(reply(u[2], hidden, kNoComment) == Result::kMissing);
    CHECK(reply(u[2], PostId{17}, comment) == Result::kMissing);
    CHECK(reply(UserNumber{77}, post, kNoComment) == Result::kMissing);
    CHECK(reply(u[2], other, comment) == Result::kNoParent);
    CHECK(reply(u[2], post, CommentId{post.value}) == Result::kNoParent);
    CHECK(reply(u[2], post, comment) == Result::kDone);
    s.apply(Relate{u[3], u[1], Relation::kBlock});
    CHECK(reply(u[3], post, comment) == Result::kNoParent);
    CHECK(s.apply(LikeComment{u[3], comment}).result == Result::kMissing);
    CHECK(reply(u[3], post, kNoComment) == Result::kDone);
    CHECK(s.counted(content_of(comment)).comments == 1);
    CHECK(s.counted(content_of(post)).comments == 3);
    s.drain();
    CHECK(s.counted(content_of(post)).comments == 3);
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: followers of an author read the comments on a post for followers") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    s.follow(u[1], u[0]);
    s.follow(u[2], u[0]);
    const PostId post = s.apply(Publish{u[0], "text", Privacy::kFollowers}).post;
    const CommentId comment = say(s, u[1], post);
    CHECK(s.apply(LikeComment{u[2], comment}).result == Result::kDone);
    s.apply(Unfollow{u[2], u[0]});
    CHECK(s.apply(LikeComment{u[2], comment}).result == Result::kMissing);
    CHECK(s.apply(UnlikeComment{u[2], comment}).result == Result::kMissing);
    CHECK(s.apply(UnlikeComment{u[2], comment}).result == Result::kMissing);
    s.follow(u[2], u[0]);
    CHECK(s.apply(UnlikeComment{u[2], comment}).result == Result::kDone);
    CHECK(s.apply(UnlikeComment{u[2], comment}).result == Result::kAlready);
  });
}

TEST_CASE("storage contract: a thread is walked both ways") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    const PostId post = s.post(u[0]);
    std::vector<CommentId> ids;
    for (int i = 0; i < 5; ++i) ids.push_back(say(s, u[1], post));
    say(s, u[1], post, ids[2]);
    say(s, u[1], s.post(u[0]));
    const auto snapshot = s.see();
    CHECK(reads::thread(*snapshot, post, kNoComment, ids[3], Direction::kDown, 2) ==
          std::vector{ids[2], ids[1]});
    CHECK(reads::thread(*snapshot, post, kNoComment, ids[3], Direction::kUp, 2) ==
          std::vector{ids[4]});
    CHECK(reads::thread(*snapshot, post, kNoComment, kNoComment, Direction::kUp, 3) ==
          std::vector{ids[0], ids[1], ids[2]});
    CHECK(reads::thread(*snapshot, post, kNoComment, kNewest, Direction::kUp, 3).empty());
    CHECK(reads::thread(*snapshot, post, kNoComment, kNewest, Direction::kDown, 9).size() == 5);
    CHECK(reads::thread(*snapshot, post, ids[0], kNewest, Direction::kDown, 9).empty());
  });
}

TEST_CASE(
    "storage contract: a removed comment with replies stays, emptied, until the last is gone") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    const PostId post = s.post(u[0]);
    const CommentId top = say(s, u[1], post);
    const CommentId middle = say(s, u[2], post, top);
    const CommentId leaf = say(s, u[1], post, middle);
    s.apply(LikeComment{u[0], top});
    s.apply(LikeComment{u[2], top});
    s.drain();
    const Sequence before = s.log_end();
    CHECK(s.apply(RemoveComment{top}).result == Result::kDone);
    CHECK(s.events(before).size() == 1);
    CHECK(s.apply(RemoveComment{top}).result == Result::kMissing);
    CHECK(s.apply(LikeComment{u[0], top}).result == Result::kMissing);
    CHECK(s.apply(AddComment{u[0], post, "text", top}).result == Result::kNoParent);
    const auto emptied = find(s, top);
    REQUIRE(emptied);
    CHECK(emptied->state == CommentState::kRemoved);
    CHECK(emptied->author == kNobody);
    CHECK(emptied->text.empty());
    CHECK(thread(s, post) == std::vector{top});
    CHECK(s.counted(content_of(post)).comments == 2);
    CHECK(s.counted(content_of(top)).reactions_in_all() == 2);  // until their step
    CHECK(reads::unfinished_post_removals(*s.see()) == std::vector{content_of(top)});
    finish(s);
    CHECK(s.counted(content_of(top)).reactions_in_all() == 0);
    CHECK(s.counted(content_of(top)).comments == 1);

    CHECK(s.apply(RemoveComment{middle}).result == Result::kDone);
    CHECK(thread(s, post, top) == std::vector{middle});
    CHECK(s.apply(RemoveComment{leaf}).result == Result::kDone);
    CHECK(reads::rows_above<tables::Comments>(*s.see(), {kNoComment}, kAll).empty());
    CHECK(thread(s, post).empty());
    CHECK(s.counted(content_of(post)) == ContentCounters{});
    s.drain();
    finish(s);
    CHECK(reads::content_counters_above(*s.see(), {}, kAll).empty());
  });
}

TEST_CASE("storage contract: a removed comment above others stays while one of them is there") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    const PostId post = s.post(u[0]);
    const CommentId top = say(s, u[1], post);
    const CommentId first = say(s, u[1], post, top);
    const CommentId second = say(s, u[1], post, top);
    s.apply(RemoveComment{top});
    s.apply(RemoveComment{first});
    CHECK(thread(s, post, top) == std::vector{second});
    CHECK(find(s, top));
    s.apply(RemoveComment{second});
    CHECK_FALSE(find(s, top));
    finish(s);
  });
}

}  // namespace chirp::test
