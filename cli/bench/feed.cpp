#include <algorithm>
#include <vector>

#include "cli/bench/figure.h"
#include "cli/bench/redis_feeds.h"
#include "cli/bench/runs.h"
#include "core/feed/home_feed.h"
#include "core/hot/hot_set.h"
#include "store/lmdb/bare.h"

namespace chirp::cli::bench {
namespace {

// Readers whose pages are read in turn: more than the processor's caches hold.
constexpr std::size_t kReadersMax = 4000;
// Of a hot set that has forgotten each reader by the time they come again.
constexpr std::size_t kColdBytes = std::size_t{1} << 20;

World world_for(Context& context, const Request& request) {
  if (request.directory) return World(*request.directory, context.clock());
  return World({request.users.value_or(200'000), request.follows.value_or(2'000'000),
                request.posts.value_or(2'000'000)},
               context.clock());
}

}  // namespace

void run_feed(Context& context, const Request& request) {
  std::optional<RedisFeeds> redis;
  if (request.beside_redis) redis.emplace();  // it forks, so before anything is opened
  World world = world_for(context, request);
  const auto readers =
      world.readers().first(std::min<std::size_t>(world.readers().size(), kReadersMax));
  feed::Feeds feeds(world.storage(), context.clock());
  for (const UserNumber reader : readers) feeds.rebuild(reader);

  const lmdb::BarePages bare(world.storage(), readers, limits::kPostPageDefault);
  Figure reference{.name = "bare pages", .policy = "", .threads = request.threads};
  // Each thread goes through the readers from a place of its own.
  const auto reader_of = [&](std::uint64_t thread, std::uint64_t n) {
    return static_cast<std::size_t>((n * 7919 + thread * 1013) % readers.size());
  };
  measure(reference, request.seconds,
          [&](std::uint64_t thread, std::uint64_t n) { bare.read(reader_of(thread, n)); });
  reference.reference = "bare LMDB reading the same records";

  std::optional<Reference> beside;
  if (redis) {
    redis->load(world.storage(), context.clock(), readers);
    redis->compare(world.storage(), context.clock(), readers);
    Figure figure =
        redis->pages([&](std::uint64_t n) { return readers[reader_of(0, n)]; }, request.seconds);
    figure.reference = reference.reference;
    figure.reference_rate = reference.rate();
    print(context.out(), figure);
    beside = Reference{"Redis", figure.rate()};
  }

  const auto run = [&](std::string name, std::optional<feed::Policy> as_if) {
    const auto measured = [&](std::string_view what, const auto& read) {
      Figure figure{.name = std::string(what), .policy = name, .threads = request.threads};
      measure(figure, request.seconds, [&](std::uint64_t thread, std::uint64_t n) {
        feed::PageRequest page;
        page.viewer = readers[reader_of(thread, n)];
        page.as_if = as_if;
        read(page);
      });
      figure.reference = reference.reference;
      figure.beside = beside;
      figure.reference_rate = reference.rate();
      print(context.out(), figure);
    };
    measured("feed", [&](const feed::PageRequest& page) {
      (void)feed::home_feed(*world.storage().snapshot(), page, context.clock());
    });
    if (request.cache_mb == 0) return;
    hot::HotSet cold(world.storage(), context.clock(), kColdBytes);
    measured("feed, cold", [&](const feed::PageRequest& page) { (void)cold.page(page); });
    hot::HotSet warm(world.storage(), context.clock(), request.cache_mb << 20);
    for (const UserNumber reader : readers) {
      feed::PageRequest page;
      page.viewer = reader;
      page.as_if = as_if;
      (void)warm.page(page);
    }
    measured("feed, warm", [&](const feed::PageRequest& page) { (void)warm.page(page); });
  };
  if (request.policy) {
    run(std::string(feed::name(*request.policy)), request.policy);
    return;
  }
  run("hybrid", std::nullopt);
  run("pull", feed::Policy::kPull);
}

}  // namespace chirp::cli::bench
