// API tokens in users.db. Only their hashes are stored, so the file reveals no token.
#pragma once

#include <string_view>

#include "core/model/ids.h"
#include "store/sqlite/connection.h"

namespace chirp::sqlite {

// Deletes all tokens of a user except `kept`, within a transaction.
void forget_tokens(Connection& connection, UserNumber user, std::string_view kept);

}  // namespace chirp::sqlite
