// Removing a user with many followers and posts, while another writer writes.
//
// The followers also follow others, so that their rows are scattered.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "cli/bench/other_writer.h"
#include "cli/bench/runs.h"
#include "core/engine.h"
#include "core/events/consumers.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "store/data_directory.h"

namespace chirp::cli::bench {
namespace removal_bench {
namespace {

constexpr std::uint32_t kFollowers = 100'000;
constexpr std::uint32_t kFollowersAPost = 10;
constexpr std::uint32_t kOthersFollowed = 10;
constexpr std::uint64_t kNeighbours = 1000;  // the pool from which followees are drawn
constexpr std::size_t kBatch = 5'000;

// Calls `add(batch, i)` for each i, and `store(batch)` with a few thousand at a time.
template <class Row, class Add, class Store>
void in_batches(std::uint64_t count, Add add, Store store) {
  std::vector<Row> batch;
  for (std::uint64_t i = 0; i < count; ++i) {
    add(batch, i);
    if (batch.size() >= kBatch || i + 1 == count) {
      store(batch);
      batch.clear();
    }
  }
}

std::vector<UserNumber> add_followers(Engine& engine, UserNumber followee, std::uint64_t count) {
  const Time now = engine.clock().now();
  std::vector<UserNumber> followers;
  in_batches<LoadedUser>(
      count,
      [](auto& users, std::uint64_t i) {
        LoadedUser user;
        user.source = SourceId{1 + i};
        users.push_back(std::move(user));
      },
      [&](const auto& users) {
        std::vector<AuthorCard> cards;
        for (const LoadedUserResult& result : engine.directory().load(users, now)) {
          followers.push_back(result.user.number);
          cards.push_back(social::card_of(result.user));
        }
        rules::load_cards(engine.storage(), cards, now);
      });
  in_batches<LoadedEdge>(
      count,
      [&](auto& edges, std::uint64_t i) {
        edges.push_back({followers[i], followee});
      },
      [&](const auto& edges) {
        for (std::span<const LoadedEdge> left = edges; !left.empty();) {
          left = left.subspan(rules::load_edges(engine.storage(), left, now).taken);
        }
      });
  return followers;
}

void add_other_follows(Storage& storage, std::span<const UserNumber> people, std::uint64_t count,
                       Time now) {
  Random random(7);
  in_batches<LoadedEdge>(
      count,
      [&](auto& edges, std::uint64_t i) {
        const std::uint64_t one = i * people.size() / count;
        const std::uint64_t other = (one + 1 + random.below(kNeighbours)) % people.size();
        if (one != other) edges.push_back({people[one], people[other]});
      },
      [&](const auto& edges) {
        for (std::span<const LoadedEdge> left = edges; !left.empty();) {
          left = left.subspan(rules::load_edges(storage, left, now).taken);
        }
      });
}

// Adds posts with a like, a comment and a repost each.
void add_posts(Storage& storage, UserNumber author, std::uint64_t count,
               std::span<const UserNumber> followers, Time now) {
  std::vector<PostId> posts;
  in_batches<LoadedPost>(
      count,
      [&](auto& batch, std::uint64_t i) {
        const Time time{now.ms - static_cast<std::int64_t>(count - i) * kSecondMs};
        batch.push_back({SourceId{1 + i}, author, time, post_text(i)});
      },
      [&](const auto& batch) { rules::load_posts(storage, batch, now); });
  for (PostId after = kBelowAllPosts; posts.size() < count;) {
    for (const Post& post : reads::rows_above<tables::Posts>(*storage.snapshot(), {after}, kBatch))
      posts.push_back(post.id);
    after = posts.back();
  }
  Random random(6);
  const auto somebody = [&] { return followers[random.below(followers.size())]; };
  in_batches<LoadedReaction>(
      count,
      [&](auto& batch, std::uint64_t i) {
        batch.push_back({somebody(), posts[i]});
      },
      [&](const auto& batch) { rules::load_reactions(storage, batch, now); });
  in_batches<LoadedComment>(
      count,
      [&](auto& batch, std::uint64_t i) {
        batch.push_back({SourceId{1 + count + i}, somebody(), now, "A word about it", posts[i]});
      },
      [&](const auto& batch) { rules::load_comments(storage, batch, now); });
  in_batches<LoadedPost>(
      count,
      [&](auto& batch, std::uint64_t i) {
        batch.push_back({SourceId{1 + 2 * count + i}, somebody(), now, {}, posts[i]});
      },
      [&](const auto& batch) { rules::load_posts(storage, batch, now); });
}

class NoPasswords final : public PasswordHasher {
 public:
  [[nodiscard]] std::string hash(std::string_view, unsigned) const override { return {}; }
  [[nodiscard]] bool matches(std::string_view, std::string_view, unsigned) const override {
    return false;
  }
};

constexpr const char* kName = "somebody";

struct Size {
  std::uint64_t followers;
  std::uint64_t follows;  // between other users
  std::uint64_t posts;
};

void make_world(const std::filesystem::path& data, const Clock& clock, const Size& size) {
  store::make_data_directory(data, std::nullopt);
  const auto directory = store::DataDirectory::open(data);
  const NoPasswords hasher;
  Engine engine(directory->storage(), directory->users(), hasher, clock);
  social::SignUp sign_up;
  sign_up.username = kName;
  const UserNumber user = engine.accounts().add(sign_up).user.number;
  const auto people = add_followers(engine, user, size.followers);
  add_other_follows(engine.storage(), people, size.follows, clock.now());
  add_posts(engine.storage(), user, size.posts, people, clock.now());
  events::drain(engine.storage(), clock);
}

}  // namespace
}  // namespace removal_bench

void run_removal(Context& context, const BenchRequest& request) {
  using namespace removal_bench;
  const std::uint64_t followers = request.users.value_or(kFollowers);
  const std::uint64_t posts = request.posts.value_or(followers / kFollowersAPost);
  const TemporaryFolder folder;
  const auto data = folder.path() / "beside";
  make_world(data, context.clock(),
             {followers, request.follows.value_or(followers * kOthersFollowed),
              std::max<std::uint64_t>(posts, 1)});
  time_upkeep(context, "a removal", data, [&](const rules::TimedStorage::Told& told) {
    const auto directory = store::DataDirectory::open(data);
    rules::TimedStorage timed(directory->storage(), context.clock(), told);
    const NoPasswords hasher;
    Engine engine(timed, directory->users(), hasher, context.clock());
    engine.accounts().remove(engine.accounts().resolve(kName));
  });
}

}  // namespace chirp::cli::bench
