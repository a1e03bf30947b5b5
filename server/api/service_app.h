// The API of docs/openapi.yaml, the web page and the metrics, as an App for the front.
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

// For a server that shows its work: chirp serve --demo.
struct Demo {
  live::Stage& stage;
  std::vector<UserNumber> who{};  // may switch it; empty: every account
  std::string lab{};              // the fields of LabFigures, if there are any
};

struct AppParts {  // all must outlive the App
  Engine& engine;  // safe from any thread: server/service.h
  Callers& callers;
  live::Hub& hub;
  Metrics& metrics;
  Log& log;
  std::string version;
  std::function<bool()> healthy;  // it can write and is not stopping
  // Returns the newest state, or empty while the store does not answer. If the store may block its
  // callers, a separate thread asks it. If this function is empty, the engine is asked.
  std::function<std::optional<StoreState>()> pulse = {};
  // How long a request may wait for the store; 0 if the store never blocks.
  std::chrono::nanoseconds bound_of_store{0};
  // Feeds::after_read off the answer's path. Never waits; drops what is too much. May be empty.
  std::function<void(UserNumber viewer, feed::Upkeep what)> after_read = {};
  std::string bound = {};                   // the address it is reached by; server/hosts.h
  const Deliveries* deliveries = nullptr;   // null: nothing is delivered by this process
  std::optional<Demo> demo = std::nullopt;  // absent: its operations are not there
};

[[nodiscard]] std::unique_ptr<http::App> make_app(AppParts parts);

}  // namespace chirp::api
