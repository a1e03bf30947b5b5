// An App for tests of the front, and a front that serves it on a thread of its own.
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

// Answers by path: /hello, /echo (the body), /seen (what it was asked),
// /hosts (those named), /letters?n=100&type=text/plain, /file?n=100 (letters from a source,
// `?n=100&broken=50` one that fails from there on), /nothing, /unchanged, /part, /throw,
// /throw-late, /split (a header with a line end), /wait (until let_go()), /stream. POST is written,
// /password/… hashed. /looks tells which look its Glance has seen, and looks if that has seen none.
// Under /quick it answers the same at once, but for /quick/cold, which is tried and is not there,
// and /quick/cold/looks, which is not either, having looked.
class FakeApp final : public http::App {
 public:
  static constexpr std::size_t kUploadMax = 1 << 20;  // of /upload; else limits::kJsonBodyMax

  [[nodiscard]] http::Admission admit(const http::Head& head) const override;
  // As many as `connections` of each address; all of kProxy.
  [[nodiscard]] std::optional<std::size_t> connections_of(
      const std::string& address) const override;
  // Who pays, as the headers `from` and `user` say; 401 to a request with a header `stranger`.
  [[nodiscard]] http::Entry enter(const http::Request& bodiless) override;
  [[nodiscard]] http::Response answer(const http::Request& request) override;
  [[nodiscard]] std::optional<http::Response> answer_at_once(http::Request& request) override;
  [[nodiscard]] http::Response refuse(const http::Refusal& refusal) override;

  // Of /wait: until so many are there; and lets all go, now and later.
  void wait_for_waiting(std::size_t count);
  void let_go();
  // Of /stream: the n-th since the beginning, once it is there.
  std::shared_ptr<http::Outlet> stream(std::size_t n);
  [[nodiscard]] std::size_t answered() const { return answered_; }
  [[nodiscard]] std::size_t entered() const { return entered_; }
  [[nodiscard]] std::size_t looks() const { return looks_; }

  static constexpr std::string_view kProxy = "127.0.0.9";
  std::size_t connections = 1'000'000;  // to be set before the front runs

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

// Options for a free port.
[[nodiscard]] http::FrontOptions any_port();

// Its clock stands still, so that no deadline passes but where a test says so.
class RunningFront {
 public:
  explicit RunningFront(FakeApp& app, http::FrontOptions options = any_port());
  ~RunningFront();
  RunningFront(const RunningFront&) = delete;
  RunningFront& operator=(const RunningFront&) = delete;

  [[nodiscard]] http::Front& front() { return front_; }
  [[nodiscard]] std::uint16_t port() const { return front_.port(); }
  [[nodiscard]] FakeClock& clock() { return clock_; }
  void join();  // once it has been stopped
  // Time goes on. What clients have sent before is taken in before, and whose deadline has passed
  // is dealt with when this returns. Not for who may have no more connections.
  void advance(std::chrono::milliseconds time);

 private:
  // The thread that watches the sockets has seen all there is for it, and waits.
  void settle() const;

  FakeApp& app_;
  StillClock clock_;
  http::Front front_;
  std::thread thread_;
};

// As eventually().
[[nodiscard]] bool comes_true(const std::function<bool()>& condition);

}  // namespace chirp::test
