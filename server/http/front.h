// The sockets: accepts, reads whole requests within limits and deadlines, hands them to workers,
// and writes the answers.
//
// One thread watches all connections (epoll); slow, idle and streaming clients cost no worker. What
// the App has in memory that thread answers at once; where the App has to look first whether its
// memory is as new as it must be, a thread of its own answers it, together with all that has come
// meanwhile. Any other request goes to a bounded queue of its lane; a full queue is answered with
// 503. The worker asks the App, and sends the answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/ports/clock.h"
#include "server/http/exchange.h"
#include "server/http/room.h"
#include "server/limits.h"

namespace chirp::http {

struct FrontOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8080;  // 0: any that is free
  unsigned read_threads = 2;
  unsigned write_threads = 64;  // they wait for the one writer: as many as a batch may hold
  unsigned password_threads = 17;
  unsigned plain_threads = 2;
  // Whether App::answer_at_once waits for a look (RequestVersions in core/ports/caller.h).
  bool looks_first = false;
  // At one time, and no more than there are file descriptors for.
  std::size_t connections = limits::kConnectionsMax;
  // Deadlines are of the whole, not of a read.
  std::chrono::milliseconds head_deadline{10'000};
  std::chrono::milliseconds body_deadline{30'000};
  std::chrono::milliseconds write_deadline{10'000};
  // Longer than the 60 s of proxies (nginx, load balancers). So the proxy closes first, and never
  // sends a request on a connection that closes here.
  std::chrono::milliseconds idle_deadline{75'000};
  // Without progress, when room is short: server/http/room.h.
  std::chrono::milliseconds hurry{limits::kHurryMs};
  RoomBounds bodies{limits::kBodyBytesMax, limits::kBodyBytesPerAddressMax,
                    limits::kBodyBytesPerUserMax};
  RoomBounds answers{limits::kAnswerBytesMax, limits::kAnswerBytesPerAddressMax,
                     limits::kAnswerBytesPerUserMax};
  std::size_t stream_bytes = limits::kStreamBytesAllMax;
  std::chrono::milliseconds stop_deadline{5'000};  // for what was accepted, when stopping
  // Called when all requests that are still unanswered are given up, before waiting for workers.
  std::function<void()> ending{};
};

struct FrontCounts {  // now, unless it says otherwise
  std::uint64_t connections = 0;
  std::uint64_t streams = 0;
  std::uint64_t queued_reads = 0;
  std::uint64_t queued_writes = 0;
  std::uint64_t queued_passwords = 0;
  std::uint64_t body_bytes = 0;    // held for requests that arrive or are worked on
  std::uint64_t answer_bytes = 0;  // held for clients that have yet to take them
  // Since the beginning: what was answered without a worker, and what was tried and could not be.
  std::uint64_t at_once = 0;
  std::uint64_t handed_over = 0;
  // Since the beginning, for want of room.
  std::uint64_t dropped_bodies = 0;
  std::uint64_t dropped_answers = 0;
  std::uint64_t dropped_connections = 0;
};

class Front {
 public:
  // Binds and listens. Throws Error{kUnavailable} if the port is taken, {kInvalidArgument} for a
  // host that is no address of this machine. `app` and `clock`, by which
  // deadlines go, must outlive it.
  Front(App& app, const Clock& clock, FrontOptions options);
  ~Front();
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] FrontCounts counts() const;
  // Starts the worker threads. Call it once, before run(). Throws std::system_error.
  void start();
  // Serves until stop() is called: then no more is accepted, what was accepted is answered within
  // the deadline, streams are closed. Returns when all of it is done.
  void run();
  // From any thread or signal handler. The second call stops at once.
  void stop() noexcept;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace chirp::http
