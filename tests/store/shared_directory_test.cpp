// Goal: many threads use one user directory, each on a connection of its own.
// Method: threads sign up, look up and upload at the same time over one SQLite file; openings of
// connections are counted.

#include <atomic>
#include <filesystem>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "store/sqlite/user_directory.h"
#include "tests/support/directories.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

using namespace chirp;
using test::named;

namespace {

constexpr Time kNow{snowflake::kEpochMs + 100 * kDayMs};
constexpr unsigned kThreads = 8;

struct World {
  World() {
    sqlite::create_user_directory(folder / "users.db",
                                  {std::string(test::kDirectoryUuid), test::kDirectoryMachine});
    std::filesystem::create_directory(folder / "media");
    users = sqlite::open_user_directory(folder / "users.db");
  }

  template <class Work>
  void at_once(Work work) const {
    std::latch all(kThreads);
    std::vector<std::thread> threads;
    for (unsigned number = 0; number < kThreads; ++number) {
      threads.emplace_back([&, number] {
        all.arrive_and_wait();
        work(number);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  test::TempFolder folder;
  std::unique_ptr<sqlite::SqliteUserDirectory> users;
};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("shared directory: if threads want one name, one gets it") {
  World world;
  for (int round = 0; round < 20; ++round) {
    const std::string name = "name" + std::to_string(round);
    std::atomic<int> got{0};
    std::atomic<int> taken{0};
    world.at_once([&](unsigned) {
      const auto code = test::code_of([&] { (void)world.users->add(named(name), kNow); });
      ++(code ? taken : got);
      if (code) CHECK(code == ErrorCode::kAlreadyExists);
    });
    CHECK(got == 1);
    CHECK(taken == static_cast<int>(kThreads) - 1);
  }
  CHECK(world.users->count() == 20);
  CHECK(world.users->problems().empty());
}

TEST_CASE("shared directory: threads look up while others write") {
  World world;
  const User mira = world.users->add(named("mira"), kNow);
  const std::string token = world.users->add_token(mira.number, kNow, std::nullopt);
  std::atomic<int> wrong{0};
  world.at_once([&](unsigned number) {
    for (int i = 0; i < 50; ++i) {
      if (number % 2 == 0) {
        const auto name = "u" + std::to_string(number) + "_" + std::to_string(i);
        (void)world.users->add(named(name), kNow);
        if (!world.users->find_name(name)) ++wrong;
      } else {
        if (world.users->token_owner(token, kNow) != mira.number) ++wrong;
        if (world.users->find(mira.number)->username != "mira") ++wrong;
      }
    }
  });
  CHECK(wrong == 0);
  CHECK(world.users->count() == 1 + kThreads / 2 * 50);
  CHECK(world.users->connections() <= kThreads + 1);
}

TEST_CASE("shared directory: what was read at a version holds while that stays, in every thread") {
  World world;
  world.users->tell_version();
  const auto other = sqlite::open_user_directory(world.folder / "users.db");
  std::vector<UserNumber> people;
  for (unsigned i = 0; i < kThreads; ++i) {
    people.push_back(world.users->add(named("u" + std::to_string(i)), kNow).number);
  }
  std::atomic<int> wrong{0};
  world.at_once([&](unsigned number) {
    for (int i = 0; i < 40; ++i) {
      const std::string token = world.users->add_token(people[number], kNow, std::nullopt);
      const auto version = world.users->version();
      if (!world.users->token_owner(token, kNow)) ++wrong;
      // Half of them by another directory than the one that is asked.
      const auto& revoking = number % 2 == 0 ? world.users : other;
      if (!revoking->revoke_token(token)) ++wrong;
      // Nobody who has read the token before may go on with it.
      if (version && world.users->version() == version) ++wrong;
    }
  });
  CHECK(wrong == 0);
}

TEST_CASE("shared directory: uploads of many threads are all there") {
  World world;
  const User mira = world.users->add(named("mira"), kNow);
  const MediaFacts facts{MediaType::kPng, 1, 1};
  std::vector<Upload> uploads(kThreads);
  world.at_once([&](unsigned number) {
    const std::string bytes(100 + number, 'x');
    uploads[number] = world.users->media().put(mira.number, facts, bytes, kNow);
  });
  for (unsigned number = 0; number < kThreads; ++number) {
    CHECK(world.users->media().find(uploads[number].id));
    CHECK(world.users->media().read(uploads[number]).size() == 100 + number);
  }
  CHECK(world.users->media().problems().empty());
}

TEST_CASE("shared directory: one thread needs one connection, and errors give it back") {
  World world;
  for (int i = 0; i < 10; ++i) {
    (void)world.users->count();
    CHECK(test::code_of([&] { (void)world.users->edit(UserNumber{99}, {}); }) ==
          ErrorCode::kNotFound);
  }
  CHECK(world.users->connections() == 1);
}

TEST_SUITE_END();
