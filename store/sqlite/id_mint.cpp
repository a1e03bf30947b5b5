#include "store/sqlite/id_mint.h"

#include <algorithm>

#include "core/error.h"

namespace chirp::sqlite {

IdMint::IdMint(Connection& connection, std::uint32_t machine)
    : connection_(connection), machine_(machine) {
  Rows rows = connection_.rows("SELECT last_id FROM meta WHERE one = 1");
  if (rows.next()) saved_ = static_cast<std::uint64_t>(std::max<std::int64_t>(rows.integer(0), 0));
  last_ = saved_;
}

UserId IdMint::live(Time now) const { return UserId{snowflake::next(now, last_, machine_)}; }

UserId IdMint::loaded(Time time) {
  const std::uint64_t asked = snowflake::ticks_of(time);
  // Many with one time go on where the one before them found room.
  std::uint64_t ticks = asked == asked_ticks_ ? std::max(asked, given_ticks_) : asked;
  for (; ticks <= snowflake::kMaxTicks; ++ticks) {
    const std::uint64_t low = snowflake::make(ticks, snowflake::kLoadMachine, 0);
    const std::uint64_t high = low + snowflake::kSequences - 1;
    const std::uint64_t taken = highest_between(low, high);
    if (taken == high) continue;
    asked_ticks_ = asked;
    given_ticks_ = ticks;
    return UserId{taken == 0 ? low : taken + 1};
  }
  throw Error(ErrorCode::kUnavailable,
              "The ids at the end of 2069 are used up. Load users with earlier sign-up times.");
}

std::uint64_t IdMint::highest_between(std::uint64_t low, std::uint64_t high) {
  Rows rows = connection_.rows(
      "SELECT max(coalesce((SELECT max(id) FROM users WHERE id BETWEEN ?1 AND ?2), 0), "
      "coalesce((SELECT max(id) FROM retired_ids WHERE id BETWEEN ?1 AND ?2), 0))",
      low, high);
  return rows.next() ? static_cast<std::uint64_t>(rows.integer(0)) : 0;
}

void IdMint::raise_floor(UserId id) {
  if (snowflake::machine(id.value) != snowflake::kLoadMachine) last_ = std::max(last_, id.value);
}

void IdMint::retire(UserId id) {
  raise_floor(id);
  if (snowflake::machine(id.value) == snowflake::kLoadMachine) {
    connection_.run("INSERT OR IGNORE INTO retired_ids (id) VALUES (?1)", id.value);
  }
}

void IdMint::save() {
  if (last_ == saved_) return;
  connection_.run("UPDATE meta SET last_id = ?1 WHERE one = 1", last_);
  saved_ = last_;
}

}  // namespace chirp::sqlite
