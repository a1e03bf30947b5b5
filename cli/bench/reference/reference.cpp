// The load of a network of a million users on two cores, all of it at once: pages, durable posts
// and their deliveries, each on its own schedule.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "cli/bench/reference/kept_world.h"
#include "cli/bench/reference/load.h"
#include "cli/bench/reference/redis_load.h"
#include "cli/bench/runs.h"
#include "cli/progress.h"
#include "core/error.h"

namespace chirp::cli::bench {
namespace reference_bench {
namespace {

constexpr std::uint32_t kUsers = 1'000'000;
constexpr std::uint64_t kFollows = 20'000'000;
constexpr std::uint64_t kPosts = 2'000'000;
constexpr std::uint32_t kUsersAReader = 10;  // one of this many users
constexpr double kFollowersAPost = 200;
constexpr double kReads = 100'000;
constexpr double kWrites = 5'000;
constexpr double kRunIn = 1.0 / 3;  // share of the time before measuring
constexpr double kAlone = 1.0 / 6;  // share of the time in which only reads run

void check_options(const BenchRequest& request) {
  if (request.policy) {
    throw Error(ErrorCode::kInvalidArgument,
                "The reference load is measured under the policy of a new directory; leave "
                "--policy out.",
                "policy");
  }
}

void print_world(Output& out, const WorldSize& size, const Crowd& crowd, const LoadPlan& plan) {
  if (out.json()) return;
  out.print(
      fmt::format("{} users, {} follows, {} posts; {} of them read, on {} threads; {} write\n",
                  short_number(size.users), short_number(static_cast<double>(size.follows)),
                  short_number(static_cast<double>(size.posts)),
                  short_number(static_cast<double>(crowd.readers.size())), plan.threads, kWriters));
  out.flush();
}

// Measures chirp, and prints the result.
void measure_served(Context& context, const BenchRequest& request, KeptWorld& world,
                    const Crowd& crowd, const LoadPlan& plan) {
  Output& out = context.out();
  Served served(world.directory(), context.clock(), request.cache_mb << 20);
  {
    ProgressLine progress(out, context.clock(), "first reads");
    warm_up(served, crowd, plan.threads, [&](std::uint64_t done) {
      progress.show({.done = done, .total = crowd.readers.size(), .rows = done});
    });
  }
  // Lets a long-running server's evictions happen before measuring.
  LoadPlan run_in = plan;
  run_in.seconds = plan.seconds * kRunIn;
  (void)run_load_on(served, crowd, run_in, context.clock());
  LoadPlan alone = plan;
  alone.seconds = plan.seconds * kAlone;
  print_paced(out, "reads alone", reads_alone(served, crowd, alone), alone.seconds, 0);
  print(out, run_load_on(served, crowd, plan, context.clock()));
}

}  // namespace
}  // namespace reference_bench

void run_reference(Context& context, const BenchRequest& request) {
  using namespace reference_bench;
  check_options(request);
  const WorldSize size{request.users.value_or(kUsers), request.follows.value_or(kFollows),
                       request.posts.value_or(kPosts)};
  std::optional<RedisFeeds> redis;
  if (request.beside_redis) redis.emplace(Append::kEverySecond);  // it forks, so it comes first
  KeptWorld world(context, request.directory, size);
  Output& out = context.out();
  LoadPlan plan;
  plan.wanted = {request.reads.value_or(kReads), request.writes.value_or(kWrites)};
  plan.seconds = request.seconds;
  plan.threads = request.threads;
  plan.data = world.directory().place().folder();
  const Crowd crowd =
      crowd_of(*world.directory().storage().snapshot(),
               std::max<std::size_t>(size.users / kUsersAReader, 1), kFollowersAPost);
  print_world(out, size, crowd, plan);
  measure_served(context, request, world, crowd, plan);
  if (!redis) return;
  RedisLoad beside(*redis, crowd, world.directory().storage(), context.clock());
  for (const char* synced : {"everysec", "always"}) beside.run(out, plan, synced);
}

}  // namespace chirp::cli::bench
