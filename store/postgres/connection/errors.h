// Translates PostgreSQL's errors.
#pragma once

#include <string>
#include <string_view>

#include "core/error.h"
#include "store/postgres/connection/connection.h"

namespace chirp::postgres {

// Returns the code for an SQLSTATE; kUnavailable for an empty one, which means a lost connection.
[[nodiscard]] ErrorCode code_of(std::string_view state);
// The role and database of a session, for statements that an operator can type. Empty if unknown.
struct Role {
  std::string name;
  std::string database;
};
// Returns what to do about an SQLSTATE: sentences, each after a space. Empty if there is no advice.
[[nodiscard]] std::string advice(std::string_view state, const Role& role);
// Returns a message of libpq or the server in one line, for use within a sentence: without libpq's
// hints, which it indents, and without the full stop.
[[nodiscard]] std::string in_one_line(std::string_view message);

// For a caller that lost the connection at a commit and can't ask for its outcome. The error's
// field is `outcome`.
[[nodiscard]] PostgresError outcome_unknown(const Error& lost);
// Returns the same error, once it is certain that nothing was changed.
[[nodiscard]] PostgresError outcome_nothing(const Error& lost);

}  // namespace chirp::postgres
