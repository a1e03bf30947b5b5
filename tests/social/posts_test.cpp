// Goal: posts are published, shown, listed and removed as the command line promises.
// Method: the use cases over the stores in memory.
#include "core/social/posts.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/rules/writing.h"
#include "tests/support/social_world.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

using Ids = std::vector<PostId>;

constexpr Viewer kOperator = Viewer::the_operator();

Ids ids(const social::PostPage& page) {
  Ids result;
  for (const social::PostView& view : page.posts) result.push_back(view.post.id);
  return result;
}

}  // namespace

TEST_CASE("posts: what is published is shown with its author") {
  SocialWorld world;
  const User mira = world.add("Mira");
  const social::PostView published = world.posts.publish(world.user("@mira"), "First frost\n❄");
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
  CHECK(world.posts.publish(world.user("mira"), "Cafe\u0301").post.text == "Caf\u00e9");
  const auto version = world.storage.version();
  for (const std::string& bad : {std::string(), std::string(281, 'x'), std::string("\xff")}) {
    const Error error = error_of([&] { (void)world.posts.publish(world.user("mira"), bad); });
    CHECK(error.code() == ErrorCode::kInvalidArgument);
    CHECK(error.field() == "content");
  }
  CHECK(error_of([&] { (void)world.posts.publish(world.user("nobody"), "text"); }).code() ==
        ErrorCode::kNotFound);
  CHECK(world.storage.version() == version);
}

TEST_CASE("posts: what is removed, or was never there, is not found") {
  SocialWorld world;
  world.add("mira");
  const PostId id = world.posts.publish(world.user("mira"), "text").post.id;
  world.posts.remove(kOperator, id);
  CHECK(error_of([&] { (void)world.posts.show(kOperator, id); }).code() == ErrorCode::kNotFound);
  CHECK(error_of([&] { world.posts.remove(kOperator, id); }).code() == ErrorCode::kNotFound);
  CHECK(error_of([&] { world.posts.remove(kOperator, PostId{77}); }).code() ==
        ErrorCode::kNotFound);

  const PostId orphan = world.posts.publish(world.user("mira"), "text").post.id;
  world.accounts.remove(world.user("mira"));
  CHECK(error_of([&] { (void)world.posts.show(kOperator, orphan); }).code() ==
        ErrorCode::kNotFound);
}

TEST_CASE("posts: somebody's posts are listed newest first, page by page") {
  SocialWorld world;
  world.add("mira");
  world.add("tomas");
  Ids posted;
  for (int i = 0; i < 5; ++i) {
    posted.insert(posted.begin(), world.posts.publish(world.user("mira"), "text").post.id);
    (void)world.posts.publish(world.user("tomas"), "text");
  }
  const auto first = world.posts.list(kOperator, world.user("mira"), kAboveAllPosts, 3);
  CHECK(ids(first) == Ids{posted[0], posted[1], posted[2]});
  REQUIRE(first.next_cursor);
  const auto second = world.posts.list(kOperator, world.user("mira"), *first.next_cursor, 3);
  CHECK(ids(second) == Ids{posted[3], posted[4]});
  CHECK_FALSE(second.next_cursor);
  CHECK_FALSE(world.posts.list(kOperator, world.user("mira"), kAboveAllPosts, 5).next_cursor);
  CHECK(error_of([&] {
          (void)world.posts.list(kOperator, world.user("mira"), kAboveAllPosts, 0);
        }).field() == "limit");
  CHECK(error_of([&] {
          (void)world.posts.list(kOperator, world.user("mira"), kAboveAllPosts,
                                 limits::kPostPageMax + 1);
        }).field() == "limit");
}

TEST_CASE("posts: privacy and blocks decide what is shown, and lists are filled up all the same") {
  SocialWorld world;
  const Viewer yuki = Viewer::user(world.add("yuki").number);
  const Viewer mira = Viewer::user(world.add("mira").number);
  Ids all;
  for (const Privacy privacy : {Privacy::kPublic, Privacy::kFollowers, Privacy::kPrivate,
                                Privacy::kPublic, Privacy::kPrivate, Privacy::kPrivate}) {
    all.insert(all.begin(), world.posts.publish(world.user("mira"), "text", privacy).post.id);
  }
  CHECK(ids(world.posts.list(kOperator, world.user("mira"), kAboveAllPosts, 9)) == all);
  CHECK(ids(world.posts.list(mira, world.user("mira"), kAboveAllPosts, 9)) == all);
  const auto seen = world.posts.list(yuki, world.user("mira"), kAboveAllPosts, 1);
  CHECK(ids(seen) == Ids{all[2]});
  REQUIRE(seen.next_cursor);
  const auto rest = world.posts.list(yuki, world.user("mira"), *seen.next_cursor, 1);
  CHECK(ids(rest) == Ids{all[5]});
  CHECK_FALSE(rest.next_cursor);
  const auto hidden = [&](const Viewer& viewer, PostId id) {
    return error_of([&] { (void)world.posts.show(viewer, id); }).code() == ErrorCode::kNotFound;
  };
  CHECK(hidden(yuki, all[4]));
  world.follows.add(world.user("yuki"), world.users({"mira"}));
  CHECK(world.posts.show(yuki, all[4]).post.privacy == Privacy::kFollowers);
  CHECK(hidden(yuki, all[3]));
  CHECK(hidden(Viewer::anonymous(), all[4]));
  world.relations.set(world.user("mira"), Relation::kBlock, world.user("yuki"));
  CHECK(hidden(yuki, all[5]));
  CHECK(world.posts.list(yuki, world.user("mira"), kAboveAllPosts, 9).posts.empty());
  CHECK(world.posts.show(Viewer::anonymous(), all[5]).post.id == all[5]);
}

TEST_CASE("posts: a repost shows its original, is made once, and goes with it") {
  SocialWorld world;
  world.add("mira");
  world.add("tomas");
  const User yuki = world.add("yuki");
  const PostId original = world.posts.publish(world.user("mira"), "text").post.id;
  const social::PostView repost = world.posts.repost(world.user("yuki"), original).view;
  CHECK(repost.author.number == yuki.number);
  REQUIRE(repost.original);
  CHECK(repost.original->id == original);
  CHECK(repost.original_author->username == "mira");
  CHECK(world.posts.repost(world.user("yuki"), original).view.post == repost.post);
  CHECK(world.posts.repost(world.user("tomas"), repost.post.id).view.original->id == original);
  CHECK(ids(world.posts.list(kOperator, world.user("yuki"), kAboveAllPosts, 9)) ==
        Ids{repost.post.id});

  world.posts.unrepost(world.user("yuki"), original);
  world.posts.unrepost(world.user("yuki"), original);
  CHECK(ids(world.posts.list(kOperator, world.user("yuki"), kAboveAllPosts, 9)).empty());
  const PostId again = world.posts.repost(world.user("yuki"), original).view.post.id;
  world.posts.remove(kOperator, original);
  CHECK(error_of([&] { (void)world.posts.show(kOperator, again); }).code() == ErrorCode::kNotFound);
  for (int times = 0; times < 2; ++times) {
    CHECK(error_of([&] { world.posts.unrepost(world.user("yuki"), original); }).code() ==
          ErrorCode::kNotFound);
  }
  world.posts.remove(Viewer::user(yuki.number), again);  // one's own repost is named by its own id
}

TEST_CASE("posts: what is not public is not reposted, and what is not seen is not there") {
  SocialWorld world;
  world.add("mira");
  world.add("yuki");
  const PostId secret = world.posts.publish(world.user("mira"), "text", Privacy::kPrivate).post.id;
  const PostId inner = world.posts.publish(world.user("mira"), "text", Privacy::kFollowers).post.id;
  const auto code = [&](std::string_view name, PostId id) {
    return error_of([&] { (void)world.posts.repost(world.user(name), id); }).code();
  };
  CHECK(code("yuki", secret) == ErrorCode::kNotFound);
  CHECK(code("yuki", inner) == ErrorCode::kNotFound);
  CHECK(code("yuki", PostId{77}) == ErrorCode::kNotFound);
  CHECK(code("mira", secret) == ErrorCode::kForbidden);
  world.follows.add(world.user("yuki"), world.users({"mira"}));
  CHECK(code("yuki", inner) == ErrorCode::kForbidden);
  CHECK(error_of([&] { world.posts.unrepost(world.user("yuki"), secret); }).code() ==
        ErrorCode::kNotFound);
}

TEST_CASE("posts: several are found at once, each once, in the order asked for") {
  SocialWorld world;
  const Viewer yuki = Viewer::user(world.add("yuki").number);
  const Viewer mira = Viewer::user(world.add("mira").number);
  const PostId one = world.posts.publish(world.user("mira"), "one").post.id;
  const PostId secret =
      world.posts.publish(world.user("mira"), "secret", Privacy::kPrivate).post.id;
  const PostId two = world.posts.publish(world.user("yuki"), "two").post.id;
  world.reactions.react(world.user("yuki"), one, ReactionType::kLove);
  const Ids asked{two, secret, one, PostId{77}, two, one};
  const auto found = world.posts.find(yuki, asked);
  REQUIRE(found.posts.size() == 2);
  CHECK(found.posts[0].post.id == two);
  CHECK(found.posts[1].post.id == one);
  CHECK(found.posts[1].stats.reaction == ReactionType::kLove);
  CHECK(found.posts[1].stats.counters.reactions_in_all() == 1);
  CHECK(found.missing == Ids{secret, PostId{77}});
  CHECK(world.posts.find(mira, asked).missing == Ids{PostId{77}});
  CHECK(world.posts.find(Viewer::anonymous(), asked).missing == Ids{secret, PostId{77}});
}

TEST_CASE("posts: are for their author and the operator to remove") {
  SocialWorld world;
  const Viewer yuki = Viewer::user(world.add("yuki").number);
  const Viewer mira = Viewer::user(world.add("mira").number);
  const PostId open = world.posts.publish(world.user("mira"), "open").post.id;
  const PostId secret =
      world.posts.publish(world.user("mira"), "secret", Privacy::kPrivate).post.id;
  const PostId repost = world.posts.repost(world.user("yuki"), open).view.post.id;
  const auto code = [&](const Viewer& viewer, PostId id) {
    return error_of([&] { world.posts.remove(viewer, id); }).code();
  };
  CHECK(code(yuki, open) == ErrorCode::kForbidden);
  CHECK(code(Viewer::anonymous(), open) == ErrorCode::kForbidden);
  CHECK(code(yuki, secret) == ErrorCode::kNotFound);
  CHECK(code(mira, repost) == ErrorCode::kForbidden);
  CHECK(world.posts.show(mira, open).stats.counters.reposts == 1);
  // Behind a block there is nothing to be refused; but one's own repost is still one's own.
  world.relations.set(world.user("mira"), Relation::kBlock, world.user("yuki"));
  CHECK(code(yuki, open) == ErrorCode::kNotFound);
  world.posts.remove(yuki, repost);
  world.posts.remove(mira, secret);
  world.posts.remove(mira, open);
  CHECK(code(mira, open) == ErrorCode::kNotFound);
}

TEST_CASE("posts: a list of one level of privacy is filled up from far below") {
  SocialWorld world;
  const Viewer mira = Viewer::user(world.add("mira").number);
  const PostId first =
      world.posts.publish(world.user("mira"), "first", Privacy::kFollowers).post.id;
  const PostId second =
      world.posts.publish(world.user("mira"), "second", Privacy::kFollowers).post.id;
  for (int i = 0; i < 50; ++i) (void)world.posts.publish(world.user("mira"), "above");
  const auto list = [&](PostId before, Privacy level) {
    return world.posts.list(mira, world.user("mira"), before, 1, level);
  };
  CHECK(ids(list(kAboveAllPosts, Privacy::kFollowers)) == Ids{second});
  CHECK(ids(list(second, Privacy::kFollowers)) == Ids{first});
  CHECK(list(kAboveAllPosts, Privacy::kFollowers).next_cursor == second);
  CHECK_FALSE(list(second, Privacy::kFollowers).next_cursor);
  CHECK(list(kAboveAllPosts, Privacy::kPrivate).posts.empty());
}

TEST_CASE("posts: what is done again says so, and shows how things stand") {
  SocialWorld world;
  world.add("mira");
  world.add("yuki");
  const social::NewPost wanted{"once", Privacy::kPublic, "key"};
  const auto first = world.posts.publish(world.user("mira"), wanted);
  CHECK(first.publication == social::Publication::kNew);
  world.reactions.react(world.user("mira"), first.view.post.id, ReactionType::kLaugh);
  CHECK(world.posts.repost(world.user("yuki"), first.view.post.id).publication ==
        social::Publication::kNew);
  CHECK(world.posts.repost(world.user("yuki"), first.view.post.id).publication ==
        social::Publication::kRepeated);
  const auto again = world.posts.publish(world.user("mira"), wanted);
  CHECK(again.publication == social::Publication::kRepeated);
  CHECK(again.view.post == first.view.post);
  CHECK(again.view.stats.counters.reposts == 1);
  CHECK(again.view.stats.reaction == ReactionType::kLaugh);
  CHECK_FALSE(again.view.stats.reposted);
  const Viewer yuki = Viewer::user(world.user("yuki").number);
  CHECK(world.posts.show(yuki, first.view.post.id).stats.reposted);
}

TEST_CASE("posts: alt texts are normalised, checked, and part of what an idempotency key covers") {
  SocialWorld world;
  world.add("mira");
  const auto publish = [&](const std::string& text) {
    social::NewPost wanted{"once", Privacy::kPublic, "key"};
    wanted.media = {{{}, "https://example.org/a"}, {{}, "https://example.org/b", text}};
    return world.posts.publish(world.user("mira"), wanted);
  };
  const auto first = publish("Zoe\xcc\x88");
  CHECK(first.view.post.media.front().alt_text.empty());
  CHECK(first.view.post.media.back().alt_text == "Zoë");
  CHECK(publish("Zoë").publication == social::Publication::kRepeated);
  for (const char* other : {"", "Zoe"}) {
    CHECK(error_of([&] { (void)publish(other); }).code() == ErrorCode::kConflict);
  }
  for (const std::string& bad :
       {std::string(" "), std::string("\xff"), std::string(limits::kAltTextMax + 1, 'a')}) {
    CHECK(error_of([&] { (void)publish(bad); }).field() == "altTexts[1]");
  }
}

TEST_CASE("posts: a repost of what is not public is not there, however it came there") {
  SocialWorld world;
  const User mira = world.add("mira");
  const User yuki = world.add("yuki");
  world.follows.add(world.user("yuki"), world.users({"mira"}));
  const PostId inner = world.posts.publish(world.user("mira"), "text", Privacy::kFollowers).post.id;
  Post row;
  row.id = PostId{inner.value + 1000};
  row.author = yuki.number;
  row.created_at = world.clock.now();
  row.original = inner;
  row.original_author = mira.number;
  rules::restore_posts(world.storage, {&row, 1}, world.clock.now());
  for (const Viewer viewer :
       {Viewer::anonymous(), Viewer::user(mira.number), Viewer::user(yuki.number)}) {
    CHECK(error_of([&] { (void)world.posts.show(viewer, row.id); }).code() == ErrorCode::kNotFound);
    CHECK(ids(world.posts.list(viewer, world.user("yuki"), kAboveAllPosts, 10)).empty());
  }
}

}  // namespace chirp::test
