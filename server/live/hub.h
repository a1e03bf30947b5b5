// The open streams: sends events of the log to the users they concern, as they happen.
//
// One thread follows the log. It is notified of this process's writes, and checks the store's
// version every limits::kLiveLookMs for those of others. It reads the log only if the version has
// changed. The state at the time of sending decides what an event means for a reader
// (core/social/live.h).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/engine.h"
#include "server/http/exchange.h"
#include "server/live/event_ids.h"
#include "server/metrics.h"

namespace chirp::live {

struct Subscription {
  UserNumber viewer;
  std::optional<EventId> last_event_id;  // of the last event received
  // Called about once a second, and when the viewer has changed something: false ends the stream.
  // Called from any thread.
  std::function<bool()> still_allowed;
  std::string address = {};  // the client's address key …
  std::uint64_t address_max =
      std::numeric_limits<std::uint64_t>::max();  // … and its limit of streams
};

class Hub {
 public:
  // `engine` and `metrics` must outlive the hub. `secret` is as for EventDigests.
  Hub(Engine& engine, Metrics& metrics, std::string_view secret);
  ~Hub();
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  // Starts the sending thread if it does not run; open() does so too. The thread sleeps until there
  // is a stream. Throws std::system_error.
  void start();
  // Returns the function for an answer's `stream`. It starts the stream at the current end of the
  // log, or after the last event received. Throws Error{kConflict} if the log no longer reaches
  // back to that event, does not reach it yet, or has another history than the id. Throws
  // Error{kUnavailable} with field `streams` if too many are open.
  [[nodiscard]] std::function<void(std::shared_ptr<http::Outlet>)> open(Subscription subscription);

  // Call when this process knows that the store has changed. From any thread; does not wait.
  void wake() noexcept;
  // Once this returns, streams of this viewer that are no longer allowed are sent nothing more.
  void recheck(UserNumber viewer);
  [[nodiscard]] std::uint64_t streams() const;
  // Closes all streams and refuses new ones.
  void stop();

 private:
  class Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace chirp::live
