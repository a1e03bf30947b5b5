// How many streams may be open: in all, of one user and from one address. Safe to call from any
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/model/ids.h"
#include "server/limits.h"

namespace chirp::live {

class StreamSlots {
 public:
  // How many streams may be open at one time, in all and of one user.
  explicit StreamSlots(std::uint64_t all, std::uint64_t per_user = limits::kStreamsPerUserMax);

  // Takes a slot, which is held as long as what is returned lives. Throws Error{kUnavailable} with
  // field `streams` if there are as many as may be in all, of the user's, or `most` of the address.
  [[nodiscard]] std::shared_ptr<void> take(UserNumber user, const std::string& address,
                                           std::uint64_t most);
  [[nodiscard]] std::uint64_t taken() const;

 private:
  struct Counts;
  std::shared_ptr<Counts> counts_;  // outlives this with the last slot
};

}  // namespace chirp::live
