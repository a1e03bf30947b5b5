#include "server/http/answerer.h"

#include <algorithm>
#include <new>
#include <sys/socket.h>
#include <utility>

#include "server/http/stream_outlet.h"
#include "server/limits.h"

namespace chirp::http {
namespace {

// Kept small for streams: what lies in the kernel for a reader that stalls is memory too.
constexpr int kStreamSendBuffer = 64 << 10;

// A place among the streams, given back unless the front takes it over.
class StreamPlace {
 public:
  explicit StreamPlace(SharedState& state)
      : state_(state), taken_(state.streams.fetch_add(1) < limits::kStreamsMax) {
    if (!taken_) state_.streams.fetch_sub(1);
  }
  ~StreamPlace() {
    if (taken_) state_.streams.fetch_sub(1);
  }
  StreamPlace(const StreamPlace&) = delete;
  StreamPlace& operator=(const StreamPlace&) = delete;

  [[nodiscard]] bool taken() const { return taken_; }
  void hand_over() { taken_ = false; }

 private:
  SharedState& state_;
  bool taken_;
};

}  // namespace

Response refusal(App& app, const Refusal& why) noexcept {
  try {
    Response response = app.refuse(why);
    const bool names_methods =
        std::any_of(response.headers.begin(), response.headers.end(),
                    [](const Pair& header) { return header.name == "Allow"; });
    if (why.status == 405 && !names_methods) {
      response.headers.push_back({"Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"});
    }
    response.stream = nullptr;
    return response;
  } catch (...) {
    return fault_of_ours();
  }
}

Answerer::Answerer(App& app, const Clock& clock, SharedState& state,
                   std::shared_ptr<Mailbox> mailbox, std::chrono::seconds idle)
    : app_(app), state_(state), mailbox_(std::move(mailbox)), writer_(clock, idle) {}

void Answerer::work(Job& job) noexcept {
  Note note;
  note.connection = job.connection;
  const RequestVersions glance(std::move(job.seen));
  try {
    if (job.what == Job::What::kAnswer) {
      answer(job, note);
    } else if (enters(job, note)) {
      note.kind = Note::Kind::kEntered;
    }
  } catch (...) {  // no memory for the bytes of the answer
    note.after = After::kClose;
    note.unsent = {};
  }
  mailbox_->post(std::move(note));
}

void Answerer::work_at_once(std::vector<Job>& jobs) noexcept {
  const RequestVersions glance;
  for (Job& job : jobs) {
    job.answer = app_.answer_at_once(job.request);
    if (!job.answer) job.seen = glance.seen();
  }
  // Sent behind each other: a client whose answers come one after the other is woken once.
  for (Job& job : jobs) {
    if (job.answer) say_alone(job, *std::move(job.answer));
  }
}

void Answerer::refuse(Job& job) noexcept {
  say_alone(job, refusal(app_, {503, "The server is busy. Try again later.", job.request.address,
                                job.request.id}));
}

void Answerer::say_alone(const Job& job, Response response) noexcept {
  Note note;
  note.connection = job.connection;
  try {
    note.after = state_.stopping.load() ? After::kClose : job.after;
    (void)say(job, response, note);
  } catch (...) {  // no memory for the bytes of the answer
    note.after = After::kClose;
    note.unsent = {};
  }
  mailbox_->post(std::move(note));
}

Response Answerer::answer_to(const Request& request) {
  try {
    return app_.answer(request);
  } catch (...) {
    return fault_of_ours();
  }
}

void Answerer::answer(Job& job, Note& note) {
  Response response = answer_to(job.request);
  if (job.request.method == Method::kHead && response.stream) {
    // The head of a stream, and nothing after it.
    response.stream = nullptr;
    job.after = After::kClose;
  }
  std::optional<StreamPlace> place;
  if (response.stream && !place.emplace(state_).taken()) {
    response = refusal(app_, {503, "Too many streams are open. Try again later.",
                              job.request.address, job.request.id});
  }
  if (response.stream || state_.stopping.load()) job.after = After::kClose;
  note.after = job.after;
  if (!say(job, response, note)) return;
  if (!response.stream) return;  // the writer takes it from an answer that is unsound
  begin_stream(job, response, note);
  place->hand_over();
}

bool Answerer::enters(Job& job, Note& note) {
  Entry entry;
  try {
    entry = app_.enter(job.request);
  } catch (...) {
    entry.refusal = fault_of_ours();
  }
  note.holder = std::move(entry.holder);
  if (!entry.refusal) return true;
  // The client sends the body all the same, and that must not be read as a request.
  note.after = After::kClose;
  entry.refusal->stream = nullptr;
  (void)say(job, *entry.refusal, note);
  return false;
}

bool Answerer::say(const Job& job, Response& response, Note& note) {
  const After after = note.after;
  note.holder = response.holder;
  const bool has_bytes = job.request.method != Method::kHead && response.source;
  const auto written = [&] {
    return writer_.write(job.request.method, job.coding, after, response);
  };
  Outgoing out;
  try {
    out = has_bytes ? Outgoing(written(), response) : Outgoing(written());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {  // the source has failed before anything was sent
    response = fault_of_ours();
    out = Outgoing(written());
  }
  std::size_t sent = 0;
  auto progress = Outgoing::Progress::kMoved;
  while (progress == Outgoing::Progress::kMoved) progress = out.send(job.socket, sent);
  if (progress == Outgoing::Progress::kGone) {
    note.after = After::kClose;
    return false;
  }
  if (progress == Outgoing::Progress::kFull) note.unsent = std::move(out);
  return true;
}

void Answerer::begin_stream(const Job& job, const Response& response, Note& note) {
  const int size = kStreamSendBuffer;
  ::setsockopt(job.socket, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  note.outlet =
      std::make_shared<StreamOutlet>(mailbox_, job.connection, job.socket, note.unsent.take_rest());
  note.kind = Note::Kind::kStreaming;
  note.unsent = {};
  try {
    response.stream(note.outlet);
  } catch (...) {
    note.outlet->close();
  }
}

}  // namespace chirp::http
