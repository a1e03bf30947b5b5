#include "server/http/stream_outlet.h"

#include <cerrno>
#include <sys/socket.h>

#include "server/limits.h"

namespace chirp::http {

StreamOutlet::StreamOutlet(std::shared_ptr<Mailbox> mailbox, ConnectionId connection, int socket,
                           std::string unsent)
    : mailbox_(std::move(mailbox)), connection_(connection), socket_(socket) {
  if (unsent.empty()) return;
  set_rest_bytes(unsent.size());
  rest_.push_back(std::move(unsent));
}

StreamOutlet::~StreamOutlet() { drop_rest(); }

bool StreamOutlet::send(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  if (!open_) return false;
  if (bytes.empty()) return true;
  // The socket may take some by now, before the front has noticed.
  if (!has_room_for(bytes.size()) && (!push_rest() || !has_room_for(bytes.size()))) {
    failed_ = true;
    drop_rest();
    end();
    return false;
  }
  const bool was_empty = rest_.empty();
  rest_.emplace_back(bytes);
  set_rest_bytes(rest_bytes_ + bytes.size());
  if (!was_empty) return true;
  if (!push_rest()) {
    end();
    return false;
  }
  if (!rest_.empty()) tell(Note::Kind::kBehind);
  return true;
}

Outlet::Flow StreamOutlet::flow() const {
  const std::lock_guard lock(mutex_);
  if (!open_) return Flow::kGone;
  return rest_.empty() ? Flow::kDrained : Flow::kQueued;
}

void StreamOutlet::close() {
  const std::lock_guard lock(mutex_);
  end();
}

void StreamOutlet::cut() {
  const std::lock_guard lock(mutex_);
  failed_ = true;
  drop_rest();
  end();
}

StreamOutlet::Progress StreamOutlet::flush() {
  const std::lock_guard lock(mutex_);
  if (failed_ || socket_ < 0) return Progress::kFailed;
  const std::size_t before = rest_bytes_;
  if (!push_rest()) {
    open_ = false;
    return Progress::kFailed;
  }
  if (rest_.empty()) return open_ ? Progress::kNothingLeft : Progress::kEnded;
  return rest_bytes_ < before ? Progress::kMoved : Progress::kStuck;
}

void StreamOutlet::detach() {
  const std::lock_guard lock(mutex_);
  open_ = false;
  socket_ = -1;
  drop_rest();
}

// A client that takes what is sent always has room; clients that do not share one bound.
bool StreamOutlet::has_room_for(std::size_t bytes) const {
  return rest_.size() < limits::kStreamEventsMax &&
         rest_bytes_ + bytes <= limits::kStreamBytesMax &&
         (rest_.empty() || mailbox_->has_room_for(bytes));
}

void StreamOutlet::set_rest_bytes(std::size_t bytes) {
  mailbox_->count_stream_bytes(rest_bytes_, bytes);
  rest_bytes_ = bytes;
}

void StreamOutlet::drop_rest() {
  rest_.clear();
  set_rest_bytes(0);
}

bool StreamOutlet::push_rest() {
  while (!rest_.empty()) {
    std::string& first = rest_.front();
    const ssize_t sent = ::send(socket_, first.data(), first.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == EWOULDBLOCK) return true;
      failed_ = true;
      return false;
    }
    const auto count = static_cast<std::size_t>(sent);
    set_rest_bytes(rest_bytes_ - count);
    if (count == first.size()) {
      rest_.pop_front();
    } else {
      first.erase(0, count);
    }
  }
  return true;
}

void StreamOutlet::tell(Note::Kind kind) {
  Note note;
  note.connection = connection_;
  note.kind = kind;
  mailbox_->post(std::move(note));
}

void StreamOutlet::end() {
  open_ = false;
  if (!told_) tell(Note::Kind::kOver);
  told_ = true;
}

}  // namespace chirp::http
