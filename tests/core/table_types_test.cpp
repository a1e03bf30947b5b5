// Goal: code that serves all tables alike finds rows in the order that their keys have.
// Method: for each table random keys with small, large and equal fields, compared as keys and as
// bytes; and the steps of each type on rows that differ.
#include "core/ports/table_types.h"

#include <limits>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "tests/support/seeds.h"

namespace chirp::test {
namespace {

template <class Number>
Number draw(std::mt19937_64& random) {
  constexpr Number kMost = std::numeric_limits<Number>::max();
  const Number ends[] = {0, 1, 127, 128, 255, 256, kMost / 2, kMost - 1, kMost};
  return random() % 2 == 0 ? ends[random() % std::size(ends)] : static_cast<Number>(random());
}
template <class Tag, class Number>
void fill(StrongId<Tag, Number>& id, std::mt19937_64& random) {
  id.value = draw<Number>(random);
}
void fill(Relation& relation, std::mt19937_64& random) {
  relation = static_cast<Relation>(random() % 3);
}
void fill(std::string& text, std::mt19937_64& random) {
  text.clear();
  for (auto left = random() % 4; left > 0; --left) text += static_cast<char>(random() % 256);
}

template <class T>
typename T::Key some_key(std::mt19937_64& random) {
  typename T::Key key;
  with_fields(key, [&](auto&... fields) { (fill(fields, random), ...); });
  return key;
}

template <class T>
void check_order(std::mt19937_64& random) {
  for (int i = 0; i < 200; ++i) {
    const auto a = some_key<T>(random);
    auto b = some_key<T>(random);
    // Half of the pairs begin with the same field, so that the second one decides.
    if (i % 2 == 0) {
      with_fields(b, [&](auto& first, auto&... /*rest*/) {
        with_fields(a, [&](const auto& other, const auto&... /*rest*/) { first = other; });
      });
    }
    const std::string bytes_a = bytes_of<T>(a);
    const std::string bytes_b = bytes_of<T>(b);
    REQUIRE((bytes_a < bytes_b) == (a < b));
    REQUIRE((bytes_a == bytes_b) == (a == b));
    REQUIRE(static_cast<unsigned char>(bytes_a.front()) == kIndexOf<T>);
  }
}

template <class... T>
void check_orders(TableList<T...> /*tables*/) {
  std::mt19937_64 random(first_seed());
  (check_order<T>(random), ...);
}

}  // namespace

TEST_CASE("table types: bytes of keys are in the order of the keys, in every table") {
  check_orders(AllTables{});
}

TEST_CASE("table types: a kept row is a copy, and says whether there is one") {
  using tables::Following;
  Following::Key key{UserNumber{7}, UserNumber{9}};
  Time since{1'000};
  const AnyRow kept = any_row<Following>(key, &since);
  const AnyRow none = any_row<Following>(key);
  key.follower = UserNumber{8};
  since.ms = 2'000;
  CHECK(key_of<Following>(kept) == Following::Key{UserNumber{7}, UserNumber{9}});
  CHECK(found_in<Following>(kept) == Time{1'000});
  CHECK(found_in<Following>(none) == std::nullopt);
  CHECK(kept.type == &table_type<Following>());
}

TEST_CASE("table types: rows of a table are never read as rows of its neighbours") {
  AnyRows rows;
  const auto add = [&](AnyRow row) { rows.emplace(row.type->bytes(row.key), row); };
  const UserNumber user{1};
  add(any_row<tables::UserIds>({UserId{5}}, &user));
  add(any_row<tables::UserWords>({std::string(2, '\xFF')}, &user));
  add(any_row<tables::UserSources>({SourceId{~std::uint64_t{0}}}, &user));
  const auto [begin, end] = rows_of_table(rows, table_type<tables::UserSources>());
  REQUIRE(std::distance(begin, end) == 1);
  CHECK(key_of<tables::UserSources>(begin->second).source == SourceId{~std::uint64_t{0}});
  const auto last = rows_of_table(rows, table_type<tables::Events>());
  CHECK(last.first == last.second);
}

}  // namespace chirp::test
