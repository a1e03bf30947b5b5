// The steps of upkeep, each in a world with much work for it, while another writer writes.
#include <algorithm>
#include <vector>

#include "cli/bench/other_writer.h"
#include "cli/bench/runs.h"
#include "core/engine.h"
#include "core/events/consumers.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "store/data_directory.h"

namespace chirp::cli::bench {
namespace upkeep_bench {
namespace {

constexpr std::uint32_t kUsers = 20'000;
constexpr std::uint64_t kFollows = 400'000;
constexpr std::uint64_t kPosts = 200'000;
constexpr std::uint32_t kReadersMax = 4'000;
constexpr std::size_t kBatch = 5'000;
constexpr std::size_t kChanges = 1'000;  // in one transaction
constexpr std::uint64_t kFollowsAReader = 100;

void add_people(store::DataDirectory& directory, std::uint32_t count, const Clock& clock) {
  for (std::uint32_t done = 0; done < count;) {
    std::vector<LoadedUser> users;
    for (; done < count && users.size() < kBatch; ++done) {
      users.emplace_back().source = SourceId{std::uint64_t{done} + 1};
    }
    std::vector<AuthorCard> cards;
    for (const LoadedUserResult& result : directory.users().load(users, clock.now())) {
      cards.push_back(social::card_of(result.user));
    }
    rules::load_cards(directory.storage(), cards, clock.now());
  }
}

// The first users follow others, a hundred each.
void add_follows(Storage& storage, std::uint32_t users, std::uint64_t count, Time now) {
  Random random(8);
  std::vector<LoadedEdge> edges;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto one = static_cast<std::uint32_t>(i / kFollowsAReader % users);
    const auto other = static_cast<std::uint32_t>(random.below(users));
    if (one != other) edges.push_back({UserNumber{one + 1}, UserNumber{other + 1}});
  }
  for (std::span<const LoadedEdge> left = edges; !left.empty();) {
    left = left.subspan(rules::load_edges(storage, left, now).taken);
  }
}

std::vector<PostId> add_posts(Storage& storage, std::uint32_t users, std::uint64_t count,
                              Time now) {
  Random random(9);
  for (std::uint64_t done = 0; done < count;) {
    std::vector<LoadedPost> posts;
    for (; done < count && posts.size() < kBatch; ++done) {
      const UserNumber author{static_cast<std::uint32_t>(1 + random.below(users))};
      const Time time{now.ms - static_cast<std::int64_t>(count - done) * kSecondMs};
      posts.push_back({SourceId{1 + done}, author, time, post_text(done)});
    }
    rules::load_posts(storage, posts, now);
  }
  std::vector<PostId> ids;
  const auto snapshot = storage.snapshot();
  for (PostId after = kBelowAllPosts; ids.size() < count; after = ids.back()) {
    for (const Post& post : reads::rows_above<tables::Posts>(*snapshot, {after}, kBatch))
      ids.push_back(post.id);
  }
  return ids;
}

// Reactions by all users to all posts: counters and lists of notifications are scattered.
void react(Storage& storage, std::span<const PostId> posts, std::uint32_t users,
           const Clock& clock) {
  Random random(10);
  for (std::size_t done = 0; done < posts.size();) {
    std::vector<Change> changes;
    for (; done < posts.size() && changes.size() < kChanges; ++done) {
      const UserNumber user{static_cast<std::uint32_t>(1 + random.below(users))};
      changes.emplace_back(React{user, posts[random.below(posts.size())], ReactionType::kLike});
    }
    storage.write(changes, clock.now());
  }
}

void forget_the_log(Storage& storage, Time now) {
  feed::FeedSettings settings = storage.snapshot()->state().settings;
  settings.log_keep_ms = 0;
  rules::change_settings(storage, settings, now);
}

void make_world(const std::filesystem::path& data, const BenchRequest& request,
                const Clock& clock) {
  const std::uint32_t users = request.users.value_or(kUsers);
  store::make_data_directory(data, std::nullopt);
  const auto directory = store::DataDirectory::open(data);
  Storage& storage = directory->storage();
  add_people(*directory, users, clock);
  add_follows(storage, users, request.follows.value_or(kFollows), clock.now());
  const auto posts = add_posts(storage, users, request.posts.value_or(kPosts), clock.now());
  events::drain(storage, clock);
  react(storage, posts, users, clock);
}

// The work of one step on a store whose turns are timed.
using Work = std::function<void(Storage&)>;

void beside(Context& context, const std::string& what, const std::filesystem::path& data,
            const Work& work) {
  time_upkeep(context, what, data, [&](const rules::TimedStorage::Told& told) {
    const auto directory = store::DataDirectory::open(data);
    rules::TimedStorage timed(directory->storage(), context.clock(), told);
    work(timed);
  });
}

}  // namespace
}  // namespace upkeep_bench

void run_upkeep(Context& context, const BenchRequest& request) {
  using namespace upkeep_bench;
  const Clock& clock = context.clock();
  const TemporaryFolder folder;
  const auto data = folder.path() / "beside";
  make_world(data, request, clock);
  beside(context, "counting", data, [&](Storage& storage) {
    events::Consumers consumers(storage, clock);
    while (consumers.step()) continue;
  });
  beside(context, "trimming", data, [&](Storage& storage) {
    forget_the_log(storage, clock.now());
    events::Consumers(storage, clock).tidy();
  });
  beside(context, "building", data, [&](Storage& storage) {
    feed::Feeds feeds(storage, clock);
    const std::uint32_t readers = std::min(request.users.value_or(kUsers), kReadersMax);
    for (std::uint32_t reader = 1; reader <= readers; ++reader) {
      feeds.after_read(UserNumber{reader}, feed::Upkeep::kBuild, std::nullopt);
    }
  });
  run_removal(context, request);
}

}  // namespace chirp::cli::bench
