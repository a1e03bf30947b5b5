#include "server/http/mailbox.h"

#include <cerrno>
#include <cstring>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

#include "core/error.h"
#include "server/http/stream_outlet.h"

namespace chirp::http {

Mailbox::Mailbox(std::size_t stream_bytes_max)
    : stream_bytes_max_(stream_bytes_max), descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) {
    throw Error(ErrorCode::kUnavailable, std::string("The server can't be woken: ") +
                                             std::strerror(errno) +
                                             ". Allow more open files (ulimit -n).");
  }
}

Mailbox::~Mailbox() { ::close(descriptor_); }

void Mailbox::post(Note note) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    first = notes_.empty();
    notes_.push_back(std::move(note));
  }
  if (first) wake();
}

void Mailbox::wake() const noexcept {
  const int before = errno;
  const std::uint64_t one = 1;
  // Fails only if the reader has been woken very often without reading: then it will read anyway.
  [[maybe_unused]] const ssize_t written = ::write(descriptor_, &one, sizeof one);
  errno = before;
}

std::vector<Note> Mailbox::take() {
  std::uint64_t count = 0;
  // The counter is reset before the notes are taken: a note that is posted in between sets it
  // again.
  [[maybe_unused]] const ssize_t read = ::read(descriptor_, &count, sizeof count);
  const std::lock_guard lock(mutex_);
  return std::exchange(notes_, {});
}

}  // namespace chirp::http
