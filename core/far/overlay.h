// The rows of a transaction at a remote store: fetched rows, and over them the rows that rules have
// put.
//
// A store runs a decision over them repeatedly. A row that was not fetched yet looks missing, so
// that the run continues and notes all it needs; its results and exceptions are discarded. Once a
// run has needed nothing new, its rows are returned for writing. How a store uses it:
//
//   far::Overlay overlay(state, turn);
//   const bool changed = far::settle(overlay, decision, [&](const far::MissingRows& lacked,
//                                                           far::Known& known) {
//     // one round trip to the store, in the state at the transaction's start
//   });
//   if (changed) keep(overlay.written());
//
// One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/far/known.h"
#include "core/far/lacked.h"
#include "core/far/written.h"
#include "core/ports/storage.h"

namespace chirp::far {

class Overlay : public Rows {
 public:
  // `edges_at_most` is how many edges of a load fit one transaction.
  Overlay(const StoreState& state, const Turn& turn, std::size_t edges_at_most = ~std::size_t{0});
  ~Overlay() override;
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

  // Discards what the previous run has put and noted as missing; keeps fetched rows.
  void begin_run();
  // Moves out the missing rows of the run, because copies would be expensive.
  [[nodiscard]] MissingRows take_lacked() { return std::exchange(lacked_, {}); }
  [[nodiscard]] Known& known() { return known_; }
  [[nodiscard]] const Written& written() const { return written_; }
  // Number of edges that a load has put in this transaction, repeated ones included; 0 without a
  // load.
  [[nodiscard]] std::size_t edges_taken() const { return edges_taken_; }

  // ---- Rows
  [[nodiscard]] StoreState& state() override { return written_.state; }
  [[nodiscard]] const StoreState& state() const override { return written_.state; }
  [[nodiscard]] const Turn& turn() const override { return turn_; }
  [[nodiscard]] std::optional<Presence> presence(UserNumber user) const override;
  void expect_chain(const Comment& comment) const override;

  [[nodiscard]] std::optional<TimelineHead> timeline(UserNumber viewer) const override;
  void put_timeline(UserNumber viewer, const Timeline& timeline) override;
  bool deliver(UserNumber viewer, std::span<const Entry> entries) override;
  void note_read(UserNumber viewer, Time day) override;
  bool erase_timeline(UserNumber viewer) override;

  // An edge that is added this way is not found by its key before the transaction ends.
  std::span<const UserNumber> add_edges(EdgeSide side, UserNumber user,
                                        std::span<const Edge> others) override;
  [[nodiscard]] std::size_t edges_that_fit(std::span<const LoadedEdge> edges) const override;

  [[nodiscard]] std::optional<EarlierRequest> earlier(const KeyedRequest& request) const override;
  void remember(const KeyedRequest& request, PostId post) override;
  std::uint32_t forget_requests(const StaleRequests& which, std::uint32_t limit) override;

  void find_rows(const TableType& type, std::span<const void* const> keys,
                 std::span<void* const> found) const override;
  std::size_t find_ranges(const TableType& type, std::span<const AnyEnds> wanted,
                          Direction direction, std::uint32_t limit, std::uint64_t enough,
                          std::span<void* const> found) const override;
  void put_row(const TableType& type, const void* key, const void* row) override;
  bool erase_row(const TableType& type, const void* key) override;
  void discard_row(const TableType& type, const void* key) override;

 private:
  // The row of a key, or one without a row.
  [[nodiscard]] AnyRow row_at(const TableType& type, const void* key) const;
  [[nodiscard]] std::vector<AnyRow> range_rows(const TableType& type, const AnyEnds& ends,
                                               Direction direction, std::uint32_t limit) const;

  Turn turn_;
  std::size_t edges_at_most_;
  StoreState before_;
  Known known_;
  Written written_;
  mutable MissingRows lacked_;  // reads add to it, too
  std::vector<UserNumber> fresh_;
  mutable std::size_t edges_taken_ = 0;
};

// Fetches everything that a run has noted as missing.
using Fetch = std::function<void(const MissingRows& lacked, Known& known)>;

// Runs the decision until nothing is missing. Returns or throws what the last run did.
bool settle(Overlay& overlay, const Decision& decision, const Fetch& fetch);

}  // namespace chirp::far
