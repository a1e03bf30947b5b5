// `chirp bench`: measures this machine, each figure beside its reference in the same run.
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

struct BenchOptions {
  std::string what;
  std::uint64_t users = 0;
  std::uint64_t follows = 0;
  std::uint64_t posts = 0;
  std::uint64_t threads = 1;
  double seconds = 3;
  std::string policy;
  std::string directory;
  std::uint64_t cache_mb = hot::kMbDefault;
  std::string beside;
};

struct Benchmark {
  std::string_view name;
  bool has_other;  // can stand beside another program
  void (*run)(Context&, const bench::Request&);
};

constexpr std::array kBenchmarks{
    Benchmark{"feed", true, &bench::run_feed},    Benchmark{"fanout", true, &bench::run_fan_out},
    Benchmark{"react", false, &bench::run_react}, Benchmark{"load", false, &bench::run_load},
    Benchmark{"http", false, &bench::run_http},   Benchmark{"growth", false, &bench::run_growth},
};

template <class Number>
std::optional<Number> given(Number value) {
  return value == 0 ? std::nullopt : std::optional(value);
}

Status run_bench(Context& context, const BenchOptions& options) {
  bench::Request request;
  request.users = given(static_cast<std::uint32_t>(options.users));
  request.follows = given(options.follows);
  request.posts = given(options.posts);
  request.threads = options.threads;
  request.seconds = options.seconds;
  if (!options.policy.empty()) request.policy = feed::policy_named(options.policy);
  if (!options.directory.empty()) request.directory = options.directory;
  request.cache_mb = options.cache_mb;
  request.beside_redis = !options.beside.empty();
  for (const Benchmark& benchmark : kBenchmarks) {
    if (options.what == benchmark.name && request.beside_redis && !benchmark.has_other) {
      throw Error(ErrorCode::kInvalidArgument,
                  "Only feed and fanout are measured beside Redis; leave --beside out.", "beside");
    }
    if (options.what == "all" || options.what == benchmark.name) benchmark.run(context, request);
  }
  return Status::kDone;
}

}  // namespace

void add_bench(App& app) {
  auto [verb, options] = app.verb<BenchOptions>(
      app.root(),
      {"bench", "Measure this machine, each figure beside its reference in the same run.",
       "chirp bench feed\n"
       "chirp bench feed --policy pull --threads 2\n"
       "chirp bench feed --beside redis\n"
       "chirp bench growth --users 3000000\n"
       "chirp bench all --json\n"
       "chirp bench feed --data ~/.local/share/chirp"},
      run_bench);
  verb.add_option("WHAT", options.what, "What to measure")
      ->required()
      ->option_text("feed|fanout|react|load|http|growth|all")
      ->one_of({"feed", "fanout", "react", "load", "http", "growth", "all"});
  verb.add_option("--users", options.users,
                  "Users of the generated world, in all; of the largest, for growth")
      ->option_text("N")
      ->between(2, 50'000'000);
  verb.add_option("--follows", options.follows, "Follows of the generated world, in all")
      ->option_text("N")
      ->between(1, 2'000'000'000);
  verb.add_option("--posts", options.posts, "Posts of the generated world, in all")
      ->option_text("N")
      ->between(1, 2'000'000'000);
  verb.add_option("--threads", options.threads, "Threads that read")
      ->option_text("N")
      ->between(1, 256);
  verb.add_option("--seconds", options.seconds, "Length of each measurement")
      ->option_text("S")
      ->between_reals(0.01, 3600);
  verb.add_option("--policy", options.policy, "Measure under this policy alone")
      ->option_text("push|pull|hybrid|cost")
      ->one_of({"push", "pull", "hybrid", "cost"});
  verb.add_option("--cache-mb", options.cache_mb,
                  "Bound of the hot set that is measured, 256 unless told; 0 for none")
      ->option_text("N")
      ->between(0, hot::kMbMax);
  verb.add_option("--beside", options.beside,
                  "Measure feed and fanout beside a redis-server that keeps the same feeds")
      ->option_text("redis")
      ->one_of({"redis"});
  verb.add_option("--data", options.directory, "Measure on a copy of this data directory")
      ->option_text("DIR");
}

}  // namespace chirp::cli
