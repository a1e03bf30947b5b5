#include "server/http/connection.h"

#include <algorithm>
#include <sys/socket.h>

namespace chirp::http {

bool has_unread(const Connection& connection) {
  char byte = 0;
  return ::recv(connection.socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

void Deadlines::add(Connection& connection) {
  auto& list = of(Deadline::kNone);
  connection.deadline = Deadline::kNone;
  connection.place = list.insert(list.end(), &connection);
}

void Deadlines::remove(Connection& connection) { of(connection.deadline).erase(connection.place); }

void Deadlines::set(Connection& connection, Deadline deadline, Moment now) {
  auto& list = of(deadline);
  list.splice(list.end(), of(connection.deadline), connection.place);
  connection.deadline = deadline;
  connection.due = now + spans_.at(static_cast<std::size_t>(deadline));
}

Connection* Deadlines::first(Deadline deadline, const std::string* peer) {
  const auto& list = of(deadline);
  const auto found = std::find_if(list.begin(), list.end(), [&](const Connection* one) {
    return peer == nullptr || one->peer.key == *peer;
  });
  return found == list.end() ? nullptr : *found;
}

Connection* Deadlines::first_idle(const std::string* peer) {
  const auto& list = of(Deadline::kIdle);
  const auto found = std::find_if(list.begin(), list.end(), [&](const Connection* one) {
    return (peer == nullptr || one->peer.key == *peer) && !has_unread(*one);
  });
  return found == list.end() ? nullptr : *found;
}

Connection* Deadlines::due(Moment now) {
  for (std::size_t i = 1; i < kDeadlines; ++i) {
    if (!lists_.at(i).empty() && lists_.at(i).front()->due <= now) return lists_.at(i).front();
  }
  return nullptr;
}

std::optional<Deadlines::Moment> Deadlines::next() const {
  std::optional<Moment> next;
  for (std::size_t i = 1; i < kDeadlines; ++i) {
    if (lists_.at(i).empty()) continue;
    const auto due = lists_.at(i).front()->due;
    next = next ? std::min(*next, due) : due;
  }
  return next;
}

}  // namespace chirp::http
