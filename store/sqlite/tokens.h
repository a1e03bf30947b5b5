// API tokens in users.db: rows of hashes, so that the file gives no token away.
#pragma once

#include <string_view>

#include "core/model/ids.h"
#include "store/sqlite/connection.h"

namespace chirp::sqlite {

// All of a user's but `kept`, within a transaction.
void forget_tokens(Connection& connection, UserNumber user, std::string_view kept);

}  // namespace chirp::sqlite
