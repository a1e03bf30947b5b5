// An App over a client's stores, with an in-memory cache as in the server.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "core/hot/hot_set.h"
#include "core/ports/forwarding_storage.h"
#include "server/api/callers.h"
#include "tests/support/api_client.h"

namespace chirp::test {

class RememberingApp {
 public:
  explicit RememberingApp(ApiClient& client)
      : storage_(client.storage),
        hot_(storage_, client.clock, kBytes),
        engine_(storage_, client.directory, client.hasher, client.clock, &hot_),
        callers_(engine_, kBytes),
        app_(api::make_app({.engine = engine_,
                            .callers = callers_,
                            .hub = client.hub,
                            .metrics = client.metrics,
                            .log = client.log,
                            .version = "1.2.3",
                            .healthy = [] { return true; },
                            .bound = "127.0.0.1"})) {}

  [[nodiscard]] http::App& app() { return *app_; }
  // The number of snapshots and queries of the store.
  [[nodiscard]] std::size_t looks() const { return storage_.looks; }
  http::Response ask(const http::Request& request) { return app_->answer(request); }
  std::optional<http::Response> ask_at_once(http::Request& request) {
    return app_->answer_at_once(request);
  }

 private:
  static constexpr std::size_t kBytes = 4 << 20;

  class Counted final : public ForwardingStorage {
   public:
    using ForwardingStorage::ForwardingStorage;
    [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override {
      ++looks;
      return ForwardingStorage::snapshot();
    }
    mutable std::size_t looks = 0;
  };

  Counted storage_;
  hot::HotSet hot_;
  Engine engine_;
  api::Callers callers_;
  std::unique_ptr<http::App> app_;
};

}  // namespace chirp::test
