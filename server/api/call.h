// One call of an operation: the request, its caller, and the ways to answer. Each handler has its
// own Call, on one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine.h"
#include "core/model/post.h"
#include "core/model/relation.h"
#include "server/api/app_state.h"
#include "server/api/json_body.h"
#include "server/api/problem.h"
#include "server/http/exchange.h"
#include "server/json/json_writer.h"

namespace chirp::api {

class Call {
 public:
  // `path` has the values of the pattern's `{names}`, in order.
  Call(AppState& state, const http::Request& request, std::vector<std::string_view> path,
       std::shared_ptr<const User> caller, std::string client, std::string& account)
      : state_(state),
        request_(request),
        path_(std::move(path)),
        caller_(std::move(caller)),
        client_(std::move(client)),
        account_(account) {}

  [[nodiscard]] Engine& engine() const { return state_.parts.engine; }
  [[nodiscard]] const AppParts& parts() const { return state_.parts; }
  [[nodiscard]] AppState& state() const { return state_; }
  [[nodiscard]] const http::Request& request() const { return request_; }
  // Returns the client's address, past trusted proxies.
  [[nodiscard]] const std::string& client() const { return client_; }

  // ---- the caller
  [[nodiscard]] const User* caller() const { return caller_.get(); }  // null: no caller
  [[nodiscard]] const User& me() const { return *caller_; }  // for operations that need a caller
  [[nodiscard]] Viewer viewer() const;                       // the caller, or a stranger
  [[nodiscard]] std::string_view token() const;              // of the request; empty if none
  // Returns a check whether the token is still valid for me(). Safe to call later from any thread.
  [[nodiscard]] std::function<bool()> token_check() const;

  // The log names this user with the request, unless it names the caller.
  void concerns(const User& user) { account_ = user.username; }

  // ---- the user or post in the path, by its index; each throws 404 if it is unknown
  [[nodiscard]] User user(std::size_t place = 0) const;       // id, @name, or `me` (401 if nobody)
  [[nodiscard]] User kept_user(std::size_t place = 0) const;  // also finds suspended users
  [[nodiscard]] std::string_view part(std::size_t place = 0) const { return path_[place]; }
  [[nodiscard]] PostId post(std::size_t place = 0) const;
  [[nodiscard]] CommentId comment(std::size_t place = 0) const;
  [[nodiscard]] MediaId media(std::size_t place = 0) const;

  // ---- query parameters; each throws 400 that names the parameter, also if it is repeated
  [[nodiscard]] std::optional<std::string_view> query(std::string_view name) const;
  [[nodiscard]] std::uint32_t limit(std::uint32_t otherwise, std::uint32_t most) const;
  [[nodiscard]] bool flag(std::string_view name, bool otherwise) const;
  [[nodiscard]] std::optional<PostId> post_cursor(std::string_view name) const;  // any post id
  // Checks `userId`, which must be the caller's. Throws 401 without a caller, 403 for another user.
  void check_caller_id() const;

  // Returns the body as one JSON object; empty if an optional one is absent. Throws 415 for another
  // type, 400 for any other error (kJsonBodyMax, kJsonDepthMax, duplicate keys, invalid UTF-8).
  [[nodiscard]] JsonBody body() const;
  [[nodiscard]] bool has_body() const { return !request_.body.empty(); }
  // Returns the header `Idempotency-Key`. Throws 400, which names the header, for an invalid key.
  [[nodiscard]] std::optional<std::string_view> idempotency_key() const;

 private:
  enum class Whom : std::uint8_t { kPresent, kKept };
  [[nodiscard]] User user(std::size_t place, Whom whom) const;

  AppState& state_;
  const http::Request& request_;
  std::vector<std::string_view> path_;
  std::shared_ptr<const User> caller_;
  std::string client_;
  std::string& account_;
};

// ---- answers
[[nodiscard]] http::Response json(int status, JsonWriter& body);
// The same, with the body that `write` writes from `args`.
template <class Write, class... Args>
[[nodiscard]] http::Response json(int status, const Write& write, const Args&... args) {
  JsonWriter body;
  write(body, args...);
  return json(status, body);
}
[[nodiscard]] http::Response created(JsonWriter& body, std::string location);  // 201
[[nodiscard]] http::Response nothing();                                        // 204
// Answers with server-sent events, written by what `open` returns. Throws Problem 429 if `open`
// throws Error{kUnavailable} with field `streams`.
using StreamOpener = std::function<std::function<void(std::shared_ptr<http::Outlet>)>()>;
[[nodiscard]] http::Response event_stream(const StreamOpener& open);
// Answers 200 with a weak ETag of the body.
[[nodiscard]] http::Response stamped(JsonWriter& body);
// Returns the same answer, or 304 if the client already has it. The first header must be the ETag,
// and the body must be of a compressible type.
[[nodiscard]] http::Response unless_held(const http::Request& request, http::Response response);
[[nodiscard]] http::Response tagged(const Call& call, JsonWriter& body);
// Returns the same answer, with `no-store` unless its content is public. Errors, and answers of
// operations that need a caller or are not GET, always have `no-store`.
[[nodiscard]] http::Response guarded(http::Response response, Privacy privacy);

}  // namespace chirp::api
