// Goal: passwords become bcrypt hashes that match their password alone, whole.
// Method: a published vector, the edges of length, and hashes that are none; at the lowest cost.
#include <string>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/limits.h"
#include "store/data_directory.h"

namespace chirp {
namespace {

constexpr unsigned kCost = 4;

}  // namespace

TEST_CASE("bcrypt: a hash matches its password and no other") {
  const auto hasher = store::bcrypt_hasher();
  const std::string hash = hasher->hash("seven wet geese", kCost);
  CHECK(hash.size() == 60);
  CHECK(hash.starts_with("$2b$04$"));
  CHECK(hasher->matches("seven wet geese", hash, 4));
  CHECK_FALSE(hasher->matches("seven wet goose", hash, 4));
  CHECK_FALSE(hasher->matches("seven wet geese ", hash, 4));
  CHECK_FALSE(hasher->matches("", hash, 4));
  CHECK_FALSE(hasher->matches(std::string_view("seven wet geese\0", 16), hash, 4));
  CHECK(hasher->hash("seven wet geese", kCost) != hash);  // another salt
  CHECK(hasher->hash("seven wet geese", 5).starts_with("$2b$05$"));
}

TEST_CASE("bcrypt: the published vector holds") {
  const auto hasher = store::bcrypt_hasher();
  CHECK(hasher->matches("U*U", "$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", 4));
}

TEST_CASE("bcrypt: every byte of the longest password counts, and none may be cut off") {
  const auto hasher = store::bcrypt_hasher();
  const std::string longest(limits::kPasswordMax, 'x');
  const std::string hash = hasher->hash(longest, kCost);
  CHECK(hasher->matches(longest, hash, 4));
  std::string other = longest;
  other.back() = 'y';
  CHECK_FALSE(hasher->matches(other, hash, 4));
  CHECK_FALSE(hasher->matches(longest + "x", hash, 4));
  CHECK_THROWS_AS((void)hasher->hash(longest + "x", kCost), Error);
  CHECK_THROWS_AS((void)hasher->hash(std::string_view("pass\0word", 9), kCost), Error);
}

TEST_CASE("bcrypt: a hash is checked alike, whatever cost its check is to take") {
  const auto hasher = store::bcrypt_hasher();
  const std::string hash = hasher->hash("seven wet geese", 5);
  for (const unsigned cost : {0U, 4U, 5U, 6U, 8U}) {
    CHECK(hasher->matches("seven wet geese", hash, cost));
    CHECK_FALSE(hasher->matches("seven wet goose", hash, cost));
  }
}

TEST_CASE("bcrypt: an invalid hash matches nothing") {
  const auto hasher = store::bcrypt_hasher();
  const std::string hash = hasher->hash("password", kCost);
  const std::string cut = hash.substr(0, 59);
  const std::string bad_cost = "$2b$99" + hash.substr(6);
  const std::string old_kind = "$2a" + hash.substr(3);
  const std::string bad_salt = hash.substr(0, 7) + "!" + hash.substr(8);
  for (const std::string& broken :
       {std::string(), std::string("*0"), std::string("*1"), "*0" + hash.substr(2), cut, hash + "x",
        bad_cost, old_kind, bad_salt, std::string("password")}) {
    CAPTURE(broken);
    CHECK_FALSE(hasher->matches("password", broken, 4));
  }
  for (const unsigned cost : {0u, 3u, 32u, 4000u}) {
    CHECK_THROWS_AS((void)hasher->hash("password", cost), Error);
  }
}

}  // namespace chirp
