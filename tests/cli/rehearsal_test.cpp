// Goal: loads in a dry run's engine count what they count in a real one. Method: small circles of
// posts that name one another by hand, and random ones with what hangs on them; random loads of
// every kind, one after the other, each rehearsed first over what the ones before have left, and
// all counts compared; the packed tables against those of the standard library.
#include "cli/load/rehearsal/rehearsal.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cli/load/rehearsal/edge_set.h"
#include "cli/load/rehearsal/sorted_table.h"
#include "core/load/edge_window.h"
#include "core/load/event_loader.h"
#include "core/load/graph_loader.h"
#include "core/load/people.h"
#include "core/load/post_check.h"
#include "core/load/post_loader.h"
#include "core/load/tie_loader.h"
#include "tests/support/load_world.h"
#include "tests/support/seeds.h"
#include "tests/support/social_world.h"

namespace chirp::cli {
namespace {

using load::SourcePost;
using Posts = std::vector<SourcePost>;

constexpr Time kThen{1'462'306'917'000};

SourcePost post(std::uint64_t id, std::uint64_t author, int second, const std::string& text) {
  SourcePost made;
  made.id = SourceId{id};
  made.author_id = SourceId{author};
  made.text = text;
  made.created_at = Time{kThen.ms + std::int64_t{second} * 1000};
  return made;
}
SourcePost retweet(std::uint64_t id, std::uint64_t of, int second, const std::string& text = "") {
  SourcePost made = post(id, id, second, text);
  made.repost_of = SourceId{of};
  return made;
}

std::string to_text(const load::Counts& counts) {
  return fmt::format("{} stored, {} reposts, {} comments, {} duplicates, {} unknown originals",
                     counts.stored, counts.reposts, counts.comments, counts.duplicates,
                     counts.unknown_originals);
}

load::Counts rehearsed(const Posts& posts) {
  const test::StandingClock clock(test::LoadWorld::kNow);
  rehearsal::LoadRehearsal dry(nullptr, clock);
  Engine& engine = dry.engine();
  load::PostLoader loader(engine.storage(), engine.directory(), clock, [] {});
  for (const SourcePost& each : posts) REQUIRE_FALSE(loader.add(SourcePost(each)));
  loader.finish();
  return loader.counts();
}
std::string counted(const Posts& posts) { return to_text(rehearsed(posts)); }

std::string loaded(const Posts& posts) {
  test::LoadWorld world;
  load::PostLoader loader(world.storage, world.directory, world.clock, world.pause());
  for (const SourcePost& each : posts) REQUIRE_FALSE(loader.add(SourcePost(each)));
  loader.finish();
  return to_text(loader.counts());
}

std::string described(const Posts& posts) {
  std::string text;
  for (const SourcePost& each : posts) {
    const auto named = load::linked_post(each);
    text += fmt::format("{} by {} at {} {} {} \"{}\"\n", each.id.value, each.author_id->value,
                        each.created_at.ms - kThen.ms, each.repost_of ? "repeats" : "answers",
                        named ? named->value : 0, each.text);
  }
  return text;
}

// ---------------------------------------------------------------- random loads of every kind

using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t bound) { return random() % bound; }

// Everything that a summary may show.
std::string all_of(const load::Counts& counts) {
  return to_text(counts) +
         fmt::format(
             ", {} loops, {} new, {} renamed, {} cut, {} reactions, {} originals, {} made "
             "up, {} unknown users, {} gone, {} follows, {} relations, {} unknown posts, {} "
             "severed",
             counts.self_loops, counts.users_added, counts.users_renamed, counts.names_changed,
             counts.reactions, counts.originals, counts.placeholders, counts.unknown_users,
             counts.missing, counts.follows, counts.relations, counts.unknown_posts,
             counts.severed);
}

// A load with what it brings: the same each time that it is run.
using Load = std::function<load::Counts(Engine&, const Clock&)>;

SourceId draw_id(Random& random, load::Words& words) {
  const std::uint64_t id = 1 + below(random, 12);
  return below(random, 4) == 0 ? words.id_of(fmt::format("w{}@example.org", id)) : SourceId{id};
}

std::string draw_name(Random& random) {
  static const std::vector<std::string> kNames{"",   "mira", "Mira", "u3",    "u4_2", "U5",
                                               "w1", "yuki", "x y",  "anna_", "w2",   "u12"};
  return kNames[below(random, kNames.size())];
}

load::SourceUser draw_user(Random& random, load::Words& words) {
  return {.id = draw_id(random, words),
          .username = draw_name(random),
          .display_name = below(random, 2) == 0 ? "Somebody" : "",
          .bio = {}};
}

Load graph_load(std::uint64_t seed) {
  return [seed](Engine& engine, const Clock& clock) {
    Random random(seed);
    load::GraphOptions options{.ways = below(random, 3) == 0 ? load::Ways::kBoth : load::Ways::kOne,
                               .run = 8,
                               .window_bytes = 1 + below(random, 60)};
    load::GraphLoader loader(
        engine.storage(), engine.directory(), clock, [] {}, options);
    for (std::uint64_t left = below(random, 40); left > 0; --left) {
      if (below(random, 3) == 0) loader.say(draw_user(random, loader.words()));
      const load::SourceEdge edge{draw_id(random, loader.words()), draw_id(random, loader.words())};
      loader.add({&edge, 1});
    }
    loader.finish();
    return loader.counts();
  };
}

SourcePost draw_post(Random& random, load::Words& words, std::uint64_t first) {
  SourcePost made = post(first + below(random, 30), 0, static_cast<int>(below(random, 9)),
                         below(random, 6) == 0 ? "" : "words");
  made.author_id = draw_id(random, words);
  made.username = draw_name(random);
  if (below(random, 4) == 0) {
    made.author_id.reset();
    made.username = below(random, 2) == 0 ? "yuki" : "Mira";
  }
  if (below(random, 5) == 0) made.id = words.id_of(fmt::format("p{}", made.id.value));
  made.privacy = static_cast<Privacy>(below(random, 6) < 4 ? 0 : 1 + below(random, 2));
  const SourceId other{first + below(random, 30)};
  if (below(random, 3) == 0) made.reply_to = other;
  if (below(random, 3) == 0) made.repost_of = other;
  return made;
}

Load post_load(std::uint64_t seed) {
  return [seed](Engine& engine, const Clock& clock) {
    Random random(seed);
    load::PostOptions options{.first_rows = 4,
                              .most_rows = 8,
                              .window_bytes = 1 + below(random, 4'000),
                              .waiting_bytes = 1 + below(random, 4'000),
                              .people = {.ids = 16, .names = 16}};
    load::PostLoader loader(
        engine.storage(), engine.directory(), clock, [] {}, options);
    const std::uint64_t first = 1 + 10 * below(random, 3);
    for (std::uint64_t left = below(random, 40); left > 0; --left) {
      SourcePost made = draw_post(random, loader.words(), first);
      if (made.repost_of && below(random, 2) == 0) {
        made.original.push_back(draw_post(random, loader.words(), first));
        made.original.back().id = *made.repost_of;
        made.original.back().repost_of.reset();
      }
      (void)loader.add(std::move(made));
      if (below(random, 6) == 0) loader.say(draw_user(random, loader.words()));
    }
    loader.finish();
    return loader.counts();
  };
}

Load tie_load(std::uint64_t seed) {
  return [seed](Engine& engine, const Clock& clock) {
    Random random(seed);
    const LoadedUser owner{.source = SourceKey(SourceId{1 + below(random, 3)}),
                           .username = std::nullopt,
                           .display_name = std::nullopt,
                           .bio = {},
                           .created_at = std::nullopt};
    load::Counts all;
    const auto brought = load::bring_account(engine.storage(), engine.directory(), clock, owner);
    all.users_added += brought.change == LoadedUserChange::kAdded ? 1 : 0;
    load::TieLoader loader(
        engine.storage(), engine.directory(), clock, [] {}, brought.user.number);
    for (std::uint64_t left = below(random, 30); left > 0; --left) {
      const auto tie = static_cast<load::Tie>(below(random, 4));
      loader.add(tie, SourceId{1 + below(random, 12)},
                 below(random, 4) == 0 ? Reposts::kOff : Reposts::kOn);
    }
    for (std::uint64_t left = below(random, 20); left > 0; --left) {
      loader.like(SourceId{1 + below(random, 60)});
    }
    loader.finish();
    all += loader.counts();
    return all;
  };
}

Load event_load(std::uint64_t seed) {
  return [seed](Engine& engine, const Clock& clock) {
    Random random(seed);
    load::EventLoader loader(engine.storage(), clock, [] {},
                             {.first_rows = 4, .most_rows = 8, .batch = 8, .targets = 4});
    for (std::uint64_t left = below(random, 40); left > 0; --left) {
      load::SourceEvent event{.actor = SourceId{1 + below(random, 14)},
                              .other = SourceId{1 + below(random, 14)},
                              .kind = static_cast<load::EventKind>(below(random, 4)),
                              .time = std::nullopt,
                              .count = static_cast<std::uint32_t>(1 + below(random, 3))};
      if (below(random, 2) == 0) event.time = kThen;
      REQUIRE_FALSE(loader.add({&event, 1}));
    }
    loader.finish();
    return loader.counts();
  };
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("rehearsal: loads of every kind count as in the engine that is there") {
  const std::uint64_t worlds = test::worlds_or(300);
  const std::uint64_t seed = test::first_seed();
  for (std::uint64_t world_seed = seed; world_seed < seed + worlds; ++world_seed) {
    INFO("CHIRP_SEED=" << world_seed);
    Random random(world_seed);
    test::LoadWorld world;
    const test::PlainHasher hasher;
    Engine engine(world.storage, world.directory, hasher, world.clock);
    for (int left = 5; left > 0; --left) {
      constexpr std::array kLoads{graph_load, post_load, tie_load, event_load};
      const std::uint64_t kind = below(random, kLoads.size());
      const Load load = kLoads[kind](random());
      CAPTURE(kind);
      rehearsal::LoadRehearsal dry(&engine, world.clock);
      const auto before = world.storage.version();
      const std::string said = all_of(load(dry.engine(), world.clock));
      // Once more into the same: as two files of one load.
      const std::string again = all_of(load(dry.engine(), world.clock));
      CHECK(world.storage.version() == before);
      CHECK(said == all_of(load(engine, world.clock)));
      CHECK(again == all_of(load(engine, world.clock)));
    }
  }
}

TEST_CASE("rehearsal: beyond its bound nothing more is kept, which is said") {
  const test::StandingClock clock(test::LoadWorld::kNow);
  for (const bool bounded : {false, true}) {
    rehearsal::LoadRehearsal dry(nullptr, clock,
                                 bounded ? 1 : rehearsal::LoadRehearsal::kMostBytes);
    load::Counts all;
    for (int i = 0; i < 3; ++i) all += graph_load(7)(dry.engine(), clock);
    CHECK(dry.is_full() == bounded);
    CHECK(all.users_added > 0);
  }
}

TEST_CASE("rehearsal: a set of edges is a set") {
  Random random(test::first_seed());
  for (int round = 0; round < 20; ++round) {
    rehearsal::EdgeSet edges;
    std::set<std::uint64_t> expected;
    const auto users = static_cast<std::uint32_t>(2 + below(random, 400));
    for (int batch = 0; batch < 12; ++batch) {
      std::set<std::uint64_t> keys;
      for (std::uint64_t left = below(random, 8'000); left > 0; --left) {
        keys.insert(load::edge_key({static_cast<std::uint32_t>(below(random, users))},
                                   {static_cast<std::uint32_t>(below(random, users))}));
      }
      const std::vector<std::uint64_t> sorted(keys.begin(), keys.end());
      std::vector<std::uint64_t> there;
      std::vector<std::uint64_t> fresh;
      std::ranges::set_intersection(sorted, expected, std::back_inserter(there));
      std::ranges::set_difference(sorted, expected, std::back_inserter(fresh));
      CHECK(edges.among(sorted) == there);
      edges.add(fresh);
      expected.merge(keys);
    }
    CHECK(edges.among(std::vector<std::uint64_t>(expected.begin(), expected.end())).size() ==
          expected.size());
  }
}

TEST_CASE("rehearsal: a packed table is a map") {
  using T = tables::PostSources;
  Random random(test::first_seed());
  for (int round = 0; round < 20; ++round) {
    rehearsal::SortedTable<T> table;
    std::map<std::uint64_t, std::uint64_t> expected;
    const bool ascending = below(random, 2) == 0;
    for (std::uint64_t i = 0; i < 3'000; ++i) {
      const std::uint64_t key = ascending ? i : below(random, 5'000);
      table.put({T::Key{SourceId{key}}, ContentId{i}});
      expected[key] = i;
    }
    for (int question = 0; question < 200; ++question) {
      const std::uint64_t first = below(random, 5'000);
      const std::uint64_t last = first + below(random, 40);
      const auto limit = static_cast<std::uint32_t>(1 + below(random, 20));
      const auto found = expected.find(first);
      const auto* const row = table.find({SourceId{first}});
      CHECK((row == nullptr ? 0 : row->content.value) ==
            (found == expected.end() ? 0 : found->second));
      std::vector<std::uint64_t> keys;
      for (auto at = expected.lower_bound(first); at != expected.upper_bound(last); ++at) {
        keys.push_back(at->first);
      }
      for (const auto direction : {Direction::kUp, Direction::kDown}) {
        std::vector<std::uint64_t> said;
        for (const auto& [key, content] :
             table.range({SourceId{first}}, {SourceId{last}}, direction, limit)) {
          said.push_back(key.source.value);
        }
        auto wanted = keys;
        if (direction == Direction::kDown) std::ranges::reverse(wanted);
        if (wanted.size() > limit) wanted.resize(limit);
        CHECK(said == wanted);
      }
    }
  }
}

TEST_CASE("rehearsal: of a circle of retweets the oldest goes without what it repeats") {
  for (const auto& [first, second] : {std::pair{1, 2}, std::pair{2, 1}, std::pair{1, 1}}) {
    for (const char* const text : {"", "words"}) {
      const Posts posts{retweet(1, 2, first, text), retweet(2, 1, second)};
      CAPTURE(described(posts));
      CHECK(counted(posts) == loaded(posts));
    }
  }
  // The oldest hangs on the circle.
  const Posts posts{retweet(1, 2, 5, "a"), retweet(2, 1, 6), retweet(3, 1, 4), retweet(4, 3, 7)};
  CHECK(counted(posts) == loaded(posts));
}

TEST_CASE("rehearsal: what names a second repost by the same author goes without it") {
  Posts posts{post(1, 1, 1, "words"), retweet(2, 1, 2), retweet(3, 2, 3), retweet(4, 3, 4)};
  posts[2].author_id = posts[1].author_id;
  posts.push_back(post(5, 5, 5, "an answer"));
  posts.back().reply_to = SourceId{3};
  CHECK(counted(posts) == "3 stored, 1 reposts, 0 comments, 1 duplicates, 1 unknown originals");
  CHECK(counted(posts) == loaded(posts));
}

TEST_CASE("rehearsal: whatever hangs together in circles is counted as it is loaded") {
  std::mt19937_64 random(test::first_seed());
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t ids = 2 + random() % 9;
    Posts posts;
    for (std::uint64_t id = 1; id <= ids; ++id) {
      const auto second = static_cast<int>(random() % 5);
      posts.push_back(post(id, 1 + random() % ids, second, "words"));
      const std::uint64_t other = 1 + random() % (ids + 1);
      if (other == id) continue;
      if (random() % 3 == 0) {
        posts.back().reply_to = SourceId{other};
      } else {
        posts.back().repost_of = SourceId{other};
        if (random() % 2 == 0) posts.back().text.clear();
      }
    }
    CAPTURE(described(posts));
    CHECK(counted(posts) == loaded(posts));
  }
}

TEST_SUITE_END();

}  // namespace chirp::cli
