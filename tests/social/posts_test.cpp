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
  const social::PostView shown = world.posts.show(published.post.id);
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
  CHECK(thrown_by([&] { (void)world.posts.show(id); }).code() == ErrorCode::kNotFound);
  CHECK(thrown_by([&] { world.posts.remove(id); }).code() == ErrorCode::kNotFound);
  CHECK(thrown_by([&] { world.posts.remove(PostId{77}); }).code() == ErrorCode::kNotFound);

  const PostId orphan = world.posts.publish("mira", "text").post.id;
  world.accounts.remove("mira");
  CHECK(thrown_by([&] { (void)world.posts.show(orphan); }).code() == ErrorCode::kNotFound);
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
  const auto first = world.posts.list("mira", kAboveAllPosts, 3);
  CHECK(ids(first) == Ids{posted[0], posted[1], posted[2]});
  REQUIRE(first.next_cursor);
  const auto second = world.posts.list("mira", *first.next_cursor, 3);
  CHECK(ids(second) == Ids{posted[3], posted[4]});
  CHECK_FALSE(second.next_cursor);
  CHECK_FALSE(world.posts.list("mira", kAboveAllPosts, 5).next_cursor);
  CHECK(thrown_by([&] { (void)world.posts.list("mira", kAboveAllPosts, 0); }).field() == "limit");
  CHECK(thrown_by([&] {
          (void)world.posts.list("mira", kAboveAllPosts, limits::kPostPageMax + 1);
        }).field() == "limit");
}

}  // namespace chirp::test
