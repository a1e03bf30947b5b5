#include "tests/support/bulk_people.h"

#include <algorithm>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::test {

BulkOptions small_steps() {
  BulkOptions options;
  options.since = kStart;
  options.memory = 4'096;
  options.piece = 2'000;
  options.sorted_at_once = kRunEdges;
  options.changes_at_end = 2;
  return options;
}

LoadCounts bulk_load(Storage& storage, const Edges& edges, const BulkOptions& options,
                     const Between& between) {
  const auto bulk = storage.bulk_edges(options);
  REQUIRE(bulk);
  for (std::size_t i = 0; i < edges.size(); i += kRunEdges) {
    std::vector<std::uint64_t> keys;
    for (std::size_t j = i; j < std::min(edges.size(), i + kRunEdges); ++j) {
      keys.push_back(std::uint64_t{edges[j].follower.value} << 32 | edges[j].followee.value);
    }
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    bulk->add(keys);
  }
  int transactions = 0;
  return bulk->finish(kStart, [&](const std::function<void()>& transaction) {
    transaction();
    if (between) between(transactions++);
  });
}

LoadCounts load_in_transactions(Storage& storage, std::span<const LoadedEdge> edges) {
  LoadCounts counts;
  while (!edges.empty()) {
    const EdgeResult result = rules::load_edges(storage, edges, kStart);
    counts.stored += result.counts.stored;
    counts.duplicates += result.counts.duplicates;
    counts.missing += result.counts.missing;
    counts.severed += result.counts.severed;
    edges = edges.subspan(result.taken);
  }
  return counts;
}

Edges some_edges(std::mt19937_64& random, std::uint32_t users, std::size_t count) {
  Edges edges;
  while (edges.size() < count) {
    const UserNumber follower{1 + static_cast<std::uint32_t>(random() % users)};
    const UserNumber followee{1 + static_cast<std::uint32_t>(random() % users)};
    if (follower != followee) edges.push_back({follower, followee});
  }
  return edges;
}

std::vector<std::string> edges_in(const Storage& storage, std::uint32_t users) {
  using namespace tables;
  const auto snapshot = storage.snapshot();
  std::vector<std::string> lines{fmt::format("{} follows", snapshot->table_rows().at("follows"))};
  for (std::uint32_t i = 1; i <= users; ++i) {
    const UserNumber user{i};
    for (const auto& [key, since] : snapshot->range(
             Following::Key{user, kNobody}, Following::Key{user, UserNumber{~std::uint32_t{0}}},
             Direction::kUp, kAll)) {
      lines.push_back(fmt::format("{} > {} {}", i, key.followee.value, since.ms));
    }
    for (const auto& [key, since] : snapshot->range(
             Followers::Key{user, kNobody}, Followers::Key{user, UserNumber{~std::uint32_t{0}}},
             Direction::kUp, kAll)) {
      lines.push_back(fmt::format("{} < {} {}", i, key.follower.value, since.ms));
    }
    if (const auto counts = snapshot->find(UserCounts::Key{user})) {
      lines.push_back(
          fmt::format("{}: {} {} {}", i, counts->followers, counts->following, counts->posts));
    }
    if (const auto mark = snapshot->find(Marks::Key{user})) {
      lines.push_back(fmt::format("{} is {}", i, feed::name(mark->tier)));
    }
  }
  return lines;
}

BulkPeople::BulkPeople(std::uint32_t count) : users(count), world(lmdb_kind()) {
  sign_up(world.storage(), count);
  world.drain();
  world.change_settings([](feed::FeedSettings& settings) {
    settings.influencer_from = 6;
    settings.celebrity_above = 12;
  });
}

void BulkPeople::check_sound() const {
  CHECK(storage().snapshot()->problems() == std::vector<std::string>{});
  CHECK(first_breach(storage()) == "");
}

std::vector<std::pair<const char*, BulkAct>> acts_on(LoadedEdge there, LoadedEdge staged) {
  return {
      {"unfollow",
       [=](BulkPeople& p) {
         p.world.apply(Unfollow{there.follower, there.followee});
       }},
      {"follow",
       [=](BulkPeople& p) {
         p.world.apply(Follow{staged.follower, staged.followee});
       }},
      {"follow and unfollow",
       [=](BulkPeople& p) {
         p.world.apply(Follow{staged.follower, staged.followee});
         p.world.apply(Unfollow{staged.follower, staged.followee});
       }},
      {"block",
       [=](BulkPeople& p) {
         p.world.apply(Relate{staged.followee, staged.follower});
       }},
      {"block and unblock",
       [=](BulkPeople& p) {
         p.world.apply(Relate{staged.follower, staged.followee});
         p.world.apply(Unrelate{staged.follower, staged.followee});
       }},
      {"begin a removal", [=](BulkPeople& p) { p.world.apply(MarkRemoved{staged.followee}); }},
      {"remove",
       [=](BulkPeople& p) {
         p.world.apply(MarkRemoved{staged.follower});
         while (!rules::remove_traces(p.storage(), staged.follower, 3, kStart)) continue;
       }},
      {"sign up",
       [=](BulkPeople& p) {
         p.world.apply(PutCard{card(kActors + 1)});
         p.world.follow(UserNumber{kActors + 1}, staged.followee);
       }},
      {"repair", [=](BulkPeople& p) { CHECK(p.storage().repair_indexes(kStart) == 0); }},
      {"settle", [=](BulkPeople& p) { p.storage().settle(); }},
      {"consumers",
       [=](BulkPeople& p) {
         p.world.post(staged.followee);
         p.world.drain();
       }},
      {"load",
       [=](BulkPeople& p) {
         load_in_transactions(p.storage(), std::vector<LoadedEdge>{staged, there});
       }},
      {"bounds",
       [=](BulkPeople& p) {
         p.world.change_settings(
             [](feed::FeedSettings& settings) { settings.influencer_from = 4; });
       }},
  };
}

LoadCounts bulk_load(Storage& storage, std::span<const RestoredEdge> edges, BulkOptions options,
                     const Between& between) {
  options.since.reset();
  const auto bulk = storage.bulk_edges(options);
  REQUIRE(bulk);
  for (; !edges.empty(); edges = edges.subspan(std::min<std::size_t>(edges.size(), 50))) {
    std::vector<TimedEdge> run;
    for (const RestoredEdge& edge : edges.first(std::min<std::size_t>(edges.size(), 50))) {
      run.push_back({std::uint64_t{edge.follower.value} << 32 | edge.followee.value, edge.since});
    }
    std::ranges::sort(run, {}, &TimedEdge::key);
    bulk->add(run);
  }
  int transactions = 0;
  return bulk->finish(kStart, [&](const std::function<void()>& transaction) {
    transaction();
    if (between) between(transactions++);
  });
}

}  // namespace chirp::test
