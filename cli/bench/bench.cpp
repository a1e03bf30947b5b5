// `chirp bench`: measures this machine, and each figure's reference in the same run.
#include <array>
#include <string>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/bench/runs.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/hot/hot_set.h"

namespace chirp::cli {
namespace {

constexpr std::uint64_t kUntold = ~std::uint64_t{0};
// The size of the world that `bench load --full` makes.
constexpr std::uint32_t kFullUsers = 10'000'000;
constexpr std::uint64_t kFullEdges = 100'000'000;
constexpr std::uint64_t kFullPosts = 20'000'000;

struct BenchOptions {
  std::string what;
  std::optional<std::string> part;  // of beside; default: all
  std::uint64_t users = 0;
  std::uint64_t follows = 0;
  std::uint64_t posts = 0;
  std::uint64_t threads = 0;
  double seconds = 0;
  std::string policy;
  std::string directory;
  std::uint64_t cache_mb = kUntold;
  std::uint64_t nodes = 0;
  std::string beside;
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t edges = 0;
  bool full = false;
  bool users_first = false;
  std::string order = "time";
  bool alone = false;
};

// How a benchmark uses --data.
enum class Data : std::uint8_t {
  kNone,
  kAny,       // measures the data there, or keeps its world there
  kWorld,     // keeps its world there, if it makes one by --edges or --full
  kDatabase,  // makes another database on that server, and measures it
};

struct Benchmark {
  std::string_view name;
  bool has_other;  // another program can be measured beside it
  Data data;
  void (*run)(Context&, const bench::BenchRequest&);
  bool in_all = true;
  bool in_beside = false;
  std::uint64_t threads = 1;  // default
  double seconds = 3;         // default
  std::uint64_t cache_mb = hot::kMbDefault;
};

constexpr std::array kBenchmarks{
    Benchmark{"feed", true, Data::kAny, &bench::run_feed},
    Benchmark{"fanout", true, Data::kAny, &bench::run_fan_out},
    Benchmark{"react", false, Data::kNone, &bench::run_react, true, true},
    Benchmark{"load", false, Data::kWorld, &bench::run_load},
    Benchmark{"upkeep", false, Data::kNone, &bench::run_upkeep, true, true},
    Benchmark{"removal", false, Data::kNone, &bench::run_removal, true, true},
    Benchmark{"http", false, Data::kDatabase, &bench::run_http},
    Benchmark{"growth", false, Data::kNone, &bench::run_growth},
    Benchmark{"postgres", false, Data::kDatabase, &bench::run_postgres, false, false, 4},
    // Takes minutes, and its world is worth keeping.
    Benchmark{"reference", true, Data::kAny, &bench::run_reference, false, false, 2, 60, 2048},
};

// Whether the words of the command line name this benchmark. `react`, `upkeep` and `removal` are
// parts of `beside`; alone, `upkeep` includes the removal.
bool is_named(const Benchmark& benchmark, const BenchOptions& options) {
  if (options.what == "all") return benchmark.in_all;
  if (options.what == "beside") {
    return benchmark.in_beside &&
           (options.part.value_or("all") == "all" || options.part == benchmark.name);
  }
  return options.what == benchmark.name ||
         (options.what == "upkeep" && benchmark.name == "removal");
}

// Throws for options that do not belong to the benchmark.
void check_options(const Benchmark& benchmark, const bench::BenchRequest& request) {
  if (request.beside_redis && !benchmark.has_other) {
    throw Error(ErrorCode::kInvalidArgument, "--beside needs feed, fanout or reference.", "beside");
  }
  const bool takes_data =
      benchmark.data == Data::kAny || (benchmark.data == Data::kWorld && request.load) ||
      (benchmark.data == Data::kDatabase && request.directory && request.directory->is_database());
  if (request.directory && !takes_data) {
    throw Error(
        ErrorCode::kInvalidArgument,
        "--data needs feed, fanout, reference, load --edges, postgres or http. Leave it out.",
        "data");
  }
}

template <class Number>
std::optional<Number> given(Number value) {
  return value == 0 ? std::nullopt : std::optional(value);
}

std::uint32_t nodes_of(const BenchOptions& options) {
  if (options.nodes != 0 && options.what != "postgres") {
    throw Error(ErrorCode::kInvalidArgument, "`--nodes` needs `postgres`.", "nodes");
  }
  return static_cast<std::uint32_t>(options.nodes);
}

// The world of --edges or --full; empty for the usual loads.
std::optional<bench::LoadSize> load_of(const BenchOptions& options) {
  const bool is_world = options.edges != 0 || options.full;
  const bool has_more = options.users_first || options.alone || options.order != "time";
  if (is_world ? options.what != "load" : has_more) {
    throw Error(ErrorCode::kInvalidArgument,
                "--edges and --full need `load`; --users-first, --order and --alone need `load` "
                "with --edges or --full.",
                "edges");
  }
  if (!is_world) return std::nullopt;
  return bench::LoadSize{.edges = options.edges != 0 ? options.edges : kFullEdges,
                         .users_first = options.users_first,
                         .random_order = options.order == "random",
                         .alone = options.alone};
}

Status run_bench(Context& context, const BenchOptions& options) {
  if (options.part && options.what != "beside") {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("`{}` needs `beside`: chirp bench beside {}.", *options.part, *options.part),
        "PART");
  }
  bench::BenchRequest request;
  request.users = given(static_cast<std::uint32_t>(options.users));
  request.follows = given(options.follows);
  request.posts = given(options.posts);
  if (!options.policy.empty()) request.policy = feed::policy_named(options.policy);
  if (!options.directory.empty()) request.directory = store::DataPlace::named(options.directory);
  request.reads = given(static_cast<double>(options.reads));
  request.writes = given(static_cast<double>(options.writes));
  request.nodes = nodes_of(options);
  request.load = load_of(options);
  if (options.full) {
    request.users = request.users.value_or(kFullUsers);
    request.posts = request.posts.value_or(kFullPosts);
  }
  request.beside_redis = !options.beside.empty();
  for (const Benchmark& benchmark : kBenchmarks) {
    if (!is_named(benchmark, options)) continue;
    if (options.what != "all") check_options(benchmark, request);
    request.threads = options.threads != 0 ? options.threads : benchmark.threads;
    request.seconds = options.seconds != 0 ? options.seconds : benchmark.seconds;
    request.cache_mb = options.cache_mb != kUntold ? options.cache_mb : benchmark.cache_mb;
    benchmark.run(context, request);
  }
  return Status::kDone;
}

void add_what(Command& verb, BenchOptions& options) {
  verb.add_option("WHAT", options.what,
                  "What to measure; all means everything except postgres and reference")
      ->required()
      ->option_text("feed|fanout|beside|load|http|growth|postgres|reference|all")
      ->one_of({"feed", "fanout", "beside", "load", "http", "growth", "postgres", "reference",
                "all", "react", "upkeep", "removal"});
  verb.add_option("PART", options.part,
                  "Part of beside: reactions, upkeep or a removal, beside reads or another writer "
                  "(default: all)")
      ->option_text("react|upkeep|removal|all")
      ->one_of({"react", "upkeep", "removal", "all"});
}

void add_load_world(Command& verb, BenchOptions& options) {
  verb.add_option("--edges", options.edges,
                  "Make a world with load graph and load posts: this many edges, --users users "
                  "(default: a tenth of the edges) and --posts posts (default: 0)")
      ->option_text("M")
      ->between(1, 2'000'000'000);
  verb.add_flag("--full", options.full,
                "The same with 10 million users, 100 million edges and 20 million posts");
  verb.add_flag("--users-first", options.users_first,
                "Load the users of such a world before its graph");
  verb.add_option("--order", options.order,
                  "The order in which such a world loads its posts (default: time)")
      ->option_text("time|random")
      ->one_of({"time", "random"});
  verb.add_flag("--alone", options.alone, "Run no other writer beside the loads of such a world");
}

}  // namespace

void add_bench(CommandLine& app) {
  auto [verb, options] = app.verb<BenchOptions>(
      app.root(),
      {"bench",
       "Measure this machine, and compare each figure with a reference measured in the same run.",
       "chirp bench feed\n"
       "chirp bench feed --policy pull --threads 2\n"
       "chirp bench feed --beside redis\n"
       "chirp bench beside upkeep\n"
       "chirp bench growth --users 3000000\n"
       "chirp bench load --users 1000000 --edges 10000000 --posts 2000000\n"
       "chirp bench reference --data ~/reference-world\n"
       "chirp bench postgres --data postgresql://db.example.org/postgres\n"
       "chirp bench postgres --nodes 3 --data postgresql://db.example.org/postgres\n"
       "chirp bench all --json\n"
       "chirp bench feed --data ~/.local/share/chirp"},
      run_bench);
  add_what(verb, options);
  verb.add_option("--users", options.users,
                  "Number of users in the generated world; for growth, in the largest one")
      ->option_text("N")
      ->between(2, 50'000'000);
  verb.add_option("--follows", options.follows, "Number of follows in the generated world")
      ->option_text("N")
      ->between(1, 2'000'000'000);
  verb.add_option("--posts", options.posts, "Number of posts in the generated world")
      ->option_text("N")
      ->between(1, 2'000'000'000);
  verb.add_option("--threads", options.threads,
                  "Threads that read (default: 1; 4 for postgres, 2 for reference)")
      ->option_text("N")
      ->between(1, 256);
  verb.add_option("--seconds", options.seconds,
                  "Length of each measurement (default: 3; 60 for reference)")
      ->option_text("S")
      ->between_reals(0.01, 3600);
  verb.add_option("--policy", options.policy, "Measure only under this policy")
      ->option_text("push|pull|hybrid|cost")
      ->one_of({"push", "pull", "hybrid", "cost"});
  verb.add_option("--cache-mb", options.cache_mb,
                  "Size limit of the hot set (default: 256; 2048 for reference; 0: no hot set)")
      ->option_text("N")
      ->between(0, hot::kMbMax);
  verb.add_option("--beside", options.beside,
                  "Compare feed, fanout or reference with a redis-server that keeps the same feeds")
      ->option_text("redis")
      ->one_of({"redis"});
  verb.add_option("--data", options.directory,
                  "Measure on a copy of this data directory; for reference and load --edges, keep "
                  "the world there; for postgres and http, make a database beside this one, and "
                  "drop it at the end")
      ->option_text("DIR|URL");
  verb.add_option("--nodes", options.nodes,
                  "Spread the world of postgres over this many databases and home, as over servers")
      ->option_text("N")
      ->between(1, 16);
  verb.add_option("--reads", options.reads, "Pages per second of reference (default: 100000)")
      ->option_text("N")
      ->between(1, 10'000'000);
  verb.add_option("--writes", options.writes, "Posts per second of reference (default: 5000)")
      ->option_text("N")
      ->between(1, 1'000'000);
  add_load_world(verb, options);
}

}  // namespace chirp::cli
