// The benchmarks behind `chirp bench`, one file each.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/bench/figure.h"
#include "cli/bench/world.h"
#include "cli/context.h"
#include "core/model/policy.h"
#include "store/data_place.h"

namespace chirp::cli::bench {

// A world loaded by chirp's own commands.
struct LoadSize {
  std::uint64_t edges = 0;
  bool users_first = false;   // whether users are loaded before the graph
  bool random_order = false;  // whether posts are in random order, not by time
  bool alone = false;         // without other writers
};

// The options of the command line. A benchmark has its own defaults for missing ones.
struct BenchRequest {
  std::optional<std::uint32_t> users;
  std::optional<std::uint64_t> follows;
  std::optional<std::uint64_t> posts;
  std::uint64_t threads = 1;
  double seconds = 3;
  std::optional<feed::Policy> policy;
  std::optional<store::DataPlace> directory;  // runs on a copy of it; reference: keeps its world
                                              // in it; postgres, http: make a database beside it
  std::uint64_t cache_mb = 0;                 // of the hot set; 0: no hot set is measured
  std::optional<double> reads;                // per second, for the reference load
  std::optional<double> writes;               // per second, for the reference load
  std::uint32_t nodes = 0;                    // besides home, for postgres: 0 is one database
  std::optional<LoadSize> load{};             // replaces the usual loads
  bool beside_redis = false;                  // also measures feeds and deliveries in Redis
};

// Home-feed pages of 20 posts, pushed and pulled, as objects and as JSON: without a hot set, with a
// cold one, and with a warm one; also with twice the threads.
void run_feed(Context& context, const BenchRequest& request);
// The cost of a page, cold and warm, in worlds of growing size.
void run_growth(Context& context, const BenchRequest& request);
// Deliveries of posts into timelines, and the counters.
void run_fan_out(Context& context, const BenchRequest& request);
// Runs fan-out to the end of the log. Fills in the deliveries into timelines, seconds and the times
// of the steps. Returns the number of steps.
std::size_t measure_deliveries(Figure& figure, Storage& storage, const Clock& clock);
// Reactions processed by the counters, and feed pages with the counts.
void run_react(Context& context, const BenchRequest& request);
// Removing a user with many followers and posts, while another writer writes.
void run_removal(Context& context, const BenchRequest& request);
// Counting, trimming and building, while another writer writes.
void run_upkeep(Context& context, const BenchRequest& request);
// A graph and posts, from text.
void run_load(Context& context, const BenchRequest& request);
// Loads into a world of the size in `request.load`, by chirp's own commands, each in a process of
// its own. Prints for each load its rows, seconds and all bytes written by its process, and the
// waiting times of other writers meanwhile.
void run_load_world(Context& context, const BenchRequest& request);
// The server, loaded by another process: feed pages, the same with many connections, and posts.
// With a database, feed pages there beside those from a folder, and while the database is loaded.
void run_http(Context& context, const BenchRequest& request);
// Pages, deliveries and writes on a PostgreSQL server, beside plain SQL.
void run_postgres(Context& context, const BenchRequest& request);
// Pages, durable posts and deliveries of a large network at once, each on its own schedule.
void run_reference(Context& context, const BenchRequest& request);

}  // namespace chirp::cli::bench
