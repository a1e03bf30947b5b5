// Goal: of what has arrived, those by some authors from a position on, however they are looked for,
// and never one that is gone or was forgotten.
// Method: random arrivals, removals and questions beside a plain list that is walked; tiny bounds,
// so that arrivals give way and authors share buckets.
#include "core/hot/arrivals.h"

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/seeds.h"

namespace chirp::test {
namespace {

struct Listed {
  std::uint64_t sequence;
  UserNumber author;
  PostId newest{};  // of a load
};

// The first thing that goes wrong; empty if nothing does.
std::string run(std::mt19937_64& random, std::size_t most) {
  hot::Arrivals arrivals(most);
  std::vector<Listed> list;
  std::vector<Listed> loads;
  std::uint64_t next = 1;
  Sequence known_from{0};
  for (int step = 0; step < 300; ++step) {
    const UserNumber author{static_cast<std::uint32_t>(1 + random() % 12)};
    switch (random() % 10) {
      case 0:
        if (random() % 8 != 0) break;
        arrivals.clear(Sequence{next});
        known_from = Sequence{next};
        list.clear();
        loads.clear();
        break;
      case 2:
        loads.push_back({next, {}, PostId{1 + random() % 50}});
        arrivals.add_load(Sequence{next++}, loads.back().newest);
        break;
      case 1:
        if (list.empty()) break;
        {
          const std::size_t one = random() % list.size();
          arrivals.remove(PostId{list[one].sequence * 10}, list[one].author);
          list.erase(list.begin() + static_cast<std::ptrdiff_t>(one));
        }
        break;
      default:
        next += random() % 3;  // events of other kinds lie between
        arrivals.add(Sequence{next}, PostId{next * 10}, author, Privacy::kPublic);
        list.push_back({next, author});
        ++next;
        break;
    }
    std::vector<UserNumber> authors;
    for (std::uint32_t i = 1; i <= 12; ++i) {
      if (random() % 3 == 0) authors.push_back(UserNumber{i});
    }
    const Sequence from{1 + random() % next};
    if (!arrivals.reach(from)) continue;
    if (from < known_from) return "more is said to be known than was kept";
    std::vector<std::uint64_t> expected;
    for (const Listed& one : list) {
      const bool asked = one.author == author || std::ranges::count(authors, one.author) != 0;
      if (asked && one.sequence >= from.value) expected.push_back(one.sequence);
    }
    std::vector<std::uint64_t> found;
    for (const auto& one : arrivals.since(from, authors, author)) {
      found.push_back(one.sequence.value);
      if (one.post.value != one.sequence.value * 10) return "another post";
    }
    if (found != expected) return "other arrivals";
    std::optional<PostId> newest;
    for (const Listed& load : loads) {
      if (load.sequence >= from.value) newest = std::max(newest.value_or(load.newest), load.newest);
    }
    if (arrivals.loaded_since(from) != newest) return "another newest of those loaded";
  }
  // What is said not to be known is what does not fit.
  if (list.size() >= most && next > 1 && most > 0 && !arrivals.reach(Sequence{next})) {
    return "the newest is not known";
  }
  return {};
}

}  // namespace

TEST_CASE("worlds: arrivals by author are those of a plain list") {
  for (std::uint64_t i = 0; i < worlds_or(200); ++i) {
    const std::uint64_t seed = first_seed() + i;
    std::mt19937_64 random(seed);
    const std::size_t most = random() % 5 == 0 ? random() % 3 : random() % 64;
    const std::string wrong = run(random, most);
    if (!wrong.empty()) FAIL("CHIRP_WORLDS=1 CHIRP_SEED=" << seed << ": " << wrong);
  }
}

TEST_CASE("hot set: the newest loads are known as far as they fit") {
  hot::Arrivals arrivals(4);
  std::uint64_t next = 1;
  while (arrivals.reach(Sequence{1}) && next < 100'000) {
    arrivals.add_load(Sequence{next}, PostId{1'000'000 - next});
    ++next;
  }
  CHECK(next < 100'000);
  CHECK(arrivals.reach(Sequence{2}));
  CHECK(arrivals.loaded_since(Sequence{2}) == PostId{1'000'000 - 2});
  CHECK(arrivals.loaded_since(Sequence{next}) == std::nullopt);
}

TEST_CASE("hot set: the newest arrivals are known as far as they fit") {
  hot::Arrivals arrivals(4);
  for (std::uint64_t i = 1; i <= 6; ++i) {
    arrivals.add(Sequence{i}, PostId{i}, UserNumber{1}, Privacy::kPublic);
  }
  CHECK(arrivals.reach(Sequence{3}));
  CHECK_FALSE(arrivals.reach(Sequence{2}));
  CHECK(arrivals.since(Sequence{3}, {}, UserNumber{1}).size() == 4);
}

}  // namespace chirp::test
