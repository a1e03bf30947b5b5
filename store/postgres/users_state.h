// The turn of who changes users, and what stands for all of them: the row of `users_state`.
//
// Who changes a name, a number or what others may have read of users locks that row first, so such
// changes come one after the other, in all processes. Log-ins and uploads do without it.
#pragma once

#include <cstdint>
#include <string_view>

#include "store/postgres/connections.h"

namespace chirp::postgres {

// Raises users_version, in the transaction of whoever changes plain settings.
inline constexpr std::string_view kRaiseUsersVersion =
    "update users_state set version = version + 1";

struct UsersState {
  std::int64_t last_id = 0;      // the floor of live ids
  std::int64_t last_number = 0;  // the last number given to a user, removed ones among them
  std::int64_t last_due = 0;     // the last DueCard::due given
  std::int64_t present = 0;      // rows of users

  bool operator==(const UsersState&) const = default;
};

// A write transaction with the turn; undone unless committed. Throws Error{kUnavailable} when the
// turn does not come within limits::kBusyMs.
class UsersTransaction {
 public:
  // `connection` is one that was lent from `all`.
  UsersTransaction(Connections& all, Connection& connection);
  ~UsersTransaction();
  UsersTransaction(const UsersTransaction&) = delete;
  UsersTransaction& operator=(const UsersTransaction&) = delete;

  // Kept by the commit.
  [[nodiscard]] UsersState& state() { return state_; }

  // What the transaction has done to what somebody may have read of tokens and users.
  enum class Change : bool { kNone, kMoved };
  // Durable when it returns. Where the connection ends meanwhile, the server is asked what came of
  // it; Error{kUnavailable} then says that the change was not made, or that this is not known.
  void commit(Change change);

 private:
  // Throws `lost` again unless the server says that the transaction was committed.
  void ask_what_came_of_it(const PostgresError& lost) const;

  Connections& all_;
  Connection& connection_;
  UsersState before_;
  UsersState state_;
  std::int64_t number_ = 0;  // of the transaction
  bool open_ = true;
};

}  // namespace chirp::postgres
