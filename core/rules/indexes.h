// What the records of a store say of the rows of its indexes, and the other way round, for stores
// that keep the tables of core/ports/tables.h one by one: doctor names what is not so, and repair
// puts it right. The reverse direction of follow edges is among them.
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

// Rows as they have to be. Keys without a row have to go.
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
  // Adds what is wrong of the next rows. May be done again, as rules are.
  virtual void look(const RowReader& rows, Fixes& fixes) = 0;
  // Moves on behind them; false at the end.
  [[nodiscard]] virtual bool go_on() = 0;
};
// Indexes before their records, since a row that says something wrong goes first.
[[nodiscard]] std::vector<std::unique_ptr<IndexWalk>> index_walks();

// Moves the push-from marks that do not go with the policy in force, as at a change of policy. The
// number of marks moved.
[[nodiscard]] std::size_t settle_marks(Rows& rows);

}  // namespace chirp::rules
