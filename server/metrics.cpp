#include "server/metrics.h"

#include <array>
#include <atomic>
#include <mutex>
#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <sstream>
#include <utility>
#include <vector>

namespace chirp {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Histogram;

constexpr double kMilli = 1e-3;
constexpr double kMicro = 1e-6;
constexpr double kNano = 1e-9;

Histogram::BucketBoundaries request_seconds() {
  return {0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5};
}
Histogram::BucketBoundaries batch_seconds() {
  return {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5};
}
Histogram::BucketBoundaries turn_seconds() {
  return {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 1};
}
Histogram::BucketBoundaries delivery_seconds() {
  return {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 60};
}
Histogram::BucketBoundaries batch_changes() {
  return {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
}

struct SampledMetric {
  Metrics::Labels labels;
  std::function<double()> read;
};

struct GaugeFamily {
  std::string help;
  prometheus::MetricType type = prometheus::MetricType::Gauge;
  std::vector<SampledMetric> gauges;
};

prometheus::MetricFamily read(const std::string& name, const GaugeFamily& gauges) {
  prometheus::MetricFamily family{name, gauges.help, gauges.type, {}};
  for (const SampledMetric& asked : gauges.gauges) {
    prometheus::ClientMetric& metric = family.metric.emplace_back();
    for (const auto& [label, value] : asked.labels) metric.label.push_back({label, value});
    (gauges.type == prometheus::MetricType::Gauge ? metric.gauge.value : metric.counter.value) =
        asked.read();
  }
  return family;
}

}  // namespace

class Metrics::Registry {
 public:
  void request(std::string_view operation, int status, std::int64_t micros) {
    Requests& requests = requests_of(operation, status);
    requests.count->Increment();
    requests.seconds->Observe(static_cast<double>(micros) * kMicro);
  }

  void write_batch(std::size_t changes, std::int64_t micros) {
    syncs_.Increment();
    batch_changes_.Observe(static_cast<double>(changes));
    batch_seconds_.Observe(static_cast<double>(micros) * kMicro);
  }

  void turn(std::string_view step, std::int64_t nanos) {
    turns_.Add({{"step", std::string(step)}}, turn_seconds())
        .Observe(static_cast<double>(nanos) * kNano);
  }

  void feed_read(FeedRead read) {
    constexpr std::array kNames{"hit", "miss", "memory"};
    const auto place = static_cast<std::size_t>(read);
    std::atomic<Counter*>& known = feed_reads_.at(place);
    Counter* counter = known.load();
    if (counter == nullptr) {
      counter = &family_of("chirp_feed_reads_total",
                           "Pages of home feeds, by whether a timeline was used")
                     .Add({{"timeline", kNames.at(place)}});
      known.store(counter);
    }
    counter->Increment();
  }

  void delivered(std::int64_t ms) { deliveries_.Observe(static_cast<double>(ms) * kMilli); }

  void add(std::string_view counter, std::string_view help, const Labels& labels, double amount) {
    family_of(counter, help).Add(labels).Increment(amount);
  }

  void ask(prometheus::MetricType type, std::string_view name, std::string_view help,
           const Labels& labels, std::function<double()> read) {
    const std::lock_guard guard(gauges_mutex_);
    GaugeFamily& family = gauges_[std::string(name)];
    family.help = help;
    family.type = type;
    family.gauges.push_back({labels, std::move(read)});
  }

  [[nodiscard]] std::string text() const {
    std::vector<prometheus::MetricFamily> families = registry_.Collect();
    {
      const std::lock_guard guard(gauges_mutex_);
      for (const auto& [name, family] : gauges_) families.push_back(read(name, family));
    }
    std::ostringstream out;
    prometheus::TextSerializer().Serialize(out, families);
    return std::move(out).str();
  }

 private:
  struct Requests {
    Counter* count = nullptr;
    Histogram* seconds = nullptr;
  };

  // Finds counters that were used before without building their labels again.
  Requests& requests_of(std::string_view operation, int status) {
    const std::lock_guard guard(requests_mutex_);
    Requests& requests = requests_[{std::string(operation), status}];
    if (requests.count == nullptr) {
      const std::string name(operation);
      requests.count =
          &request_count_.Add({{"operation", name}, {"status", std::to_string(status)}});
      requests.seconds = &request_seconds_.Add({{"operation", name}}, request_seconds());
    }
    return requests;
  }

  Family<Counter>& family_of(std::string_view name, std::string_view help) {
    const std::lock_guard guard(counters_mutex_);
    const auto found = counters_.find(name);
    if (found != counters_.end()) return *found->second;
    Family<Counter>& family = prometheus::BuildCounter()
                                  .Name(std::string(name))
                                  .Help(std::string(help))
                                  .Register(registry_);
    counters_.emplace(name, &family);
    return family;
  }

  prometheus::Registry registry_;
  Family<Counter>& request_count_ = prometheus::BuildCounter()
                                        .Name("chirp_http_requests_total")
                                        .Help("Requests that were answered")
                                        .Register(registry_);
  Family<Histogram>& request_seconds_ = prometheus::BuildHistogram()
                                            .Name("chirp_http_request_seconds")
                                            .Help("From a whole request to its answer")
                                            .Register(registry_);
  Histogram& batch_changes_ = prometheus::BuildHistogram()
                                  .Name("chirp_write_batch_changes")
                                  .Help("Changes that shared a transaction")
                                  .Register(registry_)
                                  .Add({}, batch_changes());
  Histogram& batch_seconds_ =
      prometheus::BuildHistogram()
          .Name("chirp_write_batch_seconds")
          .Help("Time of a transaction, with its turn, its commit and its sync")
          .Register(registry_)
          .Add({}, batch_seconds());
  Family<Histogram>& turns_ =
      prometheus::BuildHistogram()
          .Name("chirp_turn_seconds")
          .Help("How long this server held the writers' turn, its sync included")
          .Register(registry_);
  Histogram& deliveries_ =
      prometheus::BuildHistogram()
          .Name("chirp_delivery_seconds")
          .Help("Time from the writing of a post to the end of its last delivery")
          .Register(registry_)
          .Add({}, delivery_seconds());
  Counter& syncs_ = prometheus::BuildCounter()
                        .Name("chirp_syncs_total")
                        .Help("Transactions of writers that were synced to disk")
                        .Register(registry_)
                        .Add({});
  std::mutex requests_mutex_;
  std::map<std::pair<std::string, int>, Requests> requests_;
  std::mutex counters_mutex_;
  std::map<std::string, Family<Counter>*, std::less<>> counters_;
  std::array<std::atomic<Counter*>, 3> feed_reads_{};  // by FeedRead, after first use
  mutable std::mutex gauges_mutex_;
  std::map<std::string, GaugeFamily> gauges_;
};

Metrics::Metrics() : registry_(std::make_unique<Registry>()) {}
Metrics::~Metrics() = default;

void Metrics::request(std::string_view operation, int status, std::int64_t micros) {
  registry_->request(operation, status, micros);
}

void Metrics::write_batch(std::size_t changes, std::int64_t micros) {
  registry_->write_batch(changes, micros);
}

void Metrics::turn(std::string_view step, std::int64_t nanos) { registry_->turn(step, nanos); }

void Metrics::feed_read(FeedRead read) { registry_->feed_read(read); }

void Metrics::delivered(std::int64_t ms) { registry_->delivered(ms); }

void Metrics::add(std::string_view counter, std::string_view help, const Labels& labels,
                  double amount) {
  registry_->add(counter, help, labels, amount);
}

void Metrics::gauge(std::string_view name, std::string_view help, const Labels& labels,
                    std::function<double()> read) {
  registry_->ask(prometheus::MetricType::Gauge, name, help, labels, std::move(read));
}

void Metrics::counted(std::string_view name, std::string_view help, const Labels& labels,
                      std::function<double()> read) {
  registry_->ask(prometheus::MetricType::Counter, name, help, labels, std::move(read));
}

std::string Metrics::text() const { return registry_->text(); }

}  // namespace chirp
