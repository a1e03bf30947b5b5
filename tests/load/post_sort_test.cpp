// Goal: what is sorted outside of memory comes back whole, by time and then by arrival, the first
// of each source id apart from the others. Inputs in some order are not taken for inputs without.
// Method: random records and posts in runs of a few, read in short pieces, against a stable sort;
// times drawn in every usual order.
#include "core/load/post_sort.h"

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "core/load/record_runs.h"
#include "tests/support/memory_scratch.h"
#include "tests/support/seeds.h"

namespace chirp::load::post_sort_test {
namespace {

using test::MemoryScratch;
using test::ScratchCalls;

std::string some_text(std::mt19937_64& random, std::size_t most) {
  return std::string(random() % (most + 1), static_cast<char>('a' + random() % 26));
}

PostRow some_row(std::mt19937_64& random, std::uint64_t sources, std::uint64_t times) {
  PostRow row{.source = SourceId{random() % sources},
              .author = UserNumber{static_cast<std::uint32_t>(random())},
              .created_at = Time{static_cast<std::int64_t>(random() % times)},
              .text = some_text(random, random() % 50 == 0 ? 100'000 : 200)};
  row.link = static_cast<Link>(random() % 3);
  if (row.link != Link::kNone) row.target = SourceId{random()};
  row.came = static_cast<Nesting>(random() % 2);
  row.privacy = static_cast<Privacy>(random() % 3);
  for (std::uint64_t i = random() % 8; i > 4; --i) {
    row.media.push_back({MediaId{random()}, some_text(random, 30), some_text(random, 30)});
  }
  return row;
}

auto everything(const PostRow& row) {
  return std::tuple(row.source, row.author, row.created_at, row.text, row.link, row.target,
                    row.came, row.id, row.is_early, row.privacy, row.media);
}

bool are_same(const std::vector<PostRow>& found, const std::vector<PostRow>& expected) {
  return std::ranges::equal(found, expected, {}, everything, everything);
}

}  // namespace

TEST_CASE("post sort: a packed post is the same post") {
  std::mt19937_64 random(test::first_seed());
  for (int i = 0; i < 300; ++i) {
    const PostRow row = some_row(random, ~std::uint64_t{0}, 1'000'000'000'000);
    std::string bytes;
    pack(row, bytes);
    CHECK(everything(unpacked(bytes, row.created_at)) == everything(row));
  }
}

TEST_CASE("post sort: records of all runs come in order") {
  using Record = std::tuple<std::uint64_t, std::uint64_t, std::string>;
  std::mt19937_64 random(test::first_seed());
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    ScratchCalls calls;
    MemoryScratch scratch(calls);
    RecordRuns runs(scratch);
    std::vector<Record> all;
    const std::uint64_t keys = round % 3 == 0 ? 4 : ~std::uint64_t{0};
    for (std::uint64_t left = random() % 12; left > 0; --left) {
      std::vector<Record> run;
      const std::uint64_t first = all.size();
      for (std::uint64_t i = 0, count = random() % 60; i < count; ++i) {
        run.emplace_back(random() % keys, first + i, some_text(random, i == 7 ? 50'000 : 20));
      }
      std::ranges::sort(run);
      runs.begin(first);
      for (const auto& [key, number, bytes] : run) runs.add(key, number, bytes);
      runs.end();
      all.insert(all.end(), run.begin(), run.end());
    }
    std::ranges::sort(all);
    std::vector<Record> found;
    for (RecordMerge merge(runs, random() % 1'000'000); !merge.done(); merge.next()) {
      found.emplace_back(merge.key(), merge.number(), std::string(merge.bytes()));
    }
    CHECK((found == all));
  }
}

TEST_CASE("post sort: by time, then by arrival, the first of each source id apart") {
  std::mt19937_64 random(test::first_seed());
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    ScratchCalls calls;
    PostSort sort(std::make_unique<MemoryScratch>(calls),
                  {.gathered = 1 + random() % 20'000, .memory = 0, .merged = random() % 2'000});
    const std::uint64_t count = random() % 300;
    const std::uint64_t sources = 1 + random() % (round % 2 == 0 ? 300 : ~std::uint64_t{0} - 1);
    const std::uint64_t times = 1 + random() % 200;
    std::vector<PostRow> first;
    std::vector<PostRow> again;
    std::set<SourceId> seen;
    for (std::uint64_t i = 0; i < count; ++i) {
      const PostRow row = some_row(random, sources, times);
      sort.add(row);
      (seen.insert(row.source).second ? first : again).push_back(row);
    }
    CHECK(sort.is_whole());
    int ticks = 0;
    sort.finish([&] { ++ticks; });
    std::ranges::stable_sort(first, {}, &PostRow::created_at);
    std::ranges::stable_sort(again, {}, &PostRow::created_at);
    std::vector<PostRow> found;
    while (auto row = sort.next()) found.push_back(*std::move(row));
    CHECK(are_same(found, first));
    found.clear();
    while (auto row = sort.next_again()) found.push_back(*std::move(row));
    CHECK(are_same(found, again));
  }
}

TEST_CASE("post sort: once a run can't be written, it is not whole") {
  std::mt19937_64 random(1);
  ScratchCalls calls;
  calls.failing_append = 3;
  PostSort sort(std::make_unique<MemoryScratch>(calls), {.gathered = 1, .memory = 0, .merged = 1});
  sort.add(some_row(random, 9, 9));  // a run of posts, and one of their source ids
  CHECK(sort.is_whole());
  CHECK_THROWS(sort.add(some_row(random, 9, 9)));
  CHECK_FALSE(sort.is_whole());
}

namespace {

// The first group after which posts seem to come in no order; 0 if they do not.
int spread_at(const std::vector<std::int64_t>& times, std::size_t group) {
  TimeSpread spread;
  int groups = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    spread.add(Time{times[i]});
    if ((i + 1) % group != 0) continue;
    ++groups;
    if (spread.end_group()) return groups;
  }
  return 0;
}

std::vector<std::int64_t> numbers(std::int64_t count) {
  std::vector<std::int64_t> times;
  for (std::int64_t i = 0; i < count; ++i) times.push_back(i);
  return times;
}

}  // namespace

TEST_CASE("post sort: posts without an order are distinguished from those in some order") {
  constexpr std::int64_t kCount = 10'000;
  constexpr std::size_t kGroup = 500;
  std::mt19937_64 random(test::first_seed());
  const auto by_time = numbers(kCount);
  CHECK(spread_at(by_time, kGroup) == 0);
  CHECK(spread_at({by_time.rbegin(), by_time.rend()}, kGroup) == 0);
  CHECK(spread_at(std::vector<std::int64_t>(kCount, 5), kGroup) == 0);

  auto shuffled = by_time;
  std::ranges::shuffle(shuffled, random);
  CHECK(spread_at(shuffled, kGroup) == 2);

  // Nearly in order, and nearly the newest first.
  auto near = by_time;
  for (auto& time : near) time += static_cast<std::int64_t>(random() % (kGroup / 4));
  CHECK(spread_at(near, kGroup) == 0);
  CHECK(spread_at({near.rbegin(), near.rend()}, kGroup) == 0);

  // Files that each cover all of the time: the second begins anew in the sixth group.
  std::vector<std::int64_t> files;
  for (std::int64_t file = 0; file < 4; ++file) {
    for (std::int64_t i = 0; i < kCount / 4; ++i) files.push_back(i * 4 + file);
  }
  CHECK(spread_at(files, kGroup) == 6);

  // Pieces of the time in no order, each in order and larger than a group.
  std::vector<std::int64_t> pieces;
  for (const std::int64_t piece : {3, 0, 2, 1}) {
    for (std::int64_t i = 0; i < kCount / 4; ++i) pieces.push_back(piece * kCount / 4 + i);
  }
  CHECK(spread_at(pieces, kGroup) == 0);
}

}  // namespace chirp::load::post_sort_test
