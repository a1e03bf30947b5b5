// The rows that a dry run has written, of the tables that loads read: packed if there are many.
// Also the erased keys. Rows of other tables, such as logs and counters, are not kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>

#include "cli/load/rehearsal/edge_set.h"
#include "cli/load/rehearsal/newcomers.h"
#include "cli/load/rehearsal/sorted_table.h"
#include "core/load/words.h"
#include "core/ports/row_reader.h"

namespace chirp::cli::rehearsal {

class Memory {
 public:
  // The cards of new users are made from `users`.
  Memory(const Newcomers& users, load::Words& words) : users_(users), words_(words) {}

  // Whether rows of the table are kept.
  [[nodiscard]] static bool keeps(const TableType& type);

  // What is known about a key: nothing, a row (stored into `found` as by RowReader), or that it was
  // erased.
  enum class Known : std::uint8_t { kNothing, kRow, kGone };
  [[nodiscard]] Known find(const TableType& type, const void* key, void* found) const;
  // The rows of a range, from `below`, unless it is null, and from here. For RowReader.
  void range(const TableType& type, const AnyEnds& ends, Direction direction, std::uint32_t limit,
             const RowReader* below, void* pairs) const;
  // A null row erases the key.
  void put(const TableType& type, const void* key, const void* row);

  [[nodiscard]] EdgeSet& edges() { return edges_; }
  [[nodiscard]] const EdgeSet& edges() const { return edges_; }
  // Returns the approximate size in bytes.
  [[nodiscard]] std::size_t bytes() const;

 private:
  template <class T>
  [[nodiscard]] Known find_packed(const typename T::Key& key, void* found) const;
  template <class T>
  void merge(const AnyEnds& ends, Direction direction, std::uint32_t limit, const RowReader* below,
             void* pairs) const;
  [[nodiscard]] Known find_user(const TableType& type, const void* key, void* found) const;
  [[nodiscard]] tables::PostSources::Key key_of_word(const void* key) const;

  const Newcomers& users_;
  load::Words& words_;
  EdgeSet edges_;
  std::tuple<SortedTable<tables::Posts>, SortedTable<tables::PostSources>,
             SortedTable<tables::RepostsOf>, SortedTable<tables::Comments>,
             SortedTable<tables::Reactions>>
      packed_;
  AnyRows others_;  // of other tables, and the erased keys of all tables
};

}  // namespace chirp::cli::rehearsal
