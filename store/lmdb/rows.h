// The rows of one write transaction, straight from LMDB.
#pragma once

#include <cstddef>
#include <memory>

#include "core/ports/rows.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// What a load may take of edges in one transaction, whatever it writes to, and how many it took.
struct EdgeBudget {
  std::size_t at_most = ~std::size_t{0};
  std::size_t taken = 0;
};

// `batch`, and `budget` if it is given, must outlive the rows.
[[nodiscard]] std::unique_ptr<Rows> rows_of(Batch& batch, EdgeBudget* budget = nullptr);

}  // namespace chirp::lmdb
