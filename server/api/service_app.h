// The API of docs/openapi.yaml, the web page and the metrics, as one App.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine.h"
#include "server/api/callers.h"
#include "server/engine/deliveries.h"
#include "server/http/exchange.h"
#include "server/live/hub.h"
#include "server/live/stage.h"
#include "server/log.h"
#include "server/metrics.h"

namespace chirp::api {

// Options of chirp serve --demo.
struct Demo {
  live::Stage& stage;
  std::vector<UserNumber> who{};  // may switch the policy; empty: every account
  std::string lab{};              // the fields of LabFigures, if there are any
};

struct AppParts {  // all must outlive the App
  Engine& engine;  // safe to use from any thread: server/service.h
  Callers& callers;
  live::Hub& hub;
  Metrics& metrics;
  Log& log;
  std::string version;
  std::function<bool()> healthy;  // it can write and is not shutting down
  // Returns the newest state, or empty while the store does not answer. If the store may block its
  // callers, a separate thread asks it. If this function is empty, the engine is asked.
  std::function<std::optional<StoreState>()> pulse = {};
  // How long a request may wait for the store; 0 if the store never blocks.
  std::chrono::nanoseconds bound_of_store{0};
  // Runs Feeds::after_read in the background. Never waits; drops work beyond a limit. May be empty.
  std::function<void(UserNumber viewer, feed::Upkeep what)> after_read = {};
  std::string bound = {};                   // the listening address; see server/hosts.h
  const Deliveries* deliveries = nullptr;   // null: this process delivers nothing
  std::optional<Demo> demo = std::nullopt;  // absent: no demo operations
};

[[nodiscard]] std::unique_ptr<http::App> make_app(AppParts parts);

}  // namespace chirp::api
