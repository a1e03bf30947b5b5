// A server, reached in one way or another, with users for one test: calls of the API, and short
// functions for their prerequisites.
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
  std::string type = "application/json";  // of a body that is not empty
  std::vector<std::pair<std::string, std::string>> headers{};
  // For a stream: the client hangs up after this many events.
  std::size_t events = 0;
  bool until_place = false;  // … or when the stream has sent its starting position
};

// Somebody with an account, logged in.
struct Person {
  std::string id;
  std::string name;
  std::string token;

  [[nodiscard]] std::string at() const { return "/v1/users/@" + name; }
};

// The settings that differ from the usual ones.
enum class Setting : std::uint8_t {
  kUsual,        // no bound that a test would meet
  kFewRequests,  // 12 a minute, for everybody
  kFewLogins,    // 2 that fail
  kFewFollows,   // 1 account may be followed
  kFewFiles,     // nothing may be uploaded
  kUnwell,       // can't write
  kStreaming,    // the usual, for who keeps a thread busy beside the test
  kNoDemo,       // started without --demo, as no other is
  kDemoForOne,   // --demo-for somebody else
};

[[nodiscard]] std::vector<settings::Change> changes_for(Setting setting);

class ApiStage {
 public:
  virtual ~ApiStage() = default;

  [[nodiscard]] virtual PlainAnswer ask(const Ask& ask) = 0;

  PlainAnswer get(const std::string& target, const Person& who);
  PlainAnswer post(const std::string& target, const Person& who, const std::string& body = {});
  PlainAnswer put(const std::string& target, const Person& who);
  PlainAnswer remove(const std::string& target, const Person& who);

  // Signs up a user with a unique name, and logs them in.
  Person person();
  // Publishes a post and returns its path, `/v1/posts/<id>`.
  std::string post_by(const Person& who, std::string_view privacy = "public");
  std::string comment_by(const Person& who, const std::string& post);  // `/v1/comments/<id>`
  std::string upload_by(const Person& who);                            // `/media/<id>`
  void follow(const Person& who, const Person& whom);
  void block(const Person& who, const Person& whom);

  // Fails the test if the answer is not of that status.
  PlainAnswer done(const Ask& ask, int status);

 private:
  std::uint32_t people_ = 0;
};

// The last part of a path: an id.
[[nodiscard]] std::string id_in_path(const std::string& path);

// Without sockets, over the stores in memory.
[[nodiscard]] std::unique_ptr<ApiStage> stage_in_process(Setting setting);
// The same; while `busy`, which must outlive it, the store is unavailable.
[[nodiscard]] std::unique_ptr<ApiStage> stage_with_busy_store(const bool& busy);
// The program itself on a data directory of its own, over sockets; null for a setting that cannot
// be made from outside.
[[nodiscard]] std::unique_ptr<ApiStage> stage_over_sockets(Setting setting);

}  // namespace chirp::test
