#include "store/postgres/cluster/durability.h"

#include <fmt/format.h>

namespace chirp::postgres {

std::vector<std::string> losses_in(const Result& answer, std::string_view server) {
  std::vector<std::string> losses;
  for (int row = 0; row < answer.rows(); ++row) {
    losses.push_back(
        fmt::format("The server of the database {0} has {1} = off, so a crash of its machine may "
                    "lose acknowledged changes or damage the database. Set {1} = on in its "
                    "postgresql.conf and reload it, or say --unsafe-database.",
                    server, answer.bytes(row, 0)));
  }
  return losses;
}

}  // namespace chirp::postgres
