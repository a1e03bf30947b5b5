#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/bench/bare/server.h"
#include "cli/bench/figure.h"
#include "cli/bench/http_load.h"
#include "cli/bench/runs.h"
#include "cli/descriptor.h"
#include "cli/isolated.h"
#include "cli/service_ports.h"
#include "cli/version.h"
#include "core/error.h"
#include "core/events/consumers.h"
#include "core/settings.h"
#include "core/social/accounts.h"
#include "core/social/tokens.h"
#include "server/http/descriptors.h"
#include "server/service.h"
#include "store/data_directory.h"
#include "store/lmdb/bare.h"

namespace chirp::cli::bench {
namespace {

constexpr std::uint32_t kUsers = 400;
constexpr std::uint32_t kReaders = 128;  // who have a token, and follow half of all
constexpr std::uint64_t kPosts = 20'000;
constexpr std::size_t kConnections = 16;
constexpr std::size_t kWriters = 64;
constexpr std::size_t kIdle = 500;
constexpr std::size_t kStreams = 2000;  // where so many files may be open

constexpr std::uint64_t kFirstId = std::uint64_t{1} << 60;  // of made-up posts

constexpr const char* kFeedPath = "/v1/feed";
constexpr const char* kNoLimit = "1000000000";

// Tells a child process to stop: a pipe whose far end is closed then.
class StopPipe {
 public:
  StopPipe() {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw Error(ErrorCode::kUnavailable, "There can be no pipe.");
    near_ = Descriptor(ends[0]);
    far_ = Descriptor(ends[1]);
  }

  void close() { far_.close(); }
  // In the child: until the parent lets go, or is gone.
  void wait() {
    close();
    char byte = 0;
    (void)!::read(near_.get(), &byte, 1);
  }

 private:
  Descriptor near_;
  Descriptor far_;
};

// People with tokens and feeds, in a data directory of their own.
class ServedWorld {
 public:
  ServedWorld(const std::filesystem::path& path, const Request& request, const Clock& clock)
      : clock_(clock) {
    store::make_data_directory(path, std::nullopt);
    directory_ = store::DataDirectory::open(path);
    for (const char* key :
         {"http.rate_limit", "http.rate_limit_anonymous", "http.connections", "http.streams"}) {
      settings::set(storage(), key, kNoLimit, clock.now());
    }
    add_users(std::max(request.users.value_or(kUsers), kReaders + 1));
    add_posts(request.posts.value_or(kPosts));
    events::drain(storage(), clock);
  }

  [[nodiscard]] store::DataDirectory& directory() { return *directory_; }
  [[nodiscard]] const std::vector<std::string>& tokens() const { return tokens_; }

 private:
  Storage& storage() { return directory_->storage(); }

  void add_users(std::uint32_t count) {
    social::Accounts accounts(storage(), directory_->users(), *hasher_, clock_);
    social::Tokens tokens(directory_->users(), accounts, clock_);
    std::vector<Change> cards;
    for (std::uint32_t i = 0; i < count; ++i) {
      NewUser user;
      user.username = fmt::format("u{}", i);
      user.display_name = fmt::format("User number {}", i);
      users_.push_back(directory_->users().add(user, clock_.now()));
      cards.emplace_back(PutCard{social::card_of(users_.back())});
    }
    storage().write(cards, clock_.now());
    for (std::uint32_t i = 0; i < kReaders; ++i) {
      tokens_.push_back(tokens.mint(users_[i], std::nullopt).token);
      std::vector<Change> follows;
      for (std::uint32_t other = i + 1; other <= i + count / 2; ++other) {
        follows.emplace_back(Follow{users_[i].number, users_[other % count].number});
      }
      storage().write(follows, clock_.now());
    }
  }

  void add_posts(std::uint64_t count) {
    std::vector<Change> posts;
    for (std::uint64_t i = 0; i < count; ++i) {
      const UserNumber author = users_[static_cast<std::size_t>(i * 7919 % users_.size())].number;
      posts.emplace_back(Publish{author, post_text(i), Privacy::kPublic});
      if (posts.size() < 1000 && i + 1 < count) continue;
      storage().write(posts, clock_.now());
      posts.clear();
    }
  }

  const Clock& clock_;
  std::unique_ptr<PasswordHasher> hasher_ = store::bcrypt_hasher();
  std::unique_ptr<store::DataDirectory> directory_;
  std::vector<User> users_;
  std::vector<std::string> tokens_;
};

std::string get(const char* path, const std::string& token) {
  return fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n", path,
                     token);
}

std::string post(const std::string& token) {
  const std::string body = fmt::format(R"({{"content":"{}"}})", post_text(1));
  return fmt::format(
      "POST /v1/posts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n"
      "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
      token, body.size(), body);
}

// In the child: serves until the parent lets go, and tells it where, and with which tokens.
void serve(const std::filesystem::path& path, const Request& request, const Clock& clock,
           StopPipe& stop, const Send& send) {
  ServedWorld world(path, request, clock);
  const auto hasher = store::bcrypt_hasher();
  ServiceOptions options;
  options.port = 0;
  options.version = program_version();
  options.requests = Log::Requests::kQuiet;
  Service service(service_ports(world.directory(), *hasher, clock), options);
  std::thread running([&service] { service.run(); });
  try {
    const std::string body = fetch(service.port(), get(kFeedPath, world.tokens().front()));
    const BareServer bare(kFeedPath, body, kConnections);
    for (const std::string& token : world.tokens()) send("token " + token);
    send(fmt::format("bare {}", bare.port()));
    send(fmt::format("chirp {}", service.port()));
    stop.wait();
  } catch (...) {
    service.stop();
    running.join();
    throw;
  }
  service.stop();
  running.join();
}

// In the parent: asks.
class Measurement {
 public:
  Measurement(Context& context, const Request& request)
      : context_(context), seconds_(request.seconds) {}

  // What the child says. With the last of it comes the work.
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

  // When the child has ended: posts, beside what its store does by itself with as many a sync.
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
      const UserNumber author{static_cast<std::uint32_t>(1 + i * 7919 % kReaders)};
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

  // What writers have shared transactions, by the server's own count.
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
  std::vector<std::pair<Figure, std::size_t>> written_;  // and how many posts shared a sync
};

}  // namespace

void run_http(Context& context, const Request& request) {
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
    throw Error(ErrorCode::kInternal, "The server measured came to no good end. Try again.");
  }
  measurement.stand_beside_lmdb(folder.path());
}

}  // namespace chirp::cli::bench
