// Goal: the bytes of a timeline say which entries it has, as they said it before authors were named
// once, and damage is found. Method: entries of chance there and back, bytes put together by hand,
// and the entries themselves as the oracle.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "store/postgres/rows/packed.h"
#include "store/postgres/rows/timeline_runs.h"
#include "tests/support/seeds.h"

namespace chirp::test::postgres_timeline_runs_test {
namespace {

using postgres::entries_in;
using postgres::packed_run;

// Newest first, of so many authors, some of whom have the largest numbers there are.
std::vector<Entry> some_entries(std::mt19937_64& random, std::size_t count, std::uint32_t authors) {
  std::vector<Entry> entries;
  std::uint64_t id = std::uint64_t{1} << 62;
  for (std::size_t i = 0; i < count; ++i) {
    id -= 1 + random() % (std::uint64_t{1} << (1 + random() % 50));
    const auto author = static_cast<std::uint32_t>(random() % authors);
    entries.push_back({PostId{id}, UserNumber{author % 3 == 0 ? ~author : author + 1},
                       random() % 4 == 0 ? Origin::kBackfilled : Origin::kPushed});
  }
  return entries;
}

bool same(const std::vector<Entry>& a, const std::vector<Entry>& b) {
  return std::ranges::equal(a, b, [](const Entry& x, const Entry& y) {
    return x.id == y.id && x.author == y.author && x.origin == y.origin;
  });
}

bool is_damage(const std::string& bytes) {
  try {
    (void)entries_in(bytes);
    return false;
  } catch (const Error& error) {
    return error.code() == ErrorCode::kCorrupt;
  }
}

}  // namespace

TEST_CASE("timeline runs: what is packed comes out again, in the stored order") {
  std::mt19937_64 random(first_seed());
  for (int world = 0; world < 500; ++world) {
    std::string bytes;
    std::vector<Entry> all;
    for (std::uint64_t runs = random() % 4; runs != 0; --runs) {
      const std::uint64_t most = random() % 2 == 0 ? 12 : 400;
      const auto entries =
          some_entries(random, random() % most, 1 + static_cast<std::uint32_t>(random() % 200));
      bytes += packed_run(entries);
      all.insert(all.end(), entries.begin(), entries.end());
    }
    REQUIRE(same(entries_in(bytes), all));
  }
}

TEST_CASE("timeline runs: one that names each author is read, among others") {
  std::mt19937_64 random(first_seed());
  const auto entries = some_entries(random, 3, 5);
  constexpr std::uint64_t kSecond = std::uint64_t{1000} << 22;
  postgres::Packer older;
  older.varint(9);
  older.varint(9 * kSecond | 5);
  older.varint(4'000'000'000U * std::uint64_t{2} | 1);
  std::vector<Entry> expected{
      {PostId{9 * kSecond | 5}, UserNumber{4'000'000'000U}, Origin::kBackfilled}};
  for (std::uint64_t i = 8; i > 0; --i) {
    older.varint(1000 << 1);
    older.varint(7 << 1);
    expected.push_back({PostId{i * kSecond | 5}, UserNumber{7}, Origin::kPushed});
  }
  expected.insert(expected.begin(), entries.begin(), entries.end());
  CHECK(same(entries_in(packed_run(entries) + older.bytes()), expected));
}

TEST_CASE("timeline runs: a long one takes the room of few names") {
  std::vector<Entry> entries;
  std::uint64_t id = std::uint64_t{1} << 62;
  for (std::uint32_t i = 0; i < 128; ++i) {
    id -= std::uint64_t{3'600'000} << 22;
    entries.push_back({PostId{id}, UserNumber{1'000'000 + i * i % 19}, Origin::kPushed});
  }
  // Four bytes for an hour, and one for most authors.
  CHECK(packed_run(entries).size() < entries.size() * 6);
}

TEST_CASE("timeline runs: what is cut off or points before its run is damage") {
  std::mt19937_64 random(first_seed());
  const std::string bytes = packed_run(some_entries(random, 20, 4));
  for (std::size_t i = 1; i < bytes.size(); ++i) CHECK(is_damage(bytes.substr(0, i)));
  const auto pointing = [](std::uint64_t back) {
    postgres::Packer run;
    run.varint((1U << 21) - 1);
    run.varint(2);
    for (const std::uint64_t author : {std::uint64_t{7} << 1, back << 1 | 1}) {
      run.varint(std::uint64_t{1} << 62);
      run.varint(author << 1);
    }
    return run.bytes();
  };
  CHECK(is_damage(pointing(0)));
  CHECK(is_damage(pointing(2)));
  CHECK(is_damage(packed_run(some_entries(random, 20, 4)) + pointing(3)));
}

}  // namespace chirp::test::postgres_timeline_runs_test
