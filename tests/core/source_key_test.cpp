// Goal: an id of a source is a number or a word by itself alone, and garbage is neither.
// Method: ids at the edges of both.
#include "core/model/source_key.h"

#include <doctest/doctest.h>

#include "core/limits.h"
#include "core/model/names.h"

namespace chirp {

TEST_CASE("source key: canonical digits of 63 bits are a number, all else is a word") {
  for (const auto& [text, number] : {std::pair<const char*, std::uint64_t>{"0", 0},
                                     {"7", 7},
                                     {"9223372036854775807", 9'223'372'036'854'775'807u}}) {
    CAPTURE(text);
    CHECK(source_key(text) == SourceKey(SourceId{number}));
    CHECK(text_of(*source_key(text)) == text);
  }
  for (const char* word :
       {"007", "00", "+7", "-7", "7.0", "9223372036854775808", "18446744073709551616",
        "123456789012345678901234567890", "alice", "Alice", "mira@example.org",
        "https://example.org/@mira/1", "Zoë", "a b", "source:7"}) {
    CAPTURE(word);
    const auto key = source_key(word);
    REQUIRE(key);
    CHECK(key->is_word());
    CHECK(key->word == word);
    CHECK(text_of(*key) == word);
  }
}

TEST_CASE("source key: an empty or too long key, or one that is not text, is refused") {
  CHECK(source_key(std::string(limits::kSourceWordMax, 'x')));
  for (const std::string& none :
       {std::string(), std::string(limits::kSourceWordMax + 1, 'x'), std::string(" x"),
        std::string("x "), std::string("a\nb"), std::string("a\0b", 3), std::string("a\x7F"),
        std::string("a\xC2\x85"), std::string("\xFF"), std::string("a\xC3")}) {
    CAPTURE(none);
    CHECK_FALSE(source_key(none));
  }
}

TEST_CASE("source key: numbers stand before words, and words by their bytes") {
  CHECK(SourceKey(SourceId{9}) < SourceKey(std::string("0")));
  CHECK(SourceKey(SourceId{1}) < SourceKey(SourceId{2}));
  CHECK(SourceKey(std::string("Alice")) < SourceKey(std::string("alice")));
  CHECK(SourceKey(SourceId{7}) != SourceKey(std::string("007")));
}

TEST_CASE("source key: a user whose id is a word gets a name made of it") {
  const auto name = [](const char* word) { return generated_username(*source_key(word)); };
  CHECK(name("7") == "u7");
  CHECK(name("alice") == "alice");
  CHECK(name("Alice_9") == "Alice_9");
  CHECK(name("007") == "007");
  CHECK(name("mira@example.org") == "mira");
  CHECK(name("@mira@example.org") == "mira");
  for (const char* other :
       {"https://example.org/@mira", "Zoë", "a-name-that-is-too-long-for-one", "@", "a b"}) {
    CAPTURE(other);
    CHECK(is_username(name(other)));
    CHECK(name(other).starts_with('u'));
    CHECK(name(other).size() >= 10);
  }
  CHECK(name("Zoë") != name("Zoe-"));
}

}  // namespace chirp
