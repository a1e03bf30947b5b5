// The state that the calls of an App share. Safe to use from any thread.
#pragma once

#include <atomic>
#include <utility>

#include "core/model/time.h"
#include "server/api/live_settings.h"
#include "server/api/login_failures.h"
#include "server/api/ranked_walks.h"
#include "server/api/rate_limits.h"
#include "server/api/service_app.h"

namespace chirp::api {

struct AppState {
  explicit AppState(AppParts given)
      : parts(std::move(given)),
        started_at(parts.engine.clock().now()),
        settings(parts.engine.storage(), parts.engine.clock(), parts.log),
        rates(parts.engine.clock()),
        logins(parts.engine.clock()) {}

  AppParts parts;
  Time started_at;
  LiveSettings settings;
  RateLimits rates;
  LoginFailures logins;
  RankedWalks ranked_walks;
  // Whether the log has reported: an unreadable X-Forwarded-For, a host that is not this server's,
  // a page of another origin.
  std::atomic<bool> told_forwarded{false};
  std::atomic<bool> told_host{false};
  std::atomic<bool> told_origin{false};
};

}  // namespace chirp::api
