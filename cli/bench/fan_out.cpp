#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "cli/bench/figure.h"
#include "cli/bench/redis_feeds.h"
#include "cli/bench/runs.h"
#include "core/error.h"
#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "store/lmdb/bare.h"

namespace chirp::cli::bench {
namespace fan_out_bench {
namespace {

// Publishes live posts by random authors without delivering them.
void publish(World& world, const Clock& clock, std::uint64_t posts) {
  std::vector<UserNumber> authors;
  each_card(*world.storage().snapshot(), [&](std::span<const AuthorCard> cards) {
    for (const AuthorCard& card : cards) {
      if (card.presence == Presence::kPresent) authors.push_back(card.number);
    }
  });
  if (authors.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "The data directory has no users, so nothing can be delivered. Name one with "
                "users, or leave --data out.",
                "data");
  }
  Random random(3);
  write_changes(world.storage(), clock, posts, [&](auto& changes, std::uint64_t n) {
    changes.emplace_back(
        Publish{authors[random.below(authors.size())], post_text(1 + n), Privacy::kPublic});
  });
}

// The same deliveries by post, for programs without a log.
std::vector<PostDelivery> pending(const Storage& storage) {
  const auto snapshot = storage.snapshot();
  std::vector<PostDelivery> deliveries;
  std::map<UserNumber, std::vector<UserNumber>> followers;
  for (const auto& event : reads::events(*snapshot, snapshot->state().fan_out, ~std::uint32_t{0})) {
    if (event.topic != events::Topic::kPostCreated) continue;
    const auto [at, fresh] = followers.try_emplace(event.actor);
    if (fresh) {
      append_followers(*snapshot, event.actor, at->second);
      at->second.push_back(event.actor);
    }
    deliveries.push_back({event.post, at->second});
  }
  return deliveries;
}

World world_for(Context& context, const BenchRequest& request) {
  if (request.directory) return World(*request.directory, context.clock());
  return World({request.users.value_or(20'000), request.follows.value_or(4'000'000), 0},
               context.clock());
}

void set_policy(World& world, feed::Policy policy, Time now) {
  feed::FeedSettings settings = world.storage().snapshot()->state().settings;
  settings.policy = policy;
  rules::change_settings(world.storage(), settings, now);
}

// The minimal work for the same result: rewrites each timeline once a flush. Returns seconds.
double put_bare(World& world, std::size_t flushes) {
  const auto start = BenchClock::now();
  for (std::size_t i = 0; i < flushes; ++i) {
    lmdb::bare_rewrite_timelines(world.storage(), world.readers());
  }
  return seconds_since(start);
}

}  // namespace
}  // namespace fan_out_bench

std::size_t measure_deliveries(Figure& figure, Storage& storage, const Clock& clock) {
  events::FanOut fan_out(storage, clock);
  const std::size_t steps =
      measure_steps(figure, [&] { return fan_out.step() == events::Progress::kMoved; });
  figure.operations = fan_out.deliveries();
  return steps;
}

void run_fan_out(Context& context, const BenchRequest& request) {
  using namespace fan_out_bench;
  if (request.beside_redis && request.directory) {
    throw Error(ErrorCode::kInvalidArgument,
                "Deliveries are compared with Redis only in a generated world, because Redis has "
                "no blocks and no mutes. Leave --data or --beside out.",
                "beside");
  }
  std::optional<RedisFeeds> redis;
  if (request.beside_redis) redis.emplace();  // it forks, so it comes before anything is opened
  World world = world_for(context, request);
  Storage& storage = world.storage();
  if (request.policy) set_policy(world, *request.policy, context.now());
  feed::Feeds feeds(storage, context.clock());
  for (const UserNumber reader : world.readers()) feeds.rebuild(reader);
  publish(world, context.clock(), request.posts.value_or(20'000));
  while (events::CounterConsumer(storage, context.clock()).step() == events::Progress::kMoved) {
  }

  const StoreState before = storage.snapshot()->state();
  Figure figure{.name = "fanout", .policy = std::string(feed::name(before.settings.policy))};
  const std::vector<PostDelivery> deliveries =
      redis ? pending(storage) : std::vector<PostDelivery>();
  const std::size_t steps = measure_deliveries(figure, storage, context.clock());
  if (figure.operations == 0) {
    // If the policy leaves everything to the readers, there is no rate.
    return print_none(context.out(), figure,
                      "nothing is delivered: readers read posts from the logs of the authors");
  }
  const auto rate_in = [&](double seconds) {
    return static_cast<double>(figure.operations) / seconds;
  };
  figure.reference = "bare LMDB putting the same timelines";
  figure.reference_rate = rate_in(put_bare(world, std::max<std::size_t>(steps, 1)));
  if (redis) {
    const double seconds = redis->deliver(deliveries);
    redis->compare(storage, context.clock(), world.readers());
    figure.beside = Reference{"Redis", rate_in(seconds)};
  }
  print(context.out(), figure);
}

}  // namespace chirp::cli::bench
