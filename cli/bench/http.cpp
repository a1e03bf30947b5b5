// The server, loaded by another process: on a folder, or on a database beside one on a folder.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/bench/bare/server.h"
#include "cli/bench/figure.h"
#include "cli/bench/http_load.h"
#include "cli/bench/postgres/scratch.h"
#include "cli/bench/processes.h"
#include "cli/bench/runs.h"
#include "cli/bench/served_world.h"
#include "core/error.h"
#include "core/model/time.h"
#include "core/rules/writing.h"
#include "server/http/descriptors.h"
#include "store/data_place.h"
#include "store/lmdb/bare.h"
#include "store/postgres/storage.h"

namespace chirp::cli::bench {
namespace http_bench {
namespace {

constexpr std::size_t kConnections = 16;
constexpr std::size_t kWriters = 64;
constexpr std::size_t kIdle = 500;
constexpr std::size_t kStreams = 2000;       // if that many files may be open
constexpr std::size_t kPostsAtOnce = 1'000;  // of a load
constexpr double kFloor = 0.5;               // of a database, to a folder
constexpr double kSlowerAtMost = 5;          // amid a load

constexpr std::uint64_t kFirstId = std::uint64_t{1} << 60;  // of made-up posts

std::string post(const std::string& token) {
  const std::string body = fmt::format(R"({{"content":"{}"}})", post_text(1));
  return fmt::format(
      "POST /v1/posts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n"
      "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
      token, body.size(), body);
}

// A server in another process, and the requests of its users.
struct HttpTarget {
  std::uint16_t port = 0;
  std::vector<std::string> feeds{};
  std::vector<std::string> streams{};
  std::vector<std::string> posts{};
};

// In the servers' process: sends a server to the parent, as lines that HttpTargets reads.
void announce(std::uint16_t port, const std::vector<std::string>& tokens, const Send& send) {
  for (const std::string& token : tokens) send("token " + token);
  send(fmt::format("port {}", port));
}

// The two servers: the measured one, and its reference.
class HttpTargets {
 public:
  // Reads a line of announce(). Returns whether both servers are known.
  bool take(const std::string& line) {
    HttpTarget& target = targets_.at(known_);
    const std::string value = line.substr(line.find(' ') + 1);
    if (line.starts_with("token ")) {
      target.feeds.push_back(get(kFeedPath, value));
      target.streams.push_back(get("/v1/stream", value));
      target.posts.push_back(post(value));
      return false;
    }
    std::from_chars(value.data(), value.data() + value.size(), target.port);
    return ++known_ == targets_.size();
  }
  [[nodiscard]] const HttpTarget& measured() const { return targets_[0]; }
  [[nodiscard]] const HttpTarget& reference() const { return targets_[1]; }

 private:
  std::array<HttpTarget, 2> targets_;
  std::size_t known_ = 0;
};

// Runs `serve`, which announces two servers and runs them until the pipe is closed, in a process of
// its own, and `measure` meanwhile.
void measure_served(const std::function<void(StopPipe&, const Send&)>& serve,
                    const std::function<void(const HttpTargets&)>& measure) {
  HttpTargets targets;
  run_until_done(
      serve,
      [&](const std::string& line) {
        if (!targets.take(line)) return Receiving::kGoesOn;
        measure(targets);
        return Receiving::kIsDone;
      },
      "The measured server failed. Try again.");
}

Figure measured(std::string name, const HttpTarget& target, std::size_t connections,
                const std::vector<std::string>& requests, double seconds) {
  Figure figure{.name = std::move(name), .policy = "", .threads = connections};
  measure(figure, {target.port, connections, requests, seconds});
  return figure;
}

// Compares `measured` with a figure of the same server without anything beside it.
void compare_with_alone(Figure& measured, const Figure& alone) {
  measured.reference = fmt::format("the same alone, p99 {:.0f} us", alone.p99_micros);
  measured.reference_rate = alone.rate();
}

// The server on a folder, compared with bare sockets and bare LMDB.
class FolderBench {
 public:
  FolderBench(Context& context, const BenchRequest& request)
      : context_(context), seconds_(request.seconds) {}

  void run(const HttpTargets& servers) {
    const HttpTarget& chirp = servers.measured();
    Figure alone = best_of(
        1, [&] { return feeds("feed over http", chirp); },
        [&] { return feeds("bare", servers.reference()); });
    alone.reference = "bare cpp-httplib sending the same bytes";
    print(context_.out(), alone);
    read_in_a_crowd(chirp, alone);
    for (const std::size_t connections : {std::size_t{1}, kWriters}) write(chirp, connections);
  }

  // After the servers have ended: compares posts with bare LMDB with the same number of posts a
  // sync.
  void compare_posts(const std::filesystem::path& folder) {
    for (auto& [figure, at_once] : written_) {
      const auto place = folder / fmt::format("bare-{}", figure.threads);
      std::filesystem::create_directory(place);
      const auto posts = posts_of(figure.operations);
      figure.reference = fmt::format("bare LMDB putting post, index and event, {} a sync", at_once);
      figure.reference_rate =
          static_cast<double>(posts.size()) / lmdb::bare_publish(place, posts, at_once);
      print(context_.out(), figure);
    }
  }

 private:
  static std::vector<Post> posts_of(std::uint64_t count) {
    std::vector<Post> posts;
    for (std::uint64_t i = 0; i < count; ++i) {
      const UserNumber author{static_cast<std::uint32_t>(1 + i * 7919 % kServedReaders)};
      posts.push_back({PostId{kFirstId + i}, author, post_text(1), Time{}, Privacy::kPublic, {}});
    }
    return posts;
  }

  [[nodiscard]] Figure feeds(std::string name, const HttpTarget& target) const {
    return measured(std::move(name), target, kConnections, target.feeds, seconds_);
  }

  void read_in_a_crowd(const HttpTarget& chirp, const Figure& alone) const {
    const IdleConnections idle(chirp.port, kIdle, chirp.feeds);
    const std::size_t count = std::min(kStreams, http::descriptors().streams);
    const IdleConnections streams(chirp.port, count, chirp.streams);
    Figure figure = feeds(fmt::format("feed amid {} idle and {} streams", kIdle, count), chirp);
    compare_with_alone(figure, alone);
    print(context_.out(), figure);
  }

  void write(const HttpTarget& chirp, std::size_t connections) {
    const Batches before = batches(chirp);
    Figure figure = measured("posts over http", chirp, connections, chirp.posts, seconds_);
    written_.emplace_back(std::move(figure), batches(chirp).mean_since(before));
  }

  // Transactions and writes, as the server counts them.
  struct Batches {
    double changes = 0;
    double syncs = 0;
    [[nodiscard]] std::size_t mean_since(const Batches& before) const {
      const double mean = (changes - before.changes) / std::max(1.0, syncs - before.syncs);
      return static_cast<std::size_t>(std::max(1.0, std::round(mean)));
    }
  };
  static Batches batches(const HttpTarget& chirp) {
    const std::string metrics =
        fetch(chirp.port, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return {metric(metrics, "chirp_write_batch_changes_sum"), metric(metrics, "chirp_syncs_total")};
  }

  Context& context_;
  const double seconds_;
  std::vector<std::pair<Figure, std::size_t>> written_;  // and the number of posts a sync
};

void run_on_folder(Context& context, const BenchRequest& request) {
  const TemporaryFolder folder;
  FolderBench bench(context, request);
  measure_served(
      [&](StopPipe& stop, const Send& send) {
        const ServedWorld world(store::DataPlace(folder.path() / "world"), request,
                                context.clock());
        const std::string body = fetch(world.port(), get(kFeedPath, world.tokens().front()));
        const BareServer bare(kFeedPath, body, kConnections);
        announce(world.port(), world.tokens(), send);
        announce(bare.port(), world.tokens(), send);
        stop.wait();
      },
      [&](const HttpTargets& servers) { bench.run(servers); });
  bench.compare_posts(folder.path());
}

// In another process: loads old posts of existing users until the parent stops it, from a year
// before.
void load_old_posts(const std::string& url, const Clock& clock, StopPipe& stop, const Send& send) {
  const auto storage = postgres::open_storage(url);
  const Time before{clock.now().ms - 365 * kDayMs};
  std::uint64_t loaded = 0;
  while (!stop.is_closed()) {
    std::vector<LoadedPost> posts;
    for (std::size_t i = 0; i < kPostsAtOnce; ++i) {
      const auto author = static_cast<std::uint32_t>(1 + loaded * 7919 % kServedReaders);
      posts.push_back({SourceId{++loaded}, UserNumber{author}, before, post_text(loaded)});
    }
    rules::load_posts(*storage, posts, clock.now());
    if (loaded == kPostsAtOnce) send("loading");
  }
}

// Pages from the server on a database, compared with those from the one on a folder, and amid a
// load.
void measure_on_database(Context& context, double seconds, const std::string& url,
                         const HttpTargets& servers) {
  const auto feeds = [&](std::string name, const HttpTarget& target) {
    return measured(std::move(name), target, kConnections, target.feeds, seconds / kRounds);
  };
  Figure alone = best_of(
      kRounds, [&] { return feeds("feed over http, PostgreSQL", servers.measured()); },
      [&] { return feeds("folder", servers.reference()); });
  alone.reference = "the same server on a folder";
  alone.floor = kFloor;
  print(context.out(), alone);
  Figure amid;
  run_until_done(
      [&](StopPipe& stop, const Send& send) { load_old_posts(url, context.clock(), stop, send); },
      [&](const std::string& /*loading*/) {
        amid = feeds("feed amid a load", servers.measured());
        return Receiving::kIsDone;
      },
      "The load beside the measurement failed. Try again.");
  compare_with_alone(amid, alone);
  print(context.out(), amid);
  print(context.out(),
        Measure{"p99 of a page amid a load, to that alone",
                amid.p99_micros / std::max(alone.p99_micros, 1.0), "times", kSlowerAtMost});
}

void run_on_database(Context& context, const BenchRequest& request) {
  with_scratch_databases(request.directory->url(), 1, [&](std::span<const std::string> urls) {
    const std::string& url = urls.front();
    measure_served(
        [&](StopPipe& stop, const Send& send) {
          const TemporaryFolder folder;
          const ServedWorld on_database(store::DataPlace::named(url), request, context.clock());
          const ServedWorld on_folder(store::DataPlace(folder.path() / "world"), request,
                                      context.clock());
          announce(on_database.port(), on_database.tokens(), send);
          announce(on_folder.port(), on_folder.tokens(), send);
          stop.wait();
        },
        [&](const HttpTargets& servers) {
          measure_on_database(context, request.seconds, url, servers);
        });
  });
}

}  // namespace
}  // namespace http_bench

void run_http(Context& context, const BenchRequest& request) {
  const bool on_database = request.directory && request.directory->is_database();
  on_database ? http_bench::run_on_database(context, request)
              : http_bench::run_on_folder(context, request);
}

}  // namespace chirp::cli::bench
