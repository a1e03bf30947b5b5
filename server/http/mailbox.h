// What other threads tell the thread that watches the sockets. Safe to call from any thread; wake()
// from signal handlers, too. Outlives the front while somebody holds an outlet.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/http/exchange.h"
#include "server/http/head.h"
#include "server/http/outgoing.h"

namespace chirp::http {

class StreamOutlet;

using ConnectionId = std::uint64_t;  // never given twice

struct Note {
  enum class Kind : std::uint8_t {
    kEntered,    // a worker has asked, and the request's body may come
    kAnswered,   // a worker is done with the connection's request
    kStreaming,  // likewise, and it is a stream from now on
    kBehind,     // a stream has more than its socket takes
    kOver,       // a stream has ended or is to be dropped
  };
  ConnectionId connection = 0;
  Kind kind = Kind::kAnswered;
  After after = After::kClose;
  Outgoing unsent{};                       // of the answer
  Holder holder{};                         // who pays for the body, or for what is unsent
  std::shared_ptr<StreamOutlet> outlet{};  // of a stream
};

class Mailbox {
 public:
  // `stream_bytes_max`: what all streams together may leave unsent.
  explicit Mailbox(std::size_t stream_bytes_max);
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // The descriptor to watch for reading.
  [[nodiscard]] int descriptor() const { return descriptor_; }

  // The bytes that all streams have not sent yet, and whether there is room for more.
  void count_stream_bytes(std::size_t before, std::size_t after) noexcept {
    stream_bytes_ += after - before;
  }
  [[nodiscard]] bool has_room_for(std::size_t bytes) const noexcept {
    return stream_bytes_ + bytes <= stream_bytes_max_;
  }

  void post(Note note);
  void wake() const noexcept;
  // All notes, in their order; and the descriptor is quiet until the next.
  [[nodiscard]] std::vector<Note> take();

 private:
  const std::size_t stream_bytes_max_;
  std::atomic<std::size_t> stream_bytes_ = 0;
  int descriptor_;
  std::mutex mutex_;
  std::vector<Note> notes_;
};

}  // namespace chirp::http
