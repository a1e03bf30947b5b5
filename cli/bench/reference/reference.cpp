// The load of a network of a million users on two cores, all of it at once: pages, durable posts
// and their deliveries, each on its own schedule.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/bench/reference/load.h"
#include "cli/bench/reference/redis_load.h"
#include "cli/bench/runs.h"
#include "cli/bench/world.h"
#include "cli/progress.h"
#include "core/error.h"
#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/load/seed.h"
#include "store/data_directory.h"

namespace chirp::cli::bench {
namespace reference_bench {
namespace {

constexpr std::uint32_t kUsers = 1'000'000;
constexpr std::uint64_t kFollows = 20'000'000;
constexpr std::uint64_t kPosts = 2'000'000;
constexpr std::uint32_t kUsersAReader = 10;  // one of this many users
constexpr double kFollowersAPost = 200;
constexpr double kReads = 100'000;
constexpr double kWrites = 5'000;
constexpr double kRunIn = 1.0 / 3;  // share of the time before measuring
constexpr double kAlone = 1.0 / 6;  // share of the time in which only reads run

// Written last; contains the size of the world.
constexpr const char* kSizeFile = "reference-world";
constexpr std::size_t kViewersAtOnce = 500;

std::string words_for(const WorldSize& size) {
  return fmt::format("{} users, {} follows, {} posts", size.users, size.follows, size.posts);
}

std::optional<std::string> first_line(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line)) return std::nullopt;
  return line;
}

// Whether there is a world of this size at `path`; false if there is nothing at all.
bool is_there(const std::filesystem::path& path, const WorldSize& size) {
  const auto made_of = first_line(path / kSizeFile);
  if (made_of == words_for(size)) return true;
  if (made_of) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format(
            "The world at {} has {}, not {}. Give the same numbers, or name another directory.",
            path.string(), *made_of, words_for(size)),
        "data");
  }
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return false;
  if (std::filesystem::is_directory(path, error) && std::filesystem::is_empty(path, error)) {
    return false;
  }
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{} is not a complete world of `chirp bench reference`. Name another "
                          "directory, or remove this one.",
                          path.string()),
              "data");
}

// The world of the reference load: a data directory, made once and kept.
class KeptWorld {
 public:
  // Opens or makes the world at `place`, or makes one in a temporary folder. Throws
  // Error{kInvalidArgument} for a folder with other contents, and for a world of another size.
  KeptWorld(Context& context, const std::optional<store::DataPlace>& place, const WorldSize& size);

  [[nodiscard]] store::DataDirectory& directory() { return *directory_; }

 private:
  void make(Context& context, const WorldSize& size);
  void plant(Context& context, const WorldSize& size);
  // Gives every user a timeline, as after some time of use.
  void build_timelines(Context& context);

  std::optional<TemporaryFolder> folder_;
  std::filesystem::path path_;
  std::unique_ptr<store::DataDirectory> directory_;
};

KeptWorld::KeptWorld(Context& context, const std::optional<store::DataPlace>& place,
                     const WorldSize& size) {
  if (place && place->is_database()) {
    throw Error(ErrorCode::kInvalidArgument,
                "The reference load needs a directory, but --data names a database.", "data");
  }
  if (!place) folder_.emplace();
  path_ = place ? place->folder() : folder_->path() / "world";
  if (is_there(path_, size)) {
    directory_ = store::DataDirectory::open(path_);
  } else {
    make(context, size);
  }
  // Finishes what another run has left pending.
  events::drain(directory_->storage(), context.clock());
}

void KeptWorld::make(Context& context, const WorldSize& size) {
  store::make_data_directory(path_, std::nullopt);
  directory_ = store::DataDirectory::open(path_);
  plant(context, size);
  build_timelines(context);
  std::ofstream file(path_ / kSizeFile);
  file << words_for(size) << '\n' << std::flush;
  if (!file) {
    throw Error(ErrorCode::kIo,
                fmt::format("{} could not be written.", (path_ / kSizeFile).string()));
  }
}

void KeptWorld::plant(Context& context, const WorldSize& size) {
  load::SeedOptions options;
  options.users = size.users;
  options.follows = size.follows;
  options.posts = size.posts;
  const std::uint64_t total = options.users + options.follows + options.posts;
  std::uint64_t made = 0;
  ProgressLine progress(context.out(), context.clock(), "rows of the world");
  const auto show = [&] { progress.show({.done = made, .total = total, .rows = made}); };
  (void)load::plant(options, directory_->storage(), directory_->users(), context.clock(),
                    {.made =
                         [&](std::uint64_t rows) {
                           made += rows;
                           show();
                         },
                     .pause = show});
}

void KeptWorld::build_timelines(Context& context) {
  Storage& storage = directory_->storage();
  const std::vector<UserNumber> users = all_users(*storage.snapshot());
  ProgressLine progress(context.out(), context.clock(), "timelines");
  feed::Feeds feeds(storage, context.clock());
  for (std::size_t done = 0; done < users.size();) {
    const auto some =
        std::span(users).subspan(done).first(std::min(kViewersAtOnce, users.size() - done));
    (void)feeds.rebuild(some);
    done += some.size();
    progress.show({.done = done, .total = users.size(), .rows = done});
  }
}

void check_options(const BenchRequest& request) {
  if (request.policy) {
    throw Error(ErrorCode::kInvalidArgument,
                "The reference load is measured under the policy of a new directory; leave "
                "--policy out.",
                "policy");
  }
}

void print_world(Output& out, const WorldSize& size, const Crowd& crowd, const LoadPlan& plan) {
  if (out.json()) return;
  out.print(
      fmt::format("{} users, {} follows, {} posts; {} of them read, on {} threads; {} write\n",
                  short_number(size.users), short_number(static_cast<double>(size.follows)),
                  short_number(static_cast<double>(size.posts)),
                  short_number(static_cast<double>(crowd.readers.size())), plan.threads, kWriters));
  out.flush();
}

// Measures chirp, and prints the result.
void measure_served(Context& context, const BenchRequest& request, KeptWorld& world,
                    const Crowd& crowd, const LoadPlan& plan) {
  Output& out = context.out();
  Served served(world.directory(), context.clock(), request.cache_mb << 20);
  {
    ProgressLine progress(out, context.clock(), "first reads");
    warm_up(served, crowd, plan.threads, [&](std::uint64_t done) {
      progress.show({.done = done, .total = crowd.readers.size(), .rows = done});
    });
  }
  // Lets a long-running server's evictions happen before measuring.
  LoadPlan run_in = plan;
  run_in.seconds = plan.seconds * kRunIn;
  (void)run_load_on(served, crowd, run_in, context.clock());
  LoadPlan alone = plan;
  alone.seconds = plan.seconds * kAlone;
  print_paced(out, "reads alone", reads_alone(served, crowd, alone), alone.seconds, 0);
  print(out, run_load_on(served, crowd, plan, context.clock()));
}

}  // namespace
}  // namespace reference_bench

void run_reference(Context& context, const BenchRequest& request) {
  using namespace reference_bench;
  check_options(request);
  const WorldSize size{request.users.value_or(kUsers), request.follows.value_or(kFollows),
                       request.posts.value_or(kPosts)};
  std::optional<RedisFeeds> redis;
  if (request.beside_redis) redis.emplace(Append::kEverySecond);  // it forks, so it comes first
  KeptWorld world(context, request.directory, size);
  Output& out = context.out();
  LoadPlan plan;
  plan.wanted = {request.reads.value_or(kReads), request.writes.value_or(kWrites)};
  plan.seconds = request.seconds;
  plan.threads = request.threads;
  plan.data = world.directory().place().folder();
  const Crowd crowd =
      crowd_of(*world.directory().storage().snapshot(),
               std::max<std::size_t>(size.users / kUsersAReader, 1), kFollowersAPost);
  print_world(out, size, crowd, plan);
  measure_served(context, request, world, crowd, plan);
  if (!redis) return;
  RedisLoad beside(*redis, crowd, world.directory().storage(), context.clock());
  for (const char* synced : {"everysec", "always"}) beside.run(out, plan, synced);
}

}  // namespace chirp::cli::bench
