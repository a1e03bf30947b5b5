#include <algorithm>
#include <atomic>
#include <chrono>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "cli/bench/figure.h"
#include "cli/bench/page_readers.h"
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
constexpr const char* kPostText = "Said between what others have said before.";

UserNumber any_user(Random& random, std::uint32_t users) {
  return UserNumber{static_cast<std::uint32_t>(1 + random.below(users))};
}

// Writes a mix of reactions, reposts and posts without counting them.
void react(World& world, const Clock& clock, std::uint32_t users) {
  const auto posts = post_ids(*world.storage().snapshot());
  Random random(5);
  write_changes(world.storage(), clock, kReactions + kReposts, [&](auto& changes, std::uint64_t n) {
    // Feeds show the newest posts.
    const std::uint64_t reach =
        n % 2 == 0 ? std::min<std::uint64_t>(kPopular, posts.size()) : posts.size();
    const PostId post = posts[posts.size() - 1 - random.below(reach)];
    if (n % ((kReactions + kReposts) / kReposts) != 0) {
      changes.emplace_back(React{any_user(random, users), post,
                                 static_cast<ReactionType>(1 + random.below(kReactionTypes))});
      return;
    }
    changes.emplace_back(Repost{any_user(random, users), post});
    for (int i = 0; i < kPostsARepost; ++i) {
      changes.emplace_back(Publish{any_user(random, users), kPostText});
    }
  });
}

// Writes so many reposts that the newest pages contain only reposts.
void repost_only(World& world, const Clock& clock, std::uint32_t users) {
  const auto posts = post_ids(*world.storage().snapshot());
  Random random(6);
  write_changes(world.storage(), clock, std::uint64_t{kRepostsAUser} * users,
                [&](auto& changes, std::uint64_t) {
                  const UserNumber user = any_user(random, users);
                  changes.emplace_back(Repost{user, posts[random.below(posts.size())]});
                });
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
  measure_steps(figure, [&] { return counters.step() == events::Progress::kMoved; });
  const TemporaryFolder folder;
  figure.reference = "bare LMDB counting each in a row of 8 bytes, 8192 a transaction";
  figure.reference_rate =
      static_cast<double>(contents.size()) / lmdb::bare_count(folder.path(), contents, 8192);
  print(context.out(), figure);
}

// The rate of pages of plain posts, before there are reactions or reposts.
double read_plain_pages(const Clock& clock, const BenchRequest& request, World& world) {
  const PageReaders readers(world.readers());
  readers.build_timelines(feed::Feeds(world.storage(), clock));
  Figure plain{.name = "plain pages", .policy = "", .threads = request.threads};
  readers.measure(plain, request.seconds, [&](const feed::PageRequest& page) {
    (void)feed::home_feed(*world.storage().snapshot(), page, clock);
  });
  return plain.rate();
}

// `memory` may be null.
void read_full_pages(Context& context, const BenchRequest& request, World& world, double plain_rate,
                     const char* name, feed::PageMemory* memory) {
  const feed::Feeds feeds(world.storage(), context.clock(), memory);
  const PageReaders readers(world.readers());
  readers.build_timelines(feeds);
  Figure figure{.name = memory == nullptr ? name : "the same, warm",
                .policy = "",
                .threads = request.threads};
  readers.read_once([&](const feed::PageRequest& page) { (void)feeds.page(page); });
  std::atomic<std::uint64_t> items{0};
  std::atomic<std::uint64_t> reposts{0};
  readers.measure(figure, request.seconds, [&](const feed::PageRequest& wanted) {
    const feed::Page page = feeds.page(wanted);
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
