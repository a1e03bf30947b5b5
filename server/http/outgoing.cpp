#include "server/http/outgoing.h"

#include <algorithm>
#include <cerrno>
#include <span>
#include <sys/socket.h>

#include "server/limits.h"

namespace chirp::http {

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

Outgoing::Outgoing(std::string head, const Response& response)
    : bytes_(std::move(head)),
      source_(response.source),
      at_(response.source_begin),
      left_(response.source_bytes) {
  if (!source_) {
    left_ = 0;
    return;
  }
  // The first piece goes with the head: most pictures are one send.
  const std::size_t head_bytes = bytes_.size();
  const std::size_t count = next_piece();
  bytes_.resize(head_bytes + count);
  source_->read(at_, std::span(bytes_).subspan(head_bytes));
  at_ += count;
  left_ -= count;
}

std::size_t Outgoing::next_piece() const {
  return static_cast<std::size_t>(std::min<std::uint64_t>(left_, limits::kPieceBytes));
}

void Outgoing::refill() {
  const std::size_t count = next_piece();
  bytes_.resize(count);
  source_->read(at_, std::span(bytes_));
  at_ += count;
  left_ -= count;
  sent_ = 0;
  is_piece_ = true;
}

Outgoing::Progress Outgoing::send(int socket, std::size_t& sent) noexcept {
  try {
    if (sent_ == bytes_.size() && left_ > 0) refill();
  } catch (...) {  // the head has promised what can't be kept
    return Progress::kGone;
  }
  const auto count = send_some(socket, std::string_view(bytes_).substr(sent_));
  if (!count) return Progress::kGone;
  sent += *count;
  sent_ += *count;
  if (sent_ == bytes_.size()) return left_ > 0 ? Progress::kMoved : Progress::kDone;
  if (is_piece_) {  // read again when its turn comes
    const std::size_t rest = bytes_.size() - sent_;
    at_ -= rest;
    left_ += rest;
    bytes_ = {};
    sent_ = 0;
  }
  return Progress::kFull;
}

std::size_t Outgoing::held_bytes() const { return bytes_.capacity(); }

std::string Outgoing::take_rest() {
  bytes_.erase(0, sent_);
  sent_ = 0;
  return std::move(bytes_);
}

}  // namespace chirp::http
