// Ids for new users, minted and saved inside a write transaction.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/model/ids.h"
#include "store/users/user_table.h"

namespace chirp::users {

class IdMint {
 public:
  // Lives for one transaction.
  IdMint(UserTable& table, std::uint32_t machine);

  // The next live id: from the time `now`, and above the last id whatever the clock does. Returns
  // the same id until raise_floor() marks it as used.
  [[nodiscard]] UserId live(Time now) const;
  // The next free id of snowflake::kLoadMachine from `time` on; live ids are not affected. Returns
  // the same id until raise_floor() marks it as used.
  [[nodiscard]] UserId loaded(Time time);
  // Prefetches for these times what loaded() would otherwise look up one by one.
  void expect(const std::vector<Time>& times);
  // Marks the id as used: later live ids are above it, unless it is of snowflake::kLoadMachine.
  void raise_floor(UserId id);
  // The floor of live ids. go_back() restores it if no id minted since then was used.
  [[nodiscard]] UserId floor() const { return UserId{last_}; }
  void go_back(UserId floor);
  // Retires the id of a removed user, so that it is never reissued.
  void retire(UserId id);
  // Stores the floor. Call it before the commit.
  void save();

 private:
  // The highest id of loads in a millisecond.
  [[nodiscard]] std::uint64_t highest_of(std::uint64_t ticks);

  UserTable& table_;
  std::uint32_t machine_;
  std::uint64_t last_ = 0;  // the floor of live ids
  std::uint64_t saved_ = 0;
  std::uint64_t asked_ticks_ = 0;  // time of the last call to loaded() …
  std::uint64_t given_ticks_ = 0;  // … and of the id that it returned
  std::unordered_map<std::uint64_t, std::uint64_t> highest_;  // highest id of loads, by tick
};

}  // namespace chirp::users
