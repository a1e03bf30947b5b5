// Consistency of records and indexes, for stores that keep each table of core/ports/tables.h. The
// doctor reports differences, and repair fixes them. The reverse follow edges count as an index.
//
//   for (const auto& walk : rules::index_walks()) {
//     do {
//       rules::Fixes fixes;
//       walk->look(snapshot, fixes);
//       …
//     } while (walk->go_on());
//   }
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "core/ports/rows.h"

namespace chirp::rules {

// Rows as they must be. A key without a row must be removed.
struct Fixes {
  AnyRows rows;

  template <class T>
  void put(const typename T::Key& key, const typename T::Row& row) {
    rows.insert_or_assign(bytes_of<T>(key), any_row<T>(key, &row));
  }
  template <class T>
  void remove(const typename T::Key& key) {
    rows.insert_or_assign(bytes_of<T>(key), any_row<T>(key));
  }
};
void apply(Rows& rows, const Fixes& fixes);

// A walk over a table, a few thousand rows at a time.
class IndexWalk {
 public:
  virtual ~IndexWalk() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  // Adds what is wrong in the next rows. May be repeated, like all rules.
  virtual void look(const RowReader& rows, Fixes& fixes) = 0;
  // Advances past these rows; false at the end.
  [[nodiscard]] virtual bool go_on() = 0;
};
// Indexes come before their records, because wrong index rows must be removed first.
[[nodiscard]] std::vector<std::unique_ptr<IndexWalk>> index_walks();

// Moves the push-from marks that do not match the policy, as a change of policy does. Returns the
// number of marks moved.
[[nodiscard]] std::size_t settle_marks(Rows& rows);

}  // namespace chirp::rules
