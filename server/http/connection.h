// One connection as the front sees it, and the deadlines of all of them. For the front's thread.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "server/http/mailbox.h"
#include "server/http/outgoing.h"
#include "server/http/request_reader.h"
#include "server/http/stream_outlet.h"

namespace chirp::http {

// The peer of a connection, for the limit on connections.
struct Peer {
  std::string key;      // of its address: a network of IPv6 is one
  bool bounded = true;  // false: it speaks for many
};

enum class Deadline : std::uint8_t { kNone, kIdle, kHead, kBody, kWrite, kLinger };
inline constexpr std::size_t kDeadlines = 6;

struct Connection {
  enum class State : std::uint8_t {
    kReading,
    // A worker has its request, or the head of one, and its socket; nobody else touches that.
    kWorking,
    kWriting,    // what the worker could not send
    kStreaming,  // its outlet has the socket
    kLingering,  // all is said; what the client still sends is dropped until it hangs up
  };
  using Place = std::list<Connection*>::iterator;

  Connection(ConnectionId its_id, int its_socket, Peer its_peer, RequestReader its_reader)
      : id(its_id), socket(its_socket), peer(std::move(its_peer)), reader(std::move(its_reader)) {}

  const ConnectionId id;
  const int socket;
  const Peer peer;
  RequestReader reader;
  State state = State::kReading;
  RequestReader::Stage stage = RequestReader::Stage::kHead;
  bool readable = true;  // until a read says otherwise; edges are reported once
  bool hung_up = false;  // the client has closed its end, or worse: reads tell when it comes
  std::uint64_t requests = 0;

  Outgoing out;  // of an answer
  After after = After::kKeep;
  std::optional<Holder> untried;  // whose it is, until the socket has been offered it
  std::shared_ptr<StreamOutlet> outlet;

  Deadline deadline = Deadline::kNone;
  std::chrono::nanoseconds due{};  // a Deadlines::Moment
  Place place;
};

// Whether the client has sent bytes that were not read yet.
[[nodiscard]] bool has_unread(const Connection& connection);

// Connections by their deadline. All deadlines of a kind have the same length, so the connection
// that got one first is due first, and nothing needs sorting.
class Deadlines {
 public:
  using Moment = std::chrono::nanoseconds;  // of Clock::steady_ns()

  // The lengths of the kinds, in their order.
  explicit Deadlines(std::array<std::chrono::milliseconds, kDeadlines> spans) : spans_(spans) {}

  void add(Connection& connection);
  void remove(Connection& connection);
  void set(Connection& connection, Deadline deadline, Moment now);

  // Returns the connection that has waited longest under this deadline; only of one peer, if given.
  [[nodiscard]] Connection* first(Deadline deadline, const std::string* peer = nullptr);
  // Returns the longest idle connection, except those whose next request has arrived unread.
  [[nodiscard]] Connection* first_idle(const std::string* peer = nullptr);
  [[nodiscard]] Connection* due(Moment now);
  [[nodiscard]] std::optional<Moment> next() const;

 private:
  std::list<Connection*>& of(Deadline deadline) {
    return lists_.at(static_cast<std::size_t>(deadline));
  }

  std::array<std::chrono::milliseconds, kDeadlines> spans_;
  std::array<std::list<Connection*>, kDeadlines> lists_;
};

}  // namespace chirp::http
