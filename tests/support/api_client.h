// The API without sockets: an App over stores of the kind in CHIRP_STORES (world_stores.h), and
// short functions for requests.
//
// One thread. Each instance has its own world; the clock moves only on request.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine.h"
#include "server/api/service_app.h"
#include "server/engine/deliveries.h"
#include "server/http/exchange.h"
#include "server/live/hub.h"
#include "server/live/stage.h"
#include "tests/support/fake_clock.h"
#include "tests/support/world_stores.h"

namespace chirp::test {

// A hasher without cost that counts its calls.
class CountingHasher final : public PasswordHasher {
 public:
  [[nodiscard]] std::string hash(std::string_view password, unsigned) const override {
    ++hashed;
    return "hash of " + std::string(password);
  }
  [[nodiscard]] bool matches(std::string_view password, std::string_view hash,
                             unsigned) const override {
    ++matched;
    if (const auto now = std::exchange(meanwhile, nullptr)) now();
    return hash == "hash of " + std::string(password);
  }

  mutable int hashed = 0;
  mutable int matched = 0;
  mutable std::function<void()> meanwhile;  // called once, during a password check
};

// An answer, and its body as JSON.
class Answer {
 public:
  explicit Answer(http::Response response) : response_(std::move(response)) {}

  [[nodiscard]] int status() const { return response_.status; }
  [[nodiscard]] const http::Response& response() const { return response_; }
  [[nodiscard]] const std::string& body() const { return response_.body; }
  // Empty if missing; fails the test if there are two.
  [[nodiscard]] std::optional<std::string> header(std::string_view name) const;

  // The value at a JSON pointer (`/pagination/nextCursor`); fails the test if missing.
  [[nodiscard]] bool is_null(std::string_view pointer) const;
  [[nodiscard]] std::string text(std::string_view pointer) const;
  [[nodiscard]] std::int64_t number(std::string_view pointer) const;
  [[nodiscard]] double real(std::string_view pointer) const;  // for any number
  [[nodiscard]] bool flag(std::string_view pointer) const;
  [[nodiscard]] std::size_t size(std::string_view pointer) const;  // of an array
  // Whether there is a value; never fails the test.
  [[nodiscard]] bool has(std::string_view pointer) const;
  // The code of a problem.
  [[nodiscard]] std::string code() const { return text("/code"); }
  // The fields that a problem names, in its order, separated by blanks.
  [[nodiscard]] std::string blamed() const;

 private:
  struct Json;  // hides the large header of its parser from the tests of the API
  [[nodiscard]] Json& json() const;

  http::Response response_;
  mutable std::shared_ptr<Json> json_;
};

struct Asking {
  std::string token{};
  std::string body{};
  std::string type = "application/json";  // for a non-empty body
  std::vector<http::Pair> headers{};      // names in lower case
  std::string address = "192.0.2.1";
};

class ApiClient {
 public:
  ApiClient();

  // `target` is a percent-encoded path with a query: `/v1/users?limit=2`.
  Answer ask(http::Method method, std::string_view target, const Asking& asking = {});
  Answer get(std::string_view target, std::string token = {});
  Answer post(std::string_view target, std::string token, std::string body = {});
  Answer put(std::string_view target, std::string token);
  Answer patch(std::string_view target, std::string token, std::string body);
  Answer remove(std::string_view target, std::string token);  // DELETE

  // Adds a user directly to the stores, without a password.
  User add(const std::string& name);
  // The same with an address, `<name>@example.org`, and a password.
  User add(const std::string& name, const std::string& password);
  std::string token_of(const User& user);
  // Changes a setting, effective at once.
  void set(const std::string& key, const std::string& value);
  // Runs the consumers until nothing is pending.
  void drain();
  // Behaves from now on like a server with --demo, for these accounts or for all.
  void start_demo(std::vector<UserNumber> who = {});

  std::unique_ptr<WorldStores> stores = named_world_kind().make();
  Storage& storage = stores->storage();
  UserDirectory& directory = stores->users();
  CountingHasher hasher;
  StillClock clock;
  Engine engine{storage, directory, hasher, clock};
  Metrics metrics;
  Log log{Log::Requests::kQuiet};
  api::Callers callers{engine, std::size_t{1} << 20};
  live::Hub hub{engine, metrics, "a directory"};
  Deliveries deliveries{clock, metrics};
  live::Stage stage{engine, deliveries};
  bool healthy = true;
  std::unique_ptr<http::App> app;

 private:
  [[nodiscard]] api::AppParts parts();
};

// Makes a request from a target and so on, like the front.
[[nodiscard]] http::Request request_for(http::Method method, std::string_view target,
                                        const Asking& asking = {});

}  // namespace chirp::test
