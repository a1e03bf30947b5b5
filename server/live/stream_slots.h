// Limits the open streams: in all, per user and per address. Safe to call from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/model/ids.h"
#include "server/limits.h"

namespace chirp::live {

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

}  // namespace chirp::live
