// What errors of PostgreSQL are in our words.
#pragma once

#include <string>
#include <string_view>

#include "core/error.h"
#include "store/postgres/connection.h"

namespace chirp::postgres {

// Of an SQLSTATE; kUnavailable for an empty one, which is that of a connection that is lost.
[[nodiscard]] ErrorCode code_of(std::string_view state);
// Who asked which database, for statements that an operator can type. Empty where it is not known.
struct Role {
  std::string name;
  std::string database;
};
// What to do about an SQLSTATE: sentences with a blank before them; empty where there is nothing to
// say.
[[nodiscard]] std::string advice(std::string_view state, const Role& role);
// A message of libpq or the server in one line, without libpq's guesses, which it indents, and
// without the full stop, for a sentence that goes on.
[[nodiscard]] std::string in_one_line(std::string_view message);

// For who has lost the line at a commit, and can't ask what came of it. Its field is `outcome`.
[[nodiscard]] PostgresError outcome_unknown(const Error& lost);
// The same error where it is known by now that nothing was changed.
[[nodiscard]] PostgresError outcome_nothing(const Error& lost);

}  // namespace chirp::postgres
