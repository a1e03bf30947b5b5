// The turn for changes of users, and the global state of all users: the row of `users_state`.
//
// A change of names, numbers or anything that others may have read of users locks that row first,
// so such changes are serialized across all processes. Log-ins and uploads do not lock it.
#pragma once

#include <cstdint>

#include "store/postgres/cluster/connections.h"
#include "store/users/session.h"

namespace chirp::postgres {

struct UsersState {
  std::int64_t last_id = 0;      // the floor of live ids
  std::int64_t last_number = 0;  // the last number given to a user, including removed users
  std::int64_t last_due = 0;     // the last PendingCard::due given
  std::int64_t present = 0;      // number of users

  bool operator==(const UsersState&) const = default;
};

// A write transaction that holds the turn; rolled back unless committed. Throws Error{kUnavailable}
// if it does not get the turn within limits::kBusyMs.
class UsersTransaction {
 public:
  // `connection` is lent from `all`.
  UsersTransaction(Connections& all, Connection& connection);
  ~UsersTransaction();
  UsersTransaction(const UsersTransaction&) = delete;
  UsersTransaction& operator=(const UsersTransaction&) = delete;

  // commit() stores it.
  [[nodiscard]] UsersState& state() { return state_; }

  // Durable when it returns. If the connection is lost, the server is asked for the outcome;
  // Error{kUnavailable} then says that the change was not made, or that the outcome is unknown.
  void commit(users::CachedRows cached);

 private:
  // Throws `lost` again unless the server says that the transaction was committed.
  void ask_what_came_of_it(const PostgresError& lost) const;

  Connections& all_;
  Connection& connection_;
  UsersState before_;
  UsersState state_;
  std::int64_t number_ = 0;  // of this transaction
  bool open_ = true;
};

}  // namespace chirp::postgres
