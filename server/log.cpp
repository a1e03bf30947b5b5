#include "server/log.h"

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "server/json/json_writer.h"
#include "server/limits.h"
#include "server/timed_condition.h"

namespace chirp {
namespace {

constexpr std::int64_t kEndWaitNs = 2'000'000'000;

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "info";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "error";
}

Time wall_clock() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::milliseconds>(since).count()};
}

class MachineClock final : public Clock {
 public:
  [[nodiscard]] Time now() const override { return wall_clock(); }
  [[nodiscard]] std::int64_t steady_ns() const override {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
  }
};

const Clock& machine_clock() {
  static const MachineClock clock;
  return clock;
}

// If the log can't be written, there is nowhere to report it.
void write_out(std::string_view line) {
  while (!line.empty()) {
    const ssize_t put = ::write(STDERR_FILENO, line.data(), line.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return;
    line.remove_prefix(static_cast<std::size_t>(put));
  }
}

// The lines to write. The writing thread shares ownership, because it may outlive the log: if the
// log's reader stops reading, the thread blocks in the middle of a line until the process ends.
class LogQueue {
 public:
  void put(std::string line) {
    const std::lock_guard lock(mutex_);
    if (lines_.size() >= limits::kLogLinesMax) {
      lines_.pop_front();
      ++dropped_;
      ++untold_;
    }
    lines_.push_back(std::move(line));
    changed_.notify_one();
  }

  [[nodiscard]] std::uint64_t dropped() const {
    const std::lock_guard lock(mutex_);
    return dropped_;
  }

  void write_all() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return over_ || !lines_.empty(); });
      if (lines_.empty()) break;
      std::string line = std::move(lines_.front());
      lines_.pop_front();
      const std::uint64_t untold = std::exchange(untold_, 0);
      lock.unlock();
      // A line is a JSON object, which ends with a brace.
      if (untold != 0) line.insert(line.size() - 1, fmt::format(",\"dropped\":{}", untold));
      write_out(line + '\n');
      lock.lock();
    }
    written_ = true;
    if (ending_ != nullptr) ending_->notify_all();
  }

  // Returns false if the lines were not written in time.
  [[nodiscard]] bool end(const Clock& clock) {
    TimedCondition ending(clock, mutex_);
    std::unique_lock lock(mutex_);
    over_ = true;
    ending_ = &ending;
    changed_.notify_one();
    const bool done =
        ending.wait_until(lock, clock.steady_ns() + kEndWaitNs, [this] { return written_; });
    ending_ = nullptr;
    return done;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  std::uint64_t dropped_ = 0;
  std::uint64_t untold_ = 0;  // dropped lines that are not reported yet
  bool over_ = false;
  bool written_ = false;              // whether all lines are written
  TimedCondition* ending_ = nullptr;  // the condition of the thread that waits for `written_`
};

}  // namespace

class Log::Sink {
 public:
  Sink(Requests requests, const Clock& clock)
      : requests_(requests), clock_(clock), thread_([lines = lines_] { lines->write_all(); }) {}
  ~Sink() {
    if (lines_->end(clock_)) {
      thread_.join();
    } else {
      thread_.detach();
    }
  }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  [[nodiscard]] bool logs_requests() const { return requests_ == Requests::kLogged; }
  [[nodiscard]] std::uint64_t dropped() const { return lines_->dropped(); }

  void write(Severity severity, std::string_view message, std::initializer_list<LogField> fields) {
    api::JsonWriter json;
    json.begin_object().field("time", wall_clock()).field("level", name(severity));
    json.field("message", message);
    for (const LogField& field : fields) {
      json.key(field.name);
      if (const auto* text = std::get_if<std::string>(&field.value)) {
        json.string(*text);
      } else {
        json.integer(std::get<std::int64_t>(field.value));
      }
    }
    json.end_object();
    lines_->put(json.take());
  }

 private:
  Requests requests_;
  const Clock& clock_;
  std::shared_ptr<LogQueue> lines_ = std::make_shared<LogQueue>();
  std::thread thread_;  // last member: it uses the lines
};

Log::Log(Requests requests, const Clock* clock)
    : sink_(std::make_unique<Sink>(requests, clock != nullptr ? *clock : machine_clock())) {}
Log::~Log() = default;

void Log::write(Severity severity, std::string_view message,
                std::initializer_list<LogField> fields) noexcept {
  try {
    sink_->write(severity, message, fields);
  } catch (const std::exception&) {
    // A line that can't be built is left out.
  }
}

void Log::request(std::initializer_list<LogField> fields) noexcept {
  if (sink_->logs_requests()) write(Severity::kInfo, "request", fields);
}

std::uint64_t Log::dropped() const { return sink_->dropped(); }

}  // namespace chirp
