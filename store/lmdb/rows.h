// The rows of a write transaction, directly from LMDB.
#pragma once

#include <cstddef>
#include <memory>

#include "core/ports/rows.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// The limit of edges that a load may write in one transaction, and the number it wrote.
struct EdgeBudget {
  std::size_t at_most = ~std::size_t{0};
  std::size_t taken = 0;
};

// `batch`, and `budget` if given, must outlive the rows.
[[nodiscard]] std::unique_ptr<Rows> rows_of(Batch& batch, EdgeBudget* budget = nullptr);

}  // namespace chirp::lmdb
