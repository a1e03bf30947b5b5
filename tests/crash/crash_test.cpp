// Goal: whatever call a process is killed or fails at, what it acknowledged is there, what it did
// not acknowledge is there whole or not at all, the directory is sound, and running again succeeds.
// Method: the program under the fault injector, once for every call that changes files; its clock
// is stopped, so that a run without a fault predicts the result exactly.

#include <algorithm>
#include <csignal>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/data_directories.h"
#include "tests/support/sweep.h"

namespace chirp::test::crash_test {
namespace {

constexpr int kMissing = 3;
constexpr int kRefused = 4;

// Every user, by name and by the search. A sample of them, at least `least` in all.
void check_found(const Hit& hit, std::size_t least) {
  const auto directory = store::DataDirectory::open(hit.data());
  const UserDirectory& users = directory->users();
  const std::vector<User> all = users.scan(kNobody, 10'000);
  CHECK(all.size() >= least);
  for (std::size_t i = 0; i < all.size(); i += 17) {
    const auto named = users.find_name(all[i].username);
    CHECK((named && named->number == all[i].number));
    UserQuery query;
    query.match = all[i].username;
    const auto matches = users.list(query).users;
    CHECK(std::ranges::count(matches, all[i].number, &User::number) == 1);
  }
}

}  // namespace

TEST_CASE("crash: init is killed at every call") {
  if (skipped()) return;
  const Stage stage({{"init"}, {}});
  sweep(stage, "kill", [&](const Hit& hit) {
    check_killed(stage, hit);
    check_again(stage, hit);
    check_sound(hit);
    CHECK(entries_of(hit.world) == 1);
  });
}

TEST_CASE("crash: init fails at every call and leaves nothing") {
  if (skipped()) return;
  const Stage stage({{"init"}, {}});
  for (const char* mode : {"enospc", "eio"}) {
    sweep(stage, mode, [&](const Hit& hit) {
      check_failed(stage, hit);
      if (!hit.ended.ok()) CHECK(entries_of(hit.world) == 0);
    });
  }
}

TEST_CASE("crash: a sign-up is killed at every call") {
  if (skipped()) return;
  const Stage stage(in_world({"user", "add", "newcomer", "--email", "n@example.org"}));
  sweep_all(stage, "kill", [&](const Hit& hit) {
    CHECK(hit.ended.signal == SIGKILL);
    check_sound(hit);
    if (!hit.ended.out.empty()) CHECK(contents(hit.data()) == stage.after());
    // A row without a card is a legal state; the card comes with the first need.
    const Ended ended = run(stage.command(hit.world));
    CHECK_MESSAGE((ended.ok() || ended.status == kRefused), to_string(ended));
    const Ended post =
        run(chirp_command(hit.data().string(), {"post", "add", "newcomer", "hello"}));
    CHECK_MESSAGE(post.ok(), to_string(post));
    check_sound(hit);
  });
}

TEST_CASE("crash: a post is killed at every call") {
  if (skipped()) return;
  const Stage stage(in_world({"post", "add", "a1", "hello"}));
  REQUIRE(stage.before() != stage.after());
  sweep_all(stage, "kill", [&](const Hit& hit) {
    check_killed(stage, hit);
    check_sound(hit);
    check_again(stage, hit);
    check_sound(hit);  // which has two posts then, where the first one was acknowledged
  });
}

TEST_CASE("crash: a post with a key is killed at every call, and is there once after a repeat") {
  if (skipped()) return;
  const Stage stage(in_world({"post", "add", "a1", "hello @a2 #frost", "--idempotency-key", "k"}));
  REQUIRE(stage.before() != stage.after());
  sweep(stage, "kill", [&](const Hit& hit) { check_killed_and_again(stage, hit); });
}

TEST_CASE("crash: a write of a post is torn at every call") {
  if (skipped()) return;
  const Stage stage(in_world({"post", "add", "a1", "hello"}));
  for (const char* mode : {"torn:1", "torn:512", "torn:4096"}) {
    sweep(stage, mode, [&](const Hit& hit) {
      // A write that is no longer than the tear is done whole, and the process lives on.
      check_killed_or_failed(stage, hit);
    });
  }
}

TEST_CASE("crash: a post fails at every call") {
  if (skipped()) return;
  const Stage stage(in_world({"post", "add", "a1", "hello"}));
  for (const char* mode : {"enospc", "eio", "short:100"}) {
    sweep(stage, mode, [&](const Hit& hit) {
      check_failed(stage, hit);
      check_sound(hit);
      check_again(stage, hit);
    });
  }
}

TEST_CASE("crash: a post meets a disk that is full from some call on") {
  if (skipped()) return;
  const Stage stage(in_world({"post", "add", "a1", "hello"}));
  sweep(stage, "enospc+", [&](const Hit& hit) {
    check_failed(stage, hit);
    const Faults faults(hit.world);
    const Ended feed =
        run(faults.from(1, "enospc", chirp_command(hit.data().string(), {"feed", "show", "a0"})));
    CHECK_MESSAGE(feed.ok(), to_string(feed));
    check_again(stage, hit);
    check_sound(hit);
  });
}

TEST_CASE("crash: a follow and an unfollow are killed at every call") {
  if (skipped()) return;
  for (const auto& arguments : {std::vector<std::string>{"follow", "add", "a0", "a5"},
                                std::vector<std::string>{"follow", "remove", "a0", "a1"}}) {
    const Stage stage(in_world(arguments));
    REQUIRE(stage.before() != stage.after());
    sweep_all(stage, "kill", [&](const Hit& hit) { check_killed_and_again(stage, hit); });
  }
}

TEST_CASE("crash: a user's removal is killed at every call") {
  if (skipped()) return;
  const Stage stage(in_world({"user", "remove", "a2"}));
  sweep(stage, "kill", [&](const Hit& hit) {
    CHECK(hit.ended.signal == SIGKILL);
    // Gone already, if the kill came late: then whoever writes next has finished it.
    const Ended ended = run(stage.command(hit.world));
    CHECK_MESSAGE((ended.ok() || ended.status == kMissing), to_string(ended));
    CHECK(contents(hit.data()) == stage.after());
    check_sound(hit);
  });
}

TEST_CASE("crash: a flush of deliveries and counters is killed at every call") {
  if (skipped()) return;
  // Following again changes nothing, so that only the consumers have something to do.
  const Stage stage({{"follow", "add", "a0", "a1"}, [](const std::filesystem::path& folder) {
                       make_world(folder);
                       const auto directory = store::DataDirectory::open(folder / "chirp");
                       for (std::uint32_t i = 0; i < 30; ++i) {
                         publish(*directory, UserNumber{i % 6 + 1}, fmt::format("pending {}", i));
                       }
                     }});
  CHECK(stage.before() == stage.after());
  sweep(stage, "kill", [&](const Hit& hit) {
    check_killed(stage, hit);
    check_sound(hit);
    check_again(stage, hit);
    const auto directory = store::DataDirectory::open(hit.data());
    const StoreState state = directory->storage().snapshot()->state();
    CHECK(state.fan_out == state.log_end);
    CHECK(state.counters == state.log_end);
    CHECK(contents(*directory) == stage.after());
    CHECK(faults_in(*directory).empty());
  });
}

TEST_CASE("crash: a load is killed and run again") {
  if (skipped()) return;
  const auto prepare = [](const std::filesystem::path& folder) {
    make_world(folder);
    std::string edges;
    std::string posts;
    for (std::uint32_t i = 0; i < 3000; ++i) {
      edges += fmt::format("{} {}\n", 1 + i * 7 % 211, 1 + i * 13 % 197 + (i % 3));
      posts += fmt::format(R"({{"id":"{}","authorId":"{}","text":"p{}","createdAt":{}}})"
                           "\n",
                           i + 1, 1 + i % 150, i, 1'500'000'000 + i / 2);
    }
    write_file(folder / "edges.txt", edges);
    write_file(folder / "posts.jsonl", posts);
  };
  for (const auto& arguments : {std::vector<std::string>{"load", "graph", "./edges.txt"},
                                {"load", "graph", "./edges.txt", "--bulk", "always"},
                                {"load", "posts", "./posts.jsonl"},
                                {"load", "posts", "./posts.jsonl", "--bulk", "always"}}) {
    const Stage stage({arguments, prepare});
    REQUIRE(stage.before() != stage.after());
    sweep(stage, "kill", [&](const Hit& hit) { check_completed_again(stage, hit); });
  }
}

// More users than one transaction takes, with names in no order.
TEST_CASE("crash: a load of many users is killed, and all are found") {
  if (skipped()) return;
  const Stage stage({{"load", "graph", "./edges.txt"}, [](const std::filesystem::path& folder) {
                       make_world(folder);
                       std::string edges;
                       for (std::uint32_t i = 0; i < 2'500; ++i) {
                         edges += fmt::format("{} {}\n", 1'000 + i * 7'919 % 100'003, 5);
                       }
                       write_file(folder / "edges.txt", edges);
                     }});
  sweep(stage, "kill", [&](const Hit& hit) {
    check_sound(hit);
    check_found(hit, 0);
    check_again(stage, hit);
    CHECK(contents(hit.data()) == stage.after());
    check_found(hit, 2'500);
    check_sound(hit);
  });
}

TEST_CASE("crash: a load of threads and of events is killed and run again") {
  if (skipped()) return;
  const auto prepare = [](const std::filesystem::path& folder) {
    make_world(folder);
    std::string posts;
    std::string edges;
    std::string events;
    for (std::uint32_t i = 0; i < 1000; ++i) {
      // Some name one before them, some one after them, and some nobody.
      const std::uint32_t other = 1 + (i * 7 + 11) % 1100;
      const std::string link = i % 3 == 1   ? fmt::format(R"(,"replyTo":"{}")", other)
                               : i % 3 == 2 ? fmt::format(R"(,"repostOf":"{}")", other)
                                            : "";
      posts += fmt::format(R"({{"id":"{}","authorId":"{}","text":"p{}","createdAt":{}{}}})"
                           "\n",
                           i + 1, 1 + i % 50, i, 1'500'000'000 + i, link);
      edges += fmt::format("{} {}\n", 1 + i % 50, 1 + (i + 1) % 50);
      const char* kind = i % 3 == 0 ? "RT" : i % 3 == 1 ? "RE" : "MT";
      events +=
          fmt::format("{} {} {} {}\n", 1 + i * 7 % 50, 1 + i * 13 % 50, 1'400'000'000 + i, kind);
    }
    write_file(folder / "posts.jsonl", posts);
    write_file(folder / "edges.txt", edges);
    write_file(folder / "events.txt", events);
    const Ended ended = run(chirp_command((folder / "chirp").string(),
                                          {"load", "graph", (folder / "edges.txt").string()}));
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  };
  for (const char* what : {"posts", "events"}) {
    const std::string file = std::string("./") + what + (what[0] == 'p' ? ".jsonl" : ".txt");
    const Stage stage({{"load", what, file}, prepare});
    REQUIRE(stage.before() != stage.after());
    sweep(stage, "kill", [&](const Hit& hit) { check_completed_again(stage, hit); });
  }
}

}  // namespace chirp::test::crash_test
