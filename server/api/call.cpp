#include "server/api/call.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/names.h"
#include "server/api/client.h"
#include "server/api/request_values.h"
#include "server/json/number_in.h"

namespace chirp::api {
namespace {

[[noreturn]] void refuse_user(std::string_view name) {
  throw not_found(fmt::format("There is no user {}.", printable(name)));
}

template <class Id>
Id content_in(std::string_view text, std::string_view what) {
  const auto id = id_in(text);
  if (!id || *id == 0) throw not_found(fmt::format("There is no {} {}.", what, printable(text)));
  return Id{*id};
}

}  // namespace

// ---- the caller

Viewer Call::viewer() const {
  return caller_ ? Viewer::user(caller_->number) : Viewer::anonymous();
}

std::string_view Call::token() const { return bearer_token(request_); }

std::function<bool()> Call::token_check() const {
  return [&engine = engine(), token = std::string(token()), user = me().number] {
    const auto owner = engine.tokens().authenticate(token);
    return owner && owner->number == user;
  };
}

// ---- the user or post in the path

User Call::user(std::size_t place) const { return user(place, Whom::kPresent); }

User Call::kept_user(std::size_t place) const { return user(place, Whom::kKept); }

User Call::user(std::size_t place, Whom whom) const {
  const std::string_view name = path_[place];
  if (name == "me") {
    if (!caller_) throw unauthenticated("\"me\" needs a token. Log in with POST /v1/sessions.");
    return *caller_;
  }
  const social::Accounts& accounts = engine().accounts();
  const bool kept = whom == Whom::kKept;
  std::optional<User> found;
  if (name.starts_with('@')) {
    const std::string_view bare = name.substr(1);
    if (is_username(bare)) {
      found = kept ? accounts.find_kept(NamedUser{bare}) : accounts.find_name(bare);
    }
  } else if (const auto id = id_in(name)) {
    found = kept ? accounts.find_kept(UserId{*id}) : accounts.find_id(UserId{*id});
  }
  if (!found) refuse_user(name);
  return *std::move(found);
}

PostId Call::post(std::size_t place) const { return content_in<PostId>(path_[place], "post"); }

CommentId Call::comment(std::size_t place) const {
  return content_in<CommentId>(path_[place], "comment");
}

MediaId Call::media(std::size_t place) const { return content_in<MediaId>(path_[place], "file"); }

// ---- the query

std::optional<std::string_view> Call::query(std::string_view name) const {
  const auto is_it = [&](const http::Pair& pair) { return pair.name == name; };
  const auto found = std::find_if(request_.query.begin(), request_.query.end(), is_it);
  if (found == request_.query.end()) return std::nullopt;
  if (std::count_if(found, request_.query.end(), is_it) > 1) {
    throw bad_parameter(std::string(name), "is given twice");
  }
  return found->value;
}

std::uint32_t Call::limit(std::uint32_t otherwise, std::uint32_t most) const {
  const auto text = query("limit");
  if (!text) return otherwise;
  const auto value = number_in<std::uint32_t>(*text);
  if (!value || *value < 1 || *value > most) {
    throw bad_parameter("limit", fmt::format("is not a number from 1 to {}", most));
  }
  return *value;
}

bool Call::flag(std::string_view name, bool otherwise) const {
  const auto text = query(name);
  if (!text) return otherwise;
  if (*text != "true" && *text != "false") {
    throw bad_parameter(std::string(name), "is neither true nor false");
  }
  return *text == "true";
}

std::optional<PostId> Call::post_cursor(std::string_view name) const {
  const auto text = query(name);
  if (!text) return std::nullopt;
  const auto id = id_in(*text);
  if (!id)
    throw bad_parameter(std::string(name), "is not a cursor of this list or the id of a post");
  return PostId{*id};
}

void Call::check_caller_id() const {
  const auto text = query("userId");
  if (!text) return;
  const auto id = id_in(*text);
  if (!id) throw bad_parameter("userId", "is not an id");
  if (!caller_) throw unauthenticated("A request that names a caller needs that caller's token.");
  if (UserId{*id} != caller_->id) throw forbidden("userId can only be the caller's own.");
}

// ---- the body

std::optional<std::string_view> Call::idempotency_key() const {
  constexpr std::string_view kName = "idempotency-key";
  const auto times = std::count_if(request_.headers.begin(), request_.headers.end(),
                                   [&](const http::Pair& pair) { return pair.name == kName; });
  if (times > 1) throw bad_parameter("Idempotency-Key", "is given more than once");
  const auto key = request_.header(kName);
  if (!key) return std::nullopt;
  if (!social::is_idempotency_key(*key)) {
    throw bad_parameter("Idempotency-Key", "takes 1 to " +
                                               std::to_string(chirp::limits::kIdempotencyKeyMax) +
                                               " characters of visible ASCII");
  }
  return key;
}

JsonBody Call::body() const { return JsonBody(request_.body); }

// ---- answers

http::Response json(int status, JsonWriter& body) {
  http::Response response;
  response.status = status;
  response.type = "application/json";
  response.body = body.take();
  return response;
}

http::Response created(JsonWriter& body, std::string location) {
  http::Response response = json(201, body);
  response.headers.push_back({"Location", std::move(location)});
  return response;
}

http::Response nothing() {
  http::Response response;
  response.status = 204;
  return response;
}

http::Response event_stream(const StreamOpener& open) {
  constexpr std::string_view kRetryAfterSeconds = "5";
  http::Response response;
  try {
    response.stream = open();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUnavailable || error.field() != "streams") throw;
    throw Problem{.status = 429,
                  .code = "rate_limited",
                  .detail = error.what(),
                  .headers = {{"Retry-After", std::string(kRetryAfterSeconds)}}};
  }
  response.type = "text/event-stream";
  // Otherwise a buffering proxy would hold events back.
  response.headers = {{"Cache-Control", "no-store"}, {"X-Accel-Buffering", "no"}};
  return response;
}

http::Response stamped(JsonWriter& body) {
  http::Response response = json(200, body);
  response.headers.push_back({"ETag", weak_tag(response.body)});
  return response;
}

http::Response unless_held(const http::Request& request, http::Response response) {
  const auto held = request.header("if-none-match");
  if (!held || !names_tag(*held, response.headers.front().value)) return response;
  response.status = 304;
  response.type.clear();
  response.body.clear();
  response.headers.push_back({"Vary", "Accept-Encoding"});  // as in the 200 answer
  return response;
}

http::Response tagged(const Call& call, JsonWriter& body) {
  return unless_held(call.request(), stamped(body));
}

http::Response guarded(http::Response response, Privacy privacy) {
  if (privacy != Privacy::kPublic) response.headers.push_back({"Cache-Control", "no-store"});
  return response;
}

}  // namespace chirp::api
