// Template databases: making the tables takes longer than copying them, so a data folder with
// templates is kept beside the tested program, for all processes of one build.
#pragma once

#include <string>
#include <vector>

#include "tests/support/postgres_server.h"

namespace chirp::test {

inline constexpr const char* kDatabaseModel = "chirp_model";

// For a store over several servers: home first.
[[nodiscard]] std::vector<std::string> nodes_models(bool buckets_in_rows);

// Makes all templates on this server.
void make_models(const PostgresServer& server);

}  // namespace chirp::test
