// The rows of one write transaction, straight from LMDB.
#pragma once

#include <cstddef>
#include <memory>

#include "core/ports/rows.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

inline constexpr std::size_t kAllEdges = ~std::size_t{0};

// `edges_at_most`: what a transaction of a load may take, whatever it writes to. `batch` must
// outlive the rows.
[[nodiscard]] std::unique_ptr<Rows> rows_of(Batch& batch, std::size_t edges_at_most = kAllEdges);

}  // namespace chirp::lmdb
