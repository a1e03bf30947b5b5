#include "cli/bench/reference/load.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <vector>

#include "cli/bench/processes.h"
#include "core/ports/reads.h"

namespace chirp::cli::bench {
namespace {

constexpr std::int64_t kBetweenLooks = kNanos / 50;

std::int64_t nanos_of(double seconds) {
  return static_cast<std::int64_t>(seconds * static_cast<double>(kNanos));
}

// Samples how far behind the consumers are.
class LagLooks {
 public:
  explicit LagLooks(const Served& served) : served_(served) {}
  void look(Time now) {
    const auto snapshot = served_.storage().snapshot();
    const StoreState state = snapshot->state();
    const auto behind = [&](Sequence taken) {
      return static_cast<double>(state.log_end.value - taken.value);
    };
    lag_.events.add(behind(state.fan_out));
    lag_.unfinished.add(static_cast<double>(state.fan_out_queue));
    lag_.other_events.add(behind(std::min({state.counters, state.notifications, state.trends})));
    const auto oldest = reads::events(*snapshot, state.fan_out, 1);
    lag_.millis.add(oldest.empty() ? 0
                                   : static_cast<double>(std::max<std::int64_t>(
                                         now.ms - oldest.front().time.ms, 0)));
  }
  [[nodiscard]] const Lag& lag() const { return lag_; }

 private:
  const Served& served_;
  Lag lag_;
};

// `chirp feed show` beside the load, as a new process with cold caches each time.
class ColdShows {
 public:
  // Shows the feeds of these users in turn.
  ColdShows(std::filesystem::path data, std::vector<std::string> names)
      : data_(std::move(data)), names_(std::move(names)) {}

  // Runs one every second until `end`, and at least one.
  void run(RunClock& clock, std::int64_t end) {
    for (std::size_t n = 0; n == 0 || static_cast<std::int64_t>(n) * kNanos < end; ++n) {
      clock.await(static_cast<std::int64_t>(n) * kNanos);
      const std::int64_t start = clock.now();
      if (run_own_program({"--data", data_.string(), "feed", "show", names_[n % names_.size()]})) {
        times_.add(static_cast<std::uint64_t>(clock.now() - start));
      } else {
        ++failed_;
      }
    }
  }

  // The processes' durations.
  [[nodiscard]] const Histogram& times() const { return times_; }
  [[nodiscard]] std::uint64_t failed() const { return failed_; }

 private:
  std::filesystem::path data_;
  std::vector<std::string> names_;
  Histogram times_;
  std::uint64_t failed_ = 0;
};

// One run. Each thread counts for itself until all have ended.
class ReferenceRun {
 public:
  ReferenceRun(Served& served, const Crowd& crowd, const LoadPlan& plan)
      : served_(served),
        crowd_(crowd),
        plan_(plan),
        end_(nanos_of(plan.seconds)),
        reads_(plan.threads),
        posts_(kWriters),
        owed_(kWriters),
        looks_(served) {}

  Measured measure(const Clock& wall) {
    const Costs before = costs_so_far(plan_.data);
    const std::uint64_t put_before = served_.deliveries();
    const hot::Use use_before = served_.use();
    const double pending_before = pending();
    Crew crew;
    for (std::uint64_t lane = 0; lane < plan_.threads; ++lane)
      crew.add([this, lane] { read(lane); });
    for (std::uint64_t lane = 0; lane < kWriters; ++lane) crew.add([this, lane] { write(lane); });
    crew.add([this, &wall] { look(wall); });
    ColdShows shows(plan_.data, names_of_readers());
    crew.add([this, &shows] { shows.run(clock_, end_); });
    crew.join();
    Measured measured;
    measured.wanted = plan_.wanted;
    measured.seconds = plan_.seconds;
    for (const Paced& each : reads_) measured.reads.add(each);
    for (const Paced& each : posts_) measured.posts.add(each);
    measured.deliveries = deliveries(pending_before);
    measured.deliveries.into_timelines = static_cast<double>(served_.deliveries() - put_before);
    measured.lag = looks_.lag();
    measured.shows = shows.times();
    measured.failed_shows = shows.failed();
    measured.costs = costs_since(before, costs_so_far(plan_.data));
    const hot::Use use = served_.use();
    measured.cache_bytes = use.bytes;
    const auto held = static_cast<double>(use.from_memory - use_before.from_memory);
    const auto read = static_cast<double>(use.from_store - use_before.from_store);
    measured.from_memory = held + read > 0 ? held / (held + read) : 0;
    return measured;
  }

 private:
  void read(std::uint64_t lane) {
    Random random(100 + lane);
    const Schedule schedule(plan_.wanted.reads, plan_.threads, lane);
    reads_[lane] = run_paced(clock_, schedule, end_, [&](std::uint64_t) {
      served_.read(crowd_.readers[crowd_.reader_lots.draw(random)]);
    });
  }

  void write(std::uint64_t lane) {
    Random random(10'000 + lane);
    const Schedule schedule(plan_.wanted.posts, kWriters, lane);
    posts_[lane] = run_paced(clock_, schedule, end_, [&](std::uint64_t n) {
      const std::size_t author = crowd_.author_lots.draw(random);
      served_.publish(crowd_.authors[author], post_text(n * kWriters + lane));
      owed_[lane] += crowd_.followers[author];
    });
  }

  void look(const Clock& wall) {
    for (std::int64_t at = 0; at < end_; at += kBetweenLooks) {
      clock_.await(at);
      looks_.look(wall.now());
    }
  }

  // All deliveries of this run's posts, less those of the posts that became pending.
  [[nodiscard]] DeliveryRate deliveries(double pending_before) const {
    DeliveryRate deliveries;
    for (const double each : owed_) deliveries.made += each;
    const double pending_now = pending();
    deliveries.made -= (pending_now - pending_before) * crowd_.followers_a_post;
    deliveries.made = std::max(deliveries.made, 0.0);
    deliveries.seconds = plan_.seconds;
    deliveries.wanted = plan_.wanted.posts * crowd_.followers_a_post;
    deliveries.followers_a_post = crowd_.followers_a_post;
    deliveries.pending = static_cast<std::uint64_t>(pending_now);
    return deliveries;
  }

  [[nodiscard]] double pending() const {
    const StoreState state = served_.storage().snapshot()->state();
    return static_cast<double>(state.log_end.value - state.fan_out.value);
  }

  // Some names, chosen at random.
  [[nodiscard]] std::vector<std::string> names_of_readers() const {
    constexpr std::size_t kNames = 100;
    Random random(7);
    std::vector<UserNumber> some;
    while (some.size() < kNames)
      some.push_back(crowd_.readers[random.below(crowd_.readers.size())]);
    std::vector<std::string> names;
    for (const auto& card : reads::cards(*served_.storage().snapshot(), some)) {
      if (card) names.push_back(card->username);
    }
    return names;
  }

  Served& served_;
  const Crowd& crowd_;
  const LoadPlan& plan_;
  const std::int64_t end_;
  std::vector<Paced> reads_;
  std::vector<Paced> posts_;
  std::vector<double> owed_;
  LagLooks looks_;
  RealRunClock clock_;
};

}  // namespace

void warm_up(Served& served, const Crowd& crowd, std::uint64_t threads,
             const std::function<void(std::uint64_t)>& read) {
  std::atomic<std::uint64_t> done{0};
  Crew crew;
  for (std::uint64_t thread = 0; thread < threads; ++thread) {
    crew.add([&, thread] {
      for (std::size_t at = thread; at < crowd.readers.size(); at += threads) {
        served.read(crowd.readers[at]);
        read(++done);
      }
    });
  }
  crew.join();
}

Paced reads_alone(Served& served, const Crowd& crowd, const LoadPlan& plan) {
  std::vector<Paced> each(plan.threads);
  RealRunClock clock;
  const std::int64_t end = nanos_of(plan.seconds);
  Crew crew;
  for (std::uint64_t thread = 0; thread < plan.threads; ++thread) {
    crew.add([&, thread] {
      Random random(200 + thread);
      for (std::int64_t before = clock.now(); before < end;) {
        served.read(crowd.readers[crowd.reader_lots.draw(random)]);
        const std::int64_t after = clock.now();
        each[thread].times.add(static_cast<std::uint64_t>(after - before));
        ++each[thread].done;
        before = after;
      }
    });
  }
  crew.join();
  Paced all;
  for (const Paced& one : each) all.add(one);
  return all;
}

Measured run_load_on(Served& served, const Crowd& crowd, const LoadPlan& plan, const Clock& wall) {
  return ReferenceRun(served, crowd, plan).measure(wall);
}

}  // namespace chirp::cli::bench
