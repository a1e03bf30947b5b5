// A reader of a stream of events, without a socket.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "server/http/exchange.h"

namespace chirp::test {

// Returns what a stream has sent up to its n-th event, then disconnects. Leaves out what does not
// arrive before nothing moves any more.
[[nodiscard]] std::string read_events(
    const std::function<void(std::shared_ptr<http::Outlet>)>& stream, std::size_t events);

}  // namespace chirp::test
