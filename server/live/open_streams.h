// The open streams of each viewer, so that any thread can end them. Safe to call from any thread.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/model/ids.h"
#include "server/http/exchange.h"

namespace chirp::live {

// Returns what `still_allowed` returns, or false if it throws.
[[nodiscard]] bool is_allowed(const std::function<bool()>& still_allowed);

class OpenStreams : public std::enable_shared_from_this<OpenStreams> {
 public:
  struct Line {
    std::weak_ptr<http::Outlet> outlet;
    std::function<bool()> still_allowed;
    std::shared_ptr<std::atomic<bool>> was_cut;
  };

  // The line stays registered while the returned handle lives.
  [[nodiscard]] std::shared_ptr<void> add(UserNumber viewer, Line line);
  // Once this returns, streams of this viewer that are no longer allowed are sent nothing more.
  void recheck(UserNumber viewer) const;

 private:
  [[nodiscard]] std::vector<Line> lines_of(UserNumber viewer) const;

  mutable std::mutex mutex_;
  std::multimap<UserNumber, Line> lines_;
};

}  // namespace chirp::live
