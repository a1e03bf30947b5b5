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
[[nodiscard]] Outcome apply(Batch& batch, const MarkRemoved& change);

// See Storage::remove_traces.
[[nodiscard]] bool remove_some_traces(Batch& batch, UserNumber user, std::uint32_t rows);

}  // namespace chirp::lmdb
