// Goal: a page shows what its snapshot's timeline held, of which only the newest entries come at
// once, whatever becomes of the timeline before the rest is asked for.
// Method: a timeline of several parts, of which a page asks for the newest entries and then for
// older ones, while others build it anew, cut it or drop it; the logs say what has to come.
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/rules/writing.h"
#include "store/postgres/storage.h"
#include "tests/support/fake_clock.h"
#include "tests/support/postgres_server.h"
#include "tests/support/storage_contract.h"

namespace chirp::test::postgres_timelines_test {
namespace {

constexpr UserNumber kReader{1};
constexpr std::uint32_t kPosts = 900;

struct World {
  World() {
    for (std::uint32_t number = 1; number <= 3; ++number) write(PutCard{card(number)});
    write(Follow{kReader, UserNumber{2}});
    write(Follow{kReader, UserNumber{3}});
    post(kPosts);
    build();
  }
  void write(const Change& change) { storage->write({&change, 1}, clock.now()); }
  void post(std::uint32_t count) {
    std::vector<Change> posts;
    for (std::uint32_t i = 0; i < count; ++i)
      posts.emplace_back(Publish{UserNumber{2 + i % 2}, "text"});
    storage->write(posts, clock.now());
    events::drain(*storage, clock);
  }
  void build() {
    const auto built = feed::build_timeline(*storage->snapshot(), kReader, clock);
    REQUIRE(rules::store(*storage, built.value(), Replace::kAlways, clock.now()));
  }

  PostgresDatabase database{kTestMachine};
  std::unique_ptr<postgres::PostgresStorage> storage = postgres::open_storage(database.url());
  FakeClock clock{kStart};
};

std::vector<PostId> ids_of(const std::vector<Entry>& entries) {
  std::vector<PostId> ids;
  for (const Entry& entry : entries) ids.push_back(entry.id);
  return ids;
}

// Both ways, in steps of two sizes. What was delivered since may be there, too.
void check_entries(const Snapshot& snapshot, PostId above) {
  const std::vector authors{kReader, UserNumber{2}, UserNumber{3}};
  const auto check = [&](IdRange range, Direction direction, std::uint32_t limit) {
    const auto found = ids_of(snapshot.timeline_entries(kReader, range, direction, limit));
    CHECK(found == ids_of(snapshot.author_entries(authors, range, direction, limit)));
    return found;
  };
  const PostId below{snapshot.state().last_id.value + 1};
  for (const std::uint32_t limit : {20U, 200U}) {
    IdRange down{above, below};
    for (auto ids = check(down, Direction::kDown, limit); ids.size() == limit;) {
      down.below = ids.back();
      ids = check(down, Direction::kDown, limit);
    }
    IdRange up{above, below};
    for (auto ids = check(up, Direction::kUp, limit); ids.size() == limit;) {
      up.above = ids.back();
      ids = check(up, Direction::kUp, limit);
    }
  }
}

}  // namespace

TEST_CASE("postgres timelines: what the newest entries are not enough for comes behind them") {
  if (!has_postgres()) return;
  using Happens = std::function<void(World&)>;
  const std::vector<Happens> happenings{
      [](World&) {},
      [](World& world) { world.post(30); },  // it is cut
      [](World& world) { world.post(20); },
      [](World& world) { world.post(400); },
      [](World& world) { world.build(); },
      [](World& world) { rules::drop_timeline(*world.storage, kReader); },
  };
  World world;
  for (const Happens& happens : happenings) {
    // From here on this process knows how long timelines may be.
    REQUIRE(world.storage->snapshot()->state().settings.cap > 512);
    const auto snapshot = world.storage->snapshot();
    const FeedSources sources = snapshot->feed_sources(kReader);
    REQUIRE(sources.has_timeline);
    const std::uint64_t before = world.storage->round_trips();
    const auto newest = snapshot->timeline_entries(kReader, {}, Direction::kDown, 30);
    CHECK(newest.size() == 30);
    CHECK(world.storage->round_trips() == before);
    happens(world);
    const PostId above{sources.complete_from.value - 1};
    if (above < newest.back().id) check_entries(*snapshot, above);
    CHECK(snapshot->timeline(kReader).value().complete_from == sources.complete_from);
  }
}

}  // namespace chirp::test::postgres_timelines_test
