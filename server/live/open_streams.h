// The open streams of each viewer, so that they can be ended from any thread. Safe to call from any
// thread.
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

// What `still_allowed` says; a question that can't be answered is answered with no.
[[nodiscard]] bool is_allowed(const std::function<bool()>& still_allowed);

class OpenStreams : public std::enable_shared_from_this<OpenStreams> {
 public:
  struct Line {
    std::weak_ptr<http::Outlet> outlet;
    std::function<bool()> still_allowed;
    std::shared_ptr<std::atomic<bool>> was_cut;
  };

  // The line stays registered as long as what is returned lives.
  [[nodiscard]] std::shared_ptr<void> add(UserNumber viewer, Line line);
  // Streams of this viewer that are no longer allowed are sent nothing more once this returns.
  void recheck(UserNumber viewer) const;

 private:
  [[nodiscard]] std::vector<Line> lines_of(UserNumber viewer) const;

  mutable std::mutex mutex_;
  std::multimap<UserNumber, Line> lines_;
};

}  // namespace chirp::live
