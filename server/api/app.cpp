// Runs each call: identifies the caller, applies rate limits and other checks, adds common headers;
// then the log and the metrics.
#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "server/api/app_state.h"
#include "server/api/call.h"
#include "server/api/client.h"
#include "server/api/operations.h"
#include "server/api/origins.h"
#include "server/api/problem.h"
#include "server/api/request_deadline.h"
#include "server/api/request_values.h"
#include "server/api/router.h"
#include "server/api/service_app.h"
#include "server/api/turn.h"
#include "server/api/web_files.h"
#include "server/limits.h"

namespace chirp::api {
namespace {

constexpr std::string_view kJsonType = "application/json";
constexpr std::string_view kUploadTypes =
    "image/png, image/jpeg, image/gif, image/webp, video/mp4, multipart/form-data";

bool is_reading(http::Method method) {
  return method == http::Method::kGet || method == http::Method::kHead;
}

bool has_header(const http::Response& response, std::string_view name) {
  for (const http::Pair& header : response.headers) {
    if (header.name == name) return true;
  }
  return false;
}

http::Response failed() {
  http::Response response;
  response.status = 500;
  return response;
}

// Throws Problem 415 if the operation doesn't accept a body of this type.
void check_type(const Operation& operation, const http::Head& head) {
  if (operation.body == Body::kUpload) return check_upload_type(head);
  const auto type = head.header("content-type");
  if (!type || media_type_in(*type) != kJsonType) {
    throw Problem{415, "unsupported_media_type", "Send the body as application/json."};
  }
  if (is_utf8_type(*type)) return;
  throw Problem{415, "unsupported_media_type",
                "JSON must be UTF-8. Send it as UTF-8, without another charset."};
}

// Throws Problem 400 or 415 if the operation doesn't accept this body. Handlers check forms and
// files.
void check_body(const Operation& operation, const http::Request& request) {
  if (operation.body == Body::kUpload) return;
  if (!request.body.empty()) return check_type(operation, request);
  if (operation.body == Body::kJson) {
    throw unreadable("This call needs a JSON object as its body.");
  }
}

const char* cache_control(const RequestTurn& turn, const http::Response& response) {
  const Operation* const operation = turn.match.operation;
  if (response.status >= 400 || operation == nullptr) return "no-store";
  if (operation->access == Access::kSomebody || !is_reading(turn.request.method)) return "no-store";
  return turn.caller.user ? "private, no-cache" : "no-cache";
}

class ServiceApp final : public http::App {
 public:
  explicit ServiceApp(AppParts parts)
      : state_(std::move(parts)),
        router_(operation_tables(state_.parts.demo ? WithDemo::kYes : WithDemo::kNo)) {
    (void)state_.settings.get();  // so that last() has settings to return
  }

  [[nodiscard]] http::Admission admit(const http::Head& head) const override;
  [[nodiscard]] std::optional<std::size_t> connections_of(
      const std::string& address) const override;
  [[nodiscard]] http::Entry enter(const http::Request& bodiless) override;
  [[nodiscard]] http::Response answer(const http::Request& request) override;
  [[nodiscard]] std::optional<http::Response> answer_at_once(http::Request& request) override;
  [[nodiscard]] http::Response refuse(const http::Refusal& refusal) override;

 private:
  // The checks that need no body: caller, rate limit, operation. Returns an answer if that is
  // enough. Throws Problem if the request is refused.
  std::optional<http::Response> begin(RequestTurn& turn);
  // Begins, and then lets the operation's `handle` or `handle_at_once` answer.
  template <class Handle>
  std::optional<http::Response> handled(RequestTurn& turn, Handle Operation::*handle);
  std::optional<http::Response> handled_at_once(RequestTurn& turn);
  // Completes every answer.
  http::Response done(RequestTurn& turn, http::Response response);
  template <class Step>
  std::optional<http::Response> guarded(RequestTurn& turn, Step step);
  void finish(RequestTurn& turn, http::Response& response);
  void record(const RequestTurn& turn, const http::Response& response);
  http::Response fault(const RequestTurn& turn, std::string_view what);
  [[nodiscard]] std::int64_t steady_ns() const { return state_.parts.engine.clock().steady_ns(); }
  [[nodiscard]] RequestTurn turn_of(const http::Request& request) const {
    return {.request = request,
            .begun_ns = steady_ns(),
            .match = router_.match(request.method, request.segments)};
  }

  AppState state_;
  Router router_;
};

http::Admission ServiceApp::admit(const http::Head& head) const {
  const Router::Match match = router_.match(head.method, head.segments);
  // An unknown operation is reported after the body was read, like any other answer.
  http::Admission admission{http::Lane::kRead, limits::kJsonBodyMax, kJsonType};
  if (match.operation == nullptr) {
    admission.lane = http::Lane::kPlain;
    return admission;
  }
  admission.lane = match.operation->lane;
  admission.may_be_at_once = match.operation->handle_at_once != nullptr && is_reading(head.method);
  if (match.operation->body == Body::kUpload) {
    admission.body_max = chirp::limits::kMediaBytesMax + limits::kFormBytesMax;
    admission.types = kUploadTypes;
  } else if (match.operation->body == Body::kNone && is_reading(head.method)) {
    admission.body_max = 0;
  }
  return admission;
}

std::optional<std::size_t> ServiceApp::connections_of(const std::string& address) const {
  const auto settings = state_.settings.last();
  if (is_trusted(address, settings->trusted_proxies)) return std::nullopt;
  return static_cast<std::size_t>(settings->connections);
}

http::Entry ServiceApp::enter(const http::Request& bodiless) {
  const RequestDeadline deadline(state_.parts, bodiless);
  RequestTurn turn = turn_of(bodiless);
  http::Entry entry;
  entry.refusal = guarded(turn, [&]() -> std::optional<http::Response> {
    // Even if the answer needs no body, it is sent after the body was read, so that the next
    // request on the connection can be found.
    if (begin(turn) || is_reading(bodiless.method)) return std::nullopt;
    check_type(*turn.match.operation, bodiless);
    return std::nullopt;
  });
  entry.holder = holder_of(turn);
  if (!entry.refusal) return entry;
  entry.refusal = done(turn, *std::move(entry.refusal));
  return entry;
}

http::Response ServiceApp::answer(const http::Request& request) {
  const RequestDeadline deadline(state_.parts, request);
  try {
    RequestTurn turn = turn_of(request);
    http::Response response = *guarded(turn, [&] { return handled(turn, &Operation::handle); });
    // Cut streams before answering, so that a stream whose token was revoked gets nothing more.
    if (turn.caller.owner && !is_reading(request.method)) {
      state_.parts.hub.recheck(*turn.caller.owner);
      if (state_.parts.demo) state_.parts.demo->stage.recheck(*turn.caller.owner);
    }
    return done(turn, std::move(response));
  } catch (...) {
    return failed();
  }
}

std::optional<http::Response> ServiceApp::answer_at_once(http::Request& request) {
  const RequestDeadline deadline(state_.parts, request);
  try {
    RequestTurn turn = turn_of(request);
    auto response = guarded(turn, [&] { return handled_at_once(turn); });
    if (response) return done(turn, *std::move(response));
    request.counted |= turn.allowance.has_value();
    return std::nullopt;
  } catch (...) {
    return failed();
  }
}

http::Response ServiceApp::done(RequestTurn& turn, http::Response response) {
  finish(turn, response);
  record(turn, response);
  return response;
}

// Turns every exception into an answer.
template <class Step>
std::optional<http::Response> ServiceApp::guarded(RequestTurn& turn, Step step) {
  try {
    return step();
  } catch (const Problem& problem) {
    return answer_with(problem);
  } catch (const Error& error) {
    const Problem problem = problem_of(error);
    if (problem.status == 500) return fault(turn, error.what());
    // The message may name files, so only the log gets it.
    if (problem.status == 503) {
      state_.parts.log.request({{"request", turn.request.id}, {"why", std::string(error.what())}});
    }
    return answer_with(problem);
  } catch (const std::exception& error) {
    return fault(turn, error.what());
  } catch (...) {
    return fault(turn, "an unknown exception was thrown");
  }
}

http::Response ServiceApp::fault(const RequestTurn& turn, std::string_view what) {
  state_.parts.log.write(Severity::kError, "A request could not be answered.",
                         {{"request", turn.request.id}, {"why", std::string(what)}});
  return answer_with(problem_of(Error(ErrorCode::kInternal, {})));
}

std::optional<http::Response> ServiceApp::begin(RequestTurn& turn) {
  const http::Request& request = turn.request;
  const Operation* const operation = turn.match.operation;
  const bool is_apart =
      may_wait(state_.parts) && (operation == nullptr || operation->lane == http::Lane::kPlain);
  if (!turn.settings) turn.settings = is_apart ? state_.settings.last() : state_.settings.get();
  take_client(state_, turn);
  check_hosts(state_, turn);
  turn.origin = origin_of(request, turn.settings->cors_origins);
  if (turn.match.allow.empty()) {
    // The page's files are not counted against the rate limit: there are many, and each costs less
    // than a refusal.
    if (auto file = web_file(request)) return file;
    if (auto way = way_to_page(request)) return way;
  }
  if (operation != nullptr) {
    if (!turn.knows_caller && is_apart) {
      turn.caller =
          known_caller_of(state_.parts.callers, operation->access, request).value_or(Caller{});
    } else if (!turn.knows_caller) {
      turn.caller = caller_of(state_.parts.callers, operation->access, request);
    }
    if (turn.caller.user) turn.account = turn.caller.user->username;
  }
  count_request(state_, turn);
  if (turn.match.allow.empty()) throw not_found("There is nothing at this address.");
  if (is_preflight(request, turn.origin)) return preflight(std::string(turn.match.allow));
  check_origin(state_, turn);
  if (operation == nullptr) {
    throw Problem{405,
                  "invalid_argument",
                  fmt::format("This address does not take {}.",
                              request.method == http::Method::kOther ? "that method"
                                                                     : http::name(request.method)),
                  {},
                  {{"Allow", std::string(turn.match.allow)}}};
  }
  check_caller(operation->access, turn.caller);
  return std::nullopt;
}

template <class Handle>
std::optional<http::Response> ServiceApp::handled(RequestTurn& turn, Handle Operation::*handle) {
  if (auto response = begin(turn)) return response;
  const Operation& operation = *turn.match.operation;
  check_body(operation, turn.request);
  Call call(state_, turn.request, turn.match.path, turn.caller.user, turn.client, turn.account);
  return (operation.*handle)(call);
}

std::optional<http::Response> ServiceApp::handled_at_once(RequestTurn& turn) {
  const Operation* const operation = turn.match.operation;
  if (operation == nullptr || operation->handle_at_once == nullptr) return std::nullopt;
  turn.settings = state_.settings.known();
  if (!turn.settings) return std::nullopt;
  auto caller = known_caller_of(state_.parts.callers, operation->access, turn.request);
  if (!caller) return std::nullopt;
  turn.caller = *std::move(caller);
  turn.knows_caller = true;
  return handled(turn, &Operation::handle_at_once);
}

// Adds what every answer has.
void ServiceApp::finish(RequestTurn& turn, http::Response& response) {
  // A request that failed before it had settings is answered all the same.
  if (!turn.settings) turn.settings = state_.settings.last();
  if (!turn.allowance) {
    const std::string& known = turn.client.empty() ? turn.request.address : turn.client;
    turn.allowance = state_.rates.look(address_key(known), turn.settings->rate_limit_anonymous);
  }
  auto& headers = response.headers;
  headers.push_back({"RateLimit-Limit", std::to_string(turn.allowance->limit)});
  headers.push_back({"RateLimit-Remaining", std::to_string(turn.allowance->remaining)});
  headers.push_back({"RateLimit-Reset", std::to_string(turn.allowance->reset_s)});
  headers.push_back({"X-Content-Type-Options", "nosniff"});
  if (!turn.request.id.empty()) headers.push_back({"Request-Id", turn.request.id});
  if (!has_header(response, "Cache-Control")) {
    headers.push_back({"Cache-Control", cache_control(turn, response)});
  }
  add_origin_headers(turn.origin, turn.settings->cors_origins, response);
  if (turn.request.method == http::Method::kHead) response.stream = nullptr;
  response.holder = holder_of(turn);
}

void ServiceApp::record(const RequestTurn& turn, const http::Response& response) {
  const Operation* const operation = turn.match.operation;
  const std::string_view id = operation == nullptr ? "none" : operation->id;
  const std::int64_t micros = (steady_ns() - turn.begun_ns) / 1000;
  state_.parts.metrics.request(id, response.status, micros);
  state_.parts.log.request({{"method", std::string(http::name(turn.request.method))},
                            {"path", turn.request.path},
                            {"operation", std::string(id)},
                            {"status", std::int64_t{response.status}},
                            {"micros", micros},
                            {"address", turn.client},
                            {"account", turn.account},
                            {"request", turn.request.id}});
}

http::Response ServiceApp::refuse(const http::Refusal& refusal) {
  try {
    http::Request request;
    request.address = refusal.address;
    request.id = refusal.request_id;
    RequestTurn turn{request, steady_ns()};
    turn.settings = state_.settings.get();
    // A client's error counts as a request; a server without capacity does not.
    if (refusal.status < 500) {
      turn.allowance =
          state_.rates.take(address_key(refusal.address), turn.settings->rate_limit_anonymous);
    }
    http::Response response = answer_with(refusal_problem(refusal));
    finish(turn, response);
    state_.parts.metrics.request("none", refusal.status, 0);
    state_.parts.log.request({{"refused", refusal.detail},
                              {"status", std::int64_t{refusal.status}},
                              {"address", refusal.address},
                              {"request", refusal.request_id}});
    return response;
  } catch (...) {
    http::Response response;
    response.status = refusal.status;
    return response;
  }
}

}  // namespace

std::unique_ptr<http::App> make_app(AppParts parts) {
  return std::make_unique<ServiceApp>(std::move(parts));
}

}  // namespace chirp::api
