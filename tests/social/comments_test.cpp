// Goal: comments and reactions are said, shown, sorted and paged as the API promises, and nobody
// sees what they may not.
// Method: the use cases over the stores in memory, with blocks, removals and pages of every size.
#include "core/social/comments.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/social/comment_thread.h"
#include "server/json/cursor.h"
#include "tests/support/social_world.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

using social::CommentSort;
using social::CommentsRequest;

std::string said(const social::CommentPage& page) {
  std::string all;
  for (const social::CommentView& view : page.comments) {
    all += (view.comment.state == CommentState::kRemoved ? "-" : view.comment.text) + ' ';
  }
  return all;
}

class Talk : public SocialWorld {
 public:
  Talk() {
    for (const char* name : {"ann", "ben", "cat", "dan"}) add(name);
    post = posts.publish(accounts.resolve("ann"), "a post").post.id;
  }
  CommentId say(std::string_view name, std::string_view text, CommentId parent = kNoComment) {
    return comments.add(accounts.resolve(name), post, text, parent).comment.id;
  }
  std::string list(const Viewer& viewer, CommentSort sort = CommentSort::kOldest,
                   CommentId parent = kNoComment) {
    CommentsRequest request;
    request.post = post;
    request.parent = parent;
    request.sort = sort;
    return said(comments.list(viewer, request));
  }
  Viewer viewer(std::string_view name) { return Viewer::user(accounts.resolve(name).number); }

  PostId post;
};

}  // namespace

TEST_CASE("comments: are listed newest, oldest or most liked first") {
  Talk t;
  const CommentId one = t.say("ben", "one");
  const CommentId two = t.say("cat", "two");
  t.say("ben", "three");
  t.say("dan", "reply", one);
  CHECK(t.comments.like(t.user("ann"), two).novelty == social::Novelty::kNew);
  CHECK(t.comments.like(t.user("ann"), two).novelty == social::Novelty::kThereBefore);
  t.comments.like(t.user("dan"), two);
  t.comments.like(t.user("ann"), one);
  const Viewer anybody = Viewer::anonymous();
  CHECK(t.list(anybody, CommentSort::kNewest) == "three two one ");
  CHECK(t.list(anybody, CommentSort::kOldest) == "one two three ");
  CHECK(t.list(anybody, CommentSort::kPopular) == "two one three ");
  CHECK(t.list(anybody, CommentSort::kNewest, one) == "reply ");
  CHECK(t.comments.unlike(t.user("ann"), two) == 1);
  CHECK(t.comments.unlike(t.user("ann"), two) == 1);
  CHECK(t.list(anybody, CommentSort::kPopular) == "two one three ");
}

TEST_CASE("comments: pages of every size and order hold each comment once") {
  Talk t;
  for (int i = 0; i < 9; ++i) {
    const CommentId id = t.say("ben", std::to_string(i));
    if (i % 3 == 0) t.comments.like(t.user("ann"), id);
    if (i % 2 == 0) t.comments.like(t.user("cat"), id);
  }
  for (const auto sort : {CommentSort::kNewest, CommentSort::kOldest, CommentSort::kPopular}) {
    const std::string whole = t.list(Viewer::anonymous(), sort);
    for (std::uint32_t limit = 1; limit <= 10; ++limit) {
      CommentsRequest request;
      request.post = t.post;
      request.sort = sort;
      request.limit = limit;
      std::string pages;
      for (;;) {
        const auto page = t.comments.list(Viewer::anonymous(), request);
        pages += said(page);
        CHECK(page.comments.size() <= limit);
        if (!page.next) break;
        CHECK(page.comments.size() == limit);
        request.after = api::parse_comments_cursor(sort, api::comments_cursor(sort, *page.next));
        REQUIRE(request.after);
      }
      CHECK(pages == whole);
    }
  }
}

TEST_CASE("comments: of very many, the newest are sorted by likes, and the others follow") {
  Talk t;
  std::vector<CommentId> all;
  for (std::uint32_t i = 0; i < social::kComparedMax + 3; ++i) all.push_back(t.say("ben", "x"));
  t.comments.like(t.user("ann"), all.front());
  t.comments.like(t.user("ann"), all[5]);
  CommentsRequest request;
  request.post = t.post;
  request.sort = CommentSort::kPopular;
  request.limit = limits::kPostPageMax;
  using Ids = std::vector<CommentId>;
  // From a place on, no more than so many pages.
  const auto walk = [&](std::optional<social::CommentCursor> after, int pages) {
    Ids walked;
    for (request.after = after; pages > 0; --pages) {
      const auto page = t.comments.list(Viewer::anonymous(), request);
      for (const auto& view : page.comments) walked.push_back(view.comment.id);
      if (!page.next) break;
      CHECK(page.comments.size() == request.limit);
      request.after = api::parse_comments_cursor(
          CommentSort::kPopular, api::comments_cursor(CommentSort::kPopular, *page.next));
      REQUIRE(request.after);
    }
    return walked;
  };
  Ids expected(all.rbegin(), all.rend());
  std::rotate(expected.begin(), expected.end() - 6, expected.end() - 5);
  // Each page compares all of them again: those at the head and those behind the last compared are
  // enough.
  const auto near_end = expected.end() - 250;
  CHECK(walk({}, 2) == Ids(expected.begin(), expected.begin() + 2 * limits::kPostPageMax));
  CHECK(walk(social::CommentCursor{*near_end, 0}, 4) == Ids(near_end + 1, expected.end()));
}

TEST_CASE("comments: a blocked party's are left out, without shorter pages") {
  Talk t;
  t.say("ben", "1");
  const CommentId hidden = t.say("cat", "2");
  t.say("ben", "3", hidden);
  t.say("dan", "4");
  t.relations.set(t.user("dan"), Relation::kBlock, t.user("cat"));
  CHECK(t.list(t.viewer("dan")) == "1 4 ");
  CHECK(t.list(t.viewer("ben")) == "1 2 4 ");
  CHECK(t.list(Viewer::the_operator()) == "1 2 4 ");
  CommentsRequest request;
  request.post = t.post;
  request.sort = CommentSort::kOldest;
  request.limit = 2;
  CHECK(said(t.comments.list(t.viewer("dan"), request)) == "1 4 ");
  request.parent = hidden;
  CHECK(code_of([&] { (void)t.comments.list(t.viewer("dan"), request); }) == ErrorCode::kNotFound);
  CHECK(code_of([&] { t.comments.like(t.user("dan"), hidden); }) == ErrorCode::kNotFound);
  CHECK(code_of([&] { t.comments.add(t.user("dan"), t.post, "no", hidden); }) ==
        ErrorCode::kInvalidArgument);
  t.relations.set(t.user("ann"), Relation::kBlock, t.user("ben"));
  CHECK(code_of([&] { t.comments.add(t.user("ben"), t.post, "no", kNoComment); }) ==
        ErrorCode::kNotFound);
  CHECK(code_of([&] { (void)t.comments.list(t.viewer("ben"), {.post = t.post}); }) ==
        ErrorCode::kNotFound);
}

TEST_CASE("comments: a block between its author and the post's hides one from everybody") {
  Talk t;
  const CommentId rude = t.say("ben", "rude");
  const CommentId reply = t.say("cat", "reply", rude);
  t.say("dan", "kind");
  const auto count = [&] {
    const ContentId content = content_of(t.post);
    return t.storage.snapshot()->content_counters({&content, 1}).front().comments;
  };
  for (const auto& [who, whom] : {std::pair("ben", "ann"), std::pair("ann", "ben")}) {
    CAPTURE(who);
    t.relations.set(t.user(who), Relation::kBlock, t.user(whom));
    for (const Viewer viewer : {t.viewer("ann"), t.viewer("cat"), Viewer::anonymous()}) {
      for (const CommentSort sort :
           {CommentSort::kOldest, CommentSort::kNewest, CommentSort::kPopular}) {
        CHECK(t.list(viewer, sort) == "kind ");
      }
      CHECK(code_of([&] { (void)t.list(viewer, CommentSort::kOldest, rude); }) ==
            ErrorCode::kNotFound);
    }
    CHECK(t.list(Viewer::the_operator(), CommentSort::kOldest) == "rude kind ");
    CHECK(code_of([&] { t.comments.like(t.user("cat"), rude); }) == ErrorCode::kNotFound);
    CHECK(code_of([&] { t.comments.unlike(t.user("cat"), rude); }) == ErrorCode::kNotFound);
    CHECK(code_of([&] { t.comments.add(t.user("cat"), t.post, "no", rude); }) ==
          ErrorCode::kInvalidArgument);
    CHECK(code_of([&] { t.comments.remove(t.viewer("cat"), rude); }) == ErrorCode::kNotFound);
    CHECK(count() == 3);  // counts are of what there is, the same for everybody
    t.relations.lift(t.user(who), Relation::kBlock, t.user(whom));
    CHECK(t.list(t.viewer("cat"), CommentSort::kOldest) == "rude kind ");
    CHECK(t.list(t.viewer("ann"), CommentSort::kOldest, rude) == "reply ");
  }
  CHECK(code_of([&] { t.comments.remove(t.viewer("dan"), reply); }) == ErrorCode::kForbidden);
}

TEST_CASE("comments: the author of a post may remove any comment below it, seen or not") {
  Talk t;
  const CommentId rude = t.say("ben", "rude");
  const CommentId own = t.say("ben", "own");
  t.relations.set(t.user("ben"), Relation::kBlock, t.user("ann"));
  t.comments.remove(t.viewer("ann"), rude);
  CHECK(code_of([&] { t.comments.remove(t.viewer("ann"), rude); }) == ErrorCode::kNotFound);
  CHECK(t.list(Viewer::the_operator(), CommentSort::kOldest) == "own ");
  t.comments.remove(t.viewer("ben"), own);  // theirs to remove as ever
  t.relations.lift(t.user("ben"), Relation::kBlock, t.user("ann"));
  CHECK(t.list(t.viewer("cat")).empty());
}

TEST_CASE("comments: are for their author, the post's and the operator to remove") {
  Talk t;
  const CommentId first = t.say("ben", "first");
  const CommentId second = t.say("cat", "second", first);
  CHECK(code_of([&] { t.comments.remove(t.viewer("dan"), first); }) == ErrorCode::kForbidden);
  t.comments.remove(t.viewer("ben"), first);
  CHECK(t.list(Viewer::anonymous()) == "- ");
  CHECK(code_of([&] { t.comments.remove(t.viewer("ben"), first); }) == ErrorCode::kNotFound);
  CHECK(t.list(Viewer::anonymous(), CommentSort::kOldest, first) == "second ");
  t.comments.remove(t.viewer("ann"), second);
  CHECK(t.list(Viewer::anonymous()).empty());
  const CommentId third = t.say("cat", "third");
  t.comments.remove(Viewer::the_operator(), third);
  CHECK(t.list(Viewer::anonymous()).empty());
}

TEST_CASE("comments: those of a user who is being removed are shown as they will be") {
  Talk t;
  const CommentId kept = t.say("ben", "kept");
  t.say("ben", "alone");
  t.say("cat", "reply", kept);
  const Change mark = MarkRemoved{t.user("ben").number};
  t.storage.write({&mark, 1}, t.clock.now());
  CHECK(t.list(Viewer::anonymous()) == "- ");
  CHECK(t.list(Viewer::anonymous(), CommentSort::kPopular) == "- ");
  CHECK(code_of([&] { t.comments.like(t.user("ann"), kept); }) == ErrorCode::kNotFound);
  t.accounts.resume();
  CHECK(t.list(Viewer::anonymous()) == "- ");
}

TEST_CASE("comments: a bad text or post changes nothing") {
  Talk t;
  const auto version = t.storage.version();
  for (const std::string& bad : {std::string(), std::string(281, 'x'), std::string("\xff")}) {
    CHECK(code_of([&] { t.comments.add(t.user("ben"), t.post, bad, kNoComment); }) ==
          ErrorCode::kInvalidArgument);
  }
  CHECK(code_of([&] { t.comments.add(t.user("nobody"), t.post, "text", kNoComment); }) ==
        ErrorCode::kNotFound);
  CHECK(t.storage.version() == version);
  CHECK(t.comments.add(t.user("ben"), t.post, "Cafe\u0301", kNoComment).comment.text ==
        "Caf\u00e9");
}

TEST_CASE("reactions: say since when, how many, and whether it is the first") {
  Talk t;
  const auto first = t.reactions.react(t.user("ben"), t.post, ReactionType::kLike);
  CHECK(first.novelty == social::Novelty::kNew);
  CHECK(first.total == 1);
  t.clock.advance(kHourMs);
  const auto other = t.reactions.react(t.user("ben"), t.post, ReactionType::kLove);
  CHECK(other.novelty == social::Novelty::kThereBefore);
  CHECK(other.since == first.since);
  CHECK(other.total == 1);
  t.reactions.react(t.user("cat"), t.post, ReactionType::kLike);
  const auto shown = t.posts.show(t.viewer("ben"), t.post);
  CHECK(shown.stats.knows_viewer);
  CHECK(shown.stats.reaction == ReactionType::kLove);
  CHECK(shown.stats.counters.reactions_in_all() == 2);
  CHECK_FALSE(t.posts.show(Viewer::the_operator(), t.post).stats.knows_viewer);

  social::LikersRequest request{.post = t.post, .limit = 1};
  const auto page = t.reactions.list(Viewer::anonymous(), request);
  REQUIRE(page.likers.size() == 1);
  CHECK(page.likers.front().user.username == "ben");
  CHECK(page.total == 2);
  REQUIRE(page.next_cursor);
  request.after = *page.next_cursor;
  CHECK(t.reactions.list(Viewer::anonymous(), request).likers.front().user.username == "cat");
  request = {.post = t.post, .type = ReactionType::kLove};
  CHECK(t.reactions.list(Viewer::anonymous(), request).total == 1);
  CHECK(t.reactions.unreact(t.user("ben"), t.post) == 1);
  CHECK(t.reactions.unreact(t.user("ben"), t.post) == 1);
  CHECK(code_of([&] { t.reactions.unreact(t.user("ben"), PostId{17}); }) == ErrorCode::kNotFound);
}

TEST_CASE("cursors: those of one list are invalid in another") {
  const social::CommentCursor place{CommentId{27}, 2};
  const std::string popular = api::comments_cursor(CommentSort::kPopular, place);
  CHECK(popular == "cG9wOjI6Mjc");
  CHECK(api::parse_comments_cursor(CommentSort::kPopular, popular) == place);
  CHECK_FALSE(api::parse_comments_cursor(CommentSort::kNewest, popular));
  CHECK(api::likers_cursor(ReactionType::kLove, UserNumber{42}) == "bG92ZTo0Mg");
  CHECK_FALSE(api::parse_likers_cursor(std::nullopt, "bG92ZTo0Mg"));
  for (const char* bad : {"", "x", "cG9wOjI6", "cG9wOg", "cG9wOi0", "!!"}) {
    CHECK_FALSE(api::parse_comments_cursor(CommentSort::kPopular, bad));
    CHECK_FALSE(api::parse_likers_cursor(ReactionType::kLove, bad));
  }
}

TEST_CASE("reactions: nobody takes back what they can't see any more, or learns its counts") {
  Talk t;
  (void)t.follows.add(t.user("ben"), t.users({"ann"}));
  const social::NewPost quiet{"for followers", Privacy::kFollowers};
  t.post = t.posts.publish(t.user("ann"), quiet).view.post.id;
  const PostId open = t.posts.publish(t.user("ann"), "for all").post.id;
  const CommentId said_there = t.say("ann", "one");
  t.reactions.react(t.user("ben"), t.post, ReactionType::kLike);
  t.comments.like(t.user("ben"), said_there);
  const PostId repost = t.posts.repost(t.user("ben"), open).view.post.id;
  (void)t.relations.set(t.user("ann"), Relation::kBlock, t.user("ben"));
  for (int times = 0; times < 2; ++times) {
    CHECK(code_of([&] { t.reactions.unreact(t.user("ben"), t.post); }) == ErrorCode::kNotFound);
    CHECK(code_of([&] { t.comments.unlike(t.user("ben"), said_there); }) == ErrorCode::kNotFound);
    CHECK(code_of([&] { t.posts.unrepost(t.user("ben"), open); }) == ErrorCode::kNotFound);
  }
  t.posts.remove(t.viewer("ben"), repost);  // a post of one's own
  (void)t.relations.lift(t.user("ann"), Relation::kBlock, t.user("ben"));
  (void)t.follows.add(t.user("ben"), t.users({"ann"}));
  CHECK(t.reactions.unreact(t.user("ben"), t.post) == 0);
  CHECK(t.comments.unlike(t.user("ben"), said_there) == 0);
}

}  // namespace chirp::test
