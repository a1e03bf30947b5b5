// What connections share, and who has to go when it is not enough for all.
#include <algorithm>
#include <limits>
#include <sys/epoll.h>
#include <unistd.h>

#include "core/model/network.h"
#include "server/http/loop.h"
#include "server/limits.h"

namespace chirp::http {
namespace {

std::string key_of(const std::string& address) {
  const auto parsed = parse_address(address);
  return parsed ? client_key(*parsed) : address;
}

}  // namespace

// ---- connections

// A connection that has sent its next request is not idle, even if that is unread. Idle connections
// of the same peer are closed before those that are working. At the total limit, the longest idle
// connection is closed first, and then an unfinished head or body of the peer with the most
// connections.
bool Front::Loop::has_place_for(const Peer& peer, std::size_t most) {
  const auto own = peers_.find(peer.key);
  const std::size_t count = own == peers_.end() ? 0 : own->second;
  if (peer.bounded && count >= most) {
    Connection* const idle = deadlines_.first_idle(&peer.key);
    if (idle == nullptr) return false;
    drop_connection(*idle);
  }
  if (connections_.size() < connections_max_) return true;
  if (Connection* const idle = deadlines_.first_idle()) {
    drop_connection(*idle);
    return true;
  }
  const auto largest =
      std::max_element(peers_.begin(), peers_.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (largest == peers_.end() || largest->second <= count + 1) return false;
  for (const Deadline waits_for : {Deadline::kHead, Deadline::kBody}) {
    if (Connection* const slow = deadlines_.first(waits_for, &largest->first)) {
      drop_connection(*slow);
      return true;
    }
  }
  return false;
}

void Front::Loop::drop_connection(Connection& connection) {
  close(connection);
  dropped_connections_.fetch_add(1);
}

void Front::Loop::admit_connection(Accepted accepted) {
  const auto most = app_.connections_of(accepted.address);
  Peer peer{key_of(accepted.address), most.has_value()};
  if (!has_place_for(peer, most.value_or(std::numeric_limits<std::size_t>::max()))) {
    ::close(accepted.socket);
    dropped_connections_.fetch_add(1);
    return;
  }
  if (peer.bounded) ++peers_[peer.key];
  const ConnectionId id = ++last_id_;
  Connection& connection = *connections_
                                .emplace(id, std::make_unique<Connection>(
                                                 id, accepted.socket, std::move(peer),
                                                 RequestReader(app_, std::move(accepted.address))))
                                .first->second;
  connection_count_.store(connections_.size());
  deadlines_.add(connection);
  deadlines_.set(connection, Deadline::kHead, now_);
  guarded(connection, [&] {
    watch(connection.socket, id, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
    pump(connection);
  });
}

// ---- bodies

bool Front::Loop::take_body_room(Connection& connection, const Holder& holder) {
  const Holder& payer = holder.address.empty() ? Holder{connection.peer.key, {}} : holder;
  const std::size_t bytes = connection.reader.body_bytes();
  for (;;) {
    const Room::Found found = bodies_.look(payer, bytes, now_);
    if (found.way == Room::Way::kClosed) {
      dropped_bodies_.fetch_add(1);
      return false;
    }
    if (found.way == Room::Way::kFree) break;
    drop_body(found.by);
  }
  bodies_.take(connection.id, payer, bytes, now_);
  return true;
}

void Front::Loop::drop_body(ConnectionId id) {
  bodies_.leave(id);
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  dropped_bodies_.fetch_add(1);
  Connection& connection = *found->second;
  guarded(connection, [&] {
    refuse(connection,
           Fault{503, "The body came too slowly while others waited. Try again later."});
    pump(connection);
  });
}

// ---- answers

std::size_t Front::Loop::cost_of(const Outgoing& answer) const {
  return std::max(answer.held_bytes(), answer.holds_file() ? file_cost_ : 0);
}

void Front::Loop::keep_answer(Connection& connection, const Holder& holder) {
  const std::size_t bytes = cost_of(connection.out);
  if (bytes == 0) return;
  const Holder& payer = holder.address.empty() ? Holder{connection.peer.key, {}} : holder;
  // A holder whose answers need more than there is room for loses the oldest of them. A single
  // answer is left alone, however large.
  for (;;) {
    const Room::Found found = answers_.look(payer, bytes, now_);
    if (found.way != Room::Way::kTaken) break;
    drop_answer(found.by);
  }
  answers_.take(connection.id, payer, bytes, now_);
}

void Front::Loop::drop_answer(ConnectionId id) {
  answers_.leave(id);
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  dropped_answers_.fetch_add(1);
  close(*found->second);
}

void Front::Loop::drop_late() {
  while (const auto id = bodies_.late(options_.hurry, now_)) drop_body(*id);
  while (const auto id = answers_.late(options_.hurry, now_)) drop_answer(*id);
}

void Front::Loop::note_room() {
  body_bytes_.store(bodies_.bytes());
  answer_bytes_.store(answers_.bytes());
}

}  // namespace chirp::http
