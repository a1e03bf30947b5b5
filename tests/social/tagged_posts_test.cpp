// Goal: a hashtag's list has every public post with it that its reader may see and whose author
// they have not muted, each once, however the pages are cut. Method: random worlds in which people
// post, leave, block and mute; the list is made again from all posts there are.
#include "core/social/tagged_posts.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/events/consumers.h"
#include "core/model/entities.h"
#include "core/ports/reads.h"
#include "tests/support/seeds.h"
#include "tests/support/small_world.h"

namespace chirp::test {
namespace {

using social::TaggedQuery;

void take_in(SmallWorld& world) {
  events::TrendConsumer consumer(world.storage, world.clock);
  while (consumer.step() == events::Progress::kMoved) continue;
}

// From the definition, out of all posts there are; newest first.
std::vector<PostId> expected(const SmallWorld& world, const Viewer& viewer,
                             const std::string& tag) {
  const auto snapshot = world.storage.snapshot();
  std::vector<PostId> ids;
  for (const Post& post :
       reads::rows_above<tables::Posts>(*snapshot, {kBelowAllPosts}, 1'000'000)) {
    const auto tags = tags_in(post.text);
    if (std::find(tags.begin(), tags.end(), tag) == tags.end()) continue;
    const auto card = snapshot->find(tables::Cards::Key{post.author});
    if (post.privacy != Privacy::kPublic || !card || card->presence != Presence::kPresent) continue;
    if (viewer.kind() == Viewer::Kind::kUser && viewer.number() != post.author) {
      const ViewerRelation bond = snapshot->bonds(viewer.number(), {&post.author, 1}).front();
      if (bond.severed() || bond.mutes) continue;
    }
    ids.push_back(post.id);
  }
  std::sort(ids.rbegin(), ids.rend());
  return ids;
}

// All pages, one after the other.
std::vector<PostId> listed(const SmallWorld& world, const Viewer& viewer, TaggedQuery query) {
  const auto snapshot = world.storage.snapshot();
  std::vector<PostId> ids;
  for (;;) {
    const social::PostPage page = tagged_posts_in(*snapshot, viewer, query);
    REQUIRE(page.posts.size() <= query.limit);
    for (const auto& post : page.posts) ids.push_back(post.post.id);
    if (!page.next_cursor) return ids;
    REQUIRE(*page.next_cursor < query.before);
    query.before = *page.next_cursor;
  }
}

void change(SmallWorld& world, std::mt19937_64& random) {
  static const std::vector<std::string> kTexts{"#frost", "#thaw and #Frost", "#thaw", "nothing"};
  const auto anybody = [&] { return UserNumber{static_cast<std::uint32_t>(1 + random() % 4)}; };
  const UserNumber one = anybody();
  const UserNumber two = anybody();
  switch (random() % 12) {
    case 0:
      if (one != two) world.write(Relate{one, two, Relation::kBlock});
      break;
    case 1:
      if (one != two) world.write(Relate{one, two, Relation::kMute});
      break;
    case 2:
      world.write(Unrelate{one, two, random() % 2 == 0 ? Relation::kBlock : Relation::kMute});
      break;
    case 3:
      if (random() % 8 == 0) world.leave(one.value);
      break;
    case 4: {
      const auto posts =
          reads::rows_above<tables::Posts>(*world.storage.snapshot(), {kBelowAllPosts}, 1'000);
      if (!posts.empty()) world.remove(posts[random() % posts.size()].id);
      break;
    }
    default:
      world.write(Publish{one, kTexts[random() % kTexts.size()],
                          random() % 5 == 0 ? Privacy::kFollowers : Privacy::kPublic});
  }
}

}  // namespace

TEST_CASE("tagged posts: the list is the definition's, for everybody and on pages of every size") {
  for (std::uint64_t seed = first_seed(); seed < first_seed() + worlds_or(30); ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    SmallWorld world(4);
    for (int i = 0; i < 60; ++i) change(world, random);
    take_in(world);
    for (const Viewer& viewer : {Viewer::anonymous(), Viewer::user(UserNumber{1})}) {
      for (const char* const tag : {"frost", "thaw", "none"}) {
        for (const std::uint32_t limit : {1U, 3U, 100U}) {
          const TaggedQuery query{tag, kAboveAllPosts, limit};
          CHECK(listed(world, viewer, query) == expected(world, viewer, tag));
        }
      }
    }
  }
}

TEST_CASE("tagged posts: a page ends early where much is hidden from its reader, and goes on") {
  SmallWorld world(3);
  const PostId rare = world.write(Publish{UserNumber{1}, "#rare", Privacy::kPublic}).post;
  const auto posts = limits::kHiddenRecordsMax + 1;
  for (std::uint32_t i = 0; i < posts; ++i) {
    world.write(Publish{UserNumber{2}, "#rare", Privacy::kPublic});
  }
  world.write(Relate{UserNumber{3}, UserNumber{2}, Relation::kMute});
  take_in(world);
  const auto snapshot = world.storage.snapshot();
  TaggedQuery query{"rare", kAboveAllPosts, 5};
  CHECK(tagged_posts_in(*snapshot, Viewer::anonymous(), query).posts.size() == 5);
  const Viewer reader = Viewer::user(UserNumber{3});
  const auto first = tagged_posts_in(*snapshot, reader, query);
  CHECK(first.posts.empty());
  REQUIRE(first.next_cursor);
  query.before = *first.next_cursor;
  const auto second = tagged_posts_in(*snapshot, reader, query);
  REQUIRE(second.posts.size() == 1);
  CHECK(second.posts.front().post.id == rare);
  CHECK_FALSE(second.next_cursor);
  query.limit = 0;
  CHECK_THROWS_AS((void)tagged_posts_in(*snapshot, Viewer::anonymous(), query), Error);
}

TEST_CASE("tagged posts: what can be no hashtag has none") {
  SmallWorld world(1);
  world.write(Publish{UserNumber{1}, "#a", Privacy::kPublic});
  take_in(world);
  const auto snapshot = world.storage.snapshot();
  for (const std::string& tag : {std::string(), std::string("a\0b", 3), std::string(600, 'a')}) {
    const TaggedQuery query{tag, kAboveAllPosts, 5};
    CHECK(tagged_posts_in(*snapshot, Viewer::anonymous(), query).posts.empty());
  }
}

}  // namespace chirp::test
