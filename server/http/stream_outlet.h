// The outlet of one connection: sends at once what the socket takes, keeps a bounded rest, and
// tells the front when it is over. Safe to call from any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "server/http/exchange.h"
#include "server/http/mailbox.h"

namespace chirp::http {

class StreamOutlet final : public Outlet {
 public:
  // `unsent` is the rest of the head; `socket` is the front's, which calls detach() before it
  // closes it.
  StreamOutlet(std::shared_ptr<Mailbox> mailbox, ConnectionId connection, int socket,
               std::string unsent);
  ~StreamOutlet() override;
  StreamOutlet(const StreamOutlet&) = delete;
  StreamOutlet& operator=(const StreamOutlet&) = delete;

  bool send(std::string_view bytes) override;
  [[nodiscard]] Flow flow() const override;
  void close() override;
  void cut() override;

  // ---- for the front
  enum class Progress : std::uint8_t {
    kNothingLeft,
    kMoved,
    kStuck,
    kEnded,   // all is sent, and the stream was closed
    kFailed,  // the client is gone, or too far behind
  };
  // Sends of the rest what the socket takes by now.
  [[nodiscard]] Progress flush();
  // The socket is no longer the outlet's.
  void detach();

 private:
  // Each with the mutex held.
  [[nodiscard]] bool has_room_for(std::size_t bytes) const;
  void set_rest_bytes(std::size_t bytes);
  void drop_rest();
  bool push_rest();  // false: the client is gone
  void tell(Note::Kind kind);
  void end();

  const std::shared_ptr<Mailbox> mailbox_;
  const ConnectionId connection_;
  mutable std::mutex mutex_;
  int socket_;
  std::deque<std::string> rest_;  // one a send(), the first perhaps in part
  std::size_t rest_bytes_ = 0;
  bool open_ = true;     // more may be sent
  bool told_ = false;    // the front knows that it is over
  bool failed_ = false;  // the client is gone, or too far behind
};

}  // namespace chirp::http
