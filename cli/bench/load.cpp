#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>

#include <fmt/format.h>

#include "cli/bench/figure.h"
#include "cli/bench/load_text.h"
#include "cli/bench/other_writer.h"
#include "cli/bench/runs.h"
#include "cli/input/edges.h"
#include "cli/input/posts.h"
#include "cli/input/source.h"
#include "cli/progress.h"
#include "core/load/graph_loader.h"
#include "core/load/post_loader.h"
#include "store/lmdb/bare.h"
#include "store/sqlite/bare.h"

namespace chirp::cli::bench {
namespace load_bench {
namespace {

constexpr std::uint32_t kUsers = 100'000;
constexpr std::uint64_t kFollows = 4'000'000;
constexpr std::uint64_t kPosts = 500'000;
constexpr std::uint32_t kPeople = 200'000;
constexpr std::size_t kPostsAtOnce = 10'000;   // in the reference
constexpr std::size_t kPeopleAtOnce = 16'000;  // in the reference

LoadedEdge edge_of(Random& random, std::uint32_t users) {
  const std::uint64_t follower = random.below(users);
  const std::uint64_t followee = popular(random, users);
  return {UserNumber{static_cast<std::uint32_t>(follower + 1)},
          UserNumber{static_cast<std::uint32_t>(followee + 1)}};
}

void write_edges(const std::filesystem::path& file, std::uint32_t users, std::uint64_t follows) {
  std::ofstream out(file, std::ios::binary);
  Random random(4);
  for (std::uint64_t i = 0; i < follows; ++i) {
    const LoadedEdge edge = edge_of(random, users);
    out << edge.follower.value << ' ' << edge.followee.value << '\n';
  }
}

std::vector<LoadedEdge> distinct_edges(std::uint32_t users, std::uint64_t follows) {
  Random random(4);
  std::vector<LoadedEdge> edges;
  for (std::uint64_t i = 0; i < follows; ++i) {
    const LoadedEdge edge = edge_of(random, users);
    if (edge.follower != edge.followee) edges.push_back(edge);
  }
  const auto by_both = [](const LoadedEdge& a, const LoadedEdge& b) {
    return a.follower != b.follower ? a.follower < b.follower : a.followee < b.followee;
  };
  const auto same = [](const LoadedEdge& a, const LoadedEdge& b) {
    return a.follower == b.follower && a.followee == b.followee;
  };
  std::sort(edges.begin(), edges.end(), by_both);
  edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
  return edges;
}

std::vector<Post> posts_of(std::uint32_t users, std::uint64_t posts, Time now) {
  Random random(5);
  std::vector<Post> made;
  for (std::uint64_t i = 1; i <= posts; ++i) {
    const Time time{now.ms - static_cast<std::int64_t>(posts - i) * kSecondMs};
    made.push_back({PostId{snowflake::make(snowflake::ticks_of(time), snowflake::kLoadMachine, 0)},
                    UserNumber{static_cast<std::uint32_t>(1 + random.below(users))}, post_text(i),
                    time, Privacy::kPublic, SourceId{i}});
  }
  return made;
}

void write_posts(const std::filesystem::path& file, const std::vector<Post>& posts) {
  std::ofstream out(file, std::ios::binary);
  for (const Post& post : posts) write_post(out, post);
}

// Reads files through `read` like the load commands, into the directory at `data`.
class LoadRun {
 public:
  explicit LoadRun(const std::filesystem::path& data) {
    store::make_data_directory(data, std::nullopt);
    directory_ = store::DataDirectory::open(data);
  }
  [[nodiscard]] store::DataDirectory& directory() { return *directory_; }
  // Calls `read` with the file opened in a buffer. Returns the total seconds.
  double time(const std::filesystem::path& file,
              const std::function<void(input::TextBuffer&, input::BadLines&)>& read) {
    const auto start = BenchClock::now();
    input::BadLines bad(0, [](const std::string&) {});
    input::InputSource source(file.string());
    input::TextBuffer buffer;
    while (source.next()) {
      buffer.open(source);
      read(buffer, bad);
    }
    return seconds_since(start);
  }

 private:
  std::unique_ptr<store::DataDirectory> directory_;
};

// Returns seconds.
double load_graph(const std::filesystem::path& file, const std::filesystem::path& data,
                  const Clock& clock) {
  LoadRun run(data);
  load::GraphLoader loader(run.directory().storage(), run.directory().users(), clock, &give_way);
  return run.time(file, [&](input::TextBuffer& buffer, input::BadLines& bad) {
    input::read_edges(buffer, file.string(), {}, bad,
                      {.edges = [&](auto edges) { loader.add(edges); }});
    loader.finish();
  });
}

double load_posts(const std::filesystem::path& file, const std::filesystem::path& data,
                  const Clock& clock) {
  LoadRun run(data);
  load::PostLoader loader(run.directory().storage(), run.directory().users(), clock, &give_way);
  const input::PostSink sink{
      .post = [&](load::SourcePost&& post,
                  const input::InputPlace&) { return loader.add(std::move(post)); },
      .user = [&](load::SourceUser&& user) { loader.say(std::move(user)); }};
  return run.time(file, [&](input::TextBuffer& buffer, input::BadLines& bad) {
    input::PostReader reader(input::PostFormat::kAuto, bad, sink);
    reader.read(buffer, file.string(), input::Unknown::kRefused);
    loader.finish();
  });
}

// A new directory, to be opened by two processes.
std::filesystem::path fresh(const TemporaryFolder& folder) {
  const auto data = folder.path() / "beside";
  store::make_data_directory(data, std::nullopt);
  return data;
}

void run_graph(Context& context, const BenchRequest& request, const TemporaryFolder& folder) {
  const std::uint32_t users = request.users.value_or(kUsers);
  const std::uint64_t follows = request.follows.value_or(kFollows);
  const auto file = folder.path() / "graph.txt";
  write_edges(file, users, follows);
  Figure figure{.name = "load graph", .policy = "", .operations = follows};
  figure.seconds = load_graph(file, folder.path() / "data", context.clock());
  auto edges = distinct_edges(users, follows);
  figure.reference = "bare LMDB appending both directions";
  const auto count = static_cast<double>(edges.size());
  const auto bare = folder.path() / "bare";
  std::filesystem::create_directory(bare);
  figure.reference_rate = count / lmdb::bare_append_edges(bare, std::move(edges));
  print(context.out(), figure);
  const auto beside = fresh(folder);
  time_other_writer(context, "graph", beside,
                    [&](const auto& /*turns*/) { load_graph(file, beside, context.clock()); });
}

void run_posts(Context& context, const BenchRequest& request, const TemporaryFolder& folder) {
  const std::uint32_t users = request.users.value_or(kUsers);
  const auto posts = posts_of(users, request.posts.value_or(kPosts), context.now());
  const auto file = folder.path() / "posts.jsonl";
  write_posts(file, posts);
  Figure figure{.name = "load posts", .policy = "", .operations = posts.size()};
  figure.seconds = load_posts(file, folder.path() / "data", context.clock());
  figure.reference = "bare LMDB putting record and indexes";
  const auto bare = folder.path() / "bare";
  std::filesystem::create_directory(bare);
  figure.reference_rate =
      static_cast<double>(posts.size()) / lmdb::bare_put_posts(bare, posts, kPostsAtOnce);
  print(context.out(), figure);
  const auto beside = fresh(folder);
  time_other_writer(context, "posts", beside,
                    [&](const auto& /*turns*/) { load_posts(file, beside, context.clock()); });
}

void run_people(Context& context, const BenchRequest& request, const TemporaryFolder& folder) {
  const std::uint32_t users = request.users.value_or(kPeople) / 2 * 2;
  const auto file = folder.path() / "pairs.txt";
  write_pairs(file, users);
  Figure figure{.name = "load people", .policy = "", .operations = users};
  figure.seconds = load_graph(file, folder.path() / "data", context.clock());
  figure.reference = "bare SQLite putting row, indexes and search";
  const auto bare = folder.path() / "bare";
  std::filesystem::create_directory(bare);
  figure.reference_rate = users / sqlite::bare_add_users(bare, users, kPeopleAtOnce);
  print(context.out(), figure);
  const auto beside = fresh(folder);
  time_other_writer(context, "people", beside,
                    [&](const auto& /*turns*/) { load_graph(file, beside, context.clock()); });
}

}  // namespace
}  // namespace load_bench

void run_load(Context& context, const BenchRequest& request) {
  using namespace load_bench;
  if (request.load) return run_load_world(context, request);
  run_graph(context, request, TemporaryFolder());
  run_posts(context, request, TemporaryFolder());
  run_people(context, request, TemporaryFolder());
}

}  // namespace chirp::cli::bench
