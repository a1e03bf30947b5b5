// Pages from a server on a database: compared with one on a folder, and during a load into it.
#include <algorithm>
#include <charconv>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/bench/figure.h"
#include "cli/bench/http_load.h"
#include "cli/bench/postgres/scene.h"
#include "cli/bench/postgres/scratch.h"
#include "cli/bench/served_world.h"
#include "cli/bench/stop_pipe.h"
#include "cli/bench/world.h"
#include "cli/isolated.h"
#include "core/error.h"
#include "core/model/time.h"
#include "core/rules/writing.h"
#include "store/postgres/storage.h"

namespace chirp::cli::bench {
namespace postgres_http_bench {
namespace {

constexpr std::size_t kConnections = 16;
constexpr std::size_t kPostsAtOnce = 1'000;
constexpr double kFloor = 0.5;
constexpr double kSlowerAtMost = 5;

// One of the two servers.
struct ServedStore {
  std::uint16_t port = 0;
  std::vector<std::string> requests{};
};

// In a process of its own: serves both until the parent stops it, and sends the parent ports and
// tokens.
void serve(const std::string& url, const BenchRequest& request, const Clock& clock, StopPipe& stop,
           const Send& send) {
  const TemporaryFolder folder;
  const ServedWorld on_folder(store::DataPlace(folder.path() / "world"), request, clock);
  const ServedWorld on_database(store::DataPlace::named(url), request, clock);
  const auto tell = [&](std::string_view name, const ServedWorld& world) {
    for (const std::string& token : world.tokens()) send(fmt::format("{} token {}", name, token));
    send(fmt::format("{} port {}", name, world.port()));
  };
  tell("folder", on_folder);
  tell("database", on_database);
  send("both there");
  stop.wait();
}

// In another process: loads old posts of existing users until the parent stops it, from a year
// before.
void load(const std::string& url, const Clock& clock, StopPipe& stop, const Send& send) {
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

class PostgresMeasurement {
 public:
  PostgresMeasurement(Context& context, const BenchRequest& request, std::string url)
      : context_(context), seconds_(request.seconds), url_(std::move(url)) {}

  // Receives the lines of the servers' process. The last one starts the measurement.
  void take(const std::string& line) {
    if (line == "both there") return run();
    ServedStore& server = line.starts_with("folder") ? folder_ : database_;
    const std::string value = line.substr(line.rfind(' ') + 1);
    if (line.find(" token ") != std::string::npos) {
      server.requests.push_back(get(kFeedPath, value));
    } else {
      std::from_chars(value.data(), value.data() + value.size(), server.port);
    }
  }

 private:
  [[nodiscard]] Figure measured(std::string name, const ServedStore& server) const {
    Figure figure{.name = std::move(name), .policy = "", .threads = kConnections};
    measure(figure, {server.port, kConnections, server.requests, seconds_ / kRounds});
    return figure;
  }

  void run() {
    Figure alone = best_of([&] { return measured("feed over http, PostgreSQL", database_); },
                           [&] { return measured("folder", folder_); });
    alone.reference = "the same server on a folder";
    alone.floor = kFloor;
    print(context_.out(), alone);
    Figure amid = amid_a_load();
    amid.reference = fmt::format("the same alone, p99 {:.0f} us", alone.p99_micros);
    amid.reference_rate = alone.rate();
    print(context_.out(), amid);
    print(context_.out(),
          Measure{"p99 of a page amid a load, to that alone",
                  amid.p99_micros / std::max(alone.p99_micros, 1.0), "times", kSlowerAtMost});
  }

  [[nodiscard]] Figure amid_a_load() {
    std::optional<Figure> figure;
    StopPipe stop;
    std::exception_ptr failed;
    const auto ended =
        run_isolated([&](const Send& send) { load(url_, context_.clock(), stop, send); },
                     [&](const std::string& /*loading*/) {
                       try {
                         figure = measured("feed amid a load", database_);
                       } catch (...) {
                         failed = std::current_exception();
                       }
                       stop.close();
                     });
    if (failed) std::rethrow_exception(failed);
    if (!ended.complete || !figure) {
      throw Error(ErrorCode::kInternal, "The load beside the measurement failed. Try again.");
    }
    return std::move(*figure);
  }

  Context& context_;
  const double seconds_;
  const std::string url_;
  ServedStore folder_;
  ServedStore database_;
};

}  // namespace
}  // namespace postgres_http_bench

void run_http_on_postgres(Context& context, const BenchRequest& request) {
  using namespace postgres_http_bench;
  with_scratch_databases(request.directory->url(), 1, [&](std::span<const std::string> urls) {
    const std::string& url = urls.front();
    StopPipe stop;
    PostgresMeasurement measurement(context, request, url);
    std::exception_ptr failed;
    const auto ended =
        run_isolated([&](const Send& send) { serve(url, request, context.clock(), stop, send); },
                     [&](const std::string& line) {
                       try {
                         if (!failed) measurement.take(line);
                       } catch (...) {
                         failed = std::current_exception();
                         stop.close();
                       }
                       if (line == "both there") stop.close();
                     });
    if (failed) std::rethrow_exception(failed);
    if (!ended.complete) {
      throw Error(ErrorCode::kInternal, "The measured servers failed. Try again.");
    }
  });
}

}  // namespace chirp::cli::bench
