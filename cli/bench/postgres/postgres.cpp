// Figures of a store on PostgreSQL, each compared with a folder that has the same world.
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/bench/postgres/scratch.h"
#include "cli/bench/runs.h"
#include "cli/bench/scene.h"
#include "core/error.h"
#include "core/feed/home_feed.h"
#include "core/ports/changes.h"
#include "server/json/json_writer.h"
#include "store/data_directory.h"
#include "store/postgres/cluster/places.h"
#include "store/postgres/connection/connection.h"
#include "store/postgres/storage.h"

namespace chirp::cli::bench {
namespace postgres_bench {
namespace {

// For a temporary store.
constexpr std::string_view kUuid = "00000000-0000-4000-8000-000000000001";
constexpr std::uint32_t kMachine = 1;

constexpr std::size_t kServers = 4;
constexpr std::size_t kPagesCounted = 50;
constexpr std::size_t kChangesCounted = 1'024;
// Without the trips for rows that conditions lack.
constexpr double kTripsABatch = 4;
constexpr double kTripsAPage = 4;

// The world, in scratch databases.
class PostgresWorld {
 public:
  // Makes chirp's tables and a scene: in one database, or in home, which is the first, and the
  // other ones as nodes.
  PostgresWorld(const std::vector<std::string>& urls, const BenchRequest& request,
                const Clock& clock);

  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] postgres::PostgresStorage& storage() { return *storage_; }
  [[nodiscard]] const Scene& scene() const { return scene_; }
  // The connection to home.
  [[nodiscard]] postgres::Connection& connection() { return *connections_.front(); }
  // The connections to the databases that hold rows by key: the nodes, or home without nodes.
  [[nodiscard]] std::span<const std::unique_ptr<postgres::Connection>> of_rows() const {
    return std::span(connections_).subspan(is_spread() ? 1 : 0);
  }
  // The sum of a statement's count over these databases.
  [[nodiscard]] double count(std::string_view sql, const postgres::Params& params = {});
  // The size of tables with their indexes.
  [[nodiscard]] double bytes_of(std::span<const std::string_view> tables);
  // The number of times that batches fetched missing rows.
  [[nodiscard]] std::uint64_t fetches() const { return fetches_; }

 private:
  [[nodiscard]] bool is_spread() const { return connections_.size() > 1; }
  void make_tables(const std::vector<std::string>& urls);
  void let_nodes_wait(bool for_disk);
  void fill(const BenchRequest& request, const Clock& clock);

  std::string url_;
  std::vector<std::unique_ptr<postgres::Connection>> connections_;  // home first
  std::uint64_t fetches_ = 0;
  std::unique_ptr<postgres::PostgresStorage> storage_;
  Scene scene_;
};

PostgresWorld::PostgresWorld(const std::vector<std::string>& urls, const BenchRequest& request,
                             const Clock& clock)
    : url_(urls.front()) {
  for (const std::string& url : urls) {
    connections_.push_back(std::make_unique<postgres::Connection>(postgres::Address{url}));
  }
  make_tables(urls);
  fill(request, clock);
  postgres::StorageOptions options;
  options.at_step = [this](postgres::Step step) {
    if (step == postgres::Step::kFetched) ++fetches_;
  };
  storage_ = postgres::open_storage(url_, std::move(options));
  // Both are run by hand instead of by autovacuum. The first one waits until all data are on the
  // disk: before that, vacuum can't mark rows as visible to all.
  for (const auto& connection : connections_) {
    connection->script("analyze");
    connection->script("vacuum");
  }
}

void PostgresWorld::make_tables(const std::vector<std::string>& urls) {
  if (!is_spread()) {
    store::make_data_directory(store::DataPlace::named(url_), std::nullopt);
    return;
  }
  const std::vector<std::string> nodes(urls.begin() + 1, urls.end());
  postgres::init_nodes(
      url_, nodes,
      {postgres::kFormatVersion, std::string(kUuid), kMachine, std::string(postgres::kNodes)}, {});
}

// Home opens sessions to the nodes itself, so the nodes' own default for later sessions is changed.
void PostgresWorld::let_nodes_wait(bool for_disk) {
  if (!is_spread()) return;
  for (const auto& node : of_rows()) {
    node->script(
        fmt::format("do $$ begin execute format('alter database %I {}',"
                    " current_database()); end $$",
                    for_disk ? "reset synchronous_commit" : "set synchronous_commit = off"));
  }
}

// Loads like an operator, but without waiting for the disk.
void PostgresWorld::fill(const BenchRequest& request, const Clock& clock) {
  let_nodes_wait(false);
  std::chrono::steady_clock::duration later{};
  postgres::StorageOptions options;
  options.now = [&later] { return std::chrono::steady_clock::now() + later; };
  options.edges_at_once = 100'000;  // there are no other writers
  options.database.may_lose = true;
  const auto storage = postgres::open_storage(unsynced(url_), std::move(options));
  scene_ = fill_scene(*storage, request, clock);
  // Sweeps replaced versions at once; by itself the store does it two minutes later.
  later = 2 * postgres::kSweepAfter;
  storage->sweep();
  let_nodes_wait(true);
}

double PostgresWorld::count(std::string_view sql, const postgres::Params& params) {
  std::int64_t sum = 0;
  for (const auto& connection : of_rows()) {
    const postgres::Result found = connection->run(sql, params);
    if (!found.is_null(0, 0)) sum += found.number(0, 0);
  }
  return static_cast<double>(sum);
}

double PostgresWorld::bytes_of(std::span<const std::string_view> tables) {
  double bytes = 0;
  for (const std::string_view table : tables) {
    bytes +=
        count("select pg_total_relation_size($1::text::regclass)", postgres::Params().text(table));
  }
  return bytes;
}

// Prints the server's settings that affect writes.
void print_server(Output& out, postgres::Connection& connection) {
  constexpr std::array kSettings{"server_version",   "fsync",     "synchronous_commit",
                                 "full_page_writes", "wal_level", "shared_buffers",
                                 "max_wal_size"};
  api::JsonWriter json;
  json.begin_object().field("name", "server");
  std::string said;
  for (const char* const setting : kSettings) {
    const std::string value =
        connection.run("select current_setting($1::text)", postgres::Params().text(setting))
            .text(0, 0);
    json.field(setting, value);
    said += fmt::format("{}{} {}", said.empty() ? "" : ", ", setting, value);
  }
  json.field("worldMade", "unsafe: synchronous_commit = off");
  json.end_object();
  if (out.json()) {
    out.document(json);
  } else {
    out.print(said + ", world made unsafely (synchronous_commit = off)\n");
  }
  out.flush();
}

struct MeasuredRows {
  std::string name;
  std::vector<std::string_view> tables;
  std::string_view counted;  // the number of them
  double at_most = 0;
};

// The stored bytes of the world; must run before anything else is written.
void print_bytes(Output& out, PostgresWorld& world) {
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
  for (const auto& connection : world.of_rows()) {
    connection->script("vacuum full following");
    connection->script("vacuum full followers");
  }
  for (const MeasuredRows& kind : kinds) {
    const double count = world.count(kind.counted);
    print(out, Measure{"bytes: " + kind.name, world.bytes_of(kind.tables) / std::max(count, 1.0),
                       "bytes", kind.at_most});
  }
}

// The maximum over the pages of some readers.
double most_trips(PostgresWorld& world, const Clock& clock) {
  std::uint64_t most = 0;
  const PageReaders readers(world.scene().readers);
  for (std::size_t i = 0; i < std::min(kPagesCounted, readers.all().size()); ++i) {
    const std::uint64_t before = world.storage().round_trips();
    (void)feed::hydrated_page(*world.storage().snapshot(), readers.page_of(i), clock);
    most = std::max(most, world.storage().round_trips() - before);
  }
  return static_cast<double>(most);
}

// Round trips of pages and batches.
void print_trips(Output& out, PostgresWorld& world, const Clock& clock) {
  const Scene& scene = world.scene();
  print(out, Measure{"round trips: page", most_trips(world, clock), "trips", kTripsAPage});
  std::vector<Change> changes;
  for (std::size_t i = 0; i < kChangesCounted; ++i) {
    const UserNumber author = i < scene.stars.size() ? scene.stars[i] : scene.user(i * 7919);
    changes.emplace_back(Publish{author, post_text(i), Privacy::kPublic});
  }
  const auto posted = world.storage().write(changes, clock.now());
  changes.clear();
  const std::size_t stars = scene.stars.size();
  for (std::size_t i = 0; i < posted.size(); ++i) {
    // Each star reposts another one's post, and others react.
    if (i < stars) {
      changes.emplace_back(Repost{scene.stars[(i + 1) % stars], posted[i].post});
    } else {
      changes.emplace_back(React{scene.user(i * 104'729), posted[i].post});
    }
  }
  const std::uint64_t fetches = world.fetches();
  const std::uint64_t before = world.storage().round_trips();
  world.storage().write(changes, clock.now());
  const std::uint64_t trips = world.storage().round_trips() - before;
  print(out,
        Measure{"round trips: batch, less conditions",
                static_cast<double>(trips - (world.fetches() - fetches)), "trips", kTripsABatch});
  print(out,
        Measure{"round trips: page with reposts", most_trips(world, clock), "trips", kTripsAPage});
}

void print_deliveries(Output& out, PostgresWorld& world, SceneBench& bench) {
  const auto log_end = [&] {
    return static_cast<double>(
        world.connection().run("select (pg_current_wal_insert_lsn() - '0/0')::int8").number(0, 0));
  };
  const auto deliver = [&](const char* name, std::uint64_t posts_a_star, double bytes_at_most) {
    const double bytes = bench.deliveries(name, posts_a_star, log_end);
    print(out, Measure{fmt::format("log of a delivery, {}", name), bytes, "bytes", bytes_at_most});
  };
  deliver("one a viewer", 1, 300);
  deliver("ten a viewer", 10, 60);
}

void measure_world(Context& context, const BenchRequest& request, PostgresWorld& world) {
  print_server(context.out(), world.connection());
  World folder(context.clock());
  (void)fill_scene(folder.storage(), request, context.clock());
  print_bytes(context.out(), world);
  SceneBench bench(context, request, world.scene(), world.storage(), folder.storage(),
                   "the same on a folder");
  bench.pages();
  print_deliveries(context.out(), world, bench);
  print_trips(context.out(), world, context.clock());
  bench.changes();
  std::vector<std::unique_ptr<Storage>> servers;
  std::vector<Storage*> stores;
  for (std::size_t i = 0; i < kServers; ++i) {
    stores.push_back(servers.emplace_back(postgres::open_storage(world.url())).get());
  }
  bench.posts_at_once(stores);
  bench.load_of_follows();
}

}  // namespace
}  // namespace postgres_bench

void run_postgres(Context& context, const BenchRequest& request) {
  using namespace postgres_bench;
  if (!request.directory || !request.directory->is_database()) {
    throw Error(ErrorCode::kInvalidArgument,
                "Name a server to measure on: --data postgresql://HOST/DATABASE. The benchmark "
                "makes a database beside that one and drops it at the end.",
                "data");
  }
  const std::size_t databases = 1 + request.nodes;
  with_scratch_databases(request.directory->url(), databases, [&](auto urls) {
    PostgresWorld world({urls.begin(), urls.end()}, request, context.clock());
    measure_world(context, request, world);
  });
}

}  // namespace chirp::cli::bench
