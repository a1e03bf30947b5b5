// Checks the pages of data.mdb. LMDB trusts them: a write to damaged pages can damage others, or
// end the process.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "store/lmdb/env.h"

namespace chirp::lmdb {

// Reads all pages of the newest state and returns what is wrong with the first damaged one, or
// empty. Does not check the contents of records. Other processes may write meanwhile.
[[nodiscard]] std::optional<std::string> page_fault(const std::shared_ptr<Env>& env);

}  // namespace chirp::lmdb
