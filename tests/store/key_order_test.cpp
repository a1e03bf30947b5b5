// Goal: keys stand in the order in which LMDB has them by itself, so that every program that opens
// a store finds what others have put there. Method: random keys of few different bytes, with a
// beginning in common, against memcmp().
#include "store/lmdb/key_order.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <string>

#include <doctest/doctest.h>

namespace chirp::test {
namespace {

int sign(int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

int by_memcmp(const std::string& a, const std::string& b) {
  const int bytes = std::memcmp(a.data(), b.data(), std::min(a.size(), b.size()));
  if (bytes != 0) return sign(bytes);
  return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
}

}  // namespace

TEST_CASE("key order: it is that of the bytes, the shorter first") {
  std::mt19937_64 random(1);
  const std::string alphabet("\x00\x01\x7f\x80\xff", 5);
  const auto key = [&](std::string start) {
    for (std::size_t left = random() % 12; left > 0; --left) {
      start.push_back(alphabet[random() % alphabet.size()]);
    }
    return start;
  };
  int wrong = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::string start = key("");
    const std::string a = key(start);
    const std::string b = key(start);
    if (sign(lmdb::compare_keys(a, b)) != by_memcmp(a, b)) ++wrong;
  }
  CHECK(wrong == 0);
}

}  // namespace chirp::test
