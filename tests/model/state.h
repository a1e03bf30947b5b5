// Everything the model of a store keeps: a plain map for each table, timelines, and the few numbers
// of the state.
//
// A value: copying it is what makes a snapshot. No call here locks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/ports/rows.h"
#include "core/rules/content.h"

namespace chirp::model {

template <class T>
using MapOf = std::map<typename T::Key, typename T::Row>;

template <class Tables>
struct MapsOf;
template <class... T>
struct MapsOf<TableList<T...>> {
  using Type = std::tuple<MapOf<T>...>;
};

// What an idempotency key made, and of which request.
struct KeptRequest {
  Time since;
  PostId post;
  std::string canonical;
};

struct State {
  std::uint32_t machine = snowflake::kMachineDefault;
  StoreState scalars;
  MapsOf<AllTables>::Type tables;
  std::map<UserNumber, Timeline> timelines;
  std::map<std::pair<UserNumber, std::string>, KeptRequest> requests;
};

template <class T>
[[nodiscard]] MapOf<T>& table(State& state) {
  return std::get<MapOf<T>>(state.tables);
}
template <class T>
[[nodiscard]] const MapOf<T>& table(const State& state) {
  return std::get<MapOf<T>>(state.tables);
}

template <class T>
[[nodiscard]] std::optional<typename T::Row> find(const State& state, const typename T::Key& key) {
  const auto found = table<T>(state).find(key);
  if (found == table<T>(state).end()) return std::nullopt;
  return found->second;
}

// See TableReader::range.
template <class T>
[[nodiscard]] std::vector<std::pair<typename T::Key, typename T::Row>> range(
    const State& state, const typename T::Key& first, const typename T::Key& last,
    Direction direction, std::uint32_t limit) {
  const MapOf<T>& map = table<T>(state);
  const auto from = map.lower_bound(first);
  const auto to = first > last ? from : map.upper_bound(last);
  std::vector<std::pair<typename T::Key, typename T::Row>> rows;
  if (direction == Direction::kUp) {
    for (auto at = from; at != to && rows.size() < limit; ++at) rows.push_back(*at);
  } else {
    for (auto at = to; at != from && rows.size() < limit;) rows.push_back(*--at);
  }
  return rows;
}

// Whether the user has a card and is not removed.
[[nodiscard]] inline bool kept(const State& state, UserNumber user) {
  const auto card = find<tables::Cards>(state, {user});
  return card && card->presence != Presence::kRemoved;
}

}  // namespace chirp::model
