// What is wrong with reactions, comments and their indexes, and putting it right.
#pragma once

#include <string>
#include <vector>

#include "store/lmdb/mending.h"

namespace chirp::lmdb {

// One line for each record that fails its check, and each index that does not say what the records
// say.
[[nodiscard]] std::vector<std::string> content_problems(const Txn& txn, const StoredState& state);
// Make the indexes say what the records say.
[[nodiscard]] std::vector<MendingStep> content_steps();

}  // namespace chirp::lmdb
