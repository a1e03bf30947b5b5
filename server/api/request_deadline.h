// How long a request may wait for the store. The time runs from the request's arrival, so it
// includes waiting for a worker and earlier tries.
#pragma once

#include <optional>

#include "core/ports/caller.h"
#include "server/api/service_app.h"

namespace chirp::api {

// Whether the store may block its callers.
[[nodiscard]] inline bool may_wait(const AppParts& parts) {
  return parts.bound_of_store.count() != 0;
}

class RequestDeadline {
 public:
  RequestDeadline(const AppParts& parts, const http::Request& request) {
    if (!may_wait(parts)) return;
    const std::int64_t begun =
        request.arrived_ns != 0 ? request.arrived_ns : parts.engine.clock().steady_ns();
    deadline_.emplace(begun + parts.bound_of_store.count());
  }

 private:
  std::optional<CallerDeadline> deadline_;
};

}  // namespace chirp::api
