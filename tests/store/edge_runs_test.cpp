// Goal: sorted runs give back what was put, in order, each edge once, wherever they lie; one user's
// edges are found in them; the file of a run has no name. Method: random edges, a few users or
// many, in runs of several lengths, with room in memory for all, some or none of them, against a
// std::set.
#include "store/lmdb/edge_runs.h"

#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/temp_folder.h"

namespace chirp::test::edge_runs_test {
namespace {

using lmdb::EdgeMerge;
using lmdb::EdgeRuns;
using Edges = std::set<std::uint64_t>;

constexpr std::size_t kRunEdges = 1'000;

std::vector<std::uint64_t> read_all(const EdgeRuns& runs, std::uint64_t& repeated) {
  std::vector<std::uint64_t> edges;
  EdgeMerge merge(runs);
  for (; !merge.done(); merge.next()) edges.push_back(merge.edge());
  repeated = merge.repeated();
  return edges;
}

Edges some_edges(std::mt19937_64& random, std::size_t count, std::uint32_t users) {
  Edges edges;
  for (std::size_t i = 0; i < count; ++i) {
    const auto drawn = [&] { return UserNumber{static_cast<std::uint32_t>(random() % users)}; };
    edges.insert(lmdb::edge_number(drawn(), drawn()));
  }
  return edges;
}

}  // namespace

TEST_CASE("edge runs: all edges come in order, each once") {
  std::mt19937_64 random(3);
  for (const std::size_t memory : {std::size_t{0}, std::size_t{20'000}, std::size_t{1} << 30}) {
    for (const std::uint32_t users : {2U, 300U, ~0U}) {
      for (const std::size_t runs_wanted : {0U, 1U, 2U, 9U}) {
        CAPTURE(memory);
        CAPTURE(users);
        CAPTURE(runs_wanted);
        const TempFolder folder;
        EdgeRuns runs(folder / "load.tmp", memory);
        Edges all;
        std::uint64_t put = 0;
        for (std::size_t i = 0; i < runs_wanted; ++i) {
          const Edges run = some_edges(random, kRunEdges * (i % 3 == 2 ? 20 : 1), users);
          runs.add_run(std::vector<std::uint64_t>(run.begin(), run.end()));
          all.insert(run.begin(), run.end());
          put += run.size();
        }
        runs.add_run(std::vector<std::uint64_t>{});
        CHECK(runs.runs() == runs_wanted);
        CHECK(runs.edges() == put);
        std::uint64_t repeated = 0;
        CHECK(read_all(runs, repeated) == std::vector<std::uint64_t>(all.begin(), all.end()));
        CHECK(repeated == put - all.size());
        const bool has_folder = std::filesystem::exists(folder / "load.tmp");
        CHECK_FALSE((has_folder && memory == std::size_t{1} << 30));
        if (!has_folder) continue;
        CHECK(std::filesystem::is_empty(folder / "load.tmp"));
        CHECK(std::filesystem::status(folder / "load.tmp").permissions() ==
              std::filesystem::perms::owner_all);
      }
    }
  }
}

TEST_CASE("edge runs: a run is read from any edge on") {
  std::mt19937_64 random(4);
  for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 30}) {
    CAPTURE(memory);
    const TempFolder folder;
    EdgeRuns runs(folder / "load.tmp", memory);
    const Edges edges = some_edges(random, 30'000, 500);
    runs.begin_run();
    for (const std::uint64_t edge : edges) runs.add(edge, Time{});
    runs.end_run();
    for (std::uint32_t user = 0; user <= 501; ++user) {
      const std::uint64_t from = lmdb::edge_number(UserNumber{user}, kNobody);
      EdgeRuns::Cursor cursor(runs, 0, from, 0);
      auto expected = edges.lower_bound(from);
      for (; expected != edges.end() && lmdb::upper_of(*expected).value == user; ++expected) {
        REQUIRE_FALSE(cursor.done());
        REQUIRE(cursor.edge() == *expected);
        cursor.next();
      }
      CHECK(cursor.done() == (expected == edges.end()));
      if (!cursor.done()) CHECK(cursor.edge() == *expected);
    }
  }
}

namespace {

// Times as a store may have them: equal ones, the next millisecond, years before and after.
Time some_time(std::mt19937_64& random) {
  switch (random() % 4) {
    case 0:
      return {snowflake::kEpochMs};
    case 1:
      return {snowflake::kEpochMs + 1};
    case 2:
      return {snowflake::kEpochMs + static_cast<std::int64_t>(random() >> 22)};
    default:
      return {};
  }
}

}  // namespace

TEST_CASE("edge runs: each edge keeps a time of its own, and a time of all takes no bytes") {
  std::mt19937_64 random(5);
  for (const std::size_t memory : {std::size_t{0}, std::size_t{20'000}, std::size_t{1} << 30}) {
    for (const std::uint32_t users : {2U, 300U, ~0U}) {
      CAPTURE(memory);
      CAPTURE(users);
      const TempFolder folder;
      EdgeRuns runs(folder / "load.tmp", memory, std::nullopt);
      EdgeRuns same(folder / "load.tmp", memory, Time{7});
      EdgeRuns plain(folder / "load.tmp", memory);
      std::map<std::uint64_t, std::int64_t> all;
      for (std::size_t i = 0; i < 4; ++i) {
        std::vector<TimedEdge> run;
        std::vector<std::uint64_t> keys;
        for (const std::uint64_t edge : some_edges(random, kRunEdges * (1 + 9 * (i % 2)), users)) {
          const Time since = some_time(random);
          keys.push_back(edge);
          if (all.emplace(edge, since.ms).second) run.push_back({edge, since});
        }
        runs.add_run(run);
        same.add_run(keys);
        plain.add_run(keys);
        for (EdgeRuns::Cursor cursor(same, i); !cursor.done(); cursor.next()) {
          REQUIRE(cursor.since() == Time{7});
        }
      }
      CHECK(same.bytes() == plain.bytes());
      EdgeMerge merge(runs);
      for (const auto& [edge, since] : all) {
        REQUIRE_FALSE(merge.done());
        REQUIRE(merge.edge() == edge);
        REQUIRE(merge.since() == Time{since});
        merge.next();
      }
      CHECK(merge.done());
    }
  }
}

TEST_CASE("edge runs: times are right wherever reading begins") {
  std::mt19937_64 random(6);
  const TempFolder folder;
  EdgeRuns runs(folder / "load.tmp", 0, std::nullopt);
  std::map<std::uint64_t, Time> all;
  for (const std::uint64_t edge : some_edges(random, 20'000, 300)) {
    all.emplace(edge, some_time(random));
  }
  runs.begin_run();
  for (const auto& [edge, since] : all) runs.add(edge, since);
  runs.end_run();
  for (std::uint32_t user = 0; user < 300; ++user) {
    const std::uint64_t from = lmdb::edge_number(UserNumber{user}, kNobody);
    EdgeRuns::Cursor cursor(runs, 0, from, 0);
    const auto expected = all.lower_bound(from);
    REQUIRE(cursor.done() == (expected == all.end()));
    if (cursor.done()) continue;
    CHECK(cursor.edge() == expected->first);
    CHECK(cursor.since() == expected->second);
  }
}

TEST_CASE("edge runs: runs that are cleared are gone, and others take their place") {
  const TempFolder folder;
  EdgeRuns runs(folder / "load.tmp", 0);
  for (std::uint64_t round = 1; round < 4; ++round) {
    runs.add_run(std::vector<std::uint64_t>{round, round + 10});
    std::uint64_t repeated = 0;
    CHECK(read_all(runs, repeated) == std::vector<std::uint64_t>{round, round + 10});
    runs.clear();
    CHECK(runs.runs() == 0);
    CHECK(runs.edges() == 0);
  }
}

}  // namespace chirp::test::edge_runs_test
