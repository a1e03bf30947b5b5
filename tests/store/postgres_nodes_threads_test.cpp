// Goal: nobody reads half of a commit while several servers are written to.
// Method: one thread reads all invariants of a store over several tables and statements, while
// another writes to all servers in each commit.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "store/postgres/storage.h"
#include "tests/support/postgres_nodes.h"
#include "tests/support/storage_contract.h"

namespace chirp::test::postgres_nodes_threads_test {
namespace {

constexpr std::uint32_t kUsers = 9;
constexpr std::uint32_t kRounds = 20;

// Follows of everybody by one, and a post of each; or the follows taken back.
std::vector<Change> on_all_servers(bool is_back) {
  std::vector<Change> changes;
  for (std::uint32_t user = 2; user <= kUsers; ++user) {
    if (is_back) {
      changes.emplace_back(Unfollow{UserNumber{1}, UserNumber{user}});
    } else {
      changes.emplace_back(Follow{UserNumber{1}, UserNumber{user}});
      changes.emplace_back(Publish{UserNumber{user}, "text"});
    }
  }
  return changes;
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("postgres: nobody reads half of a commit while several servers are written to") {
  if (!has_postgres()) return;
  const PostgresNodes nodes;
  const auto writer = postgres::open_storage(nodes.url());
  const auto reader = postgres::open_storage(nodes.url());
  std::vector<Change> cards;
  for (std::uint32_t number = 1; number <= kUsers; ++number) {
    cards.emplace_back(PutCard{card(number)});
  }
  (void)writer->write(cards, kStart);
  std::atomic<bool> done{false};
  std::string wrong;
  std::thread reading([&] {
    while (!done && wrong.empty()) wrong = first_breach(*reader);
  });
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    (void)writer->write(on_all_servers(false), kStart);
    (void)writer->write(on_all_servers(true), kStart);
  }
  done = true;
  reading.join();
  CHECK(wrong == "");
  const auto posts = reads::rows_above<tables::Posts>(*reader->snapshot(), {kBelowAllPosts}, kAll);
  CHECK(posts.size() == std::size_t{kRounds} * (kUsers - 1));
}

TEST_SUITE_END();

}  // namespace chirp::test::postgres_nodes_threads_test
