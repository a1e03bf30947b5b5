// The stage: what the engine does, told as it happens to who may switch it, for a class to look at.
//
// One thread follows the log and what fan-out and reads tell, and sends nothing while nobody
// watches. Nothing of it goes into the stream of a reader (server/live/hub.h). Messages have no
// ids: who comes back is told how things stand, not what was missed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "core/engine.h"
#include "core/events/delivery_report.h"
#include "core/feed/page.h"
#include "server/engine/deliveries.h"
#include "server/http/exchange.h"

namespace chirp::live {

class Stage {
 public:
  // Both must outlive it.
  Stage(Engine& engine, const Deliveries& deliveries);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  // Starts the thread that tells, unless it runs: a watcher does so, too. Throws std::system_error.
  void start();
  // The function that an answer's `stream` is. `still_allowed` is asked about once a second, and
  // when the viewer has changed something; false ends the stream. Throws Error{kUnavailable} with
  // field `streams` if limits::kStageWatchersMax are watching, or kStageWatchersPerUserMax of this
  // viewer.
  [[nodiscard]] std::function<void(std::shared_ptr<http::Outlet>)> open(
      UserNumber viewer, std::function<bool()> still_allowed);
  // Streams of this viewer that are no longer allowed are sent nothing more once this returns.
  void recheck(UserNumber viewer);

  // ---- what happens; each from any thread, and none waits
  void wake() noexcept;  // the store has moved, as far as this process knows
  void note(const events::DeliveryReport& report);
  void note(const feed::Page& page);  // of a home feed, that was read

  // Closes all streams; no more are opened.
  void stop();

 private:
  class Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace chirp::live
