// Who hashes a password next. A line in which nobody is shut out by somebody who comes often.
//
// - Log-ins and changes of an account take turns, and both go before sign-ups. While one of those
//   waits, it has the turn after limits::kHashingTurnsAhead of the others.
// - Within each, standing decides first: familiar clients, then those that have failed the least
//   often, then those that have had the fewest turns. While an unfamiliar client waits, it has the
//   turn after limits::kHashingTurnsAhead familiar ones.
// - Clients of one standing take turns: what a client asks for beyond its first waits behind the
//   first of everybody else who is in line by then.
// - A client has limits::kHashingPerClient places at most. Sign-ups have kHashingSignUps of their
//   own, all others kHashingPlaces. When the last of a kind is taken, a newcomer gets the place of
//   the last in line of a worse standing; if there is none, of the client of the same standing that
//   waits with the most places, if those are at least two more. Familiar and unfamiliar clients
//   have half of the places each, and more only while the others leave them free.
//
// Not safe to call from two threads at a time.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>

namespace chirp {

enum class HashingFor : std::uint8_t { kLogIn, kChange, kSignUp };

// How well a client has behaved; less comes first.
struct HashingStanding {
  bool is_unfamiliar = true;   // nobody has logged in to the account from there
  std::uint64_t failures = 0;  // of the client, lately
  std::uint64_t turns = 0;     // that it has had, lately

  auto operator<=>(const HashingStanding&) const = default;
};

class HashingLine {
 public:
  using Place = std::uint64_t;  // never 0, and never given twice

  struct Joined {
    std::optional<Place> place;       // empty: there is no room
    std::optional<Place> given_up{};  // by somebody else, who waits in vain
  };
  // The failures and turns count for what the client has in line already, too.
  Joined join(HashingFor what, const std::string& client, HashingStanding standing = {});
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
  using Rank = std::tuple<bool, HashingStanding, std::uint64_t, Place>;
  struct Held {
    HashingFor what;
    std::string client;
    HashingStanding standing;
    std::uint64_t round;
  };

  [[nodiscard]] static Rank rank_of(const Held& held, Place place);
  void lower(const std::string& client, const HashingStanding& standing);

  // The first sign-up that waits; 0 if none does.
  [[nodiscard]] Place first_sign_up() const;
  // The first that waits and is no sign-up, of an unfamiliar client; 0 if none does.
  [[nodiscard]] Place first_unfamiliar() const;
  // The place that has to be given up to a client who has only `places` so far; 0 if there is none.
  [[nodiscard]] Place to_give_up(std::uint64_t places, bool is_sign_up,
                                 const HashingStanding& standing) const;

  std::map<Rank, Place> waiting_;
  std::unordered_map<Place, Held> held_;  // those whose turn has come, too
  std::unordered_map<std::string, Client> clients_;
  std::uint64_t round_ = 0;  // of the last whose turn has come
  std::uint64_t sign_ups_ = 0;
  std::uint64_t ahead_ = 0;           // turns of others since that of a sign-up, while one waited
  std::uint64_t familiar_ahead_ = 0;  // likewise of familiar clients, while another waited
  Place last_ = 0;
};

}  // namespace chirp
