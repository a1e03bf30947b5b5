// A reader of a stream of events, without a socket.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "server/http/exchange.h"

namespace chirp::test {

// What a stream has sent when the n-th event is there; then the reader is gone. What does not come
// before everything stands still is left out.
[[nodiscard]] std::string read_events(
    const std::function<void(std::shared_ptr<http::Outlet>)>& stream, std::size_t events);

}  // namespace chirp::test
