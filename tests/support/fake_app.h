// An App for tests of the front, and a front that serves it on its own thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "server/http/front.h"
#include "tests/support/fake_clock.h"

namespace chirp::test {

// Answers by path: /hello, /echo (the body), /seen (the request), /hosts (the allowed ones),
// /letters?n=100&type=text/plain, /file?n=100 (letters from a source; `?n=100&broken=50` fails
// after 50), /nothing, /unchanged, /part, /throw, /throw-late, /split (a header with a line end),
// /wait (until let_go()), /stream. POST goes to the writing lane, /password/… to the hashing one.
// /looks returns the look seen by its RequestVersions, and looks if they have none. Paths below
// /quick give the same answers at once, except /quick/cold, which is tried without success, and
// /quick/cold/looks, which also looks.
class FakeApp final : public http::App {
 public:
  static constexpr std::size_t kUploadMax = 1 << 20;  // for /upload; else limits::kJsonBodyMax

  [[nodiscard]] http::Admission admit(const http::Head& head) const override;
  // `connections` for each address; unlimited for kProxy.
  [[nodiscard]] std::optional<std::size_t> connections_of(
      const std::string& address) const override;
  // The account in the headers `from` and `user`; 401 with a header `stranger`.
  [[nodiscard]] http::Entry enter(const http::Request& bodiless) override;
  [[nodiscard]] http::Response answer(const http::Request& request) override;
  [[nodiscard]] std::optional<http::Response> answer_at_once(http::Request& request) override;
  [[nodiscard]] http::Response refuse(const http::Refusal& refusal) override;

  // For /wait: waits for this many requests; let_go() answers all, now and later.
  void wait_for_waiting(std::size_t count);
  void let_go();
  // For /stream: returns the n-th stream since the beginning, when it exists.
  std::shared_ptr<http::Outlet> stream(std::size_t n);
  [[nodiscard]] std::size_t answered() const { return answered_; }
  [[nodiscard]] std::size_t entered() const { return entered_; }
  [[nodiscard]] std::size_t looks() const { return looks_; }

  static constexpr std::string_view kProxy = "127.0.0.9";
  std::size_t connections = 1'000'000;  // set it before the front runs

 private:
  http::Response answer_to(const http::Request& request);
  http::Response wait();
  std::string look();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t waiting_ = 0;
  bool open_ = false;
  std::vector<std::shared_ptr<http::Outlet>> streams_;
  std::atomic<std::size_t> answered_ = 0;
  std::atomic<std::size_t> entered_ = 0;
  std::atomic<std::size_t> looks_ = 0;
};

// Options that choose a free port.
[[nodiscard]] http::FrontOptions any_port();

// Its clock does not move by itself, so deadlines pass only when a test advances it.
class RunningFront {
 public:
  explicit RunningFront(FakeApp& app, http::FrontOptions options = any_port());
  ~RunningFront();
  RunningFront(const RunningFront&) = delete;
  RunningFront& operator=(const RunningFront&) = delete;

  [[nodiscard]] http::Front& front() { return front_; }
  [[nodiscard]] std::uint16_t port() const { return front_.port(); }
  [[nodiscard]] FakeClock& clock() { return clock_; }
  void join();  // after it has been stopped
  // Advances the clock. First reads what clients have sent; on return, expired deadlines have been
  // handled. Not usable when no more connections are allowed.
  void advance(std::chrono::milliseconds time);

 private:
  // Waits until the thread that watches the sockets has handled everything and is idle.
  void settle() const;

  FakeApp& app_;
  StillClock clock_;
  http::Front front_;
  std::thread thread_;
};

// Like eventually().
[[nodiscard]] bool comes_true(const std::function<bool()>& condition);

}  // namespace chirp::test
