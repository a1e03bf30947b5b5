// The benchmarks behind `chirp bench`, one file each.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/bench/world.h"
#include "cli/context.h"
#include "core/model/policy.h"
#include "store/data_place.h"

namespace chirp::cli::bench {

// A world that is loaded by the commands themselves.
struct LoadSize {
  std::uint64_t edges = 0;
  bool users_first = false;   // before the graph that names them
  bool random_order = false;  // of the posts; by time otherwise
  bool alone = false;         // without other writers
};

// What the command line says; absent options take each benchmark's own default.
struct Request {
  std::optional<std::uint32_t> users;
  std::optional<std::uint64_t> follows;
  std::optional<std::uint64_t> posts;
  std::uint64_t threads = 1;
  double seconds = 3;
  std::optional<feed::Policy> policy;
  std::optional<store::DataPlace> directory;  // to run on a copy of; of the reference load: to
                                              // keep; of postgres and http: to make one beside
  std::uint64_t cache_mb = 0;                 // of the hot set; 0: none is measured
  std::optional<double> reads;                // a second, of the reference load
  std::optional<double> writes;               // likewise
  std::uint32_t nodes = 0;                    // beside home, of postgres: 0 is one database
  std::optional<LoadSize> load{};             // instead of the usual loads
  bool beside_redis = false;                  // feeds and their deliveries beside those in Redis
};

// Home-feed pages of 20 posts, pushed and pulled, as they are and as JSON: without a hot set, out
// of one that holds nothing, and out of one that holds as much as it may, by twice the threads too.
void run_feed(Context& context, const Request& request);
// The cost of a page, cold and warm, in worlds of ever more users.
void run_growth(Context& context, const Request& request);
// Deliveries of posts into timelines, and the counters beside them.
void run_fan_out(Context& context, const Request& request);
// Reactions taken in by the counters, and feed pages with what they count.
void run_react(Context& context, const Request& request);
// Somebody with many followers and posts removed, while somebody else writes.
void run_removal(Context& context, const Request& request);
// Counting, trimming, building and a removal, while somebody else writes.
void run_upkeep(Context& context, const Request& request);
// A graph and posts, from text.
void run_load(Context& context, const Request& request);
// The server, asked from another process: feed pages, the same in a crowd, and posts.
void run_http(Context& context, const Request& request);
// The same of servers on a folder and on a database, by turns; and while others load into that.
void run_http_on_postgres(Context& context, const Request& request);
// Pages, deliveries and writes on a server of PostgreSQL, beside plain SQL.
void run_postgres(Context& context, const Request& request);
// Pages, durable posts and deliveries of a large network at once, each on its clock.
void run_reference(Context& context, const Request& request);

}  // namespace chirp::cli::bench
