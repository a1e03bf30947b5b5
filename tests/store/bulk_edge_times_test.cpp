// Goal: a bulk load keeps the time of each edge, as transactions do, whatever others do meanwhile.
// Method: two stores with the same people; one takes edges with times of their own in bulk, the
// other in transactions. Between any two transactions of the build something else happens.
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/bulk_people.h"

namespace chirp::test::bulk_edge_times_test {
namespace {

constexpr std::uint32_t kTimedUsers = 30;

// Each pair once, no pair of `others`, with times before and after those of the world, and equal.
std::vector<RestoredEdge> timed_edges(std::mt19937_64& random, std::size_t count,
                                      const Edges& others) {
  std::set<std::pair<UserNumber, UserNumber>> seen;
  for (const LoadedEdge& edge : others) seen.emplace(edge.follower, edge.followee);
  std::vector<RestoredEdge> edges;
  for (const auto& [follower, followee] : some_edges(random, kTimedUsers, count)) {
    if (!seen.emplace(follower, followee).second) continue;
    const auto apart = static_cast<std::int64_t>(random() % 3) - 1;
    edges.push_back({follower, followee, Time{kStart.ms + apart * 86'400'123}});
  }
  return edges;
}

}  // namespace

TEST_CASE("bulk edges: edges with times of their own are stored as an export's in transactions") {
  std::mt19937_64 random(10);
  for (const std::size_t there : {0U, 40U}) {
    for (const std::size_t count : {0U, 1U, 300U}) {
      CAPTURE(there);
      CAPTURE(count);
      const Edges earlier = some_edges(random, kTimedUsers, there);
      const auto edges = timed_edges(random, count, earlier);
      BulkPeople bulk(kTimedUsers);
      BulkPeople plain(kTimedUsers);
      for (BulkPeople* people : {&bulk, &plain}) load_in_transactions(people->storage(), earlier);
      rules::restore_edges(plain.storage(), edges, kStart);
      BulkOptions options = small_steps();
      options.sorted_at_once = 40;
      CHECK(bulk_load(bulk.storage(), edges, options).stored == edges.size());
      CHECK(edges_in(bulk.storage(), kTimedUsers) == edges_in(plain.storage(), kTimedUsers));
      bulk.check_sound();
    }
  }
}

TEST_CASE("bulk edges: times of edges stay, whatever others change at any moment of the build") {
  std::mt19937_64 random(11);
  const Edges earlier = some_edges(random, kTimedUsers, 60);
  const auto edges = timed_edges(random, 120, earlier);
  const LoadedEdge staged{edges.front().follower, edges.front().followee};
  for (const auto& [name, act] : acts_on(earlier.front(), staged)) {
    for (int moment = 0; moment < 400; ++moment) {
      CAPTURE(name);
      CAPTURE(moment);
      BulkPeople people(kTimedUsers);
      const bool acted = load_with_act(people, earlier, edges, moment, act);
      const auto snapshot = people.storage().snapshot();
      int others = 0;
      for (const RestoredEdge& edge : std::span(edges).subspan(1)) {
        const auto since = snapshot->find(tables::Following::Key{edge.follower, edge.followee});
        const auto back = snapshot->find(tables::Followers::Key{edge.followee, edge.follower});
        if (since == edge.since && back == edge.since) continue;
        // The follow of a removed user, or between two users with a block.
        CHECK_FALSE(since);
        CHECK((edge.follower == staged.follower || edge.followee == staged.followee ||
               edge.follower == staged.followee || edge.followee == staged.follower));
        ++others;
      }
      const std::string what = name;
      if (what != "begin a removal" && what != "remove" && !what.starts_with("block")) {
        CHECK(others == 0);
      }
      if (!acted) break;
    }
  }
}

}  // namespace chirp::test::bulk_edge_times_test
