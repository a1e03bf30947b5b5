#include "server/engine/hashing_line.h"

#include <algorithm>

#include "core/error.h"
#include "server/limits.h"

namespace chirp {

HashingLine::Joined HashingLine::join(HashingFor what, const std::string& client) {
  Joined joined;
  const auto known = clients_.find(client);
  const Client before = known == clients_.end() ? Client{} : known->second;
  if (before.places >= limits::kHashingPerClient) return joined;
  const bool is_sign_up = what == HashingFor::kSignUp;
  const bool is_full = is_sign_up ? sign_ups_ >= limits::kHashingSignUps
                                  : held_.size() - sign_ups_ >= limits::kHashingPlaces;
  if (is_full) {
    const Place place = to_give_up(before.places, is_sign_up);
    if (place == 0) return joined;
    leave(place);
    joined.given_up = place;
  }
  Client& mine = clients_[client];
  ++mine.places;
  mine.last_round = std::max(mine.last_round, round_) + 1;
  sign_ups_ += is_sign_up ? 1 : 0;
  joined.place = ++last_;
  held_.emplace(last_, Held{what, client, mine.last_round});
  waiting_.emplace(Rank{is_sign_up, mine.last_round, last_}, last_);
  return joined;
}

HashingLine::Place HashingLine::to_give_up(std::uint64_t places, bool is_sign_up) const {
  Place found = 0;
  std::uint64_t most = places + 1;
  for (const auto& [rank, place] : waiting_) {
    if (std::get<bool>(rank) != is_sign_up) continue;
    const std::uint64_t theirs = clients_.at(held_.at(place).client).places;
    // Of those who have as many, the last in line.
    if (theirs > most || (found != 0 && theirs == most)) {
      most = theirs;
      found = place;
    }
  }
  return found;
}

HashingLine::Place HashingLine::first() const {
  if (ahead_ >= limits::kHashingTurnsAhead) {
    if (const Place sign_up = first_sign_up(); sign_up != 0) return sign_up;
  }
  return waiting_.empty() ? 0 : waiting_.begin()->second;
}

HashingLine::Place HashingLine::first_sign_up() const {
  const auto found = waiting_.lower_bound(Rank{true, 0, 0});
  return found == waiting_.end() ? 0 : found->second;
}

void HashingLine::begin(Place place) {
  const Held& held = held_.at(place);
  if (held.what == HashingFor::kSignUp) {
    ahead_ = 0;
  } else if (first_sign_up() != 0) {
    ++ahead_;
  }
  waiting_.erase(Rank{held.what == HashingFor::kSignUp, held.round, place});
  round_ = std::max(round_, held.round - 1);
}

void HashingLine::leave(Place place) {
  const auto found = held_.find(place);
  check(found != held_.end(), "who leaves the line was in it");
  const Held held = found->second;
  waiting_.erase(Rank{held.what == HashingFor::kSignUp, held.round, place});
  held_.erase(found);
  if (held.what == HashingFor::kSignUp) --sign_ups_;
  const auto client = clients_.find(held.client);
  if (--client->second.places == 0) clients_.erase(client);
}

}  // namespace chirp
