// Bytes of stored rows, and round trips of queries.
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "cli/bench/postgres/scene.h"
#include "cli/bench/world.h"
#include "core/feed/home_feed.h"
#include "core/ports/changes.h"

namespace chirp::cli::bench {
namespace {

constexpr std::size_t kPagesCounted = 50;
constexpr std::size_t kChangesCounted = 1'024;
// Without the trips for rows that conditions lack.
constexpr double kTripsABatch = 4;
constexpr double kTripsAPage = 4;

struct MeasuredRows {
  std::string name;
  std::vector<std::string_view> tables;
  std::string_view counted;  // the number of them
  double at_most = 0;
};

// The maximum over the pages of some readers.
std::uint64_t most_trips(PostgresScene& scene) {
  std::uint64_t most = 0;
  const auto readers = scene.readers();
  for (std::size_t i = 0; i < std::min(kPagesCounted, readers.size()); ++i) {
    const std::uint64_t before = scene.storage().round_trips();
    feed::PageRequest request;
    request.viewer = readers[i];
    (void)feed::hydrated_page(*scene.storage().snapshot(), request, scene.clock());
    most = std::max(most, scene.storage().round_trips() - before);
  }
  return most;
}

}  // namespace

void run_postgres_bytes(PostgresScene& scene) {
  const std::array kinds{
      MeasuredRows{
          "post and log entry", {"posts", "author_logs"}, "select count(*) from posts", 360},
      MeasuredRows{"edge, both ways",
                   {"following", "followers"},
                   "select sum(cardinality(others))::int8 from following where died is null",
                   20},
      MeasuredRows{"timeline entry",
                   {"timelines", "timeline_parts"},
                   "select sum(n + parts)::int8 from timelines",
                   8},
      MeasuredRows{"reaction",
                   {"reactions", "reactions_by"},
                   "select count(*) from reactions where died is null",
                   270}};
  for (const auto& connection : scene.of_rows()) {
    connection->script("vacuum full following");
    connection->script("vacuum full followers");
  }
  for (const MeasuredRows& kind : kinds) {
    const double count = scene.count(kind.counted);
    print(scene.context().out(),
          Measure{"bytes: " + kind.name, scene.bytes_of(kind.tables) / std::max(count, 1.0),
                  "bytes", kind.at_most});
  }
}

void run_postgres_trips(PostgresScene& scene) {
  Output& out = scene.context().out();
  print(out,
        Measure{"round trips: page", static_cast<double>(most_trips(scene)), "trips", kTripsAPage});
  std::vector<Change> changes;
  for (std::size_t i = 0; i < kChangesCounted; ++i) {
    const UserNumber author = i < scene.stars().size() ? scene.stars()[i] : scene.user(i * 7919);
    changes.emplace_back(Publish{author, post_text(i), Privacy::kPublic});
  }
  const auto posted = scene.storage().write(changes, scene.clock().now());
  changes.clear();
  const std::size_t stars = scene.stars().size();
  for (std::size_t i = 0; i < posted.size(); ++i) {
    // Each star reposts another one's post, and others react.
    if (i < stars) {
      changes.emplace_back(Repost{scene.stars()[(i + 1) % stars], posted[i].post});
    } else {
      changes.emplace_back(React{scene.user(i * 104'729), posted[i].post});
    }
  }
  const std::uint64_t fetches = scene.fetches();
  const std::uint64_t before = scene.storage().round_trips();
  scene.storage().write(changes, scene.clock().now());
  const std::uint64_t trips = scene.storage().round_trips() - before;
  print(out,
        Measure{"round trips: batch, less conditions",
                static_cast<double>(trips - (scene.fetches() - fetches)), "trips", kTripsABatch});
  print(out, Measure{"round trips: page with reposts", static_cast<double>(most_trips(scene)),
                     "trips", kTripsAPage});
}

}  // namespace chirp::cli::bench
