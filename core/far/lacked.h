// What a run of a rule asked for and was not there yet: the questions of one round to a store that
// is far away, by table and by type.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "core/ports/rows.h"

namespace chirp::far {

// `Of` for each table.
template <template <class> class Of, class Tables>
struct Each;
template <template <class> class Of, class... T>
struct Each<Of, TableList<T...>> {
  using Type = std::tuple<Of<T>...>;
};
template <template <class> class Of>
using PerTable = typename Each<Of, AllTables>::Type;

// Calls `visit` with what is kept of each table; `Table` in it says of which.
template <class Tuple, class Visit>
void for_each_table(Tuple&& tables, Visit visit) {
  std::apply([&](auto&... each) { (visit(each), ...); }, tables);
}

// A range of rows as a rule asks for it, but for how many.
template <class T>
struct Stretch {
  typename T::Key first;
  typename T::Key last;
  Direction direction = Direction::kUp;
  auto operator<=>(const Stretch&) const = default;
};

template <class T>
struct LackedOf {
  using Table = T;
  std::set<typename T::Key> keys;
  std::map<Stretch<T>, std::uint32_t> ranges;  // with their limits
  bool operator==(const LackedOf&) const = default;
};

struct RequestKey {
  UserNumber user;
  std::string key;
  std::string canonical;
  auto operator<=>(const RequestKey&) const = default;
};

struct Lacked {
  PerTable<LackedOf> tables;
  // The comments with these ids, and those above them as long as they are removed, each with its
  // replies: two of them at least, if there are so many.
  std::set<CommentId> chains;
  std::set<UserNumber> timelines;                         // their heads
  std::set<RequestKey> requests;                          // whether they came before
  std::map<StaleRequests, std::uint32_t> stale_requests;  // how many, up to a limit

  bool operator==(const Lacked&) const = default;
};

template <class T>
[[nodiscard]] LackedOf<T>& of(Lacked& lacked) {
  return std::get<LackedOf<T>>(lacked.tables);
}

}  // namespace chirp::far
