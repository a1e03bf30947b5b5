// API tokens: only hashes are stored, so a leaked copy of the database reveals no token.
#pragma once

#include <string_view>

#include "core/model/ids.h"
#include "store/postgres/connection/connection.h"

namespace chirp::postgres {

// Queues the removal of all tokens of a user except `kept`.
void send_forget_tokens(Connection& connection, UserNumber user, std::string_view kept);

}  // namespace chirp::postgres
