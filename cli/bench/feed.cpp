#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/bench/figure.h"
#include "cli/bench/page_readers.h"
#include "cli/bench/redis_feeds.h"
#include "cli/bench/runs.h"
#include "core/error.h"
#include "core/feed/home_feed.h"
#include "core/hot/hot_set.h"
#include "server/json/render.h"
#include "store/lmdb/bare.h"

namespace chirp::cli::bench {
namespace feed_bench {
namespace {

// The size of a hot set that has evicted each reader before the next turn.
constexpr std::size_t kColdBytes = std::size_t{1} << 20;

World world_for(Context& context, const BenchRequest& request) {
  if (request.directory) return World(*request.directory, context.clock());
  return World({request.users.value_or(200'000), request.follows.value_or(2'000'000),
                request.posts.value_or(2'000'000)},
               context.clock());
}

using Read = std::function<feed::Page(const feed::PageRequest&)>;

class FeedBench {
 public:
  FeedBench(Context& context, const BenchRequest& request, World& world)
      : context_(context), request_(request), world_(world), readers_(world.readers()) {
    readers_.build_timelines(feed::Feeds(world.storage(), context.clock()));
    measure_bare();
  }

  // Compares later figures with the same feeds in Redis.
  void stand_beside(RedisFeeds& redis) {
    redis.load(world_.storage(), context_.clock(), readers_.all());
    redis.compare(world_.storage(), context_.clock(), readers_.all());
    Figure figure = redis.pages(readers_, request_.seconds);
    figure.reference = bare_.name;
    figure.reference_rate = bare_.rate;
    print(context_.out(), figure);
    beside_ = Reference{"Redis", figure.rate()};
  }

  void run(const std::string& policy, std::optional<feed::Policy> as_if) {
    policy_ = policy;
    as_if_ = as_if;
    Storage& storage = world_.storage();
    const Clock& clock = context_.clock();
    pages("feed", [&](const feed::PageRequest& request) {
      return feed::home_feed(*storage.snapshot(), request, clock);
    });
    both("off", [&](const feed::PageRequest& request) {
      return feed::hydrated_page(*storage.snapshot(), request, clock);
    });
    if (request_.cache_mb == 0) return;
    const api::FieldPrinter printer;
    {
      hot::HotSet cold(storage, clock, kColdBytes, &printer);
      both("cold", [&](const feed::PageRequest& request) { return cold.page(request); });
    }
    hot::HotSet hot(storage, clock, request_.cache_mb << 20, &printer);
    readers_.read_once([&](const feed::PageRequest& page) { (void)hot.page(as_policy(page)); });
    const Read warm = [&](const feed::PageRequest& request) { return hot.page(request); };
    const auto [page, json] = both("warm", warm);
    on_twice_the_threads(page, [&](const feed::PageRequest& request) { (void)warm(request); });
    on_twice_the_threads(json, [&](const feed::PageRequest& request) { render(warm(request)); });
  }

 private:
  using Use = std::function<void(const feed::PageRequest&)>;

  [[nodiscard]] feed::PageRequest as_policy(feed::PageRequest page) const {
    page.as_if = as_if_;
    return page;
  }
  // Like the server's answer to GET /v1/feed.
  static void render(const feed::Page& page) {
    api::JsonWriter json;
    api::write_feed(json, page, feed::Explain::kNo);
    check(!json.text().empty(), "a page is some text");
  }

  void measure_bare() {
    const lmdb::BarePages bare(world_.storage(), readers_.all(), limits::kPostPageDefault);
    Figure figure{.name = "bare pages", .policy = "", .threads = request_.threads};
    measure(figure, request_.seconds,
            [&](std::uint64_t thread, std::uint64_t n) { bare.read(readers_.index(thread, n)); });
    bare_ = {"bare LMDB reading the same records", figure.rate()};
  }

  [[nodiscard]] Figure measured(std::string name, std::uint64_t threads, const Use& use) const {
    Figure figure{.name = std::move(name), .policy = policy_, .threads = threads};
    readers_.measure(figure, request_.seconds,
                     [&](const feed::PageRequest& page) { use(as_policy(page)); });
    return figure;
  }
  Figure beside_bare(std::string name, const Use& use) const {
    Figure figure = measured(std::move(name), request_.threads, use);
    figure.reference = bare_.name;
    figure.reference_rate = bare_.rate;
    figure.beside = beside_;
    print(context_.out(), figure);
    return figure;
  }

  Figure pages(std::string name, const Read& read) const {
    return beside_bare(std::move(name), [&](const feed::PageRequest& page) { (void)read(page); });
  }
  // Measures pages, and pages as JSON.
  std::pair<Figure, Figure> both(const std::string& how, const Read& read) const {
    Figure page = pages("feed, " + how, read);
    Figure json = beside_bare("json, " + how,
                              [&](const feed::PageRequest& request) { render(read(request)); });
    return {std::move(page), std::move(json)};
  }
  void on_twice_the_threads(const Figure& once, const Use& use) const {
    Figure figure = measured(once.name, 2 * once.threads, use);
    figure.reference = "the same by half the threads";
    figure.reference_rate = once.rate();
    print(context_.out(), figure);
  }

  Context& context_;
  const BenchRequest& request_;
  World& world_;
  PageReaders readers_;
  Reference bare_;
  std::optional<Reference> beside_;
  std::string policy_;
  std::optional<feed::Policy> as_if_;
};

}  // namespace
}  // namespace feed_bench

void run_feed(Context& context, const BenchRequest& request) {
  using namespace feed_bench;
  std::optional<RedisFeeds> redis;
  if (request.beside_redis) redis.emplace();  // it forks, so it comes before anything is opened
  World world = world_for(context, request);
  FeedBench bench(context, request, world);
  if (redis) bench.stand_beside(*redis);
  if (request.policy) {
    bench.run(std::string(feed::name(*request.policy)), request.policy);
    return;
  }
  bench.run("hybrid", std::nullopt);
  bench.run("pull", feed::Policy::kPull);
}

}  // namespace chirp::cli::bench
