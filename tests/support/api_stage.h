// A server for one test, with users: calls of the API over some transport, and short functions for
// their prerequisites.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/settings.h"
#include "tests/support/openapi.h"

namespace chirp::test {

struct Ask {
  std::string method = "GET";
  std::string target;
  std::string token{};
  std::string body{};
  std::string type = "application/json";  // for a non-empty body
  std::vector<std::pair<std::string, std::string>> headers{};
  // For a stream: the client hangs up after this many events.
  std::size_t events = 0;
  bool until_place = false;  // … or when the stream has sent its starting position
};

// A logged-in user.
struct ViewedAuthor {
  std::string id;
  std::string name;
  std::string token;

  [[nodiscard]] std::string at() const { return "/v1/users/@" + name; }
};

// Settings that differ from the usual ones.
enum class Setting : std::uint8_t {
  kUsual,        // no limits that tests would reach
  kFewRequests,  // 12 a minute, for every client
  kFewLogins,    // 2 failed logins
  kFewFollows,   // 1 account may be followed
  kFewFiles,     // nothing may be uploaded
  kUnwell,       // can't write
  kStreaming,    // the usual, for a test that keeps a thread busy
  kNoDemo,       // started without --demo, unlike all others
  kDemoForOne,   // --demo-for another user
};

[[nodiscard]] std::vector<settings::SettingChange> changes_for(Setting setting);

class ApiStage {
 public:
  virtual ~ApiStage() = default;

  [[nodiscard]] virtual PlainAnswer ask(const Ask& ask) = 0;

  PlainAnswer get(const std::string& target, const ViewedAuthor& who);
  PlainAnswer post(const std::string& target, const ViewedAuthor& who,
                   const std::string& body = {});
  PlainAnswer put(const std::string& target, const ViewedAuthor& who);
  PlainAnswer remove(const std::string& target, const ViewedAuthor& who);

  // Signs up a user with a unique name, and logs them in.
  ViewedAuthor person();
  // Publishes a post and returns its path, `/v1/posts/<id>`.
  std::string post_by(const ViewedAuthor& who, std::string_view privacy = "public");
  std::string comment_by(const ViewedAuthor& who, const std::string& post);  // `/v1/comments/<id>`
  std::string upload_by(const ViewedAuthor& who);                            // `/media/<id>`
  void follow(const ViewedAuthor& who, const ViewedAuthor& whom);
  void block(const ViewedAuthor& who, const ViewedAuthor& whom);

  // Fails the test if the answer has another status.
  PlainAnswer done(const Ask& ask, int status);

 private:
  std::uint32_t people_ = 0;
};

// The last part of a path: an id.
[[nodiscard]] std::string id_in_path(const std::string& path);

// Without sockets, over the in-memory stores.
[[nodiscard]] std::unique_ptr<ApiStage> stage_in_process(Setting setting);
// The same; while `busy`, which must outlive it, the store is unavailable.
[[nodiscard]] std::unique_ptr<ApiStage> stage_with_busy_store(const bool& busy);
// The program itself on its own data directory, over sockets; null for a setting that can't be made
// from outside.
[[nodiscard]] std::unique_ptr<ApiStage> stage_over_sockets(Setting setting);

}  // namespace chirp::test
