// API tokens in a database: rows of hashes, so that a copy of it gives no token away.
#pragma once

#include <string_view>

#include "core/model/ids.h"
#include "store/postgres/connection.h"

namespace chirp::postgres {

// Queues the removal of all of a user's but `kept`.
void send_forget_tokens(Connection& connection, UserNumber user, std::string_view kept);

}  // namespace chirp::postgres
