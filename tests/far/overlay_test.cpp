// Goal: what a rule finds over a far store is what it would find in the store itself, whatever the
// rule has put before, and however little is asked for at once.
// Method: random puts, erasures, finds and ranges over an overlay, answered by a map, and on a map.
#include "core/far/overlay.h"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/support/seeds.h"
#include "tests/support/thrown.h"

namespace chirp::test::overlay_test {
namespace {

using tables::Removals;
using tables::RepostsOf;

constexpr Time kNow{snowflake::kEpochMs + 1000};
constexpr std::uint32_t kKeys = 12;

using Map = std::map<RepostsOf::Key, PostId>;
using Found = std::vector<std::pair<RepostsOf::Key, PostId>>;

RepostsOf::Key key_of(std::uint64_t number) {
  return {PostId{1 + number / 4}, UserNumber{static_cast<std::uint32_t>(1 + number % 4)}};
}

Found range_of(const Map& map, const KeyRange<RepostsOf>& range, Direction direction,
               std::uint32_t limit) {
  Found found;
  for (const auto& [key, id] : map) {
    if (key >= range.first && key <= range.last) found.emplace_back(key, id);
  }
  if (direction == Direction::kDown) std::reverse(found.begin(), found.end());
  if (found.size() > limit) found.resize(limit);
  return found;
}

void answer(const Map& map, const far::MissingRows& lacked, far::Known& known) {
  for (const auto& [bytes, any] : lacked.keys) {
    const auto& key = key_of<RepostsOf>(any);
    const auto at = map.find(key);
    known.rows.learn<RepostsOf>(key, at == map.end() ? std::nullopt : std::optional(at->second));
  }
  for (const auto& [stretch, range] : lacked.ranges) {
    std::vector<AnyRow> rows;
    for (const auto& [key, id] :
         range_of(map, {key_of<RepostsOf>(range.first), key_of<RepostsOf>(range.last)},
                  stretch.direction, range.limit)) {
      rows.push_back(any_row<RepostsOf>(key, &id));
    }
    known.rows.learn(stretch, range.limit, rows);
  }
}

// A rule of random calls: what it found, on any rows.
struct Call {
  int kind = 0;
  RepostsOf::Key first;
  RepostsOf::Key last;
  Direction direction = Direction::kUp;
  std::uint32_t limit = 0;
  PostId put;
};

std::vector<Call> some_calls(std::mt19937_64& random) {
  std::vector<Call> calls;
  for (int i = 0; i < 14; ++i) {
    calls.push_back({static_cast<int>(random() % 5), key_of(random() % kKeys),
                     key_of(random() % kKeys),
                     random() % 2 == 0 ? Direction::kUp : Direction::kDown,
                     static_cast<std::uint32_t>(random() % 5), PostId{100 + random() % 50}});
  }
  return calls;
}

// The same calls on a map.
Found on_map(Map& map, const std::vector<Call>& calls) {
  Found found;
  for (const Call& call : calls) {
    const auto at = map.find(call.first);
    if (call.kind == 0) {
      map[call.first] = call.put;
    } else if (call.kind == 1) {
      found.emplace_back(call.first, PostId{map.erase(call.first)});
    } else if (call.kind == 2) {
      map.erase(call.first);
    } else if (call.kind == 3) {
      found.emplace_back(call.first, at == map.end() ? PostId{} : at->second);
    } else {
      const auto some = range_of(map, {call.first, call.last}, call.direction, call.limit);
      found.insert(found.end(), some.begin(), some.end());
    }
  }
  return found;
}

Found on_rows(Rows& rows, const std::vector<Call>& calls) {
  Found found;
  for (const Call& call : calls) {
    if (call.kind == 0) {
      rows.put(call.first, call.put);
    } else if (call.kind == 1) {
      found.emplace_back(call.first, PostId{rows.erase(call.first) ? 1u : 0u});
    } else if (call.kind == 2) {
      rows.discard(call.first);
    } else if (call.kind == 3) {
      found.emplace_back(call.first, rows.find(call.first).value_or(PostId{}));
    } else {
      const auto some = rows.range(call.first, call.last, call.direction, call.limit);
      found.insert(found.end(), some.begin(), some.end());
    }
  }
  return found;
}

void keep(Map& map, const far::Written& written) {
  for (const auto& [bytes, any] : written.rows) {
    const auto& key = key_of<RepostsOf>(any);
    map.erase(key);
    if (const PostId* const row = row_of<RepostsOf>(any)) map[key] = *row;
  }
}

Map some_map(std::mt19937_64& random) {
  Map map;
  for (std::uint64_t i = 0; i < kKeys; ++i) {
    if (random() % 2 == 0) map[key_of(i)] = PostId{i};
  }
  return map;
}

}  // namespace

TEST_CASE("overlay: rules find in it what they would find in the store") {
  const std::uint64_t seed = first_seed();
  for (std::uint64_t world = seed; world < seed + worlds_or(20'000); ++world) {
    std::mt19937_64 random(world);
    const Map stored = some_map(random);
    const auto calls = some_calls(random);
    Map wanted = stored;
    const Found found = on_map(wanted, calls);
    far::Overlay overlay(StoreState{}, {kNow, snowflake::kMachineDefault});
    Found seen;
    far::settle(
        overlay,
        [&](Rows& rows) {
          seen = on_rows(rows, calls);
          return true;
        },
        [&](const far::MissingRows& lacked, far::Known& known) { answer(stored, lacked, known); });
    Map kept = stored;
    keep(kept, overlay.written());
    INFO("CHIRP_SEED=" << world << " CHIRP_WORLDS=1 shows it again");
    REQUIRE(seen == found);
    REQUIRE(kept == wanted);
  }
}

TEST_CASE("overlay: what a run that lacked something threw or put is forgotten") {
  far::Overlay overlay(StoreState{}, {kNow, snowflake::kMachineDefault});
  int runs = 0;
  const bool changed = far::settle(
      overlay,
      [&](Rows& rows) {
        rows.mint();
        rows.put(Removals::Key{UserNumber{static_cast<std::uint32_t>(++runs)}}, {});
        if (!rows.find(RepostsOf::Key{PostId{1}, UserNumber{1}})) {
          throw Error(ErrorCode::kCorrupt, "it is there");
        }
        return true;
      },
      [](const far::MissingRows& lacked, far::Known& known) {
        answer({{RepostsOf::Key{PostId{1}, UserNumber{1}}, PostId{2}}}, lacked, known);
      });
  CHECK(changed);
  CHECK(runs == 2);
  CHECK(overlay.written().rows.size() == 1);
  CHECK(overlay.written().rows.contains(bytes_of<Removals>({UserNumber{2}})));
  CHECK(overlay.written().state.last_id.value ==
        snowflake::next(kNow, 0, snowflake::kMachineDefault));
}

TEST_CASE("overlay: what a run that lacked nothing throws is thrown") {
  far::Overlay overlay(StoreState{}, {kNow, snowflake::kMachineDefault});
  const auto run = [&] {
    far::settle(
        overlay,
        [](Rows& rows) -> bool {
          (void)rows.find(RepostsOf::Key{PostId{1}, UserNumber{1}});
          throw Error(ErrorCode::kAlreadyExists, "no");
        },
        [](const far::MissingRows& lacked, far::Known& known) { answer({}, lacked, known); });
  };
  CHECK(code_of(run) == ErrorCode::kAlreadyExists);
}

TEST_CASE("overlay: a store that answers nothing is found out") {
  far::Overlay overlay(StoreState{}, {kNow, snowflake::kMachineDefault});
  int rounds = 0;
  const auto run = [&] {
    far::settle(
        overlay, [](Rows& rows) { return rows.present(UserNumber{1}); },
        [&](const far::MissingRows&, far::Known&) { ++rounds; });
  };
  CHECK(code_of(run) == ErrorCode::kCorrupt);
  CHECK(rounds == 1);
}

}  // namespace chirp::test::overlay_test
