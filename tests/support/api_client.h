// The API without sockets: an App over stores of the kind that CHIRP_STORES names (world_stores.h),
// and short words for asking it.
//
// One thread. Each world is its own; time stands still unless it is moved.
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

// Costs nothing, and counts.
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
  mutable std::function<void()> meanwhile;  // done once, while a password is being checked
};

// An answer, and its body as JSON.
class Answer {
 public:
  explicit Answer(http::Response response) : response_(std::move(response)) {}

  [[nodiscard]] int status() const { return response_.status; }
  [[nodiscard]] const http::Response& response() const { return response_; }
  [[nodiscard]] const std::string& body() const { return response_.body; }
  // Empty if there is none; fails the test if there are two.
  [[nodiscard]] std::optional<std::string> header(std::string_view name) const;

  // What stands at a JSON pointer (`/pagination/nextCursor`); fails the test if nothing does.
  [[nodiscard]] bool is_null(std::string_view pointer) const;
  [[nodiscard]] std::string text(std::string_view pointer) const;
  [[nodiscard]] std::int64_t number(std::string_view pointer) const;
  [[nodiscard]] double real(std::string_view pointer) const;  // of any number
  [[nodiscard]] bool flag(std::string_view pointer) const;
  [[nodiscard]] std::size_t size(std::string_view pointer) const;  // of an array
  // Whether anything stands there; never fails the test.
  [[nodiscard]] bool has(std::string_view pointer) const;
  // Of a problem.
  [[nodiscard]] std::string code() const { return text("/code"); }
  // The fields that a problem blames, in its order, with blanks between.
  [[nodiscard]] std::string blamed() const;

 private:
  struct Json;  // its parser's header is a large one, and stays out of every test of the API
  [[nodiscard]] Json& json() const;

  http::Response response_;
  mutable std::shared_ptr<Json> json_;
};

struct Asking {
  std::string token{};
  std::string body{};
  std::string type = "application/json";  // of a body that is not empty
  std::vector<http::Pair> headers{};      // names in lower case
  std::string address = "192.0.2.1";
};

class ApiClient {
 public:
  ApiClient();

  // `target` is a path with a query, percent-encoded where it has to be: `/v1/users?limit=2`.
  Answer ask(http::Method method, std::string_view target, const Asking& asking = {});
  Answer get(std::string_view target, std::string token = {});
  Answer post(std::string_view target, std::string token, std::string body = {});
  Answer put(std::string_view target, std::string token);
  Answer patch(std::string_view target, std::string token, std::string body);
  Answer remove(std::string_view target, std::string token);  // DELETE

  // Signs somebody up beside the API, without a password.
  User add(const std::string& name);
  // The same with an address, `<name>@example.org`, and a password.
  User add(const std::string& name, const std::string& password);
  std::string token_of(const User& user);
  // Changes a setting; it is in force at once.
  void set(const std::string& key, const std::string& value);
  // Lets the consumers take in what there is.
  void drain();
  // Goes on as a server that was started with --demo, for these accounts or for all.
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

// A request as the front makes it of a target and so on.
[[nodiscard]] http::Request request_for(http::Method method, std::string_view target,
                                        const Asking& asking = {});

}  // namespace chirp::test
