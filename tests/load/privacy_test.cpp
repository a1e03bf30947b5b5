// Goal: what was not for everybody is for no more people once it is loaded, whatever it answers or
// repeats; and media stay with their posts.
// Method: every level of a reply to every level of a post, by the same author and by another, in
// both orders and in batches of one; what each can be seen by is compared.
#include <doctest/doctest.h>

#include "core/load/post_loader.h"
#include "core/ports/reads.h"
#include "tests/support/load_world.h"

namespace chirp::load {
namespace {

using test::LoadWorld;

constexpr Time kWritten{1'462'306'917'000};

SourcePost post(std::uint64_t author, std::uint64_t id, Privacy privacy) {
  SourcePost result;
  result.id = SourceId{id};
  result.author_id = SourceId{author};
  result.text = "text";
  result.created_at = Time{kWritten.ms + static_cast<std::int64_t>(id) * 1000};
  result.privacy = privacy;
  return result;
}

Counts load(LoadWorld& world, std::vector<SourcePost> posts, PostOptions options) {
  PostLoader loader(world.storage, world.directory, world.clock, world.pause(), options);
  for (SourcePost& each : posts) REQUIRE_FALSE(loader.add(std::move(each)));
  loader.finish();
  return loader.counts();
}

std::vector<Comment> comments_of(const LoadWorld& world) {
  return reads::rows_above<tables::Comments>(*world.storage.snapshot(), {kNoComment}, 1000);
}

constexpr Privacy kLevels[] = {Privacy::kPublic, Privacy::kFollowers, Privacy::kPrivate};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("privacy: a reply is a comment only where nobody more sees it") {
  for (const Privacy of_post : kLevels) {
    for (const Privacy of_reply : kLevels) {
      for (const std::uint64_t author : {1U, 2U}) {
        for (const bool reply_first : {false, true}) {
          CAPTURE(name(of_post));
          CAPTURE(name(of_reply));
          CAPTURE(author);
          SourcePost reply = post(author, 2, of_reply);
          reply.reply_to = SourceId{1};
          std::vector<SourcePost> posts{post(1, 1, of_post), reply};
          if (reply_first) std::swap(posts[0], posts[1]);
          LoadWorld world;
          load(world, posts, {.first_rows = 1, .most_rows = 1, .people = {}});
          const bool open = of_reply == Privacy::kPublic;
          const bool seen = author == 1 || of_post != Privacy::kPrivate;
          const bool comment = open ? seen : author == 1 && of_post >= of_reply;
          CHECK(comments_of(world).size() == (comment ? 1 : 0));
          REQUIRE(world.posts().size() == (comment ? 1 : 2));
          CHECK(world.posts().front().privacy == of_post);
          if (!comment) CHECK(world.posts().back().privacy == of_reply);
        }
      }
    }
  }
}

TEST_CASE("privacy: a repost that was not for everybody is not loaded") {
  for (const Privacy privacy : kLevels) {
    CAPTURE(name(privacy));
    SourcePost repost = post(2, 2, privacy);
    repost.repost_of = SourceId{1};
    LoadWorld world;
    const Counts counts = load(world, {post(1, 1, Privacy::kPublic), repost}, {});
    REQUIRE(world.posts().size() == 2);
    CHECK(world.posts().back().is_repost() == (privacy == Privacy::kPublic));
    CHECK(world.posts().back().privacy == privacy);
    CHECK(counts.reposts == (privacy == Privacy::kPublic ? 1 : 0));
  }
}

TEST_CASE("privacy: a retweet of what is not for everybody keeps its own text") {
  for (const Privacy privacy : kLevels) {
    for (const bool says : {true, false}) {
      CAPTURE(name(privacy));
      CAPTURE(says);
      SourcePost retweet = post(2, 2, Privacy::kPublic);
      retweet.repost_of = SourceId{1};
      if (!says) retweet.text.clear();
      LoadWorld world;
      load(world, {post(1, 1, privacy)}, {});
      const Counts counts = load(world, {retweet}, {});
      const bool open = privacy == Privacy::kPublic;
      const bool nothing = !open && !says;
      CHECK(counts.missing == 0);
      CHECK(counts.unknown_originals == (nothing ? 1 : 0));
      REQUIRE(world.posts().size() == (nothing ? 1 : 2));
      if (nothing) continue;
      CHECK(world.posts().back().is_repost() == open);
      CHECK(world.posts().back().text == (open ? "" : "text"));
      // Its text has the other author's words.
      CHECK(world.posts().back().privacy == (open ? Privacy::kPublic : Privacy::kPrivate));
    }
  }
}

TEST_CASE("privacy: a retweet of one's own post is for no more people than that") {
  for (const Privacy privacy : kLevels) {
    SourcePost retweet = post(1, 2, Privacy::kPublic);
    retweet.repost_of = SourceId{1};
    LoadWorld world;
    load(world, {post(1, 1, privacy), retweet}, {});
    REQUIRE(world.posts().size() == 2);
    CHECK(world.posts().back().privacy == privacy);
  }
}

TEST_CASE("privacy: media and privacy stay with their posts, gathered or not") {
  for (const std::size_t window : {std::size_t{0}, std::size_t{1} << 20}) {
    std::vector<SourcePost> posts;
    for (std::uint64_t id = 40; id > 0; --id) {  // in no order of time: they are gathered
      SourcePost each = post(1, id, kLevels[id % 3]);
      for (std::uint64_t i = 0; i < id % 6; ++i) {
        each.media.push_back({.file = "f", .alt_text = {}, .link = {}, .upload = MediaId{id + i}});
      }
      if (id % 6 != 0) each.text.clear();  // pictures say enough
      posts.push_back(std::move(each));
    }
    LoadWorld world;
    load(world, posts, {.first_rows = 3, .most_rows = 5, .window_bytes = window, .people = {}});
    REQUIRE(world.posts().size() == 40);
    for (const Post& each : world.posts()) {
      const std::uint64_t id = each.source->number.value;
      CAPTURE(id);
      CHECK(each.privacy == kLevels[id % 3]);
      REQUIRE(each.media.size() == std::min<std::uint64_t>(id % 6, 4));
      for (std::uint64_t i = 0; i < each.media.size(); ++i) {
        CHECK(each.media[i].upload == MediaId{id + i});
      }
      CHECK(each.text.empty() == (id % 6 != 0));
    }
  }
}

TEST_CASE("privacy: a reply with media stays a post, under which others hang") {
  SourcePost reply = post(1, 2, Privacy::kPublic);
  reply.reply_to = SourceId{1};
  reply.media.push_back({.file = "f", .alt_text = {}, .link = {}, .upload = MediaId{7}});
  SourcePost third = post(1, 3, Privacy::kPublic);
  third.reply_to = SourceId{2};
  LoadWorld world;
  load(world, {third, reply, post(1, 1, Privacy::kPublic)}, {});
  REQUIRE(world.posts().size() == 2);
  REQUIRE(comments_of(world).size() == 1);
  CHECK(comments_of(world).front().post == world.posts().back().id);
}

TEST_SUITE_END();

}  // namespace chirp::load
