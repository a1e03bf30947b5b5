// Upkeep and removals, each in a world with much work for it, while another writer writes.
#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "cli/bench/other_writer.h"
#include "cli/bench/runs.h"
#include "core/engine.h"
#include "core/events/consumers.h"
#include "core/rules/writing.h"
#include "store/data_directory.h"

namespace chirp::cli::bench {
namespace beside_bench {
namespace {

constexpr std::uint32_t kUsers = 20'000;
constexpr std::uint64_t kFollows = 400'000;
constexpr std::uint64_t kPosts = 200'000;
constexpr std::uint64_t kFollowsAReader = 100;
constexpr std::uint32_t kReadersMax = 4'000;

constexpr std::uint32_t kFollowers = 100'000;  // of the removed user
constexpr std::uint32_t kFollowersAPost = 10;
constexpr std::uint64_t kFollowsAFollower = 10;
constexpr std::size_t kBatch = 5'000;
constexpr UserNumber kRemoved{1};

// A directory with a world, which is closed, so that another process can open it.
class BesideWorld {
 public:
  BesideWorld(const WorldSize& size, const Clock& clock,
              const std::function<void(Storage&)>& add_more) {
    store::make_data_directory(path(), std::nullopt);
    const auto directory = store::DataDirectory::open(path());
    fill_world(*directory, size, clock);
    add_more(directory->storage());
  }

  // Does the work on a store whose turns are timed, beside another writer.
  void measure(Context& context, const std::string& what,
               const std::function<void(Storage&, UserDirectory&)>& work) const {
    time_other_writer(context, what, path(), [&](const rules::TimedStorage::Told& told) {
      const auto directory = store::DataDirectory::open(path());
      rules::TimedStorage timed(directory->storage(), context.clock(), told);
      work(timed, directory->users());
    });
  }

 private:
  [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "beside"; }

  TemporaryFolder folder_;
};

// Reactions by all users to all posts: counters and lists of notifications are scattered.
void add_reactions(Storage& storage, std::uint32_t users, const Clock& clock) {
  const std::vector<PostId> posts = post_ids(*storage.snapshot());
  Random random(10);
  write_changes(storage, clock, posts.size(), [&](auto& changes, std::uint64_t) {
    const UserNumber user{static_cast<std::uint32_t>(1 + random.below(users))};
    changes.emplace_back(React{user, posts[random.below(posts.size())], ReactionType::kLike});
  });
}

void forget_the_log(Storage& storage, Time now) {
  feed::FeedSettings settings = storage.snapshot()->state().settings;
  settings.log_keep_ms = 0;
  rules::change_settings(storage, settings, now);
}

// All other users follow the user that will be removed, and they also follow others, so that their
// rows are scattered. The user has posts with a like, a comment and a repost each.
void add_removed_user(Storage& storage, std::uint32_t users, std::uint64_t count, Time now) {
  std::vector<LoadedEdge> edges;
  for (std::uint32_t user = kRemoved.value + 1; user <= users; ++user) {
    edges.push_back({UserNumber{user}, kRemoved});
  }
  load_follows(storage, edges, now);
  in_batches<LoadedPost>(
      count, kBatch,
      [&](auto& posts, std::uint64_t n) {
        const Time time{now.ms - static_cast<std::int64_t>(count - n) * kSecondMs};
        posts.push_back({SourceId{1 + n}, kRemoved, time, post_text(n)});
      },
      [&](const auto& posts) { rules::load_posts(storage, posts, now); });
  const std::vector<PostId> posts = post_ids(*storage.snapshot());
  Random random(6);
  const auto any_follower = [&] {
    return UserNumber{static_cast<std::uint32_t>(2 + random.below(users - 1))};
  };
  in_batches<LoadedReaction>(
      count, kBatch,
      [&](auto& reactions, std::uint64_t n) {
        reactions.push_back({any_follower(), posts[n]});
      },
      [&](const auto& reactions) { rules::load_reactions(storage, reactions, now); });
  in_batches<LoadedComment>(
      count, kBatch,
      [&](auto& comments, std::uint64_t n) {
        comments.push_back(
            {SourceId{1 + count + n}, any_follower(), now, "A word about it", posts[n]});
      },
      [&](const auto& comments) { rules::load_comments(storage, comments, now); });
  in_batches<LoadedPost>(
      count, kBatch,
      [&](auto& reposts, std::uint64_t n) {
        reposts.push_back({SourceId{1 + 2 * count + n}, any_follower(), now, {}, posts[n]});
      },
      [&](const auto& reposts) { rules::load_posts(storage, reposts, now); });
}

}  // namespace
}  // namespace beside_bench

void run_upkeep(Context& context, const BenchRequest& request) {
  using namespace beside_bench;
  const Clock& clock = context.clock();
  const std::uint32_t users = request.users.value_or(kUsers);
  const WorldSize size{users, request.follows.value_or(kFollows), request.posts.value_or(kPosts),
                       kFollowsAReader};
  const BesideWorld world(size, clock, [&](Storage& storage) {
    events::drain(storage, clock);
    add_reactions(storage, users, clock);
  });
  world.measure(context, "counting", [&](Storage& storage, UserDirectory&) {
    events::Consumers consumers(storage, clock);
    while (consumers.step()) continue;
  });
  world.measure(context, "trimming", [&](Storage& storage, UserDirectory&) {
    forget_the_log(storage, clock.now());
    events::Consumers(storage, clock).tidy();
  });
  world.measure(context, "building", [&](Storage& storage, UserDirectory&) {
    feed::Feeds feeds(storage, clock);
    for (std::uint32_t reader = 1; reader <= std::min(users, kReadersMax); ++reader) {
      feeds.after_read(UserNumber{reader}, feed::Upkeep::kBuild, std::nullopt);
    }
  });
}

void run_removal(Context& context, const BenchRequest& request) {
  using namespace beside_bench;
  const Clock& clock = context.clock();
  const std::uint32_t followers = request.users.value_or(kFollowers);
  const std::uint64_t posts =
      std::max<std::uint64_t>(request.posts.value_or(followers / kFollowersAPost), 1);
  const WorldSize size{1 + followers, request.follows.value_or(followers * kFollowsAFollower), 0,
                       kFollowsAFollower};
  const BesideWorld world(size, clock, [&](Storage& storage) {
    add_removed_user(storage, size.users, posts, clock.now());
    events::drain(storage, clock);
  });
  world.measure(context, "a removal", [&](Storage& storage, UserDirectory& users) {
    const auto hasher = store::bcrypt_hasher();
    Engine engine(storage, users, *hasher, clock);
    const auto user = users.find(kRemoved);
    check(user.has_value(), "the removed user is in the world");
    engine.accounts().remove(*user);
  });
}

}  // namespace chirp::cli::bench
