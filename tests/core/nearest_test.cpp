// Goal: a word that is not known leads to the one that was meant, and to none where none is near.
// Method: distances counted by hand, and by a search over all ways of typing; words as people
// misspell them.
#include "core/model/nearest.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace chirp {
namespace {

// From the definition, by trying everything: what becomes of the last letters.
std::size_t naive_distance(std::string_view one, std::string_view other) {
  if (one.empty() || other.empty()) return one.size() + other.size();
  const std::string_view a = one.substr(0, one.size() - 1);
  const std::string_view b = other.substr(0, other.size() - 1);
  std::size_t least = std::min(naive_distance(a, other) + 1, naive_distance(one, b) + 1);
  least = std::min(least, naive_distance(a, b) + (one.back() == other.back() ? 0 : 1));
  if (!a.empty() && !b.empty() && one.back() == b.back() && other.back() == a.back()) {
    least =
        std::min(least, naive_distance(a.substr(0, a.size() - 1), b.substr(0, b.size() - 1)) + 1);
  }
  return least;
}

}  // namespace

TEST_CASE("nearest: the distance is that of its definition") {
  CHECK(typing_distance("usre", "user") == 1);
  CHECK(typing_distance("", "user") == 4);
  CHECK(typing_distance("user", "user") == 0);
  CHECK(typing_distance("ca", "abc") == 3);  // no letter is touched twice
  std::vector<std::string> words{""};
  for (std::size_t i = 0; i < words.size() && words[i].size() < 4; ++i) {
    for (const char letter : {'a', 'b', 'c'}) words.push_back(words[i] + letter);
  }
  for (std::size_t i = 0; i < words.size(); i += 3) {
    for (const std::string& other : words) {
      CAPTURE(words[i]);
      CAPTURE(other);
      CHECK(typing_distance(words[i], other) == naive_distance(words[i], other));
    }
  }
}

TEST_CASE("nearest: what is near is found in any case, and nothing else") {
  constexpr std::array<std::string_view, 5> kKnown{"push", "pull", "hybrid", "cost", "pulp"};
  CHECK(nearest("pul", kKnown) == "pull");  // the first of equals
  CHECK(nearest("HYBIRD", kKnown) == "hybrid");
  CHECK(nearest("cots", kKnown) == "cost");
  CHECK(nearest("", kKnown) == std::nullopt);
  CHECK(nearest("best", kKnown) == std::nullopt);
  CHECK(nearest(std::string(1'000'000, 'p'), kKnown) == std::nullopt);
  CHECK(nearest("push", {}) == std::nullopt);
  CHECK(did_you_mean("pish", kKnown) == " Did you mean \"push\"?");
  CHECK(did_you_mean("nothing", kKnown).empty());
  CHECK(std::string(no_such_choice("--policy", {"push", "pull", "cost"}, "cots").what()) ==
        "--policy takes push, pull or cost, not \"cots\". Did you mean \"cost\"?");
  CHECK(std::string(no_such_choice("--beside", {"redis"}, "\x1b").what()) ==
        "--beside takes redis, not \"\\x1b\".");
}

}  // namespace chirp
