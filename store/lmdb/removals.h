// The remaining rows of a removed user.
#pragma once

#include <string_view>
#include <vector>

#include "core/model/ids.h"
#include "core/ports/store_state.h"
#include "store/lmdb/txn.h"

namespace chirp::lmdb {

// See Snapshot::traces_of.
[[nodiscard]] std::vector<std::string_view> traces_of(const Txn& txn, const StoreState& state,
                                                      UserNumber user);

}  // namespace chirp::lmdb
