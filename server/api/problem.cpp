#include "server/api/problem.h"

#include <array>
#include <utility>

#include "core/social/limit_exceeded.h"
#include "core/social/tokens.h"
#include "server/json/json_writer.h"

namespace chirp::api {
namespace {

struct Title {
  std::string_view code;
  std::string_view title;
};
constexpr std::array kTitles{
    Title{"invalid_argument", "Invalid request"},
    Title{"unauthenticated", "Not logged in"},
    Title{"forbidden", "Not allowed"},
    Title{"limit_exceeded", "Limit exceeded"},
    Title{"not_found", "Not found"},
    Title{"already_exists", "Already taken"},
    Title{"conflict", "Conflict"},
    Title{"payload_too_large", "Too large"},
    Title{"unsupported_media_type", "Unsupported media type"},
    Title{"rate_limited", "Too many requests"},
    Title{"internal", "Fault of the server"},
    Title{"unavailable", "Not available now"},
    Title{"insufficient_storage", "Out of disk space"},
};

std::string_view title_of(std::string_view code) {
  for (const Title& entry : kTitles) {
    if (entry.code == code) return entry.title;
  }
  return "Fault of the server";
}

// Retry-After in seconds for a busy server.
constexpr const char* kBusySeconds = "1";
constexpr const char* kFullSeconds = "60";

std::vector<FieldError> blame(const Error& error, std::string message) {
  if (error.field().empty()) return {};
  const bool header = error.field() == "idempotencyKey";
  return {{header ? "Idempotency-Key" : error.field(), std::move(message)}};
}

Problem unavailable(std::string detail, const char* seconds) {
  return {503, "unavailable", std::move(detail), {}, {{"Retry-After", seconds}}};
}

Problem insufficient_storage() {
  return {507,
          "insufficient_storage",
          "The server is almost out of disk space and keeps the rest for removals, so it adds "
          "nothing now. Reading, removing and unfollowing still work; try again later.",
          {},
          {{"Retry-After", kFullSeconds}}};
}

}  // namespace

Problem bad_parameter(std::string name, std::string message) {
  std::string detail = name + " " + message + ".";
  return {400, "invalid_argument", std::move(detail), {{std::move(name), std::move(message)}}};
}

Problem unreadable(std::string detail) { return {400, "invalid_argument", std::move(detail)}; }

Problem unprocessable(std::vector<FieldError> errors) {
  std::string detail;
  for (const FieldError& error : errors) {
    if (!detail.empty()) detail += ' ';
    // The core's message is a whole sentence.
    const bool sentence = error.message.ends_with('.');
    detail += sentence ? error.message : error.field + " " + error.message + ".";
  }
  return {422, "invalid_argument", std::move(detail), std::move(errors)};
}

Problem unauthenticated(std::string detail) {
  return {401,
          "unauthenticated",
          std::move(detail),
          {},
          {{"WWW-Authenticate", R"(Bearer realm="chirp")"}}};
}

Problem bad_token() {
  return {401,
          "unauthenticated",
          "The token is unknown, expired or revoked. Log in again.",
          {},
          {{"WWW-Authenticate", R"(Bearer realm="chirp", error="invalid_token")"}}};
}

Problem not_found(std::string detail) { return {404, "not_found", std::move(detail)}; }

Problem forbidden(std::string detail) { return {403, "forbidden", std::move(detail)}; }

Problem rate_limited(std::string detail, std::int64_t seconds) {
  return {429,
          "rate_limited",
          std::move(detail),
          {},
          {{"Retry-After", std::to_string(seconds < 1 ? 1 : seconds)}}};
}

Problem problem_of(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kBadInput:
      return {422, "invalid_argument", error.what(), blame(error, error.what())};
    case ErrorCode::kNotFound:
      return {404, "not_found", error.what(), blame(error, "is not there")};
    case ErrorCode::kAlreadyExists:
      return {409, "already_exists", error.what(), blame(error, "is taken")};
    case ErrorCode::kForbidden:
      if (dynamic_cast<const social::LimitExceeded*>(&error) != nullptr) {
        return {403, "limit_exceeded", error.what()};
      }
      if (dynamic_cast<const social::AccountSuspended*>(&error) != nullptr) {
        return unauthenticated(error.what());
      }
      return {403, "forbidden", error.what(), blame(error, error.what())};
    case ErrorCode::kConflict:
      return {409, "conflict", error.what(), blame(error, error.what())};
    case ErrorCode::kUnavailable:
      // The client can close one of its streams, so this is a 429.
      if (error.field() == "streams") return rate_limited(error.what(), 1);
      if (error.field() == "outcome") {
        return unavailable(
            "The storage failed while this was written, and the server does not know whether it "
            "was done. Check before you try again, or repeat the request with its Idempotency-Key.",
            kBusySeconds);
      }
      return unavailable("The server is busy and can't do this now. Try again.", kBusySeconds);
    case ErrorCode::kStorageFull:
      if (is_reserve_reached(error)) return insufficient_storage();
      return unavailable("The server is out of disk space. Reading still works; try again later.",
                         kFullSeconds);
    case ErrorCode::kReadOnly:
      return unavailable("The server can't write now. Reading still works; try again later.",
                         kFullSeconds);
    case ErrorCode::kNotLetIn:
      return unavailable("The server can't reach its data. Try again later.", kFullSeconds);
    case ErrorCode::kIo:
    case ErrorCode::kCorrupt:
    case ErrorCode::kVersion:
    case ErrorCode::kInternal:
      break;
  }
  return {500, "internal", "An error occurred in the server. The server has logged it."};
}

Problem refusal_problem(const http::Refusal& refusal) {
  Problem problem{refusal.status, "invalid_argument", refusal.detail};
  if (refusal.status == 413) problem.code = "payload_too_large";
  if (refusal.status == 415) problem.code = "unsupported_media_type";
  if (refusal.status == 503) {
    problem.code = "unavailable";
    problem.headers.push_back({"Retry-After", "1"});
  }
  return problem;
}

http::Response answer_with(const Problem& problem) {
  JsonWriter json;
  json.begin_object();
  json.field("type", "urn:chirp:problem:" + std::string(problem.code));
  json.field("title", title_of(problem.code));
  json.field("status", static_cast<std::int64_t>(problem.status));
  json.field("detail", problem.detail);
  json.field("code", problem.code);
  if (!problem.errors.empty()) {
    json.key("errors").begin_array();
    for (const FieldError& error : problem.errors) {
      json.begin_object();
      json.field("field", error.field);
      json.field("message", error.message);
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
  http::Response response;
  response.status = problem.status;
  response.headers = problem.headers;
  response.type = "application/problem+json";
  response.body = json.take();
  return response;
}

}  // namespace chirp::api
