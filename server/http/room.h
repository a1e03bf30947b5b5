// Room that is shared by those who make the server hold something: in all, of an address and of an
// account. Says who has to go when it runs out. No sockets, no clock. For one thread at a time.
//
// Whoever presses against a bound of their own loses what they have left lying longest. When all of
// the room is taken, it is made among those of the address that holds the most, so that a newcomer
// who holds little finds some, however much others want.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>

#include "server/http/exchange.h"
#include "server/http/mailbox.h"

namespace chirp::http {

struct RoomBounds {
  std::size_t all;
  std::size_t address;
  std::size_t user;
};

class Room {
 public:
  using Moment = std::chrono::nanoseconds;  // of Clock::steady_ns()

  // `patience`: after so long without progress a holder has to give way to a newcomer under the
  // same bound.
  Room(RoomBounds bounds, std::chrono::milliseconds patience)
      : bounds_(bounds), patience_(patience) {}

  // What a newcomer finds: room; somebody who has to be dropped before it asks again; or neither.
  enum class Way : std::uint8_t { kFree, kTaken, kClosed };
  struct Found {
    Way way = Way::kFree;
    ConnectionId by = 0;  // of kTaken
  };
  [[nodiscard]] Found look(const Holder& holder, std::size_t bytes, Moment now) const;

  // Takes so many bytes of room, after look() has said that they are free. A connection takes room
  // once.
  void take(ConnectionId id, const Holder& holder, std::size_t bytes, Moment now);
  // The following do nothing for a connection that has taken no room.
  void resize(ConnectionId id, std::size_t bytes);
  void progress(ConnectionId id, Moment now);
  // The server no longer waits for this client, so its room is not taken away for lack of progress.
  void settle(ConnectionId id);
  void leave(ConnectionId id);

  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // A connection that has made no progress for `hurry` while more than half of the room is taken.
  [[nodiscard]] std::optional<ConnectionId> late(std::chrono::milliseconds hurry, Moment now) const;
  // When there will be such a connection, if nothing changes.
  [[nodiscard]] std::optional<Moment> next_late(std::chrono::milliseconds hurry) const;

 private:
  struct Place {
    Holder holder;
    std::size_t bytes = 0;
    Moment moved;
    std::optional<std::list<ConnectionId>::iterator> order{};  // none once it is settled
  };
  using Held = std::unordered_map<std::string, std::size_t>;  // bytes by key

  [[nodiscard]] static std::size_t held(const Held& by, const std::string& key);
  static void charge(Held& by, const std::string& key, std::size_t before, std::size_t after);
  void charge(Place& place, std::size_t bytes);
  // The connection without progress for longest of those with this key.
  [[nodiscard]] std::optional<ConnectionId> stalest(std::string Holder::*key,
                                                    const std::string& value) const;
  [[nodiscard]] Found among_own(std::string Holder::*key, const std::string& value,
                                Moment now) const;
  [[nodiscard]] Found among_all(const Holder& holder, std::size_t bytes, Moment now) const;

  const RoomBounds bounds_;
  const std::chrono::milliseconds patience_;
  std::unordered_map<ConnectionId, Place> places_;
  std::list<ConnectionId> order_;  // not settled; whoever moved last is last
  Held by_address_;
  Held by_user_;
  std::size_t bytes_ = 0;
};

}  // namespace chirp::http
