#include "server/http/answerer.h"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>

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

std::optional<std::size_t> send_some(int socket, std::string_view bytes) noexcept {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t count =
        ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      sent += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (errno != EINTR) {
      return std::nullopt;
    }
  }
  return sent;
}

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

Answerer::Answerer(App& app, SharedState& state, std::shared_ptr<Mailbox> mailbox,
                   std::chrono::seconds idle)
    : app_(app), state_(state), mailbox_(std::move(mailbox)), writer_(idle) {}

void Answerer::work(Job job) noexcept {
  Note note;
  note.connection = job.connection;
  try {
    answer(job, note);
  } catch (...) {  // no memory for the bytes of the answer
    note.after = After::kClose;
    note.unsent.clear();
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
  std::string bytes = writer_.write(job.request.method, job.coding, job.after, response);
  const auto sent = send_some(job.socket, bytes);
  if (!sent) {
    note.after = After::kClose;
    return;
  }
  bytes.erase(0, *sent);
  note.unsent = std::move(bytes);
  if (!response.stream) return;  // the writer takes it from an answer that is unsound
  begin_stream(job, response, note);
  place->hand_over();
}

void Answerer::begin_stream(const Job& job, const Response& response, Note& note) {
  const int size = kStreamSendBuffer;
  ::setsockopt(job.socket, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  note.outlet =
      std::make_shared<StreamOutlet>(mailbox_, job.connection, job.socket, std::move(note.unsent));
  note.kind = Note::Kind::kStreaming;
  note.unsent.clear();
  try {
    response.stream(note.outlet);
  } catch (...) {
    note.outlet->close();
  }
}

}  // namespace chirp::http
