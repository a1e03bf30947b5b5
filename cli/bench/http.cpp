#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/bench/bare/server.h"
#include "cli/bench/figure.h"
#include "cli/bench/http_load.h"
#include "cli/bench/runs.h"
#include "cli/bench/served_world.h"
#include "cli/bench/stop_pipe.h"
#include "cli/isolated.h"
#include "core/error.h"
#include "server/http/descriptors.h"
#include "store/data_place.h"
#include "store/lmdb/bare.h"

namespace chirp::cli::bench {
namespace http_bench {
namespace {

constexpr std::size_t kConnections = 16;
constexpr std::size_t kWriters = 64;
constexpr std::size_t kIdle = 500;
constexpr std::size_t kStreams = 2000;  // if that many files may be open

constexpr std::uint64_t kFirstId = std::uint64_t{1} << 60;  // of made-up posts

std::string post(const std::string& token) {
  const std::string body = fmt::format(R"({{"content":"{}"}})", post_text(1));
  return fmt::format(
      "POST /v1/posts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n"
      "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
      token, body.size(), body);
}

// In the child: serves until the parent stops it, and sends the parent its port and tokens.
void serve(const std::filesystem::path& path, const BenchRequest& request, const Clock& clock,
           StopPipe& stop, const Send& send) {
  const ServedWorld world(store::DataPlace(path), request, clock);
  const std::string body = fetch(world.port(), get(kFeedPath, world.tokens().front()));
  const BareServer bare(kFeedPath, body, kConnections);
  for (const std::string& token : world.tokens()) send("token " + token);
  send(fmt::format("bare {}", bare.port()));
  send(fmt::format("chirp {}", world.port()));
  stop.wait();
}

// In the parent: sends the requests.
class Measurement {
 public:
  Measurement(Context& context, const BenchRequest& request)
      : context_(context), seconds_(request.seconds) {}

  // Receives the child's lines. The last one starts the measurement.
  void take(const std::string& line) {
    const std::size_t blank = line.find(' ');
    const std::string value = line.substr(blank + 1);
    if (line.starts_with("token")) {
      feeds_.push_back(get(kFeedPath, value));
      streams_.push_back(get("/v1/stream", value));
      posts_.push_back(post(value));
      return;
    }
    std::uint16_t port = 0;
    std::from_chars(value.data(), value.data() + value.size(), port);
    (line.starts_with("bare") ? bare_ : chirp_) = port;
    if (chirp_ == 0) return;
    read();
    read_in_a_crowd();
    write();
  }

  // After the child has ended: compares posts with bare LMDB with the same number of posts a sync.
  void stand_beside_lmdb(const std::filesystem::path& folder) {
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

  Figure run(std::string name, std::uint16_t port, std::size_t connections,
             const std::vector<std::string>& requests) const {
    Figure figure{.name = std::move(name), .policy = "", .threads = connections};
    measure(figure, {port, connections, requests, seconds_});
    return figure;
  }

  void read() {
    const Figure bare = run("bare", bare_, kConnections, feeds_);
    alone_ = run("feed over http", chirp_, kConnections, feeds_);
    alone_.reference = "bare cpp-httplib sending the same bytes";
    alone_.reference_rate = bare.rate();
    print(context_.out(), alone_);
  }

  void read_in_a_crowd() const {
    const IdleConnections idle(chirp_, kIdle, feeds_);
    const std::size_t count = std::min(kStreams, http::descriptors().streams);
    const IdleConnections streams(chirp_, count, streams_);
    Figure figure = run(fmt::format("feed amid {} idle and {} streams", kIdle, count), chirp_,
                        kConnections, feeds_);
    figure.reference = fmt::format("the same alone, p99 {:.0f} us", alone_.p99_micros);
    figure.reference_rate = alone_.rate();
    print(context_.out(), figure);
  }

  void write() {
    for (const std::size_t connections : {std::size_t{1}, kWriters}) {
      const Batches before = batches();
      Figure figure = run("posts over http", chirp_, connections, posts_);
      written_.emplace_back(std::move(figure), batches().mean_since(before));
    }
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
  [[nodiscard]] Batches batches() const {
    const std::string metrics = fetch(chirp_, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return {value_in(metrics, "\nchirp_write_batch_changes_sum "),
            value_in(metrics, "\nchirp_syncs_total ")};
  }
  static double value_in(const std::string& metrics, std::string_view name) {
    const std::size_t at = metrics.find(name);
    check(at != std::string::npos, "the server counts what shares a transaction");
    return std::strtod(metrics.c_str() + at + name.size(), nullptr);
  }

  Context& context_;
  const double seconds_;
  std::uint16_t bare_ = 0;
  std::uint16_t chirp_ = 0;
  std::vector<std::string> feeds_;
  std::vector<std::string> streams_;
  std::vector<std::string> posts_;
  Figure alone_;
  std::vector<std::pair<Figure, std::size_t>> written_;  // and the number of posts a sync
};

}  // namespace
}  // namespace http_bench

void run_http(Context& context, const BenchRequest& request) {
  using namespace http_bench;
  if (request.directory && request.directory->is_database()) {
    return run_http_on_postgres(context, request);
  }
  const TemporaryFolder folder;
  StopPipe stop;
  Measurement measurement(context, request);
  const auto ended = run_isolated(
      [&](const Send& send) {
        serve(folder.path() / "world", request, context.clock(), stop, send);
      },
      [&](const std::string& line) {
        try {
          measurement.take(line);
        } catch (...) {
          stop.close();
          throw;
        }
        if (line.starts_with("chirp")) stop.close();
      });
  if (!ended.complete) {
    throw Error(ErrorCode::kInternal, "The measured server failed. Try again.");
  }
  measurement.stand_beside_lmdb(folder.path());
}

}  // namespace chirp::cli::bench
