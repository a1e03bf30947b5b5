// Goal: posts stand where they were written, under who wrote them, or are refused for a reason.
// Method: posts at the edges of every rule; batches of every small size; loads in both orders.
#include "core/load/post_loader.h"

#include <doctest/doctest.h>

#include "core/limits.h"
#include "core/load/graph_loader.h"
#include "core/model/names.h"
#include "core/ports/reads.h"
#include "tests/support/load_world.h"

namespace chirp::load::post_loader_test {
namespace {

using test::LoadWorld;
using Texts = std::vector<std::string>;

constexpr Time kThen{1'462'306'917'000};

SourcePost post_by(std::uint64_t author, std::uint64_t id, std::string text, Time time = kThen) {
  SourcePost post;
  post.id = SourceId{id};
  post.author_id = SourceId{author};
  post.text = std::move(text);
  post.created_at = time;
  return post;
}

PostLoader loader_for(LoadWorld& world, PostOptions options = {}) {
  return {world.storage, world.directory, world.clock, world.pause(), options};
}

std::optional<std::string> problem_of(SourcePost post, PostOptions options = {}) {
  LoadWorld world;
  PostLoader loader = loader_for(world, options);
  auto problem = loader.add(std::move(post));
  loader.finish();
  CHECK(world.posts().size() == (problem ? 0 : 1));
  CHECK(world.directory.count() == (problem || options.author ? 0 : 1));
  return problem;
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("post loader: times from 2000 to now are good") {
  CHECK_FALSE(problem_of(post_by(1, 1, "x", Time{snowflake::kEpochMs})));
  CHECK_FALSE(problem_of(post_by(1, 1, "x", LoadWorld::kNow)));
  CHECK(problem_of(post_by(1, 1, "x", Time{snowflake::kEpochMs - 1}))->find("before 2000") !=
        std::string::npos);
  CHECK(problem_of(post_by(1, 1, "x", Time{LoadWorld::kNow.ms + 1}))->find("after now") !=
        std::string::npos);
}

TEST_CASE("post loader: texts keep the rules of loaded ones") {
  const std::string longest(limits::kLoadedTextMax, 'x');
  CHECK_FALSE(problem_of(post_by(1, 1, longest)));
  CHECK(problem_of(post_by(1, 1, longest + "x")));
  for (const char* bad : {"", " \n\t", "\x01\x02", "\xFF", "a\xED\xA0\x80"}) {
    CAPTURE(bad);
    CHECK(problem_of(post_by(1, 1, bad)));
  }
  LoadWorld world;
  PostLoader loader = loader_for(world);
  CHECK_FALSE(loader.add(post_by(1, 1,
                                 "a\x07"
                                 "b\x1B\n\tc\x7F")));
  CHECK_FALSE(loader.add(post_by(1, 2, "e\xCC\x81")));
  loader.finish();
  CHECK(world.texts() == Texts{"ab\n\tc", "\xC3\xA9"});
  CHECK(loader.counts().control_characters == 3);
}

TEST_CASE("post loader: somebody has to have written it") {
  SourcePost post = post_by(1, 1, "x");
  post.author_id.reset();
  CHECK(problem_of(post) == "no author");
  post.username = "not a name";
  CHECK(problem_of(post)->find("not a name") != std::string::npos);
  post.username = "mira";
  CHECK_FALSE(problem_of(post));
}

TEST_CASE("post loader: many authors without ids, batch after batch") {
  LoadWorld world;
  PostLoader loader =
      loader_for(world, {.first_rows = 10, .most_rows = 10, .people = {.ids = 10, .names = 10}});
  for (std::uint64_t i = 0; i < 200; ++i) {
    SourcePost post = post_by(0, i, "x");
    if (i % 3 == 0) {
      post.author_id = SourceId{i % 17};
    } else {
      post.author_id.reset();
      post.username = (i % 2 == 0 ? "Name" : "nAME") + std::to_string(i % 23);
    }
    REQUIRE_FALSE(loader.add(std::move(post)));
  }
  loader.finish();
  CHECK(world.posts().size() == 200);
  CHECK(world.directory.count() == 17 + 23);
  for (const Post& post : world.posts()) {
    const std::uint64_t i = post.source->number.value;
    const User author = *world.directory.find(post.author);
    if (i % 3 == 0) {
      CHECK(author.source == SourceId{i % 17});
    } else {
      CHECK(folded(author.username) == "name" + std::to_string(i % 23));
    }
  }
}

TEST_CASE("post loader: a post takes an id of its time, equal times the order of loading") {
  for (const std::size_t rows : {1u, 2u, 3u, 5u, 100u}) {
    CAPTURE(rows);
    LoadWorld world;
    PostLoader loader = loader_for(world, {.first_rows = rows, .most_rows = rows, .people = {}});
    for (std::uint64_t i = 0; i < 10; ++i) {
      const Time time{kThen.ms + (i % 2 == 0 ? 0 : -1000)};
      REQUIRE_FALSE(loader.add(post_by(i % 3, 100 - i, std::to_string(i), time)));
    }
    loader.finish();
    CHECK(world.texts() == Texts{"1", "3", "5", "7", "9", "0", "2", "4", "6", "8"});
    for (const Post& post : world.posts()) {
      CHECK(snowflake::machine(post.id.value) == snowflake::kLoadMachine);
      CHECK(snowflake::time_of(post.id.value) == post.created_at);
      CHECK(post.source);
    }
    CHECK(loader.counts().stored == 10);
    CHECK(loader.counts().users_added == 3);
  }
}

TEST_CASE("post loader: a source id is loaded once") {
  LoadWorld world;
  for (int round = 0; round < 2; ++round) {
    PostLoader loader = loader_for(world);
    REQUIRE_FALSE(loader.add(post_by(1, 5, "first")));
    REQUIRE_FALSE(loader.add(post_by(2, 5, "second")));
    REQUIRE_FALSE(loader.add(post_by(2, kSourceIdMax, "third")));
    loader.finish();
    CHECK(loader.counts().stored == (round == 0 ? 2u : 0u));
    CHECK(loader.counts().duplicates == (round == 0 ? 0u : 2u));
    CHECK(loader.counts().same_id_other_text == 1);
  }
  CHECK(world.texts() == Texts{"first", "third"});
}

TEST_CASE("post loader: a loaded post never raises the floor of live ids above now") {
  LoadWorld world;
  PostLoader loader = loader_for(world);
  REQUIRE_FALSE(loader.add(post_by(1, 1, "x", LoadWorld::kNow)));
  loader.finish();
  const StoreState state = world.storage.snapshot()->state();
  CHECK(snowflake::time_of(state.last_id.value) <= LoadWorld::kNow);
  CHECK(world.posts().front().id < state.last_id);
}

TEST_CASE("post loader: giving up keeps whole batches and nothing of the open one") {
  LoadWorld world;
  PostLoader loader = loader_for(world, {.first_rows = 2, .most_rows = 2, .people = {}});
  for (std::uint64_t i = 1; i <= 5; ++i) {
    REQUIRE_FALSE(loader.add(
        post_by(i, i, std::to_string(i), Time{kThen.ms + static_cast<std::int64_t>(i)})));
  }
  loader.abandon();
  CHECK(world.texts() == Texts{"1", "2", "3", "4"});
  CHECK(world.directory.count() == 4);
}

TEST_CASE("post loader: batches are bounded by bytes too") {
  LoadWorld world;
  PostLoader loader = loader_for(world, {.most_bytes = 3000, .people = {}});
  for (std::uint64_t i = 1; i <= 9; ++i) {
    REQUIRE_FALSE(loader.add(post_by(1, i, std::string(900, 'x'))));
  }
  loader.finish();
  CHECK(world.posts().size() == 9);
  CHECK(reads::events(*world.storage.snapshot(), Sequence{1}, 100).size() >= 4);
}

TEST_CASE("post loader: graph and posts meet in one user, in both orders") {
  const std::vector<SourceEdge> edges{{SourceId{7}, SourceId{8}}};
  SourcePost post = post_by(8, 1, "x");
  post.username = "Mira";
  post.display_name = "Mira O";
  for (const bool graph_first : {true, false}) {
    LoadWorld world;
    const auto load_graph = [&] {
      GraphLoader loader(world.storage, world.directory, world.clock, world.pause());
      loader.add(edges);
      loader.finish();
    };
    const auto load_posts = [&] {
      PostLoader loader = loader_for(world);
      REQUIRE_FALSE(loader.add(SourcePost(post)));
      loader.finish();
      CHECK(loader.counts().users_renamed == (graph_first ? 1u : 0u));
    };
    if (graph_first) load_graph();
    load_posts();
    if (!graph_first) load_graph();
    CHECK(world.directory.count() == 2);
    CHECK(world.names() == std::map<std::uint64_t, std::string>{{7, "u7"}, {8, "Mira"}});
    CHECK(world.user(8)->display_name == "Mira O");
    CHECK(world.posts().front().author == world.user(8)->number);
  }
}

TEST_CASE("post loader: names said before and after their posts") {
  LoadWorld world;
  PostLoader loader = loader_for(world, {.first_rows = 1, .most_rows = 1, .people = {}});
  loader.say({SourceId{1}, "before", "", ""});
  REQUIRE_FALSE(loader.add(post_by(1, 1, "x")));
  REQUIRE_FALSE(loader.add(post_by(2, 2, "y")));
  loader.say({SourceId{2}, "after", "", ""});
  loader.say({SourceId{3}, "nobody", "", ""});
  loader.finish();
  CHECK(world.names() == std::map<std::uint64_t, std::string>{{1, "before"}, {2, "after"}});
  CHECK(loader.counts().users_renamed == 1);
}

TEST_CASE("post loader: all posts are one user's if the options say so") {
  LoadWorld world;
  const UserNumber mira = world.sign_up("mira");
  PostLoader loader = loader_for(world, {.author = mira, .people = {}});
  SourcePost anonymous = post_by(5, 1, "x");
  anonymous.author_id.reset();
  REQUIRE_FALSE(loader.add(std::move(anonymous)));
  REQUIRE_FALSE(loader.add(post_by(6, 2, "y")));
  loader.finish();
  CHECK(world.directory.count() == 1);
  for (const Post& post : world.posts()) CHECK(post.author == mira);
}

TEST_CASE("post loader: the same id with another author, text or fewer readers is counted apart") {
  const auto seen_by = [](std::uint64_t id, std::string text, Privacy privacy) {
    SourcePost post = post_by(1, id, std::move(text));
    post.privacy = privacy;
    return post;
  };
  const auto reply = [](std::uint64_t author, std::uint64_t id, std::uint64_t to,
                        std::string text) {
    SourcePost post = post_by(author, id, std::move(text));
    post.reply_to = SourceId{to};
    return post;
  };
  const std::vector<SourcePost> first{post_by(1, 1, "a"), post_by(1, 2, "b"),
                                      reply(2, 3, 1, "answer"), reply(2, 4, 99, "waits"),
                                      seen_by(5, "f", Privacy::kFollowers)};
  // Posts that come again, and whether each is the same.
  const std::vector<std::pair<SourcePost, bool>> again{
      {post_by(1, 1, "a"), true},
      {post_by(1, 1, "c"), false},
      {post_by(7, 2, "b"), false},
      {post_by(1, 2, "b"), true},
      {reply(2, 3, 1, "answer"), true},
      {reply(2, 3, 1, "other"), false},
      {reply(8, 3, 1, "answer"), false},
      {reply(2, 4, 99, "waits"), true},
      {reply(2, 4, 99, "another"), false},
      // Whoever says afterwards that it is for fewer people hears that it is not.
      {seen_by(1, "a", Privacy::kPrivate), false},
      {seen_by(5, "f", Privacy::kPrivate), false},
      {seen_by(5, "f", Privacy::kFollowers), true},
      {seen_by(5, "f", Privacy::kPublic), true},
  };
  for (const bool in_one_load : {true, false}) {
    for (const std::size_t rows : {std::size_t{1}, std::size_t{3}, std::size_t{1'000}}) {
      CAPTURE(rows);
      LoadWorld world;
      const PostOptions options{.first_rows = rows, .most_rows = rows};
      std::optional<PostLoader> loader;
      loader.emplace(world.storage, world.directory, world.clock, world.pause(), options);
      for (SourcePost post : first) REQUIRE_FALSE(loader->add(std::move(post)));
      if (!in_one_load) {
        loader->finish();
        loader.emplace(world.storage, world.directory, world.clock, world.pause(), options);
      }
      std::uint64_t same = 0;
      for (const auto& [post, is_same] : again) {
        REQUIRE_FALSE(loader->add(SourcePost(post)));
        same += is_same ? 1 : 0;
      }
      loader->finish();
      CHECK(loader->counts().duplicates == same);
      CHECK(loader->counts().same_id_other_text == again.size() - same);
      CHECK(world.posts().size() == 4);
    }
  }
}

TEST_SUITE_END();

}  // namespace chirp::load::post_loader_test
