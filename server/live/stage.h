// The stage: shows a class live what the engine does; permitted users may switch the policy.
//
// One thread follows the log and the reports of fan-out and reads. It sends nothing without
// watchers, and nothing to readers' streams (server/live/hub.h). Messages have no ids: a client
// that reconnects gets the current state, not the missed messages.
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

  // Starts the sending thread if it does not run; a watcher does so too. Throws std::system_error.
  void start();
  // Returns the function for an answer's `stream`. `still_allowed` is called about once a second,
  // and when the viewer has changed something; false ends the stream. Throws Error{kUnavailable}
  // with field `streams` if there are limits::kStageWatchersMax watchers in all, or
  // kStageWatchersPerUserMax of this viewer.
  [[nodiscard]] std::function<void(std::shared_ptr<http::Outlet>)> open(
      UserNumber viewer, std::function<bool()> still_allowed);
  // Once this returns, streams of this viewer that are no longer allowed are sent nothing more.
  void recheck(UserNumber viewer);

  // ---- events to report; each call is safe from any thread and does not wait
  void wake() noexcept;  // call when this process knows that the store has changed
  void note(const events::DeliveryReport& report);
  void note(const feed::Page& page);  // a page of a home feed was read

  // Closes all streams; no more are opened.
  void stop();

 private:
  class Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace chirp::live
