// A load of follows into the world, compared with bare inserts of the same rows.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cli/bench/figure.h"
#include "cli/bench/postgres/plain.h"
#include "cli/bench/postgres/scene.h"
#include "cli/bench/world.h"
#include "core/load/edge_window.h"
#include "core/rules/writing.h"

namespace chirp::cli::bench {
namespace {

constexpr std::uint64_t kFollowsAUser = 10;
constexpr std::size_t kInsertedAtOnce = 4'096;
constexpr double kFloorOfFollows = 0.3;

// Random follows among all users. Some of them exist already.
load::EdgeWindow some_follows(const PostgresScene& scene) {
  Random random(6);
  std::vector<std::uint64_t> keys;
  for (std::uint64_t n = 0; n < kFollowsAUser * scene.users(); ++n) {
    const UserNumber follower = scene.user(n);
    const UserNumber followee = scene.user(random.next());
    if (follower != followee) keys.push_back(load::edge_key(follower, followee));
  }
  std::vector<std::uint64_t> scratch;
  load::sort_edges(keys, scratch);
  load::EdgeWindow window;
  window.add_run(keys);
  return window;
}

template <class Store>
double seconds_of(const load::EdgeWindow& window, Store store) {
  const auto start = BenchClock::now();
  window.each_slice([&](std::span<const LoadedEdge> edges) {
    while (!edges.empty()) edges = edges.subspan(store(edges));
  });
  return seconds_since(start);
}

}  // namespace

void run_postgres_follows(PostgresScene& scene) {
  const load::EdgeWindow window = some_follows(scene);
  const auto edges = window.edges();
  Figure figure{.name = "follows, a load", .policy = "", .operations = edges};
  figure.seconds = seconds_of(window, [&](std::span<const LoadedEdge> rest) {
    return rules::load_edges(scene.storage(), rest, scene.clock().now()).taken;
  });
  PlainTables plain(scene.url());
  const double seconds = seconds_of(window, [&](std::span<const LoadedEdge> rest) {
    const auto some = rest.first(std::min(rest.size(), kInsertedAtOnce));
    plain.follow(some);
    return some.size();
  });
  figure.reference = "bare inserts of the same rows";
  figure.reference_rate = static_cast<double>(edges) / seconds;
  if (!scene.is_spread()) figure.floor = kFloorOfFollows;
  print(scene.context().out(), figure);
}

}  // namespace chirp::cli::bench
