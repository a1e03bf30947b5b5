#include "store/users/id_mint.h"

#include <algorithm>

#include "core/error.h"

namespace chirp::users {

IdMint::IdMint(UserTable& table, std::uint32_t machine)
    : table_(table), machine_(machine), last_(table.last_id()), saved_(last_) {}

UserId IdMint::live(Time now) const { return UserId{snowflake::next(now, last_, machine_)}; }

UserId IdMint::loaded(Time time) {
  const std::uint64_t asked = snowflake::ticks_of(time);
  // Repeated calls with one time continue where the previous one found a free id.
  std::uint64_t ticks = asked == asked_ticks_ ? std::max(asked, given_ticks_) : asked;
  for (; ticks <= snowflake::kMaxTicks; ++ticks) {
    const std::uint64_t low = snowflake::make(ticks, snowflake::kLoadMachine, 0);
    const std::uint64_t high = low + snowflake::kSequences - 1;
    const std::uint64_t taken = highest_of(ticks);
    if (taken == high) continue;
    asked_ticks_ = asked;
    given_ticks_ = ticks;
    return UserId{taken == 0 ? low : taken + 1};
  }
  throw Error(ErrorCode::kUnavailable,
              "The ids at the end of 2069 are used up. Load users with earlier sign-up times.");
}

std::uint64_t IdMint::highest_of(std::uint64_t ticks) {
  const auto known = highest_.find(ticks);
  if (known != highest_.end()) return known->second;
  return highest_[ticks] = table_.highest_loaded({&ticks, 1}).front();
}

void IdMint::expect(const std::vector<Time>& times) {
  std::vector<std::uint64_t> ticks;
  for (const Time time : times) {
    const std::uint64_t asked = snowflake::ticks_of(time);
    if (!highest_.contains(asked)) ticks.push_back(asked);
  }
  if (ticks.empty()) return;
  const std::vector<std::uint64_t> highest = table_.highest_loaded(ticks);
  for (std::size_t i = 0; i < ticks.size(); ++i) highest_[ticks[i]] = highest[i];
}

void IdMint::raise_floor(UserId id) {
  if (snowflake::machine(id.value) != snowflake::kLoadMachine) {
    last_ = std::max(last_, id.value);
    return;
  }
  const auto known = highest_.find(snowflake::ticks(id.value));
  if (known != highest_.end()) known->second = std::max(known->second, id.value);
}

void IdMint::go_back(UserId floor) {
  last_ = floor.value;
  highest_.clear();
  asked_ticks_ = given_ticks_ = 0;
}

void IdMint::retire(UserId id) {
  raise_floor(id);
  if (snowflake::machine(id.value) == snowflake::kLoadMachine) table_.retire(id);
}

void IdMint::save() {
  if (last_ == saved_) return;
  table_.set_last_id(last_);
  saved_ = last_;
}

}  // namespace chirp::users
