#include "server/http/room.h"

#include <algorithm>

namespace chirp::http {

std::size_t Room::held(const Held& by, const std::string& key) {
  const auto found = by.find(key);
  return found == by.end() ? 0 : found->second;
}

void Room::charge(Held& by, const std::string& key, std::size_t before, std::size_t after) {
  if (key.empty()) return;
  std::size_t& bytes = by[key];
  bytes += after - before;
  if (bytes == 0) by.erase(key);
}

void Room::charge(Place& place, std::size_t bytes) {
  charge(by_address_, place.holder.address, place.bytes, bytes);
  charge(by_user_, place.holder.user, place.bytes, bytes);
  bytes_ += bytes - place.bytes;
  place.bytes = bytes;
}

std::optional<ConnectionId> Room::stalest(std::string Holder::*key,
                                          const std::string& value) const {
  const auto found = std::find_if(order_.begin(), order_.end(), [&](ConnectionId id) {
    return places_.at(id).holder.*key == value;
  });
  return found == order_.end() ? std::nullopt : std::optional(*found);
}

Room::Found Room::among_own(std::string Holder::*key, const std::string& value, Moment now) const {
  const auto id = stalest(key, value);
  if (!id || now - places_.at(*id).moved < patience_) return {Way::kClosed};
  return {Way::kTaken, *id};
}

Room::Found Room::among_all(const Holder& holder, std::size_t bytes, Moment now) const {
  const auto most =
      std::max_element(by_address_.begin(), by_address_.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == by_address_.end()) return {Way::kClosed};
  if (most->second > held(by_address_, holder.address) + bytes) {
    if (const auto id = stalest(&Holder::address, most->first)) return {Way::kTaken, *id};
  }
  // All hold about the same: then the one without progress for longest has to go.
  if (order_.empty() || now - places_.at(order_.front()).moved < patience_) return {Way::kClosed};
  return {Way::kTaken, order_.front()};
}

Room::Found Room::look(const Holder& holder, std::size_t bytes, Moment now) const {
  // An empty key belongs to nobody, and has no bound.
  if (!holder.user.empty() && held(by_user_, holder.user) + bytes > bounds_.user) {
    return among_own(&Holder::user, holder.user, now);
  }
  if (!holder.address.empty() && held(by_address_, holder.address) + bytes > bounds_.address) {
    return among_own(&Holder::address, holder.address, now);
  }
  if (bytes_ + bytes > bounds_.all) return among_all(holder, bytes, now);
  return {};
}

void Room::take(ConnectionId id, const Holder& holder, std::size_t bytes, Moment now) {
  leave(id);
  Place& place = places_[id];
  place.holder = holder;
  place.moved = now;
  place.order = order_.insert(order_.end(), id);
  charge(place, bytes);
}

void Room::resize(ConnectionId id, std::size_t bytes) {
  const auto found = places_.find(id);
  if (found != places_.end()) charge(found->second, bytes);
}

void Room::progress(ConnectionId id, Moment now) {
  const auto found = places_.find(id);
  if (found == places_.end() || !found->second.order) return;
  found->second.moved = now;
  order_.splice(order_.end(), order_, *found->second.order);
}

void Room::settle(ConnectionId id) {
  const auto found = places_.find(id);
  if (found == places_.end() || !found->second.order) return;
  order_.erase(*found->second.order);
  found->second.order.reset();
}

void Room::leave(ConnectionId id) {
  settle(id);
  const auto found = places_.find(id);
  if (found == places_.end()) return;
  charge(found->second, 0);
  places_.erase(found);
}

std::optional<Room::Moment> Room::next_late(std::chrono::milliseconds hurry) const {
  if (order_.empty() || bytes_ <= bounds_.all / 2) return std::nullopt;
  return places_.at(order_.front()).moved + hurry;
}

std::optional<ConnectionId> Room::late(std::chrono::milliseconds hurry, Moment now) const {
  const auto next = next_late(hurry);
  if (!next || *next > now) return std::nullopt;
  return order_.front();
}

}  // namespace chirp::http
