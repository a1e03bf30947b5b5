// What one write transaction asks and puts: rows that the rules lack, and all that they have put.
#pragma once

#include <cstdint>
#include <span>

#include "core/far/overlay.h"
#include "store/postgres/edges.h"
#include "store/postgres/keys.h"
#include "store/postgres/questions.h"
#include "store/postgres/turn.h"

namespace chirp::postgres {

class Batch {
 public:
  // Both outlive it.
  Batch(WriteTurn& turn, const Placing& placing) : turn_(turn), placing_(placing) {}

  // One round trip, and more where answers lead to questions: edges that fill several chunks, and
  // chains of comments.
  void fetch(const far::Lacked& lacked, far::Known& known);
  // Commits all that was put; `writer` says whose commit it is. Timelines that have grown are put
  // in order at once.
  void commit(far::Overlay& overlay, std::int64_t writer);
  // Says how many follows there are, as they are counted then: a commit of its own. True if it was
  // another number.
  [[nodiscard]] bool recount_follows(std::int64_t writer);

 private:
  [[nodiscard]] Questions questions();
  // The rows of one table.
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
