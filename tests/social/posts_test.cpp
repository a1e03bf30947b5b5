// Goal: posts are published, shown, listed and removed as the command line promises.
// Method: the use cases over the stores in memory.
#include "core/social/posts.h"

#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/support/social_world.h"

namespace chirp::test {
namespace {

using Ids = std::vector<PostId>;

constexpr Viewer kOperator = Viewer::the_operator();

Error thrown_by(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  FAIL("nothing was thrown");
  return {ErrorCode::kInternal, ""};
}

Ids ids(const social::PostPage& page) {
  Ids result;
  for (const social::PostView& view : page.posts) result.push_back(view.post.id);
  return result;
}

}  // namespace

TEST_CASE("posts: what is published is shown with its author") {
  SocialWorld world;
  const User mira = world.add("Mira");
  const social::PostView published = world.posts.publish("@mira", "First frost\n❄");
  CHECK(published.post.author == mira.number);
  CHECK(published.author.username == "Mira");
  CHECK(published.post.created_at == world.clock.now());
  const social::PostView shown = world.posts.show(kOperator, published.post.id);
  CHECK(shown.post == published.post);
  CHECK(shown.author == published.author);
}

TEST_CASE("posts: a text is brought to its normal form, and a bad one changes nothing") {
  SocialWorld world;
  world.add("mira");
  CHECK(world.posts.publish("mira", "Cafe\u0301").post.text == "Caf\u00e9");
  const auto version = world.storage.version();
  for (const std::string& bad : {std::string(), std::string(281, 'x'), std::string("\xff")}) {
    const Error error = thrown_by([&] { (void)world.posts.publish("mira", bad); });
    CHECK(error.code() == ErrorCode::kInvalidArgument);
    CHECK(error.field() == "content");
  }
  CHECK(thrown_by([&] { (void)world.posts.publish("nobody", "text"); }).code() ==
        ErrorCode::kNotFound);
  CHECK(world.storage.version() == version);
}

TEST_CASE("posts: what is removed, or was never there, is not found") {
  SocialWorld world;
  world.add("mira");
  const PostId id = world.posts.publish("mira", "text").post.id;
  world.posts.remove(id);
  CHECK(thrown_by([&] { (void)world.posts.show(kOperator, id); }).code() == ErrorCode::kNotFound);
  CHECK(thrown_by([&] { world.posts.remove(id); }).code() == ErrorCode::kNotFound);
  CHECK(thrown_by([&] { world.posts.remove(PostId{77}); }).code() == ErrorCode::kNotFound);

  const PostId orphan = world.posts.publish("mira", "text").post.id;
  world.accounts.remove("mira");
  CHECK(thrown_by([&] { (void)world.posts.show(kOperator, orphan); }).code() ==
        ErrorCode::kNotFound);
}

TEST_CASE("posts: somebody's posts are listed newest first, page by page") {
  SocialWorld world;
  world.add("mira");
  world.add("tomas");
  Ids posted;
  for (int i = 0; i < 5; ++i) {
    posted.insert(posted.begin(), world.posts.publish("mira", "text").post.id);
    (void)world.posts.publish("tomas", "text");
  }
  const auto first = world.posts.list(kOperator, "mira", kAboveAllPosts, 3);
  CHECK(ids(first) == Ids{posted[0], posted[1], posted[2]});
  REQUIRE(first.next_cursor);
  const auto second = world.posts.list(kOperator, "mira", *first.next_cursor, 3);
  CHECK(ids(second) == Ids{posted[3], posted[4]});
  CHECK_FALSE(second.next_cursor);
  CHECK_FALSE(world.posts.list(kOperator, "mira", kAboveAllPosts, 5).next_cursor);
  CHECK(thrown_by([&] { (void)world.posts.list(kOperator, "mira", kAboveAllPosts, 0); }).field() ==
        "limit");
  CHECK(thrown_by([&] {
          (void)world.posts.list(kOperator, "mira", kAboveAllPosts, limits::kPostPageMax + 1);
        }).field() == "limit");
}

TEST_CASE("posts: privacy and blocks decide what is shown, and lists are filled up all the same") {
  SocialWorld world;
  const Viewer yuki = Viewer::user(world.add("yuki").number);
  const Viewer mira = Viewer::user(world.add("mira").number);
  Ids all;
  for (const Privacy privacy : {Privacy::kPublic, Privacy::kFollowers, Privacy::kPrivate,
                                Privacy::kPublic, Privacy::kPrivate, Privacy::kPrivate}) {
    all.insert(all.begin(), world.posts.publish("mira", "text", privacy).post.id);
  }
  CHECK(ids(world.posts.list(kOperator, "mira", kAboveAllPosts, 9)) == all);
  CHECK(ids(world.posts.list(mira, "mira", kAboveAllPosts, 9)) == all);
  const auto seen = world.posts.list(yuki, "mira", kAboveAllPosts, 1);
  CHECK(ids(seen) == Ids{all[2]});
  REQUIRE(seen.next_cursor);
  const auto rest = world.posts.list(yuki, "mira", *seen.next_cursor, 1);
  CHECK(ids(rest) == Ids{all[5]});
  CHECK_FALSE(rest.next_cursor);
  const auto hidden = [&](const Viewer& viewer, PostId id) {
    return thrown_by([&] { (void)world.posts.show(viewer, id); }).code() == ErrorCode::kNotFound;
  };
  CHECK(hidden(yuki, all[4]));
  world.follows.add("yuki", std::vector<std::string>{"mira"});
  CHECK(world.posts.show(yuki, all[4]).post.privacy == Privacy::kFollowers);
  CHECK(hidden(yuki, all[3]));
  CHECK(hidden(Viewer::anonymous(), all[4]));
  world.relations.set("mira", Relation::kBlock, "yuki");
  CHECK(hidden(yuki, all[5]));
  CHECK(world.posts.list(yuki, "mira", kAboveAllPosts, 9).posts.empty());
  CHECK(world.posts.show(Viewer::anonymous(), all[5]).post.id == all[5]);
}

TEST_CASE("posts: a repost shows its original, is made once, and goes with it") {
  SocialWorld world;
  world.add("mira");
  world.add("tomas");
  const User yuki = world.add("yuki");
  const PostId original = world.posts.publish("mira", "text").post.id;
  const social::PostView repost = world.posts.repost("yuki", original);
  CHECK(repost.author.number == yuki.number);
  REQUIRE(repost.original);
  CHECK(repost.original->id == original);
  CHECK(repost.original_author->username == "mira");
  CHECK(world.posts.repost("yuki", original).post == repost.post);
  CHECK(world.posts.repost("tomas", repost.post.id).original->id == original);
  CHECK(ids(world.posts.list(kOperator, "yuki", kAboveAllPosts, 9)) == Ids{repost.post.id});

  world.posts.unrepost("yuki", original);
  world.posts.unrepost("yuki", original);
  CHECK(ids(world.posts.list(kOperator, "yuki", kAboveAllPosts, 9)).empty());
  const PostId again = world.posts.repost("yuki", original).post.id;
  world.posts.remove(original);
  CHECK(thrown_by([&] { (void)world.posts.show(kOperator, again); }).code() ==
        ErrorCode::kNotFound);
  world.posts.unrepost("tomas", original);  // one's own can always be withdrawn
  CHECK(thrown_by([&] { world.posts.unrepost("tomas", original); }).code() == ErrorCode::kNotFound);
}

TEST_CASE("posts: what is not public is not reposted, and what is not seen is not there") {
  SocialWorld world;
  world.add("mira");
  world.add("yuki");
  const PostId secret = world.posts.publish("mira", "text", Privacy::kPrivate).post.id;
  const PostId inner = world.posts.publish("mira", "text", Privacy::kFollowers).post.id;
  const auto code = [&](std::string_view name, PostId id) {
    return thrown_by([&] { (void)world.posts.repost(name, id); }).code();
  };
  CHECK(code("yuki", secret) == ErrorCode::kNotFound);
  CHECK(code("yuki", inner) == ErrorCode::kNotFound);
  CHECK(code("yuki", PostId{77}) == ErrorCode::kNotFound);
  CHECK(code("mira", secret) == ErrorCode::kForbidden);
  world.follows.add("yuki", std::vector<std::string>{"mira"});
  CHECK(code("yuki", inner) == ErrorCode::kForbidden);
  CHECK(thrown_by([&] { world.posts.unrepost("yuki", secret); }).code() == ErrorCode::kNotFound);
}

TEST_CASE("posts: a repost of what is not public is not there, however it came there") {
  SocialWorld world;
  const User mira = world.add("mira");
  const User yuki = world.add("yuki");
  world.follows.add("yuki", std::vector<std::string>{"mira"});
  const PostId inner = world.posts.publish("mira", "text", Privacy::kFollowers).post.id;
  Post row;
  row.id = PostId{inner.value + 1000};
  row.author = yuki.number;
  row.created_at = world.clock.now();
  row.original = inner;
  row.original_author = mira.number;
  world.storage.restore_posts({&row, 1}, world.clock.now());
  for (const Viewer viewer :
       {Viewer::anonymous(), Viewer::user(mira.number), Viewer::user(yuki.number)}) {
    CHECK(thrown_by([&] { (void)world.posts.show(viewer, row.id); }).code() ==
          ErrorCode::kNotFound);
    CHECK(ids(world.posts.list(viewer, "yuki", kAboveAllPosts, 10)).empty());
  }
}

}  // namespace chirp::test
