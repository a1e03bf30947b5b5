// The rows of one transaction of a dry run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cli/load/rehearsal/storage.h"
#include "core/far/overlay.h"

namespace chirp::cli::rehearsal {

class RehearsedRows final : public far::Overlay {
 public:
  // The caller holds the storage's turn.
  RehearsedRows(RehearsedStorage& storage, const Snapshot& snapshot, const Turn& turn)
      : Overlay(storage.state_, turn), storage_(storage), snapshot_(snapshot) {}

  // Fetches the rows that a run lacked.
  void fetch(const far::MissingRows& lacked, far::Known& known) const;
  // New follows, sorted.
  [[nodiscard]] const std::vector<std::uint64_t>& added() const { return added_; }

  [[nodiscard]] std::optional<Presence> presence(UserNumber user) const override;
  // Fetches all rows that the rules will read for these edges.
  [[nodiscard]] std::size_t edges_that_fit(std::span<const LoadedEdge> edges) const override;
  std::span<const UserNumber> add_edges(EdgeSide side, UserNumber user,
                                        std::span<const Edge> others) override;

  void find_rows(const TableType& type, std::span<const void* const> keys,
                 std::span<void* const> found) const override;
  std::size_t find_ranges(const TableType& type, std::span<const AnyEnds> wanted,
                          Direction direction, std::uint32_t limit, std::uint64_t enough,
                          std::span<void* const> found) const override;
  void put_row(const TableType& type, const void* key, const void* row) override;
  bool erase_row(const TableType& type, const void* key) override;
  void discard_row(const TableType& type, const void* key) override;

 private:
  void find_present(std::span<const LoadedEdge> edges) const;
  void find_there(std::span<const std::uint64_t> keys) const;
  void find_blocking() const;

  RehearsedStorage& storage_;
  const Snapshot& snapshot_;
  mutable std::vector<std::uint64_t> there_;  // among the given edges, sorted
  mutable std::vector<std::uint64_t> added_;
  std::vector<UserNumber> fresh_;
};

}  // namespace chirp::cli::rehearsal
