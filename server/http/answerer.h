// What a worker does with a request: asks the App, makes bytes of its answer, sends what the socket
// takes at once, and reports. One a thread. Of a request whose body is still on its way it asks
// whether that may come, and answers only if not.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/caller.h"
#include "server/http/answer_writer.h"
#include "server/http/exchange.h"
#include "server/http/head.h"
#include "server/http/mailbox.h"

namespace chirp::http {

struct Job {
  enum class What : std::uint8_t { kAnswer, kEnter };
  What what = What::kAnswer;
  ConnectionId connection = 0;
  int socket = -1;  // the worker's alone until it has posted its note
  Request request;
  After after = After::kKeep;
  Coding coding = Coding::kIdentity;
  Lane lane = Lane::kRead;
  std::optional<RequestVersions::Seen> seen{};  // by a look that began when the request was there
  std::optional<Response> answer{};             // if it was to be had at once
};

// Shared by the whole front.
struct SharedState {
  std::atomic<bool> stopping = false;
  std::atomic<std::uint64_t> streams = 0;
};

class Answerer {
 public:
  Answerer(App& app, const Clock& clock, SharedState& state, std::shared_ptr<Mailbox> mailbox,
           std::chrono::seconds idle);

  // Never throws; always posts a note.
  void work(Job& job) noexcept;
  // Those that the App answers at once; one look is enough for all. The others have no answer then,
  // nor a note, and know what was seen.
  void work_at_once(std::vector<Job>& jobs) noexcept;
  // Says that there is no room for it.
  void refuse(Job& job) noexcept;

 private:
  [[nodiscard]] Response answer_to(const Request& request);
  // Says it, and posts a note.
  void say_alone(const Job& job, Response response) noexcept;
  // Whether the body may come; if not, it has been said.
  bool enters(Job& job, Note& note);
  void answer(Job& job, Note& note);
  // Makes bytes of it and sends what is taken; false if the client is gone.
  bool say(const Job& job, Response& response, Note& note);
  void begin_stream(const Job& job, const Response& response, Note& note);

  App& app_;
  SharedState& state_;
  std::shared_ptr<Mailbox> mailbox_;
  AnswerWriter writer_;
};

// What App::refuse says, or a 500 if that throws.
[[nodiscard]] Response refusal(App& app, const Refusal& why) noexcept;

}  // namespace chirp::http
