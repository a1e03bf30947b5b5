#include <algorithm>
#include <atomic>
#include <chrono>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "cli/bench/figure.h"
#include "cli/bench/runs.h"
#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/hot/hot_set.h"
#include "core/ports/reads.h"
#include "store/lmdb/bare.h"

namespace chirp::cli::bench {
namespace react_bench {
namespace {

constexpr std::uint64_t kReactions = 400'000;
constexpr std::uint64_t kReposts = 20'000;
constexpr int kPostsARepost = 3;         // posts between two reposts
constexpr int kRepostsAUser = 5;         // in feeds that show only reposts
constexpr std::uint64_t kPopular = 100;  // posts that receive half of the reactions
constexpr std::size_t kAtOnce = 1000;
constexpr std::size_t kReadersMax = 4000;

std::vector<PostId> posts_of(const Snapshot& snapshot) {
  std::vector<PostId> ids;
  PostId after = kBelowAllPosts;
  for (;;) {
    const auto posts = reads::rows_above<tables::Posts>(snapshot, {after}, 10'000);
    if (posts.empty()) return ids;
    for (const Post& post : posts) ids.push_back(post.id);
    after = posts.back().id;
  }
}

// Writes a mix of reactions, reposts and posts, a thousand a commit, without counting them.
void react(World& world, const Clock& clock, std::uint32_t users) {
  const auto posts = posts_of(*world.storage().snapshot());
  Random random(5);
  const auto somebody = [&] {
    return UserNumber{static_cast<std::uint32_t>(1 + random.below(users))};
  };
  std::vector<Change> changes;
  const auto flush = [&] {
    world.storage().write(changes, clock.now());
    changes.clear();
  };
  for (std::uint64_t i = 0; i < kReactions + kReposts; ++i) {
    // Feeds show the newest posts.
    const std::uint64_t reach =
        i % 2 == 0 ? std::min<std::uint64_t>(kPopular, posts.size()) : posts.size();
    const PostId post = posts[posts.size() - 1 - random.below(reach)];
    if (i % ((kReactions + kReposts) / kReposts) == 0) {
      changes.emplace_back(Repost{somebody(), post});
      for (int n = 0; n < kPostsARepost; ++n) {
        changes.emplace_back(Publish{somebody(), "Said between what others have said before."});
      }
    } else {
      changes.emplace_back(
          React{somebody(), post, static_cast<ReactionType>(1 + random.below(kReactionTypes))});
    }
    if (changes.size() >= kAtOnce) flush();
  }
  flush();
}

// Writes so many reposts that the newest pages contain only reposts.
void repost_only(World& world, const Clock& clock, std::uint32_t users) {
  const auto posts = posts_of(*world.storage().snapshot());
  Random random(6);
  std::vector<Change> changes;
  for (std::uint64_t i = 0; i < std::uint64_t{kRepostsAUser} * users; ++i) {
    const UserNumber somebody{static_cast<std::uint32_t>(1 + random.below(users))};
    changes.emplace_back(Repost{somebody, posts[random.below(posts.size())]});
    if (changes.size() < kAtOnce) continue;
    world.storage().write(changes, clock.now());
    changes.clear();
  }
  world.storage().write(changes, clock.now());
}

std::vector<ContentId> contents_pending(const Snapshot& snapshot) {
  std::vector<ContentId> contents;
  for (const auto& event : reads::events(snapshot, snapshot.state().counters, ~std::uint32_t{0})) {
    if (event.topic == events::Topic::kReactionSet) contents.push_back(content_of(event.post));
  }
  return contents;
}

void count_reactions(Context& context, Storage& storage) {
  const auto contents = contents_pending(*storage.snapshot());
  Figure figure{.name = "react", .policy = ""};
  figure.operations = contents.size();
  events::CounterConsumer counters(storage, context.clock());
  std::vector<std::uint32_t> steps;
  const auto start = BenchClock::now();
  for (;;) {
    const auto step = BenchClock::now();
    if (counters.step() != events::Progress::kMoved) break;
    steps.push_back(static_cast<std::uint32_t>(std::min(seconds_since(step) * 1e9, 4e9)));
  }
  figure.seconds = seconds_since(start);
  set_percentiles(figure, std::move(steps));
  const TemporaryFolder folder;
  figure.reference = "bare LMDB counting each in a row of 8 bytes, 8192 a transaction";
  figure.reference_rate =
      static_cast<double>(contents.size()) / lmdb::bare_count(folder.path(), contents, 8192);
  print(context.out(), figure);
}

// Readers with a timeline each.
class TimedReaders {
 public:
  explicit TimedReaders(World& world)
      : numbers_(world.readers().first(std::min(world.readers().size(), kReadersMax))) {}

  void warm(feed::Feeds& feeds) const {
    for (const UserNumber reader : numbers_) feeds.rebuild(reader);
  }
  void read(const feed::Feeds& feeds) const {
    for (std::size_t n = 0; n < numbers_.size(); ++n) (void)feeds.page(page(0, n));
  }
  [[nodiscard]] feed::PageRequest page(std::uint64_t thread, std::uint64_t n) const {
    feed::PageRequest page;
    page.viewer = numbers_[static_cast<std::size_t>((n * 7919 + thread * 1013) % numbers_.size())];
    return page;
  }

 private:
  std::span<const UserNumber> numbers_;
};

// The rate of pages of plain posts, before there are reactions or reposts.
double read_plain_pages(const Clock& clock, const BenchRequest& request, World& world) {
  Storage& storage = world.storage();
  feed::Feeds feeds(storage, clock);
  const TimedReaders readers(world);
  readers.warm(feeds);
  Figure plain{.name = "plain pages", .policy = "", .threads = request.threads};
  measure(plain, request.seconds, [&](std::uint64_t thread, std::uint64_t n) {
    (void)feed::home_feed(*storage.snapshot(), readers.page(thread, n), clock);
  });
  return plain.rate();
}

// `memory` may be null.
void read_full_pages(Context& context, const BenchRequest& request, World& world, double plain_rate,
                     const char* name, feed::PageMemory* memory) {
  feed::Feeds feeds(world.storage(), context.clock(), memory);
  const TimedReaders readers(world);
  readers.warm(feeds);
  Figure figure{.name = memory == nullptr ? name : "the same, warm",
                .policy = "",
                .threads = request.threads};
  readers.read(feeds);
  std::atomic<std::uint64_t> items{0};
  std::atomic<std::uint64_t> reposts{0};
  measure(figure, request.seconds, [&](std::uint64_t thread, std::uint64_t n) {
    const feed::Page page = feeds.page(readers.page(thread, n));
    std::uint64_t folded = 0;
    for (const feed::FeedItem& item : page.items) folded += item.reposted_by.size();
    items.fetch_add(page.items.size(), std::memory_order_relaxed);
    reposts.fetch_add(folded, std::memory_order_relaxed);
  });
  figure.reference = "the same feeds before that, and without counts";
  figure.reference_rate = plain_rate;
  print(context.out(), figure);
  context.out().note(fmt::format("{:.1f} reposts are folded into 20 items of these pages.",
                                 20.0 * static_cast<double>(reposts) /
                                     static_cast<double>(std::max<std::uint64_t>(1, items))));
}

}  // namespace
}  // namespace react_bench

void run_react(Context& context, const BenchRequest& request) {
  using namespace react_bench;
  const std::uint32_t users = request.users.value_or(20'000);
  World world({users, request.follows.value_or(400'000), request.posts.value_or(50'000)},
              context.clock());
  const double plain_rate = read_plain_pages(context.clock(), request, world);
  react(world, context.clock(), users);
  count_reactions(context, world.storage());
  events::drain(world.storage(), context.clock());
  hot::HotSet memory(world.storage(), context.clock(), request.cache_mb << 20);
  const auto read = [&](const char* name) {
    read_full_pages(context, request, world, plain_rate, name, nullptr);
    if (request.cache_mb != 0) read_full_pages(context, request, world, plain_rate, name, &memory);
  };
  read("feed with counts");
  repost_only(world, context.clock(), users);
  events::drain(world.storage(), context.clock());
  read("feed of reposts");
}

}  // namespace chirp::cli::bench
