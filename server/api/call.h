// One call of an operation: what was asked, by whom, and the means to answer. A handler has a call
// of its own, on one thread.
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
  // `path` are the values of the pattern's `{names}`, in their order.
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

  // ---- who asks
  [[nodiscard]] const User* caller() const { return caller_.get(); }  // null: nobody
  [[nodiscard]] const User& me() const { return *caller_; }  // of operations that need a caller
  [[nodiscard]] Viewer viewer() const;                       // the caller, or a stranger
  [[nodiscard]] std::string_view token() const;  // the one the request carries; empty if none
  // Returns a check whether the token is still valid for me(). Safe to call later from any thread.
  [[nodiscard]] std::function<bool()> token_check() const;

  // The log names this user with the request, unless it names the caller.
  void concerns(const User& user) { account_ = user.username; }

  // ---- what is named in the path, by its place; each throws 404 for what it can't be
  [[nodiscard]] User user(std::size_t place = 0) const;       // an id, @name, or `me` (401 without)
  [[nodiscard]] User kept_user(std::size_t place = 0) const;  // the same of suspended users, too
  [[nodiscard]] std::string_view part(std::size_t place = 0) const { return path_[place]; }
  [[nodiscard]] PostId post(std::size_t place = 0) const;
  [[nodiscard]] CommentId comment(std::size_t place = 0) const;
  [[nodiscard]] MediaId media(std::size_t place = 0) const;

  // ---- parameters of the query; each throws 400 naming it. A parameter given twice is a bad one.
  [[nodiscard]] std::optional<std::string_view> query(std::string_view name) const;
  [[nodiscard]] std::uint32_t limit(std::uint32_t otherwise, std::uint32_t most) const;
  [[nodiscard]] bool flag(std::string_view name, bool otherwise) const;
  [[nodiscard]] std::optional<PostId> post_cursor(std::string_view name) const;  // any post id
  // `userId`, which can be the caller alone: 401 without a caller, 403 for another.
  void check_caller_id() const;

  // ---- the body: one JSON object. Throws 400 for anything else (kJsonBodyMax, kJsonDepthMax,
  // duplicate keys, invalid UTF-8), 415 for another type. Empty for an absent optional body.
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
[[nodiscard]] http::Response created(JsonWriter& body, std::string location);  // 201
[[nodiscard]] http::Response nothing();                                        // 204
// Server-sent events, by what `open` returns. Throws Problem 429 where that throws
// Error{kUnavailable} with field `streams`.
using StreamOpener = std::function<std::function<void(std::shared_ptr<http::Outlet>)>()>;
[[nodiscard]] http::Response event_stream(const StreamOpener& open);
// 200 with a weak ETag of the body.
[[nodiscard]] http::Response stamped(JsonWriter& body);
// Returns the same answer, or 304 if the client has it already. The first header must be the ETag,
// and the body must be one that gets compressed.
[[nodiscard]] http::Response unless_held(const http::Request& request, http::Response response);
[[nodiscard]] http::Response tagged(const Call& call, JsonWriter& body);
// Returns the same answer, with `no-store` unless its content is public. Answers of operations that
// need a caller or are not GET, and errors, have it anyway.
[[nodiscard]] http::Response guarded(http::Response response, Privacy privacy);

}  // namespace chirp::api
