// Goal: the table of ids is a map, whatever the ids.
// Method: beside a std::map, over many clustered and scattered ids.
#include "core/load/id_table.h"

#include <map>

#include <doctest/doctest.h>

#include "core/load/seed_random.h"

namespace chirp::load {

TEST_CASE("id table: slots are dense, and the same id has the same slot") {
  IdTable table(100'000);
  std::map<std::uint64_t, Slot> model;
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    const std::uint64_t random = mixed(i);
    const std::uint64_t id = i % 3 == 0   ? random % 30'000
                             : i % 3 == 1 ? (random % 30'000) << 33
                                          : ~std::uint64_t{0} - random % 30'000;
    const auto [known, added] = model.emplace(id, static_cast<Slot>(model.size()));
    const Slot slot = table.slot_of(SourceId{id});
    REQUIRE(slot == known->second);
    REQUIRE(table.id(slot).value == id);
    if (added) REQUIRE(table.number(slot) == kNobody);
  }
  CHECK(table.size() == model.size());
  table.set_number(5, UserNumber{7});
  CHECK(table.number(5) == UserNumber{7});
  table.clear();
  CHECK(table.size() == 0);
  CHECK(table.slot_of(SourceId{99}) == 0);
  CHECK(table.number(0) == kNobody);
}

TEST_CASE("id table: it says when it is full") {
  IdTable table(3);
  CHECK(table.has_room(3));
  CHECK_FALSE(table.has_room(4));
  table.slot_of(SourceId{0});
  table.slot_of(SourceId{1});
  CHECK(table.has_room(1));
  CHECK_FALSE(table.has_room(2));
}

TEST_CASE("id table: so many ids that their buckets stop growing are found, and forgotten") {
  constexpr std::uint32_t kMost = 2'400'000;
  constexpr std::uint64_t kStep = 0x9E37'79B9'7F4A'7C15;  // odd: no two of the products are equal
  IdTable table(kMost);
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < kMost; ++i) {
      if (table.slot_of(SourceId{i * kStep}) != i) FAIL(i);
    }
    CHECK_FALSE(table.has_room(1));
    for (std::uint32_t i = 0; i < kMost; i += 7) {
      if (table.slot_of(SourceId{i * kStep}) != i) FAIL(i);
      table.set_number(i, UserNumber{i + 1});
    }
    CHECK(table.number(kMost / 7 * 7 - 7) == UserNumber{kMost / 7 * 7 - 6});
    CHECK_FALSE(table.find(SourceId{kMost * kStep}));
    table.clear();
    CHECK(table.size() == 0);
    CHECK(table.has_room(kMost));
    CHECK_FALSE(table.find(SourceId{kStep}));
  }
}

}  // namespace chirp::load
