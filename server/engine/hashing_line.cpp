#include "server/engine/hashing_line.h"

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "server/limits.h"

namespace chirp {

HashingLine::Rank HashingLine::rank_of(const Held& held, Place place) {
  return {held.what == HashingFor::kSignUp, held.standing, held.round, place};
}

HashingLine::Joined HashingLine::join(HashingFor what, const std::string& client,
                                      HashingStanding standing) {
  Joined joined;
  lower(client, standing);
  const auto known = clients_.find(client);
  const Client before = known == clients_.end() ? Client{} : known->second;
  if (before.places >= limits::kHashingPerClient) return joined;
  const bool is_sign_up = what == HashingFor::kSignUp;
  const bool is_full = is_sign_up ? sign_ups_ >= limits::kHashingSignUps
                                  : held_.size() - sign_ups_ >= limits::kHashingPlaces;
  if (is_full) {
    const Place place = to_give_up(before.places, is_sign_up, standing);
    if (place == 0) return joined;
    leave(place);
    joined.given_up = place;
  }
  Client& mine = clients_[client];
  ++mine.places;
  mine.last_round = std::max(mine.last_round, round_) + 1;
  sign_ups_ += is_sign_up ? 1 : 0;
  joined.place = ++last_;
  const Held held{what, client, standing, mine.last_round};
  held_.emplace(last_, held);
  waiting_.emplace(rank_of(held, last_), last_);
  return joined;
}

// If a client has failed or had turns since it joined, this applies to all its places.
void HashingLine::lower(const std::string& client, const HashingStanding& standing) {
  std::vector<Place> places;
  for (const auto& [rank, place] : waiting_) {
    if (held_.at(place).client == client) places.push_back(place);
  }
  for (const Place place : places) {
    Held& held = held_.at(place);
    waiting_.erase(rank_of(held, place));
    held.standing.failures = std::max(held.standing.failures, standing.failures);
    held.standing.turns = std::max(held.standing.turns, standing.turns);
    waiting_.emplace(rank_of(held, place), place);
  }
}

HashingLine::Place HashingLine::to_give_up(std::uint64_t places, bool is_sign_up,
                                           const HashingStanding& standing) const {
  Place found = 0;
  std::uint64_t most = places + 1;
  Place worst = 0;
  Place last_of_others = 0;
  std::size_t others = 0;
  for (const auto& [rank, place] : waiting_) {
    if (std::get<bool>(rank) != is_sign_up) continue;
    const Held& held = held_.at(place);
    if (held.standing.is_unfamiliar != standing.is_unfamiliar) {
      last_of_others = place;
      ++others;
      continue;
    }
    if (standing < held.standing) worst = place;
    if (held.standing < standing) continue;
    const std::uint64_t theirs = clients_.at(held.client).places;
    // Among clients with equally many, the last in line.
    if (theirs > most || (found != 0 && theirs == most)) {
      most = theirs;
      found = place;
    }
  }
  if (others > limits::kHashingPlaces / 2) return last_of_others;
  return worst != 0 ? worst : found;
}

HashingLine::Place HashingLine::first() const {
  if (ahead_ >= limits::kHashingTurnsAhead) {
    if (const Place sign_up = first_sign_up(); sign_up != 0) return sign_up;
  }
  if (familiar_ahead_ >= limits::kHashingTurnsAhead) {
    if (const Place unfamiliar = first_unfamiliar(); unfamiliar != 0) return unfamiliar;
  }
  return waiting_.empty() ? 0 : waiting_.begin()->second;
}

HashingLine::Place HashingLine::first_sign_up() const {
  const auto found = waiting_.lower_bound(Rank{true, {false, 0, 0}, 0, 0});
  return found == waiting_.end() ? 0 : found->second;
}

HashingLine::Place HashingLine::first_unfamiliar() const {
  const auto found = waiting_.lower_bound(Rank{false, {true, 0, 0}, 0, 0});
  if (found == waiting_.end() || std::get<bool>(found->first)) return 0;
  return found->second;
}

void HashingLine::begin(Place place) {
  const Held& held = held_.at(place);
  if (held.what == HashingFor::kSignUp) {
    ahead_ = 0;
  } else {
    if (first_sign_up() != 0) ++ahead_;
    if (held.standing.is_unfamiliar) {
      familiar_ahead_ = 0;
    } else if (first_unfamiliar() != 0) {
      ++familiar_ahead_;
    }
  }
  waiting_.erase(rank_of(held, place));
  round_ = std::max(round_, held.round - 1);
}

void HashingLine::leave(Place place) {
  const auto found = held_.find(place);
  check(found != held_.end(), "who leaves the line was in it");
  const Held held = found->second;
  waiting_.erase(rank_of(held, place));
  held_.erase(found);
  if (held.what == HashingFor::kSignUp) --sign_ups_;
  const auto client = clients_.find(held.client);
  if (--client->second.places == 0) clients_.erase(client);
}

}  // namespace chirp
