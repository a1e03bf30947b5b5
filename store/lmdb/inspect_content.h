// What is wrong with reactions, comments and their indexes, and putting it right.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// One line for each record that fails its check, and each index that does not say what the records
// say.
[[nodiscard]] std::vector<std::string> content_problems(const Txn& txn, const StoredState& state);
// Makes the indexes say what the records say. The number of rows put right.
[[nodiscard]] std::uint64_t mend_content(Batch& batch);

}  // namespace chirp::lmdb
