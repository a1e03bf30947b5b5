// The open streams: their limits, and how any thread can end them. Safe to call from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/model/ids.h"
#include "server/http/exchange.h"
#include "server/limits.h"

namespace chirp::live {

// Limits the open streams: in all, per user and per address.
class StreamSlots {
 public:
  // The limits on open streams: in all and per user.
  explicit StreamSlots(std::uint64_t all, std::uint64_t per_user = limits::kStreamsPerUserMax);

  // Takes a slot, which is held while the returned handle lives. Throws Error{kUnavailable} with
  // field `streams` if a limit is reached: in all, of the user, or `most` of the address.
  [[nodiscard]] std::shared_ptr<void> take(UserNumber user, const std::string& address,
                                           std::uint64_t most);
  [[nodiscard]] std::uint64_t taken() const;

 private:
  struct Counts;
  std::shared_ptr<Counts> counts_;  // lives until the last slot is released
};

// Returns what `still_allowed` returns, or false if it throws.
[[nodiscard]] bool is_allowed(const std::function<bool()>& still_allowed);

// The open streams of each viewer.
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
