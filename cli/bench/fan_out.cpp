#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "cli/bench/figure.h"
#include "cli/bench/redis_feeds.h"
#include "cli/bench/runs.h"
#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "store/lmdb/bare.h"

namespace chirp::cli::bench {
namespace {

using Watch = std::chrono::steady_clock;

double seconds_since(Watch::time_point start) {
  return std::chrono::duration<double>(Watch::now() - start).count();
}

// Posts as live ones are posted, a thousand a commit; nothing is delivered yet.
void publish(World& world, const Clock& clock, std::uint32_t users, std::uint64_t posts) {
  Random random(3);
  std::vector<Change> changes;
  for (std::uint64_t i = 1; i <= posts; ++i) {
    changes.emplace_back(Publish{UserNumber{static_cast<std::uint32_t>(1 + random.below(users))},
                                 post_text(i), Privacy::kPublic});
    if (changes.size() == 1000 || i == posts) {
      world.storage().write(changes, clock.now());
      changes.clear();
    }
  }
}

// What the log's posts are to bring: a delivery for each follower and one for the author.
std::uint64_t count_pending(Storage& storage) {
  const auto snapshot = storage.snapshot();
  const StoreState state = snapshot->state();
  std::vector<UserNumber> authors;
  for (const auto& event : reads::events(*snapshot, state.fan_out, ~std::uint32_t{0})) {
    if (event.topic == events::Topic::kPostCreated) authors.push_back(event.actor);
  }
  std::uint64_t deliveries = authors.size();
  for (const UserCounters& counters : snapshot->counters(authors)) {
    deliveries += static_cast<std::uint64_t>(counters.followers);
  }
  return deliveries;
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

// The same post by post, for those who keep no log.
std::vector<Delivery> pending(const Storage& storage) {
  const auto snapshot = storage.snapshot();
  std::vector<Delivery> deliveries;
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

}  // namespace

void run_fan_out(Context& context, const Request& request) {
  std::optional<RedisFeeds> redis;
  if (request.beside_redis) redis.emplace();  // it forks, so before anything is opened
  const std::uint32_t users = request.users.value_or(20'000);
  World world({users, request.follows.value_or(4'000'000), 0}, context.clock());
  Storage& storage = world.storage();
  if (request.policy) {
    feed::FeedSettings settings = storage.snapshot()->state().settings;
    settings.policy = *request.policy;
    rules::change_settings(storage, settings, context.now());
  }
  feed::Feeds feeds(storage, context.clock());
  for (const UserNumber reader : world.readers()) feeds.rebuild(reader);
  publish(world, context.clock(), users, request.posts.value_or(20'000));
  while (events::Counters(storage, context.clock()).step() == events::Progress::kMoved) {
  }

  const StoreState before = storage.snapshot()->state();
  Figure figure{.name = "fanout", .policy = std::string(feed::name(before.settings.policy))};
  figure.operations = count_pending(storage);
  const std::vector<Delivery> deliveries = redis ? pending(storage) : std::vector<Delivery>();
  events::FanOut fan_out(storage, context.clock());
  std::vector<std::uint32_t> steps;
  const auto start = Watch::now();
  for (;;) {
    const auto step = Watch::now();
    if (fan_out.step() != events::Progress::kMoved) break;
    steps.push_back(static_cast<std::uint32_t>(std::min(seconds_since(step) * 1e9, 4e9)));
  }
  figure.seconds = seconds_since(start);
  const std::size_t flushes = std::max<std::size_t>(steps.size(), 1);
  set_percentiles(figure, std::move(steps));

  // The least a store could do for the same: put each timeline back once a flush.
  const auto bare = Watch::now();
  for (std::size_t i = 0; i < flushes; ++i) {
    lmdb::bare_rewrite_timelines(storage, world.readers());
  }
  figure.reference = "bare LMDB putting the same timelines";
  figure.reference_rate = static_cast<double>(figure.operations) / seconds_since(bare);
  if (redis) {
    const double seconds = redis->deliver(deliveries);
    redis->compare(storage, context.clock(), world.readers());
    figure.beside = Reference{"Redis", static_cast<double>(figure.operations) / seconds};
  }
  print(context.out(), figure);
}

}  // namespace chirp::cli::bench
