// What the API can do: one table of operations, each with who may call it and what it takes. The
// table is the one place that decides; a test holds it against docs/openapi.yaml.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "server/api/call.h"
#include "server/http/exchange.h"

namespace chirp::api {

// What is done with the token of a request.
enum class Access : std::uint8_t {
  kNobody,    // whoever it is: a good token is counted by, and that is all
  kAnybody,   // looked at if there is one, refused if it is bad
  kSomebody,  // needed
};

enum class Body : std::uint8_t { kNone, kJson, kOptionalJson, kUpload };

struct Operation {
  http::Method method;
  std::string_view pattern;  // of the path: `/v1/users/{user}/posts`
  std::string_view id;       // operationId
  Access access;
  http::Lane lane;
  Body body;
  http::Response (*handle)(Call& call);
  // The same as far as memory has all of it, without touching a store or waiting; may be null.
  std::optional<http::Response> (*handle_at_once)(Call& call) = nullptr;
};

// By subject, each in a file of its own (server/api/<subject>_calls.cpp).
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
// Throws Problem 415 for a body that an upload can't be, by what is declared.
void check_upload_type(const http::Head& head);
[[nodiscard]] std::span<const Operation> service_calls();  // contract, health, metrics, page
[[nodiscard]] std::span<const Operation> stage_calls();    // of a demo alone

}  // namespace chirp::api
