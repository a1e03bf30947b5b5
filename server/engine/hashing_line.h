// Who hashes a password next. A line in which nobody is shut out by somebody who comes often.
//
// - Log-ins and changes of an account take turns, and both go before sign-ups. While one of those
//   waits, it has the turn after limits::kHashingTurnsAhead of the others.
// - Within each, clients take turns: what a client asks for beyond its first waits behind the first
//   of everybody else who is in line by then.
// - A client has limits::kHashingPerClient places at most. Sign-ups have kHashingSignUps of their
//   own, all others kHashingPlaces. When the last of a kind is taken, whoever waits for one of it
//   with the most gives one up to somebody who has at least two less.
//
// Not safe to call from two threads at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>

namespace chirp {

enum class HashingFor : std::uint8_t { kLogIn, kChange, kSignUp };

class HashingLine {
 public:
  using Place = std::uint64_t;  // never 0, and never given twice

  struct Joined {
    std::optional<Place> place;       // empty: there is no room
    std::optional<Place> given_up{};  // by somebody else, who waits in vain
  };
  Joined join(HashingFor what, const std::string& client);
  // The place that is first in line; 0 if nobody waits.
  [[nodiscard]] Place first() const;
  // The turn of this place has come: it does not wait any more, and keeps its place until leave().
  void begin(Place place);
  // Gives the place up, whether its turn has come or not.
  void leave(Place place);

 private:
  struct Client {
    std::uint64_t places = 0;
    std::uint64_t last_round = 0;  // of its last in line
  };
  // Sign-ups come last, and whoever has an account takes turns with all who have: log-ins without
  // end must not keep an owner from changing a password. Rounds are counted for all: a client's
  // next place is a round later than its last.
  using Rank = std::tuple<bool, std::uint64_t, Place>;
  struct Held {
    HashingFor what;
    std::string client;
    std::uint64_t round;
  };

  // The first sign-up that waits; 0 if none does.
  [[nodiscard]] Place first_sign_up() const;
  // The place that has to be given up to a client who has only `places` so far; 0 if there is none.
  [[nodiscard]] Place to_give_up(std::uint64_t places, bool is_sign_up) const;

  std::map<Rank, Place> waiting_;
  std::unordered_map<Place, Held> held_;  // those whose turn has come, too
  std::unordered_map<std::string, Client> clients_;
  std::uint64_t round_ = 0;  // of the last whose turn has come
  std::uint64_t sign_ups_ = 0;
  std::uint64_t ahead_ = 0;  // turns of others since that of a sign-up, while one waited
  Place last_ = 0;
};

}  // namespace chirp
