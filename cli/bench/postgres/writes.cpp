// Changes to a database, in batches and single, compared with bare inserts of the same rows.
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "cli/bench/figure.h"
#include "cli/bench/postgres/plain.h"
#include "cli/bench/postgres/scene.h"
#include "cli/bench/world.h"
#include "core/error.h"

namespace chirp::cli::bench {
namespace postgres_writes_bench {
namespace {

constexpr std::size_t kAtOnce = 1'024;
constexpr double kFloor = 0.4;
constexpr double kLoneFloorSpread = 0.12;
constexpr double kFourFloor = 0.8;

// The inputs of both sides for the same changes.
class TimedPair {
 public:
  template <class Work>
  static void time(std::vector<std::uint32_t>& nanos, const Work& work) {
    const auto start = BenchClock::now();
    work();
    const auto took = std::chrono::nanoseconds(BenchClock::now() - start).count();
    nanos.push_back(static_cast<std::uint32_t>(std::min<std::int64_t>(took, ~0u)));
  }
  void ours(const auto& work) { time(ours_, work); }
  void plain(const auto& work) { time(plain_, work); }

  [[nodiscard]] Figure figure(std::string name, std::size_t at_once) const {
    Figure figure{.name = std::move(name), .policy = ""};
    figure.operations = ours_.size() * at_once;
    figure.seconds = seconds_of(ours_);
    set_percentiles(figure, ours_);
    figure.reference = "bare inserts of the same rows";
    figure.reference_rate = static_cast<double>(plain_.size() * at_once) / seconds_of(plain_);
    return figure;
  }

 private:
  static double seconds_of(const std::vector<std::uint32_t>& nanos) {
    double sum = 0;
    for (const std::uint32_t each : nanos) sum += each / 1e9;
    return sum;
  }
  std::vector<std::uint32_t> ours_;
  std::vector<std::uint32_t> plain_;
};

class WriteBench {
 public:
  explicit WriteBench(PostgresScene& scene) : scene_(scene), plain_(scene.url()) {}

  // Writes posts, then a reaction to each of them, until the time is over; a figure for each kind.
  void batches() {
    TimedPair posts;
    TimedPair reactions;
    const auto end = end_of_turn();
    do {
      const auto posted = post(posts, kAtOnce);
      react(reactions, posted);
    } while (BenchClock::now() < end);
    tell(posts.figure("posts, 1024 a batch", kAtOnce), kFloor);
    tell(reactions.figure("reactions, 1024", kAtOnce), kFloor);
  }

  void lone() {
    TimedPair posts;
    const auto end = end_of_turn();
    do {
      (void)post(posts, 1);
    } while (BenchClock::now() < end);
    tell(posts.figure("lone posts", 1), scene_.is_spread() ? kLoneFloorSpread : kFloor);
  }

  // Batches of posts by four concurrent chirp servers, compared with one.
  void four_at_once() {
    Figure figure = best_of([&] { return written_by(4); }, [&] { return written_by(1); });
    figure.reference = "one server alone";
    tell(std::move(figure), kFourFloor);
  }

 private:
  [[nodiscard]] BenchClock::time_point end_of_turn() const {
    const std::chrono::duration<double> seconds(scene_.request().seconds);
    return BenchClock::now() + std::chrono::duration_cast<BenchClock::duration>(seconds);
  }

  void tell(Figure figure, double floor) {
    figure.floor = floor;
    print(scene_.context().out(), figure);
  }

  Figure written_by(std::uint64_t servers) {
    std::vector<std::unique_ptr<postgres::PostgresStorage>> stores;
    const auto write = [&](std::uint64_t server, std::uint64_t n) {
      std::vector<Change> changes;
      for (std::uint64_t i = 0; i < kAtOnce; ++i) {
        changes.emplace_back(
            Publish{scene_.user(n * 7919 + i * 104'729), post_text(i), Privacy::kPublic});
      }
      stores[server]->write(changes, scene_.clock().now());
    };
    for (std::uint64_t i = 0; i < servers; ++i) {
      stores.push_back(postgres::open_storage(scene_.url(), {}));
      write(i, i);  // connects, and prepares statements
    }
    Figure figure{.name = "posts, four servers at once", .policy = "", .threads = servers};
    measure(figure, scene_.request().seconds / kRounds, write);
    figure.operations *= kAtOnce;
    return figure;
  }

  std::vector<PlainTables::NewPost> post(TimedPair& pair, std::size_t count) {
    std::vector<Change> changes;
    std::vector<PlainTables::NewPost> rows;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t n = random_.next();
      rows.push_back({{}, scene_.user(n), post_text(n)});
      changes.emplace_back(Publish{rows.back().author, rows.back().text, Privacy::kPublic});
    }
    std::vector<Outcome> outcomes;
    pair.ours([&] { outcomes = scene_.storage().write(changes, scene_.clock().now()); });
    for (std::size_t i = 0; i < count; ++i) rows[i].id = outcomes[i].post;
    pair.plain([&] { plain_.insert(rows, {}); });
    return rows;
  }

  void react(TimedPair& pair, const std::vector<PlainTables::NewPost>& posts) {
    std::vector<Change> changes;
    std::vector<PlainTables::NewReaction> rows;
    for (const PlainTables::NewPost& post : posts) {
      rows.push_back({post.id, scene_.user(random_.next())});
      changes.emplace_back(React{rows.back().user, post.id});
    }
    std::vector<Outcome> outcomes;
    pair.ours([&] { outcomes = scene_.storage().write(changes, scene_.clock().now()); });
    for (const Outcome& outcome : outcomes) {
      check(outcome.result == Result::kDone, "everybody may react to what was just posted");
    }
    pair.plain([&] { plain_.insert({}, rows); });
  }

  PostgresScene& scene_;
  PlainTables plain_;
  Random random_{5};
};

}  // namespace
}  // namespace postgres_writes_bench

void run_postgres_writes(PostgresScene& scene) {
  using namespace postgres_writes_bench;
  WriteBench writes(scene);
  writes.batches();
  writes.lone();
  writes.four_at_once();
}

}  // namespace chirp::cli::bench
