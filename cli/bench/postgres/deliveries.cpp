// Deliveries into timelines of a database, compared with a row for each delivery.
#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/bench/figure.h"
#include "cli/bench/postgres/plain.h"
#include "cli/bench/postgres/scene.h"
#include "cli/bench/world.h"
#include "core/events/consumers.h"

namespace chirp::cli::bench {
namespace postgres_deliveries_bench {
namespace {

struct WantedDelivery {
  std::uint64_t posts_a_star = 1;
  std::string name;
  double floor = 0;
  double log_bytes = 0;
};

// The time of a step, and the size of its write-ahead log.
struct MeasuredStep {
  std::uint64_t deliveries = 0;
  double seconds = 0;
  double log_bytes = 0;
};

class DeliveryBench {
 public:
  explicit DeliveryBench(PostgresScene& scene)
      : scene_(scene), plain_(scene.url()), fan_out_(scene.storage(), scene.clock()) {}

  void run(const WantedDelivery& wanted) {
    double log_bytes = 0;
    Figure figure = best_of(
        [&] {
          const MeasuredStep step = ours(wanted.posts_a_star);
          const double each = step.log_bytes / static_cast<double>(step.deliveries);
          log_bytes = log_bytes == 0 ? each : std::min(log_bytes, each);
          return figure_of(step, wanted.name);
        },
        [&] { return figure_of(plain(wanted.posts_a_star), "plain"); });
    figure.reference = "a row for each delivery";
    if (!scene_.is_spread()) figure.floor = wanted.floor;
    print(scene_.context().out(), figure);
    print(scene_.context().out(), Measure{fmt::format("log of a delivery, {}", wanted.name),
                                          log_bytes, "bytes", wanted.log_bytes});
  }

 private:
  static Figure figure_of(const MeasuredStep& step, const std::string& name) {
    Figure figure{.name = name, .policy = ""};
    figure.operations = step.deliveries;
    figure.seconds = step.seconds;
    set_percentiles(figure, {static_cast<std::uint32_t>(std::min(step.seconds * 1e9, 4e9))});
    return figure;
  }

  template <class Work>
  MeasuredStep timed(const Work& work) {
    constexpr std::string_view kLogEnd = "select (pg_current_wal_insert_lsn() - '0/0')::int8";
    const std::int64_t log = scene_.connection().run(kLogEnd).number(0, 0);
    const auto start = BenchClock::now();
    MeasuredStep step;
    step.deliveries = work();
    step.seconds = std::chrono::duration<double>(BenchClock::now() - start).count();
    step.log_bytes = static_cast<double>(scene_.connection().run(kLogEnd).number(0, 0) - log);
    return step;
  }

  // Publishes posts without delivering them.
  void publish(std::uint64_t posts_a_star) {
    std::vector<Change> changes;
    for (std::uint64_t i = 0; i < posts_a_star; ++i) {
      for (const UserNumber star : scene_.stars()) {
        changes.emplace_back(Publish{star, post_text(i), Privacy::kPublic});
      }
    }
    scene_.storage().write(changes, scene_.clock().now());
  }

  MeasuredStep ours(std::uint64_t posts_a_star) {
    publish(posts_a_star);
    return timed([&] {
      while (fan_out_.step() == events::Progress::kMoved) {
      }
      // Stars have no timelines, so posts are not delivered to their authors.
      return scene_.readers().size() * posts_a_star;
    });
  }

  // Uses ids that no post has, because a repeated insert would fail.
  MeasuredStep plain(std::uint64_t posts_a_star) {
    std::vector<std::pair<UserNumber, PostId>> deliveries;
    const auto readers = scene_.readers();
    for (std::uint64_t i = 0; i < posts_a_star; ++i) {
      for (std::size_t reader = 0; reader < readers.size(); ++reader) {
        const std::size_t star = reader % scene_.stars().size();
        deliveries.emplace_back(readers[reader], PostId{next_ + i * scene_.stars().size() + star});
      }
    }
    next_ += posts_a_star * scene_.stars().size();
    return timed([&] {
      plain_.deliver(deliveries);
      return std::uint64_t{deliveries.size()};
    });
  }

  PostgresScene& scene_;
  PlainTables plain_;
  events::FanOut fan_out_;
  std::uint64_t next_ = std::uint64_t{1} << 60;
};

}  // namespace
}  // namespace postgres_deliveries_bench

void run_postgres_deliveries(PostgresScene& scene) {
  using namespace postgres_deliveries_bench;
  DeliveryBench deliveries(scene);
  deliveries.run({1, "one a viewer", 0.7, 300});
  deliveries.run({10, "ten a viewer", 3.5, 60});
}

}  // namespace chirp::cli::bench
