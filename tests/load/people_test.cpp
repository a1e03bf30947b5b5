// Goal: a source id is one user for ever, with the best name there is.
// Method: names and ids in every order, over several loads.
#include "core/load/people.h"

#include <doctest/doctest.h>

#include "core/load/names.h"
#include "tests/support/directories.h"
#include "tests/support/load_world.h"

namespace chirp::load {
namespace {

using test::LoadWorld;
using Names = std::map<std::uint64_t, std::string>;

// A load of its own: nothing is remembered from one to the next but what is stored.
struct Load {
  explicit Load(LoadWorld& world, PeopleBounds bounds = {})
      : turns(world.clock, world.pause()),
        people(world.storage, world.directory, world.clock, turns, tally, bounds) {}
  void meet(std::initializer_list<std::uint64_t> ids) {
    for (const std::uint64_t id : ids) people.slot_of(SourceId{id});
    people.resolve();
  }
  void say(std::uint64_t id, std::string username, std::string display_name = {}) {
    people.say({SourceId{id}, std::move(username), std::move(display_name), {}});
  }
  Tally tally;
  Turns turns;
  People people;
};

}  // namespace

TEST_CASE("people: users without a name are called after the id") {
  LoadWorld world;
  Load load(world);
  load.meet({7, 99'999'999'999'999, 100'000'000'000'000, kSourceIdMax, 0});
  CHECK(world.names() == Names{{0, "u0"},
                               {7, "u7"},
                               {99'999'999'999'999, "u99999999999999"},
                               {100'000'000'000'000, "uzg3d62r5s"},
                               {kSourceIdMax, "u1y2p0ij32e8e7"}});
  CHECK(load.tally.users_added == 5);
  const Slot slot = load.people.slot_of(SourceId{7});
  CHECK(load.people.number(slot) == world.user(7)->number);
  CHECK(world.user(7)->created_at == LoadWorld::kNow);
}

TEST_CASE("people: a name said before is the name from the start") {
  LoadWorld world;
  Load load(world);
  load.say(7, "Mira", "Mira Okafor");
  load.say(8, "no name of ours!", "Some\nbody\x01 " + std::string(100, 'x'));
  load.say(9, "nobody");
  load.meet({7, 8});
  CHECK(world.names() == Names{{7, "Mira"}, {8, "u8"}});
  CHECK(world.user(7)->display_name == "Mira Okafor");
  CHECK(world.user(8)->display_name.starts_with("Some body x"));
  CHECK(load.tally.users_added == 2);
  CHECK(load.tally.users_renamed == 0);
  load.meet({9});  // remembered until the user came
  CHECK(world.names().at(9) == "nobody");
}

TEST_CASE("people: names and bios lose characters that turn the text around them") {
  const LoadedUser user = loaded_user({.id = SourceId{1},
                                       .username = "mira",
                                       .display_name = "Mi\xE2\x80\xAEra \xE2\x80\x8F\xD7\x90",
                                       .bio = "a\xE2\x81\xA7"
                                              "b"});
  CHECK(user.display_name == "Mira \xE2\x80\x8F\xD7\x90");  // a mark of direction stays
  CHECK(user.bio == "ab");
}

TEST_CASE("people: a made-up name gives way to a real one, a real one stays") {
  LoadWorld world;
  Load(world).meet({7, 8});
  const UserNumber number = world.user(7)->number;
  {
    Load load(world);
    load.say(7, "mira");
    load.people.resolve();
    CHECK(load.tally.users_renamed == 1);
    CHECK(load.tally.users_added == 0);
  }
  CHECK(world.names() == Names{{7, "mira"}, {8, "u8"}});
  CHECK(world.user(7)->number == number);
  {
    Load load(world);
    load.say(7, "other");
    load.meet({7});
    CHECK(load.tally.users_renamed == 0);
  }
  CHECK(world.names().at(7) == "mira");
}

TEST_CASE("people: a name that is taken is cut and numbered, and counted") {
  LoadWorld world;
  world.directory.add(test::named("mira"), LoadWorld::kNow);
  Load load(world);
  load.say(1, "MIRA");
  load.say(2, "mira");
  load.say(3, "abcdefghijklmno");
  load.say(4, "ABCDEFGHIJKLMNO");
  load.meet({1, 2, 3, 4});
  CHECK(world.names() ==
        Names{{1, "MIRA_2"}, {2, "mira_3"}, {3, "abcdefghijklmno"}, {4, "ABCDEFGHIJKLM_2"}});
  CHECK(load.tally.names_changed == 3);
}

TEST_CASE("people: loading again changes nothing") {
  LoadWorld world;
  for (int round = 0; round < 2; ++round) {
    Load load(world);
    load.say(1, "mira");
    load.meet({1, 2, 3});
    CHECK(load.tally.users_added == (round == 0 ? 3u : 0u));
  }
  CHECK(world.directory.count() == 3);
}

TEST_CASE("people: a load cut off between the two stores goes on") {
  LoadWorld world;
  const LoadedUser lonely{.source = SourceId{5},
                          .username = "mira",
                          .display_name = std::nullopt,
                          .bio = {},
                          .created_at = std::nullopt};
  const auto row = world.directory.load(std::span(&lonely, 1), LoadWorld::kNow).front();
  CHECK(world.names().empty());
  Load load(world);
  load.meet({5});
  CHECK(world.names() == Names{{5, "mira"}});
  CHECK(world.user(5)->number == row.user.number);
  CHECK(load.tally.users_added == 0);

  const User named = world.directory.add(test::named("tomas"), LoadWorld::kNow);
  load.people.meet("Tomas", "");
  load.people.resolve();
  CHECK(load.people.number("tomas") == named.number);
  CHECK(world.storage.snapshot()->find(tables::UserIds::Key{named.id}) == named.number);
}

TEST_CASE("people: names without ids are users too") {
  LoadWorld world;
  Load load(world, {.names = 3});
  for (const char* name : {"mira", "a", "MIRA", "b"}) load.people.meet(name, "Mira");
  load.people.resolve();
  const UserNumber mira = load.people.number("Mira");
  CHECK(world.directory.find(mira)->username == "mira");
  CHECK(world.directory.find(mira)->display_name == "Mira");
  CHECK_FALSE(world.directory.find(mira)->source);
  CHECK(load.tally.users_added == 3);
  CHECK(load.people.has_room(0));
  CHECK_FALSE(load.people.has_room(1));
  load.people.forget();
  CHECK(load.people.has_room(3));
  load.people.meet("mira", "");
  load.people.resolve();
  CHECK(load.people.number("mira") == mira);
  CHECK(load.tally.users_added == 3);
  // Somebody with a source id is found by the name as well.
  load.say(7, "tomas");
  load.meet({7});
  load.people.meet("Tomas", "");
  load.people.resolve();
  CHECK(load.people.number("tomas") == world.user(7)->number);
}

TEST_CASE("people: names that no longer fit are reported, and work when given again") {
  LoadWorld world;
  Load load(world, {.name_bytes = 200});
  for (std::uint64_t id = 0; id < 100; ++id) load.say(id, "name" + std::to_string(id));
  load.people.resolve();
  CHECK(load.people.names_refused());
  CHECK(world.names().empty());
  for (std::uint64_t id = 0; id < 100; ++id) load.people.slot_of(SourceId{id});
  load.people.resolve();
  for (std::uint64_t id = 0; id < 100; ++id) load.say(id, "name" + std::to_string(id));
  load.people.resolve();
  for (const auto& [id, name] : world.names()) CHECK(name == "name" + std::to_string(id));
}

TEST_CASE("people: many at once, with a pause after each transaction") {
  LoadWorld world;
  Load load(world);
  for (std::uint64_t id = 0; id < 3000; ++id) load.people.slot_of(SourceId{id * 1'000'003});
  load.people.resolve();
  CHECK(world.directory.count() == 3000);
  CHECK(world.pauses >= 4);
  load.people.forget();
  const Slot slot = load.people.slot_of(SourceId{2999ull * 1'000'003});
  load.people.resolve();
  CHECK(load.people.number(slot) == world.user(2999ull * 1'000'003)->number);
  CHECK(world.directory.count() == 3000);
}

}  // namespace chirp::load
