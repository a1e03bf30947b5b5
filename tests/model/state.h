// Everything the model of a store keeps: a plain map of all rows, timelines, and the few numbers of
// the state.
//
// A value: copying it is what makes a snapshot. No call here locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/ports/rows.h"
#include "core/rules/content.h"

namespace chirp::model {

// What an idempotency key made, and of which request.
struct KeptRequest {
  Time since;
  PostId post;
  std::string canonical;
};

struct State {
  std::uint32_t machine = snowflake::kMachineDefault;
  StoreState scalars;
  AnyRows rows;
  std::map<UserNumber, Timeline> timelines;
  std::map<std::pair<UserNumber, std::string>, KeptRequest> requests;
};

// The rows of one table, in the order of their keys. The state outlives it.
template <class T>
class TableRows {
 public:
  using Key = typename T::Key;
  using Row = typename T::Row;

  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = std::pair<const Key&, const Row&>;

    Iterator() = default;
    explicit Iterator(AnyRows::const_iterator at) : at_(at) {}
    value_type operator*() const { return {key_of<T>(at_->second), *row_of<T>(at_->second)}; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    bool operator==(const Iterator&) const = default;

   private:
    AnyRows::const_iterator at_;
  };

  explicit TableRows(const AnyRows& rows)
      : rows_(&rows), ends_(rows_of_table(rows, table_type<T>())) {}
  [[nodiscard]] Iterator begin() const { return Iterator(ends_.first); }
  [[nodiscard]] Iterator end() const { return Iterator(ends_.second); }
  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(std::distance(ends_.first, ends_.second));
  }
  [[nodiscard]] bool contains(const Key& key) const { return rows_->contains(bytes_of<T>(key)); }
  [[nodiscard]] Iterator lower_bound(const Key& key) const {
    return Iterator(rows_->lower_bound(bytes_of<T>(key)));
  }

 private:
  const AnyRows* rows_;
  std::pair<AnyRows::const_iterator, AnyRows::const_iterator> ends_;
};

template <class T>
[[nodiscard]] TableRows<T> table(const State& state) {
  return TableRows<T>(state.rows);
}

template <class T>
[[nodiscard]] std::optional<typename T::Row> find(const State& state, const typename T::Key& key) {
  const auto found = state.rows.find(bytes_of<T>(key));
  return found == state.rows.end() ? std::nullopt : found_in<T>(found->second);
}

// See RowReader.
inline void find_rows(const State& state, const TableType& type, std::span<const void* const> keys,
                      std::span<void* const> found) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto at = state.rows.find(type.bytes(keys[i]));
    if (at != state.rows.end()) type.assign(found[i], at->second.row);
  }
}
inline std::size_t find_ranges(const State& state, const TableType& type,
                               std::span<const AnyEnds> wanted, Direction direction,
                               std::uint32_t limit, std::uint64_t enough,
                               std::span<void* const> found) {
  std::uint64_t rows = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::string first = type.bytes(wanted[i].first);
    const std::string last = type.bytes(wanted[i].last);
    const auto from = state.rows.lower_bound(first);
    const auto to = last < first ? from : state.rows.upper_bound(last);
    std::uint32_t left = limit;
    const auto take = [&](const AnyRow& row) {
      type.append(found[i], row.key, row.row);
      --left;
      ++rows;
    };
    if (direction == Direction::kUp) {
      for (auto at = from; at != to && left != 0; ++at) take(at->second);
    } else {
      for (auto at = to; at != from && left != 0;) take((--at)->second);
    }
    if (rows >= enough) return i + 1;
  }
  return wanted.size();
}

// Whether the user has a card and is not removed.
[[nodiscard]] inline bool kept(const State& state, UserNumber user) {
  const auto card = find<tables::Cards>(state, {user});
  return card && card->presence != Presence::kRemoved;
}

}  // namespace chirp::model
