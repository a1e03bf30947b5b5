// Goal: what runs for long stays as it is: a server beside commands, loads, removals and backups
// keeps its memory, its descriptors, its slots for readers and its files level, and at the end
// everything is right. Method: rounds that take away as much as they add. The means of the middle
// and the last third of the rounds are compared, so that a short run says something too;
// CHIRP_SOAK_SECONDS makes it long.
#include <chrono>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/seeds.h"
#include "tests/support/soak_world.h"

namespace chirp::test {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::uint64_t kRoundsLeast = 150;
constexpr std::uint64_t kSayEvery = 200;
constexpr double kMiB = 1 << 20;
// What is kept of somebody who was removed, with room for how pages fill.
constexpr double kCardBytes = 256;

Level level(double (*of_numbers)(double), double first, double step) {
  Level made("numbers", {.share = 0.1, .more = 2, .each_round = 0});
  for (int i = 0; i < 30; ++i) made.add(of_numbers(first + step * i));
  return made;
}

}  // namespace

TEST_CASE("soak: what rises is seen, and what only warms up or wavers is not") {
  const auto itself = [](double number) { return number; };
  CHECK(level(itself, 100, 0).holds());
  CHECK_FALSE(level(itself, 100, 5).holds());
  CHECK(level([](double number) { return number < 110 ? number : 110; }, 100, 1).holds());
  CHECK(level([](double number) { return static_cast<int>(number) % 2 == 0 ? 90.0 : 110.0; }, 0, 1)
            .holds());
  CHECK(level(itself, 100, -3).holds());
}

TEST_CASE("soak: a server beside commands stays level, and everything is right at the end") {
  const std::chrono::seconds asked(number_in_environment("CHIRP_SOAK_SECONDS", 0));
  SoakWorld world;
  Level memory("bytes of the server's memory", {.share = 0.1, .more = kMiB, .each_round = 0});
  // A connection to the users that is kept for the next request has two, one for users.db and one
  // for its log, and there come to be as many as were once of use at a time. One that leaks each
  // round makes fifty.
  Level descriptors("descriptors of the server", {.share = 0, .more = 12, .each_round = 0});
  Level slots("slots for readers", {.share = 0.1, .more = 2, .each_round = 0});
  Level files("bytes of files",
              {.share = 0.1,
               .more = kMiB,
               .each_round = static_cast<double>(SoakWorld::kRemovedPeople) * kCardBytes});

  const auto end = SteadyClock::now() + asked;
  for (std::uint64_t round = 1; round <= kRoundsLeast || SteadyClock::now() < end; ++round) {
    world.round();
    memory.add(static_cast<double>(world.memory_bytes()));
    descriptors.add(static_cast<double>(world.descriptors()));
    slots.add(static_cast<double>(world.reader_slots()));
    files.add(static_cast<double>(world.file_bytes()));
    if (round % kSayEvery == 0) {
      fmt::print(stderr, "{} rounds; {}; {}\n", round, memory.words(), files.words());
    }
  }
  for (const Level* each : {&memory, &descriptors, &slots, &files}) {
    CHECK_MESSAGE(each->holds(), each->words());
    MESSAGE(each->words());
  }
  world.finish();
}

}  // namespace chirp::test
