// The numbers that stand for a whole state, as each commit keeps them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/store_state.h"
#include "store/postgres/questions.h"

namespace chirp::postgres {

struct StoredState : StoreState {
  std::int64_t follows = 0;  // edges there are, counted along
  std::int64_t marks = 0;    // the newest commit that has changed marks
  std::int64_t writer = 0;   // of the commit itself
  // Of each group, from 1 on, the newest commit that has written there; empty in one database.
  std::vector<std::int64_t> touched{};
};

[[nodiscard]] std::string packed_state(const StoredState& state);
[[nodiscard]] StoredState unpack_state(std::string_view bytes, std::uint64_t number);
[[nodiscard]] Point point_of(const StoredState& state);

// The newest commit.
inline constexpr std::string_view kNewest =
    "select n, marks, state, writer, touched from commits where published order by n desc limit 1";
[[nodiscard]] StoredState newest_in(const Result& result);
// The first event that a reader may ask for to know what consumers have yet to take in.
[[nodiscard]] Sequence first_pending(const StoredState& state);

// A column that holds a user's number.
[[nodiscard]] inline UserNumber user_in(const Result& result, int row, int column) {
  return UserNumber{static_cast<std::uint32_t>(result.number(row, column))};
}

// Another each time, in every process: of who writes and of who reads.
[[nodiscard]] std::int64_t fresh_number();

}  // namespace chirp::postgres
