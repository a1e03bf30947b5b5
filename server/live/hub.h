// The open streams: sends events of the log to the users they concern, as they happen.
//
// One thread follows the log. It is notified of this process's writes, and looks at the store's
// version every limits::kLiveLookMs for those of others. It reads the log only if the version has
// moved. What an event means for a reader (core/social/live.h) is decided from the state at
// sending.
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
  // Asked about once a second, and whenever the viewer has changed something: false ends the
  // stream. From any thread.
  std::function<bool()> still_allowed;
  std::string address = {};  // where it goes, by the key of a client …
  std::uint64_t address_max =
      std::numeric_limits<std::uint64_t>::max();  // … and how many may go there
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

  // The store has moved, as far as this process knows. From any thread; does not wait.
  void wake() noexcept;
  // Streams of this viewer that are no longer allowed are sent nothing more once this returns.
  void recheck(UserNumber viewer);
  [[nodiscard]] std::uint64_t streams() const;
  // Closes all streams; no more are opened.
  void stop();

 private:
  class Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace chirp::live
