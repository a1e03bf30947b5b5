// Decides whose password is hashed next. A frequent client never shuts others out of this queue.
//
// - Log-ins and changes of an account take turns, and both go before sign-ups. A waiting sign-up
//   gets the turn after limits::kHashingTurnsAhead others.
// - Among these, standing decides first: familiar clients, then clients with the fewest failures,
//   then clients with the fewest turns. A waiting unfamiliar client gets the turn after
//   limits::kHashingTurnsAhead familiar ones.
// - Clients of equal standing take turns: a client's further requests wait behind the first request
//   of every other client already in the queue.
// - A client has at most limits::kHashingPerClient places. Sign-ups have kHashingSignUps places of
//   their own, and all others kHashingPlaces. When the last place of a kind is taken, a newcomer
//   replaces the last client of a worse standing. Otherwise it replaces the client of the
//   same standing that waits with the most places, if these are at least two more. Familiar and
//   unfamiliar clients have half of the places each, and may use more while the others leave them
//   free.
//
// Not thread-safe.
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

// How well a client has behaved; the lowest value goes first.
struct HashingStanding {
  bool is_unfamiliar = true;   // no log-in to the account from there yet
  std::uint64_t failures = 0;  // recent failures of the client
  std::uint64_t turns = 0;     // recent turns of the client

  auto operator<=>(const HashingStanding&) const = default;
};

class HashingLine {
 public:
  using Place = std::uint64_t;  // never 0, never reused

  struct Joined {
    std::optional<Place> place;       // empty: the line is full
    std::optional<Place> given_up{};  // another client's place, which was revoked for this one
  };
  // The failures and turns also apply to the places that the client already has.
  Joined join(HashingFor what, const std::string& client, HashingStanding standing = {});
  // Returns the first place in line; 0 if none is waiting.
  [[nodiscard]] Place first() const;
  // Begins the turn of this place: it no longer waits, and is kept until leave().
  void begin(Place place);
  // Gives the place up, before or during its turn.
  void leave(Place place);

 private:
  struct Client {
    std::uint64_t places = 0;
    std::uint64_t last_round = 0;  // round of the client's last place in line
  };
  // Sign-ups come last. All clients with an account take turns, because endless log-ins must not
  // stop an owner from changing a password. Rounds are common to all: a client's next place is one
  // round after its last.
  using Rank = std::tuple<bool, HashingStanding, std::uint64_t, Place>;
  struct Held {
    HashingFor what;
    std::string client;
    HashingStanding standing;
    std::uint64_t round;
  };

  [[nodiscard]] static Rank rank_of(const Held& held, Place place);
  void lower(const std::string& client, const HashingStanding& standing);

  // Returns the first waiting sign-up; 0 if none waits.
  [[nodiscard]] Place first_sign_up() const;
  // Returns the first waiting place of an unfamiliar client that is not a sign-up; 0 if there is
  // none.
  [[nodiscard]] Place first_unfamiliar() const;
  // Returns the place to give up for a client with only `places` so far; 0 if no place qualifies.
  [[nodiscard]] Place to_give_up(std::uint64_t places, bool is_sign_up,
                                 const HashingStanding& standing) const;

  std::map<Rank, Place> waiting_;
  std::unordered_map<Place, Held> held_;  // including places whose turn has begun
  std::unordered_map<std::string, Client> clients_;
  std::uint64_t round_ = 0;  // round of the place whose turn began last
  std::uint64_t sign_ups_ = 0;
  std::uint64_t ahead_ = 0;           // other turns since the last sign-up while a sign-up waits
  std::uint64_t familiar_ahead_ = 0;  // familiar turns while an unfamiliar client waits
  Place last_ = 0;
};

}  // namespace chirp
