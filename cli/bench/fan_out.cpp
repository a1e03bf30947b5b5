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

// All existing users, ascending.
std::vector<UserNumber> people(const Snapshot& snapshot) {
  std::vector<UserNumber> all;
  for (UserNumber after = kNobody;;) {
    const auto cards = reads::rows_above<tables::Cards>(snapshot, {after}, 1000);
    if (cards.empty()) return all;
    after = cards.back().number;
    for (const AuthorCard& card : cards) {
      if (card.presence == Presence::kPresent) all.push_back(card.number);
    }
  }
}

// Publishes live posts by random authors, a thousand a commit, without delivering them.
void publish(World& world, const Clock& clock, std::uint64_t posts) {
  const std::vector<UserNumber> authors = people(*world.storage().snapshot());
  if (authors.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "The data directory has no users, so nothing can be delivered. Name one with "
                "users, or leave --data out.",
                "data");
  }
  Random random(3);
  std::vector<Change> changes;
  for (std::uint64_t i = 1; i <= posts; ++i) {
    changes.emplace_back(
        Publish{authors[random.below(authors.size())], post_text(i), Privacy::kPublic});
    if (changes.size() == 1000 || i == posts) {
      world.storage().write(changes, clock.now());
      changes.clear();
    }
  }
}

std::vector<UserNumber> followers_of(const Snapshot& snapshot, UserNumber author) {
  std::vector<UserNumber> all;
  for (UserNumber after{};;) {
    const EdgePage page = reads::followers(snapshot, author, after, 1000);
    for (const Edge& edge : page.edges) all.push_back(edge.other);
    if (!page.more) return all;
    after = all.back();
  }
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
      at->second = followers_of(*snapshot, event.actor);
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

// Processes all events. Returns the duration of each step.
std::vector<std::uint32_t> drain(events::FanOut& fan_out) {
  std::vector<std::uint32_t> nanos;
  for (;;) {
    const auto step = BenchClock::now();
    if (fan_out.step() != events::Progress::kMoved) return nanos;
    nanos.push_back(static_cast<std::uint32_t>(std::min(seconds_since(step) * 1e9, 4e9)));
  }
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
  events::FanOut fan_out(storage, context.clock());
  const auto start = BenchClock::now();
  std::vector<std::uint32_t> steps = drain(fan_out);
  figure.seconds = seconds_since(start);
  figure.operations = fan_out.deliveries();
  if (figure.operations == 0) {
    // If the policy leaves everything to the readers, there is no rate.
    return print_none(context.out(), figure,
                      "nothing is delivered: readers read posts from the logs of the authors");
  }
  const std::size_t flushes = std::max<std::size_t>(steps.size(), 1);
  set_percentiles(figure, std::move(steps));
  const auto rate_in = [&](double seconds) {
    return static_cast<double>(figure.operations) / seconds;
  };
  figure.reference = "bare LMDB putting the same timelines";
  figure.reference_rate = rate_in(put_bare(world, flushes));
  if (redis) {
    const double seconds = redis->deliver(deliveries);
    redis->compare(storage, context.clock(), world.readers());
    figure.beside = Reference{"Redis", rate_in(seconds)};
  }
  print(context.out(), figure);
}

}  // namespace chirp::cli::bench
