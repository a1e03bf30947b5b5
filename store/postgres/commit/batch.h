// The reads and writes of one write transaction: fetches rows that the rules lack, and commits rows
// that they have put.
#pragma once

#include <cstdint>
#include <span>

#include "core/far/overlay.h"
#include "store/postgres/commit/turn.h"
#include "store/postgres/rows/edges.h"
#include "store/postgres/rows/keys.h"
#include "store/postgres/rows/questions.h"

namespace chirp::postgres {

class Batch {
 public:
  // Both must outlive the batch.
  Batch(WriteTurn& turn, const Placing& placing) : turn_(turn), placing_(placing) {}

  // Takes one round trip, or more where a result leads to further queries: edges across several
  // chunks, and chains of comments.
  void fetch(const far::MissingRows& lacked, far::Known& known);
  // Commits all rows that were put, under the writer's number `writer`. Compacts timelines that
  // have grown in the same transaction.
  void commit(far::Overlay& overlay, std::int64_t writer);
  // Stores the number of follows, counted anew in a commit of its own. Returns whether it changed.
  [[nodiscard]] bool recount_follows(std::int64_t writer);

 private:
  [[nodiscard]] Questions questions();
  // Rows of one table.
  using Span = std::span<const AnyRow* const>;
  void write_table(const StoredTable& table, Span rows, const far::KnownRows& known);
  std::int64_t write_edges(const far::Written& written);

  WriteTurn& turn_;
  const Placing& placing_;
  EdgeChunks chunks_;
  StaleTimes stale_times_;
  Writes writes_;
};

}  // namespace chirp::postgres
