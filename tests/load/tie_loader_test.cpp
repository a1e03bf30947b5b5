// Goal: an account's follows, blocks, mutes and likes are loaded once, whatever the order, and none
// where a block forbids it.
// Method: one of each over a small world, loaded twice, what there is compared with what was said.
#include "core/load/tie_loader.h"

#include <array>

#include <doctest/doctest.h>

#include "core/load/post_loader.h"
#include "core/ports/reads.h"
#include "tests/support/load_world.h"

namespace chirp::load {
namespace {

using test::LoadWorld;

struct Said {
  Tie tie;
  std::uint64_t other;
  Reposts reposts = Reposts::kOn;
};

Counts load(LoadWorld& world, UserNumber account, std::span<const Said> ties,
            std::span<const std::uint64_t> likes = {}) {
  TieLoader loader(world.storage, world.directory, world.clock, world.pause(), account);
  for (const auto& [tie, other, reposts] : ties) loader.add(tie, SourceId{other}, reposts);
  for (const std::uint64_t post : likes) loader.like(SourceId{post});
  loader.finish();
  return loader.counts();
}

std::size_t related(const LoadWorld& world, UserNumber user, Relation relation) {
  return reads::related(*world.storage.snapshot(), user, relation, kNobody, 100).edges.size();
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("tie loader: each of a kind, once") {
  LoadWorld world;
  const UserNumber mira = world.sign_up("mira");
  const std::array ties{Said{Tie::kFollows, 7},    Said{Tie::kFollows, 7},
                        Said{Tie::kFollowedBy, 8}, Said{Tie::kFollowedBy, 7},
                        Said{Tie::kMutes, 7},      Said{Tie::kBlocks, 9}};
  const Counts counts = load(world, mira, ties);
  CHECK(counts.stored == 5);
  CHECK(counts.follows == 3);
  CHECK(counts.relations == 2);
  CHECK(counts.duplicates == 1);
  CHECK(counts.users_added == 3);
  const auto snapshot = world.storage.snapshot();
  const UserNumber seven = world.user(7)->number;
  CHECK(reads::follows(*snapshot, mira, seven));
  CHECK(reads::follows(*snapshot, seven, mira));
  CHECK(reads::follows(*snapshot, world.user(8)->number, mira));
  CHECK_FALSE(reads::follows(*snapshot, mira, world.user(8)->number));
  CHECK(related(world, mira, Relation::kMute) == 1);
  CHECK(related(world, mira, Relation::kBlock) == 1);
  const Counts again = load(world, mira, ties);
  CHECK(again.stored == 0);
  CHECK(again.duplicates == 6);
  CHECK(again.users_added == 0);
}

TEST_CASE("tie loader: a block goes before a follow, in whatever order they come") {
  for (const bool block_first : {false, true}) {
    LoadWorld world;
    const UserNumber mira = world.sign_up("mira");
    std::array ties{Said{Tie::kFollows, 7}, Said{Tie::kBlocks, 7}};
    if (block_first) std::swap(ties[0], ties[1]);
    const Counts counts = load(world, mira, ties);
    CHECK(counts.severed == 1);
    CHECK(counts.stored == 1);
    CHECK_FALSE(reads::follows(*world.storage.snapshot(), mira, world.user(7)->number));
    CHECK(load(world, mira, ties).stored == 0);
  }
}

TEST_CASE("tie loader: a follow that hides reposts does, whether it is new or was there") {
  LoadWorld world;
  const UserNumber mira = world.sign_up("mira");
  (void)load(world, mira, std::array{Said{Tie::kFollows, 7}});
  // If an edge comes twice, the one that hides reposts counts, in any order.
  const std::array ties{Said{Tie::kFollows, 6, Reposts::kOff},
                        Said{Tie::kFollows, 7, Reposts::kOff},
                        Said{Tie::kFollows, 8},
                        Said{Tie::kFollows, 8, Reposts::kOff},
                        Said{Tie::kFollows, 9, Reposts::kOff},
                        Said{Tie::kFollows, 9},
                        Said{Tie::kFollows, 5},
                        Said{Tie::kFollows, 4, Reposts::kOff},
                        Said{Tie::kBlocks, 4},
                        Said{Tie::kFollowedBy, 5}};
  const auto hidden = [&](std::uint64_t other) {
    const UserNumber number = world.user(other)->number;
    return world.storage.snapshot()->bonds(mira, {&number, 1}).front().reposts_off;
  };
  for (int round = 0; round < 2; ++round) {
    const Counts counts = load(world, mira, ties);
    CHECK(counts.stored == (round == 0 ? 6 : 0));  // four follows, one of mira, one block
    CHECK(counts.severed == 1);
    for (const std::uint64_t other : {6U, 7U, 8U, 9U}) CHECK(hidden(other));
    for (const std::uint64_t other : {4U, 5U}) CHECK_FALSE(hidden(other));
  }
}

TEST_CASE("tie loader: nobody follows, blocks or mutes themselves") {
  LoadWorld world;
  const UserNumber mira = world.sign_up("mira");
  (void)load(world, mira, std::array{Said{Tie::kFollows, 7}});
  const UserNumber seven = world.user(7)->number;
  const Counts counts =
      load(world, seven, std::array{Said{Tie::kFollows, 7}, Said{Tie::kBlocks, 7}});
  CHECK(counts.self_loops == 2);
  CHECK(counts.stored == 0);
}

TEST_CASE("tie loader: likes fall on posts and comments that are there") {
  LoadWorld world;
  const UserNumber mira = world.sign_up("mira");
  PostLoader posts(world.storage, world.directory, world.clock, world.pause());
  SourcePost post;
  post.id = SourceId{1};
  post.author_id = SourceId{7};
  post.text = "text";
  post.created_at = Time{1'462'306'917'000};
  SourcePost comment = post;
  comment.id = SourceId{2};
  comment.reply_to = SourceId{1};
  REQUIRE_FALSE(posts.add(std::move(post)));
  REQUIRE_FALSE(posts.add(std::move(comment)));
  posts.finish();
  const std::array<std::uint64_t, 4> likes{2, 1, 3, 1};
  const Counts counts = load(world, mira, {}, likes);
  CHECK(counts.stored == 2);
  CHECK(counts.reactions == 2);
  CHECK(counts.unknown_posts == 1);
  CHECK(counts.duplicates == 1);
  const auto contents =
      reads::contents_of(*world.storage.snapshot(), std::array{SourceId{1}, SourceId{2}});
  const std::array liked{content_of(contents[0]->post), content_of(contents[1]->comment)};
  for (const auto& reaction : reads::reactions_of(*world.storage.snapshot(), mira, liked)) {
    CHECK(reaction.has_value());
  }
  CHECK(load(world, mira, {}, likes).stored == 0);
}

TEST_SUITE_END();

}  // namespace chirp::load
