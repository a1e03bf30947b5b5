// Ids for new users, minted inside a write transaction and kept with it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/model/ids.h"
#include "store/users/user_table.h"

namespace chirp::users {

class IdMint {
 public:
  // For the length of one transaction.
  IdMint(UserTable& table, std::uint32_t machine);

  // The next live id: of the time `now`, above the last one whatever the clock does. The same again
  // until raise_floor says that it is used.
  [[nodiscard]] UserId live(Time now) const;
  // The next free id of snowflake::kLoadMachine from `time` on; it leaves live ids alone. The same
  // again until raise_floor says that it is used.
  [[nodiscard]] UserId loaded(Time time);
  // Looks up at once what `loaded` of these times would look up one by one.
  void expect(const std::vector<Time>& times);
  // The id is used: live ids will be above it, unless it is of snowflake::kLoadMachine.
  void raise_floor(UserId id);
  // The floor of live ids, and back to it: nobody has got the ids since then after all.
  [[nodiscard]] UserId floor() const { return UserId{last_}; }
  void go_back(UserId floor);
  // An id that is going; it will not come again.
  void retire(UserId id);
  // Keeps the floor; before the commit.
  void save();

 private:
  // The highest id of a millisecond.
  [[nodiscard]] std::uint64_t highest_of(std::uint64_t ticks);

  UserTable& table_;
  std::uint32_t machine_;
  std::uint64_t last_ = 0;  // the floor of live ids
  std::uint64_t saved_ = 0;
  std::uint64_t asked_ticks_ = 0;                             // the time last asked of loaded() …
  std::uint64_t given_ticks_ = 0;                             // … and that of the id it gave
  std::unordered_map<std::uint64_t, std::uint64_t> highest_;  // ids of loads, by millisecond
};

}  // namespace chirp::users
