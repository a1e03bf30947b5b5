#include "cli/bench/reference/redis_load.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "core/model/ids.h"
#include "core/ports/reads.h"

namespace chirp::cli::bench {
namespace {

using Moment = std::chrono::steady_clock::time_point;

constexpr std::size_t kPagesInFlight = 64;
constexpr std::size_t kDeliveriesInFlight = 1'024;
constexpr std::uint32_t kCardsAtOnce = 1'000;

std::uint64_t waited_since(Moment moment) {
  const auto took = std::chrono::nanoseconds(std::chrono::steady_clock::now() - moment).count();
  return static_cast<std::uint64_t>(std::max<std::int64_t>(took, 0));
}

}  // namespace

// Times of a run: its begin, its end, and the due times of pieces.
class RedisLoad::Pacer {
 public:
  explicit Pacer(double seconds)
      : start_(std::chrono::steady_clock::now()),
        end_(std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9))) {}

  [[nodiscard]] bool over() const { return std::chrono::steady_clock::now() >= start_ + end_; }
  [[nodiscard]] Moment end() const { return start_ + end_; }
  [[nodiscard]] Moment due(const Schedule& schedule, std::uint64_t n) const {
    return start_ + std::chrono::nanoseconds(schedule.due(n));
  }

  // Keeps all due pieces in flight, `most` at most, until the end. `ask(n, due)` sends one;
  // `take_in()` waits for an answer, and returns the due time of the piece it completes.
  template <class Ask, class TakeIn>
  [[nodiscard]] Paced run(const Schedule& schedule, std::size_t most, const Ask& ask,
                          const TakeIn& take_in) const {
    Paced paced;
    std::size_t on_their_way = 0;
    std::uint64_t next = 0;
    while (!over() && due(schedule, next) < end()) {
      while (on_their_way < most && due(schedule, next) < end() &&
             due(schedule, next) <= std::chrono::steady_clock::now()) {
        ask(next, due(schedule, next));
        ++on_their_way;
        ++next;
      }
      if (on_their_way == 0) {
        std::this_thread::sleep_until(due(schedule, next));
      } else if (const auto since = take_in()) {
        count(paced, *since);
        --on_their_way;
      }
    }
    while (on_their_way > 0) {
      if (const auto since = take_in()) {
        count(paced, *since);
        --on_their_way;
      }
    }
    for (; due(schedule, next) < end(); ++next) {
      paced.times.add(static_cast<std::uint64_t>(
          std::chrono::nanoseconds(end() - due(schedule, next)).count()));
      ++paced.late;
    }
    return paced;
  }

 private:
  static void count(Paced& paced, Moment since) {
    paced.times.add(waited_since(since));
    ++paced.done;
  }

  Moment start_;
  std::chrono::nanoseconds end_;
};

// Acknowledged posts that wait for delivery.
class RedisLoad::Queue {
 public:
  struct Posted {
    std::string id;
    std::size_t author;
  };
  void put(Posted posted) {
    const std::lock_guard guard(mutex_);
    posts_.push_back(std::move(posted));
    arrived_.notify_one();
  }
  // Returns empty at `end`.
  std::optional<Posted> take(Moment end) {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_until(lock, end, [this] { return !posts_.empty(); })) return std::nullopt;
    Posted posted = std::move(posts_.front());
    posts_.pop_front();
    return posted;
  }
  [[nodiscard]] std::size_t size() const {
    const std::lock_guard guard(mutex_);
    return posts_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Posted> posts_;
};

RedisLoad::RedisLoad(RedisFeeds& redis, const Crowd& crowd, const Storage& storage,
                     const Clock& clock)
    : redis_(redis), crowd_(crowd), clock_(clock) {
  redis.load(storage, clock, crowd.readers);
  const auto snapshot = storage.snapshot();
  for (std::size_t at = 0; at < crowd.authors.size(); at += kCardsAtOnce) {
    const std::size_t count = std::min<std::size_t>(kCardsAtOnce, crowd.authors.size() - at);
    for (const auto& card : reads::cards(*snapshot, {crowd.authors.data() + at, count})) {
      if (card) redis.put_card(*card);
    }
  }
  redis.settle();
  load_followers(*snapshot);
  last_id_ = snowflake::make(snowflake::ticks_of(clock.now()), snowflake::kMachineDefault, 0);
}

void RedisLoad::load_followers(const Snapshot& snapshot) {
  begins_.reserve(crowd_.authors.size() + 1);
  for (const UserNumber author : crowd_.authors) {
    begins_.push_back(static_cast<std::uint32_t>(followers_.size()));
    append_followers(snapshot, author, followers_);
  }
  begins_.push_back(static_cast<std::uint32_t>(followers_.size()));
}

Paced RedisLoad::read(const LoadPlan& plan, Pacer pacer) const {
  RedisConnection connection(redis_.socket());
  PagesInFlight pages(connection);
  Random random(300);
  return pacer.run(
      Schedule(plan.wanted.reads, 1, 0), kPagesInFlight,
      [&](std::uint64_t, Moment due) {
        pages.ask(crowd_.readers[crowd_.reader_lots.draw(random)], due);
      },
      [&] { return pages.take_in(); });
}

Paced RedisLoad::post(const LoadPlan& plan, Pacer pacer, Queue& queue) {
  struct Sent {
    Queue::Posted posted;
    Moment due;
  };
  RedisConnection connection(redis_.socket());
  Random random(301);
  std::deque<Sent> sent;
  return pacer.run(
      Schedule(plan.wanted.posts, 1, 0), kWriters,
      [&](std::uint64_t n, Moment due) {
        const std::size_t author = crowd_.author_lots.draw(random);
        const PostId id{++last_id_};
        connection.send(post_in(id, crowd_.authors[author], clock_.now(), post_text(n)));
        sent.push_back({{fmt::format("{}", id.value), author}, due});
      },
      [&]() -> std::optional<Moment> {
        (void)connection.receive();
        const Moment due = sent.front().due;
        queue.put(std::move(sent.front().posted));
        sent.pop_front();
        return due;
      });
}

std::uint64_t RedisLoad::deliver(Pacer pacer, Queue& queue) const {
  RedisConnection connection(redis_.socket());
  std::uint64_t sent = 0;
  std::uint64_t done = 0;
  const auto put = [&](UserNumber reader, const std::string& id) {
    if (sent - done == kDeliveriesInFlight) {
      (void)connection.receive();
      ++done;
    }
    connection.send(std::vector<std::string>{"ZADD", feed_key(reader), id, id});
    ++sent;
  };
  while (const auto posted = queue.take(pacer.end())) {
    put(crowd_.authors[posted->author], posted->id);
    for (std::uint32_t at = begins_[posted->author]; at < begins_[posted->author + 1]; ++at) {
      put(followers_[at], posted->id);
    }
    if (pacer.over()) break;
  }
  for (; done < sent; ++done) (void)connection.receive();
  return done;
}

void RedisLoad::run(Output& out, const LoadPlan& plan, const std::string& synced) {
  {
    RedisConnection connection(redis_.socket());
    connection.send(std::vector<std::string>{"CONFIG", "SET", "appendfsync", synced});
    (void)connection.receive();
  }
  Queue queue;
  Paced reads;
  Paced posts;
  std::uint64_t deliveries = 0;
  const Pacer pacer(plan.seconds);
  Crew crew;
  crew.add([&] { reads = read(plan, pacer); });
  crew.add([&] { posts = post(plan, pacer, queue); });
  crew.add([&] { deliveries = deliver(pacer, queue); });
  crew.join();
  const std::string redis = "Redis " + synced;
  print_paced(out, "reads, " + redis, reads, plan.seconds, plan.wanted.reads);
  print_paced(out, "posts, " + redis, posts, plan.seconds, plan.wanted.posts);
  DeliveryRate made;
  made.made = made.into_timelines = static_cast<double>(deliveries);
  made.seconds = plan.seconds;
  made.wanted = plan.wanted.posts * crowd_.followers_a_post;
  made.followers_a_post = crowd_.followers_a_post;
  made.pending = queue.size();
  print_deliveries(out, "deliveries, " + redis, made);
  out.flush();
}

}  // namespace chirp::cli::bench
