// Goal: what people type is taken exactly as the rules say, at every edge.
// Method: tables around each bound; every code point against utf8proc's own NFC; random texts.
#include "core/model/names.h"

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <utf8proc.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/utf8.h"
#include "tests/support/thrown.h"

namespace chirp::test::names_test {
namespace {

using namespace std::string_literals;

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

std::string utf8_of(std::int32_t code_point) {
  utf8proc_uint8_t bytes[4];
  const auto size = utf8proc_encode_char(code_point, bytes);
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

const std::vector<std::string> kNotUtf8 = {"\x80"s,
                                           "a\xff"s,
                                           "\xc3"s,
                                           "\xc0\xaf"s,
                                           "\xe0\x80\xaf"s,
                                           "\xed\xa0\x80"s,
                                           "\xf4\x90\x80\x80"s,
                                           "\xf0\x9f\x98"s,
                                           "\xfe"s,
                                           "ok \xe2\x82 not"s};

}  // namespace

TEST_CASE("names: a username is 1 to 15 of letters, digits and the underscore") {
  for (const char* good : {"a", "_", "0", "mira", "Mira_Okafor_15c", "123456789012345"}) {
    CAPTURE(good);
    CHECK(is_username(good));
    CHECK(blamed_by([&] { check_username(good); }) == "none");
  }
  const std::vector<std::string> bad = {"",
                                        "1234567890123456",
                                        "mira okafor",
                                        "mira-o",
                                        "mira.o",
                                        "@mira",
                                        "m\xc3\xadra",
                                        "mir\xd0\xb0" /* Cyrillic a */,
                                        "\xef\xbc\xad\xef\xbc\xa9" /* full width */,
                                        "mira\xe2\x80\x8b" /* zero width space */,
                                        "mira\0"s,
                                        "mira\n",
                                        "\xff"};
  for (const std::string& name : bad) {
    CAPTURE(printable(name));
    CHECK_FALSE(is_username(name));
    CHECK(blamed_by([&] { check_username(name); }) == "username");
  }
}

TEST_CASE("names: an e-mail address has one @ between two sides") {
  const std::string longest = std::string(limits::kEmailMax - 2, 'a') + "@b";
  for (const std::string& good : {"a@b"s, "mira+x@example.org"s, longest}) {
    CHECK(blamed_by([&] { check_email(good); }) == "none");
  }
  for (const std::string& bad : {""s, "a"s, "@"s, "a@"s, "@b"s, "a@b@c"s, "a b@c"s, "a@b\n"s,
                                 "\xc3\xa9@b"s, "a\0@b"s, "a" + longest}) {
    CAPTURE(printable(bad));
    CHECK(blamed_by([&] { check_email(bad); }) == "email");
  }
}

TEST_CASE("names: a password has 8 to 72 bytes of UTF-8 without NUL") {
  for (const std::string& good :
       {repeated("xy", 4), repeated("xy", 36), repeated("é", 35) + "xy"}) {
    CHECK(blamed_by([&] { (void)checked_password(good); }) == "none");
  }
  for (const std::string& bad :
       {""s, std::string(7, 'x'), std::string(73, 'x'), repeated("é", 36) + "x", "password\0"s,
        "\0password"s, "password\xff"s}) {
    CHECK(blamed_by([&] { (void)checked_password(bad); }) == "password");
  }
}

TEST_CASE("names: a post has 1 to 280 characters, counted after NFC") {
  const auto field = [](const std::string& text) {
    return blamed_by([&] { (void)checked_post_text(text); });
  };
  for (const char* piece : {"x", "é", "漢", "😀"}) {
    CAPTURE(piece);
    CHECK(checked_post_text(repeated(piece, 280)) == repeated(piece, 280));
    CHECK(field(repeated(piece, 281)) == "content");
  }
  // 560 code points as typed, 280 as stored.
  CHECK(checked_post_text(repeated("e\xcc\x81", 280)) == repeated("é", 280));
  CHECK(field(repeated("e\xcc\x81", 281)) == "content");
  // Four code points that make one.
  const std::string alpha = "\xce\xb1\xcc\x93\xcc\x80\xcd\x85";
  CHECK(checked_post_text(repeated(alpha, 280)) == repeated("\xe1\xbe\x82", 280));
  // One that NFC makes three of.
  CHECK(field(repeated("\xf0\x9d\x85\xa0", 280)) == "content");
  CHECK(field(std::string(10'000'000, 'x')) == "content");
}

TEST_CASE("names: a post is not blank and has no control characters but newline and tab") {
  const auto field = [](const std::string& text) {
    return blamed_by([&] { (void)checked_post_text(text); });
  };
  CHECK(checked_post_text(" a\n\tb ") == " a\n\tb ");
  for (const std::string& blank : {""s, " "s, "\n\t "s, "\xc2\xa0"s, "\xe3\x80\x80"s,
                                   "\xe2\x80\x8b\xef\xbb\xbf"s, "\xe2\xa0\x80"s}) {
    CHECK(field(blank) == "content");
  }
  for (const std::string& control :
       {"a\0b"s, "a\x01"s, "a\x1b[31m"s, "a\rb"s, "a\x7f"s, "a\xc2\x85"s, "a\xc2\x9b"s}) {
    CAPTURE(printable(control));
    CHECK(field(control) == "content");
  }
  for (const std::string& bad : kNotUtf8) {
    CAPTURE(printable(bad));
    CHECK(field(bad) == "content");
  }
}

TEST_CASE("names: display names and bios keep to their lengths") {
  const auto name = [](const std::string& text) {
    return blamed_by([&] { (void)checked_display_name(text); });
  };
  const auto bio = [](const std::string& text) {
    return blamed_by([&] { (void)checked_bio(text); });
  };
  CHECK(checked_display_name("Zoe\xcc\x88") == "Zoë");
  CHECK(name(repeated("é", 50)) == "none");
  for (const std::string& bad :
       {""s, "  "s, repeated("é", 51), "a\nb"s, "a\tb"s, "a\0"s, "\xff"s}) {
    CHECK(name(bad) == "displayName");
  }
  CHECK(checked_bio("").empty());
  CHECK(bio(repeated("😀", 160)) == "none");
  CHECK(bio("two\nlines") == "none");
  for (const std::string& bad : {repeated("😀", 161), "a\x07"s, "\xff"s}) CHECK(bio(bad) == "bio");
}

TEST_CASE("names: what a medium shows is nothing, or 1 to 1,500 code points") {
  const auto shows = [](const std::string& text) {
    return blamed_by([&] { (void)checked_alt_text(text); });
  };
  CHECK(checked_alt_text("").empty());
  CHECK(checked_alt_text("two\nlines, Zoe\xcc\x88") == "two\nlines, Zoë");
  CHECK(shows(repeated("😀", 1500)) == "none");
  CHECK(shows(repeated("e\xcc\x88", 1500)) == "none");
  for (const std::string& bad : {"  "s, repeated("😀", 1501), "a\x07"s, "\xff"s}) {
    CHECK(shows(bad) == "altTexts");
  }
}

TEST_CASE("names: a loaded text loses its control characters and may be longer") {
  const LoadedText loaded = checked_loaded_text("a\r\nb\0c\x1b[0m\xc2\x85!"s);
  CHECK(loaded.text == "a\nbc[0m!");
  CHECK(loaded.removed == 4);
  CHECK(checked_loaded_text(repeated("漢", 1000)).removed == 0);
  CHECK(checked_loaded_text(repeated("x\x01", 1000)).text == repeated("x", 1000));
  // Normalised after the taking out, so that the parts come together.
  CHECK(checked_loaded_text("e\x01\xcc\x81").text == "é");
  for (const std::string& bad : {""s, "\x01\x02"s, repeated("漢", 1001), "\xff"s}) {
    CHECK(blamed_by([&] { (void)checked_loaded_text(bad); }) == "content");
  }
}

TEST_CASE("names: each byte is found at every position in plain text") {
  const std::string plain(27, 'a');
  for (std::size_t at = 0; at < plain.size(); ++at) {
    for (int value = 0; value < 0x100; ++value) {
      CAPTURE(at);
      CAPTURE(value);
      std::string text = plain;
      text[at] = static_cast<char>(value);
      const bool is_break = value == '\n' || value == '\t';
      const bool is_control = (value < ' ' && !is_break) || value == 0x7f;
      std::string said;
      try {
        const std::string stored = checked_post_text(text);
        CHECK(stored == text);
      } catch (const Error& error) {
        said = error.what();
      }
      CHECK(said.empty() == (value < 0x80 && !is_control));
      if (!said.empty()) CHECK(said.find(fmt::format("byte {}", at + 1)) != std::string::npos);
      if (value >= 0x80) continue;
      const LoadedText loaded = checked_loaded_text(text);
      CHECK(loaded.removed == (is_control ? 1 : 0));
      CHECK(loaded.text == (is_control ? plain.substr(1) : text));
    }
  }
  for (std::size_t length = 1; length < plain.size(); ++length) {
    CAPTURE(length);
    CHECK(blamed_by([&] { (void)checked_post_text(std::string(length, ' ')); }) == "content");
    std::string text(length, ' ');
    text.back() = '!';
    CHECK(checked_post_text(text) == text);
  }
}

TEST_CASE("names: the quick way past NFC changes nothing") {
  std::vector<std::int32_t> settled;
  for (std::int32_t c = 1; c <= 0x10ffff; ++c) {
    if ((c >= 0xd800 && c < 0xe000) || !utf8::is_settled(c)) continue;
    settled.push_back(c);
    const std::string alone = utf8_of(c);
    REQUIRE_MESSAGE(utf8::nfc(alone) == alone, "U+", c);
  }
  const char* given = std::getenv("CHIRP_SEED");
  const std::uint64_t seed = given ? std::strtoull(given, nullptr, 10) : 20'000'101;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (int i = 0; i < 6; ++i) text += utf8_of(settled[random() % settled.size()]);
    REQUIRE(utf8::nfc(text) == text);
  }
}

TEST_CASE("names: a loaded user without a name is called by the source id") {
  CHECK(generated_username(SourceId{0}) == "u0");
  CHECK(generated_username(SourceId{99'999'999'999'999}) == "u99999999999999");
  CHECK(generated_username(SourceId{100'000'000'000'000}) == "uzg3d62r5s");
  CHECK(generated_username(SourceId{9'223'372'036'854'775'807}) == "u1y2p0ij32e8e7");
  for (std::uint64_t bit = 0; bit < 63; ++bit) {
    CHECK(is_username(generated_username(SourceId{std::uint64_t{1} << bit})));
  }
}

TEST_CASE("names: a numbered name fits") {
  CHECK(numbered_username("mira", 2) == "mira_2");
  CHECK(numbered_username("abcdefghijklmno", 2) == "abcdefghijklm_2");
  CHECK(numbered_username("abcdefghijklmno", 4'294'967'295) == "abcd_4294967295");
}

TEST_CASE("names: case is folded") {
  CHECK(folded("MiRa_É") == "mira_É");
  CHECK(search_folded("MiRa") == "mira");
  CHECK(search_folded("ÉLODIE Straße ΣΑΣ") == search_folded("élodie STRASSE σας"));
  CHECK(search_folded("Zoe\xcc\x88") == search_folded("ZOË"));
  CHECK(search_folded("A\xff") == "a\xff");
  CHECK(search_folded("").empty());
  CHECK(search_folded("Čapková Lefèvre") == "capkova lefevre");
  CHECK(search_folded("Nguyễn Thị") == "nguyen thi");
  CHECK(search_folded("Ίων ЙОГ") == search_folded("ιων иог"));
  CHECK(search_folded("שָׁלוֹם") == search_folded("שלום"));
  CHECK(search_folded("مُحَمَّد") == search_folded("محمد"));
  // Other words in Japanese, Hindi and Thai.
  CHECK(search_folded("がか") != search_folded("かか"));
  CHECK(search_folded("की") != search_folded("का"));
  CHECK(search_folded("ไม่") != search_folded("ไม้"));
  CHECK(search_folded("한글") == "한글");
  CHECK(search_folded("\u0301") == "\u0301");
}

TEST_CASE("names: nothing printable reaches a terminal as a command") {
  CHECK(printable("mira") == "mira");
  CHECK(printable("a\x1b[31m\n\r\t\0\xff"s) == "a\\x1b[31m\\n\\r\\t\\x00\\xff");
  CHECK(printable("\xc2\x9b\xe2\x80\xae") == "\\x9b\\u{202e}");
  CHECK(printable("漢字", 6) == "漢字");
  CHECK(printable("漢字字", 8) == "漢…");
  CHECK(printable("abcdef", 5) == "ab…");
  CHECK(printable("abcdef", 2).empty());
}

TEST_CASE("names: the width of a text is the width of what is seen") {
  CHECK(display_width("") == 0);
  CHECK(display_width("mira") == 4);
  CHECK(display_width("e\xcc\x81") == 1);
  CHECK(display_width("漢字") == 4);
  CHECK(display_width("😀") == 2);
  CHECK(display_width("👩\xe2\x80\x8d👧") == 2);
  CHECK(display_width("🇩🇪🇫🇷") == 4);
  CHECK(display_width("❄\xef\xb8\x8f!") == 3);
  CHECK(display_width("a\xff"
                      "b") == 3);
}

TEST_CASE("names: a text is cut between characters that are seen, never within one") {
  CHECK(within_columns("mira", 4) == "mira");
  CHECK(within_columns("mira", 2) == "mi");
  CHECK(within_columns("mira", 0).empty());
  CHECK(within_columns("e\xcc\x81"
                       "e\xcc\x81",
                       1) == "e\xcc\x81");
  CHECK(within_columns("漢字", 3) == "漢");
  CHECK(within_columns("🇩🇪🇫🇷", 3) == "🇩🇪");
  CHECK(within_columns("🇩🇪", 1).empty());
  CHECK(within_columns("❄\xef\xb8\x8f!", 1).empty());
  CHECK(within_columns("a👩\xe2\x80\x8d👧b", 3) == "a👩\xe2\x80\x8d👧");
  const std::string text = "a漢e\xcc\x81👩\xe2\x80\x8d👧🇩🇪\xff❄\xef\xb8\x8f.";
  for (std::size_t columns = 0; columns <= display_width(text); ++columns) {
    CAPTURE(columns);
    const std::string_view begin = within_columns(text, columns);
    CHECK(text.starts_with(begin));
    CHECK(display_width(begin) <= columns);
    // What is left begins a character of its own.
    CHECK(display_width(begin) + display_width(text.substr(begin.size())) == display_width(text));
  }
}

}  // namespace chirp::test::names_test
