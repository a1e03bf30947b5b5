// What each change of core/ports/storage.h does to the tables.
#pragma once

#include <cstdint>

#include "core/ports/storage.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

[[nodiscard]] Outcome apply(Batch& batch, const PutCard& change);
[[nodiscard]] Outcome apply(Batch& batch, const Publish& change);
[[nodiscard]] Outcome apply(Batch& batch, const RemovePost& change);
[[nodiscard]] Outcome apply(Batch& batch, const Follow& change);
[[nodiscard]] Outcome apply(Batch& batch, const Unfollow& change);
[[nodiscard]] Outcome apply(Batch& batch, const Relate& change);
[[nodiscard]] Outcome apply(Batch& batch, const Unrelate& change);
[[nodiscard]] Outcome apply(Batch& batch, const MarkRemoved& change);

}  // namespace chirp::lmdb
