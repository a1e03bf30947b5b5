#include <algorithm>
#include <chrono>
#include <vector>

#include "cli/bench/figure.h"
#include "cli/bench/runs.h"
#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "store/lmdb/bare.h"

namespace chirp::cli::bench {
namespace {

using Watch = std::chrono::steady_clock;

constexpr std::uint64_t kReactions = 400'000;
constexpr std::uint64_t kReposts = 20'000;
constexpr std::uint64_t kPopular = 100;  // posts that half of the reactions are to
constexpr std::size_t kAtOnce = 1000;
constexpr std::size_t kReadersMax = 4000;

double seconds_since(Watch::time_point start) {
  return std::chrono::duration<double>(Watch::now() - start).count();
}

std::vector<PostId> posts_of(const Snapshot& snapshot) {
  std::vector<PostId> ids;
  PostId after = kBelowAllPosts;
  for (;;) {
    const auto posts = snapshot.scan_posts(after, 10'000);
    if (posts.empty()) return ids;
    for (const Post& post : posts) ids.push_back(post.id);
    after = posts.back().id;
  }
}

// Reactions and reposts as people make them, a thousand a commit; nothing is counted yet.
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
    // The newest are what feeds show.
    const std::uint64_t reach =
        i % 2 == 0 ? std::min<std::uint64_t>(kPopular, posts.size()) : posts.size();
    const PostId post = posts[posts.size() - 1 - random.below(reach)];
    if (i % ((kReactions + kReposts) / kReposts) == 0) {
      changes.emplace_back(Repost{somebody(), post});
    } else {
      changes.emplace_back(
          React{somebody(), post, static_cast<ReactionType>(1 + random.below(kReactionTypes))});
    }
    if (changes.size() == kAtOnce) flush();
  }
  flush();
}

std::vector<ContentId> contents_pending(const Snapshot& snapshot) {
  std::vector<ContentId> contents;
  for (const auto& event : snapshot.events(snapshot.state().counters, ~std::uint32_t{0})) {
    if (event.topic == events::Topic::kReactionSet) contents.push_back(content_of(event.post));
  }
  return contents;
}

void count_reactions(Context& context, Storage& storage) {
  const auto contents = contents_pending(*storage.snapshot());
  Figure figure{.name = "react", .policy = ""};
  figure.operations = contents.size();
  events::Counters counters(storage, context.clock());
  std::vector<std::uint32_t> steps;
  const auto start = Watch::now();
  for (;;) {
    const auto step = Watch::now();
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

void read_pages(Context& context, const Request& request, World& world) {
  Storage& storage = world.storage();
  feed::Feeds feeds(storage, context.clock());
  const auto readers =
      world.readers().first(std::min<std::size_t>(world.readers().size(), kReadersMax));
  for (const UserNumber reader : readers) feeds.rebuild(reader);
  const auto request_of = [&](std::uint64_t thread, std::uint64_t n) {
    feed::PageRequest page;
    page.viewer = readers[static_cast<std::size_t>((n * 7919 + thread * 1013) % readers.size())];
    return page;
  };
  Figure plain{.name = "plain pages", .policy = "", .threads = request.threads};
  measure(plain, request.seconds, [&](std::uint64_t thread, std::uint64_t n) {
    (void)feed::home_feed(*storage.snapshot(), request_of(thread, n), context.clock());
  });
  Figure figure{.name = "feed with counts", .policy = "", .threads = request.threads};
  measure(figure, request.seconds,
          [&](std::uint64_t thread, std::uint64_t n) { (void)feeds.page(request_of(thread, n)); });
  figure.reference = "the same pages without counts and the viewer's reactions";
  figure.reference_rate = plain.rate();
  print(context.out(), figure);
}

}  // namespace

void run_react(Context& context, const Request& request) {
  const std::uint32_t users = request.users.value_or(20'000);
  World world({users, request.follows.value_or(400'000), request.posts.value_or(50'000)},
              context.clock());
  react(world, context.clock(), users);
  count_reactions(context, world.storage());
  events::drain(world.storage(), context.clock());
  read_pages(context, request, world);
}

}  // namespace chirp::cli::bench
