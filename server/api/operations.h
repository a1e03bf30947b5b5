// The table of the API's operations, with the access and the parameters of each. Only this table
// decides; a test compares it with docs/openapi.yaml.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "server/api/call.h"
#include "server/http/exchange.h"

namespace chirp::api {

// How an operation uses the request's token.
enum class Access : std::uint8_t {
  kNobody,    // no caller; a valid token is used only for rate limits
  kAnybody,   // optional, but refused if it is invalid
  kSomebody,  // required
};

enum class Body : std::uint8_t { kNone, kJson, kOptionalJson, kUpload };

struct Operation {
  http::Method method;
  std::string_view pattern;  // of a path: `/v1/users/{user}/posts`
  std::string_view id;       // operationId
  Access access;
  http::Lane lane;
  Body body;
  http::Response (*handle)(Call& call);
  // Like `handle`, from memory and without waiting; empty if that needs the store. May be null.
  std::optional<http::Response> (*handle_at_once)(Call& call) = nullptr;
};

// An operation that reads, or writes, and has its usual lane.
constexpr Operation reading(std::string_view pattern, std::string_view id,
                            http::Response (*handle)(Call&), Access access = Access::kSomebody) {
  return {http::Method::kGet, pattern, id, access, http::Lane::kRead, Body::kNone, handle};
}
constexpr Operation writing(http::Method method, std::string_view pattern, std::string_view id,
                            http::Response (*handle)(Call&), Body body = Body::kNone) {
  return {method, pattern, id, Access::kSomebody, http::Lane::kWrite, body, handle};
}

// By subject, each in its own file (server/api/<subject>_calls.cpp).
[[nodiscard]] std::span<const Operation> account_calls();   // users, me
[[nodiscard]] std::span<const Operation> session_calls();   // logging in and out
[[nodiscard]] std::span<const Operation> relation_calls();  // follow, block, mute, relationship
[[nodiscard]] std::span<const Operation> post_calls();      // posts, batch-get, repost, lists
[[nodiscard]] std::span<const Operation> reaction_calls();  // likes
[[nodiscard]] std::span<const Operation> comment_calls();
[[nodiscard]] std::span<const Operation> feed_calls();    // feed, refresh, trends
[[nodiscard]] std::span<const Operation> engine_calls();  // settings of feeds, deliveries
[[nodiscard]] std::span<const Operation> notification_calls();
[[nodiscard]] std::span<const Operation> stream_calls();
[[nodiscard]] std::span<const Operation> media_calls();
// Throws Problem 415 if the declared type can't be an upload.
void check_upload_type(const http::Head& head);
[[nodiscard]] std::span<const Operation> service_calls();  // contract, health, metrics, page
[[nodiscard]] std::span<const Operation> stage_calls();    // only with --demo

}  // namespace chirp::api
