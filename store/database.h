// A data directory in a PostgreSQL database.
#pragma once

#include <cstdint>
#include <memory>

#include "store/data_directory.h"

namespace chirp::store {

// Throws what DataDirectory::open throws.
[[nodiscard]] std::unique_ptr<DataDirectory> open_database(const DataPlace& place);

// Whether the database has chirp's tables. Throws connection errors.
[[nodiscard]] bool is_made_database(const DataPlace& place);

struct MadeDatabase {
  Created created = Created::kThere;
  std::uint32_t machine = 0;  // the machine that the database has now
};

// Makes the tables with this machine, unless they exist. Throws what make_data_directory throws.
MadeDatabase make_database(const DataPlace& place, std::uint32_t machine, const Spread& spread);

}  // namespace chirp::store
