// Goal: the in-memory store keeps snapshots apart from later writes, from any thread.
// Method: a snapshot is held across changes; writers and readers run side by side.
#include "tests/model/storage.h"

#include <atomic>
#include <thread>

#include <doctest/doctest.h>

#include "core/ports/reads.h"

namespace chirp::model {
namespace {

constexpr Time kNow{snowflake::kEpochMs + 1000};

AuthorCard card(std::uint32_t number) {
  return {.number = UserNumber{number},
          .id = UserId{number},
          .username = "u" + std::to_string(number),
          .display_name = "User",
          .source = std::nullopt};
}

}  // namespace

TEST_CASE("memory store: a snapshot never changes") {
  ModelStorage storage;
  storage.write(std::vector<Change>{PutCard{card(1)}}, kNow);
  const auto before = storage.snapshot();
  const auto outcomes = storage.write(
      std::vector<Change>{Publish{UserNumber{1}, "hello"}, Publish{UserNumber{9}, "hello"}}, kNow);
  REQUIRE(outcomes.size() == 2);
  CHECK(outcomes[0].result == Result::kDone);
  CHECK(outcomes[1].result == Result::kMissing);
  CHECK_FALSE(before->post(outcomes[0].post));
  CHECK(storage.snapshot()->post(outcomes[0].post)->text == "hello");
  CHECK(storage.version() > before->state().version);
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("memory store: readers and writers share it") {
  ModelStorage storage;
  storage.write(std::vector<Change>{PutCard{card(1)}}, kNow);
  std::atomic<bool> wrong = false;
  std::vector<std::thread> threads;
  for (int writer = 0; writer < 2; ++writer) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        storage.write(std::vector<Change>{Publish{UserNumber{1}, "text"}}, kNow);
      }
    });
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        const auto snapshot = storage.snapshot();
        const auto events = reads::events(*snapshot, Sequence{1}, 1000);
        const auto posts = reads::rows_above<tables::Posts>(*snapshot, {kBelowAllPosts}, 1000);
        if (events.size() != posts.size() + 1) wrong = true;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_FALSE(wrong);
  CHECK(reads::rows_above<tables::Posts>(*storage.snapshot(), {kBelowAllPosts}, 1000).size() ==
        400);
}

TEST_SUITE_END();

}  // namespace chirp::model
