// What a worker does with a request: asks the App, makes bytes of its answer, sends what the socket
// takes at once, and reports. One a thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/answer_writer.h"
#include "server/http/exchange.h"
#include "server/http/head.h"
#include "server/http/mailbox.h"

namespace chirp::http {

struct Job {
  ConnectionId connection = 0;
  int socket = -1;  // the worker's alone until it has posted its note
  Request request;
  After after = After::kKeep;
  Coding coding = Coding::kIdentity;
};

// Of the whole front.
struct SharedState {
  std::atomic<bool> stopping = false;
  std::atomic<std::uint64_t> streams = 0;
};

class Answerer {
 public:
  Answerer(App& app, SharedState& state, std::shared_ptr<Mailbox> mailbox,
           std::chrono::seconds idle);

  // Never throws; always posts a note.
  void work(Job job) noexcept;

 private:
  [[nodiscard]] Response answer_to(const Request& request);
  void answer(Job& job, Note& note);
  void begin_stream(const Job& job, const Response& response, Note& note);

  App& app_;
  SharedState& state_;
  std::shared_ptr<Mailbox> mailbox_;
  AnswerWriter writer_;
};

// Sends what the socket takes at once, and says how much; nothing if the client is gone.
[[nodiscard]] std::optional<std::size_t> send_some(int socket, std::string_view bytes) noexcept;

// What App::refuse says, or a 500 if that throws.
[[nodiscard]] Response refusal(App& app, const Refusal& why) noexcept;

}  // namespace chirp::http
