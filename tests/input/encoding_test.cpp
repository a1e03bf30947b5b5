// Goal: texts in other encodings are read as they are said to be, and where one meets UTF-8's
// reader, the error says where and what it looks like.
// Method: small texts, in pieces of every size.
#include "cli/input/encoding.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cli/input/posts.h"
#include "tests/support/inputs.h"

namespace chirp::cli::input {
namespace {

using namespace std::string_literals;
using namespace chirp::test;

std::string decoded(const std::string& text, Encoding encoding, std::size_t step,
                    const std::string& name = {}) {
  TextStream inner(text, step);
  DecodedStream stream(inner, encoding, name);
  std::string all;
  std::string piece(3, '\0');
  while (const std::size_t got = stream.read(piece)) all.append(piece, 0, got);
  return all;
}

std::string complaint(const std::string& text) {
  return complaint_of([&] { (void)read_posts(text); });
}

}  // namespace

TEST_CASE("encodings: each is read for what it says, in pieces of any size") {
  for (const std::size_t step : {1u, 2u, 3u, 100u}) {
    CAPTURE(step);
    CHECK(decoded("caf\xE9 \x80\x81", Encoding::kWindows1252, step) == "café €\uFFFD");
    CHECK(decoded("\xFF\xFE"
                  "a\0\xE9\0\x3D\xD8\x00\xDE"s,
                  Encoding::kUtf8, step) == "\uFEFFaé😀");
    CHECK(decoded("\xFE\xFF\0a\xD8\x3D\0b"s, Encoding::kUtf8, step) == "\uFEFFa\uFFFDb");
    CHECK(decoded("a\0b"s, Encoding::kUtf16Little, step) == "a\uFFFD");
    CHECK(decoded("\0a\0b\0\xE9"s, Encoding::kUtf16Little, step) == "abé");  // the other way round
    CHECK(decoded("caf\xE9", Encoding::kUtf8, step) == "caf\xE9");
    CHECK(decoded("", Encoding::kWindows1252, step).empty());
    CHECK(decoded("\xEF\xBB\xBF"
                  "caf\xC3\xA9",
                  Encoding::kWindows1252, step) == "\uFEFFcafé");
  }
  CHECK(encoding_named("Windows-1252") == Encoding::kWindows1252);
  CHECK(encoding_named("latin-1") == Encoding::kWindows1252);
  CHECK_FALSE(encoding_named("klingon"));
}

TEST_CASE("encodings: iconv decodes what it has a name for, and an invalid byte is reported") {
  CHECK(encoding_named("shift_jis") == Encoding::kNamed);
  CHECK(encoding_named("ISO-8859-2") == Encoding::kNamed);
  for (const char* none : {"klingon", "utf-8//IGNORE", "", "/"}) {
    CAPTURE(none);
    CHECK_FALSE(encoding_named(none));
  }
  for (const std::size_t step : {1u, 2u, 3u, 100u}) {
    CAPTURE(step);
    const auto read = [&](const std::string& text, const char* name) {
      return decoded(text, Encoding::kNamed, step, name);
    };
    CHECK(read("\x93\xFA\x96\x7B,a", "shift_jis") == "日本,a");
    CHECK(read("\xC6\xFC\xCB\xDC", "euc-jp") == "日本");
    CHECK(read("\xB1\xE6", "iso-8859-2") == "ąć");
    CHECK(read("\xA4", "iso-8859-15") == "€");
    CHECK(read("a\x93", "shift_jis") == "a\xF8\x88");
    CHECK(read("\\n~", "shift_jis") == "\\n~");
    // A half of a pair is one unit, and the text after it is read.
    CHECK(read("a\0\x3D\xD8"
               "b\0c\0"s,
               "utf-16le") ==
          "a\xF8\x88"
          "bc");
    CHECK(read("\0\0\0a\0\x11\0\0\0\0\0b"s, "utf-32be") ==
          "a\xF8\x88"
          "b");
    // Some keep the last letter back, since a mark may follow.
    CHECK(read("hello", "cp1258") == "hello");
    // A byte order mark goes before the name, and is one of its own in UTF-32.
    CHECK(read("\xEF\xBB\xBF"
               "caf\xC3\xA9",
               "shift_jis") == "\uFEFFcafé");
    CHECK(read("\xFF\xFE"
               "a\0"s,
               "cp1251") == "\uFEFFa");
    CHECK(read("\xFF\xFE\0\0a\0\0\0"s, "utf-32") == "a");
    CHECK(read("a\xFF"
               "b",
               "shift_jis") ==
          "a\xF8\x88"
          "b");
  }
  const auto looked_at = [](const std::string& text) {
    TextStream inner(text, 100'000);
    DecodedStream stream(inner, Encoding::kNamed, "shift_jis");
    std::string piece(100, '\0');
    (void)stream.read(piece);
    const auto wrong = stream.not_as_named();
    return wrong ? fmt::format("{} {}", wrong->lines, wrong->words) : std::string();
  };
  const std::string words =
      " of the line: a byte has no meaning in the encoding that --encoding names";
  CHECK(looked_at("\x93\xFA\n\x96\x7B\n") == "");
  CHECK(looked_at("a\rb\xFD\r") == "1 character 2" + words);
  CHECK(looked_at("a\nbc\xFF\n") == "1 character 3" + words);
  const std::string long_text((3 << 20) - 1, 'a');
  CHECK(looked_at(long_text + "\n\xFF") == "1 character 1" + words);
  CHECK(looked_at(long_text + long_text + "\n\xFF") == "");
}

TEST_CASE("encodings: UTF-16 without a mark is recognized by the zeros it begins with") {
  const auto zero = [](const std::string& text, Encoding encoding) {
    TextStream inner(text, 1);
    DecodedStream stream(inner, encoding);
    std::string piece(100, '\0');
    (void)stream.read(piece);
    return stream.zero_of_utf16();
  };
  CHECK(zero("1\0,\0"s, Encoding::kUtf8) == 2);
  CHECK(zero("\0001\0,"s, Encoding::kUtf8) == 1);
  CHECK(zero("1\0,\0"s, Encoding::kUtf16Little) == 0);
  for (const std::string& other : {"1,2\n"s, "1\0\0\0"s, "\0\0\0\0"s, "1\0,"s, "\xFF\xFE,\0"s}) {
    CHECK(zero(other, Encoding::kUtf8) == 0);
  }
}

TEST_CASE("encodings: UTF-32 is recognized by its mark, and is not UTF-16") {
  const auto is_utf32 = [](const std::string& text, Encoding encoding) {
    TextStream inner(text, 1);
    DecodedStream stream(inner, encoding);
    std::string piece(100, '\0');
    (void)stream.read(piece);
    return stream.is_utf32();
  };
  for (const Encoding said : {Encoding::kUtf8, Encoding::kUtf16Little, Encoding::kWindows1252}) {
    CHECK(is_utf32("\xFF\xFE\0\0001\0\0\0"s, said));
    CHECK(is_utf32("\0\0\xFE\xFF\0\0\0001"s, said));
  }
  for (const std::string& other : {"\xFF\xFE\0"s, "\xFF\xFE,\0"s, "\xFE\xFF\0\0"s, "1,2\n"s, ""s}) {
    CHECK_FALSE(is_utf32(other, Encoding::kUtf8));
  }
}

TEST_CASE("encodings: the error says line, column, byte and what it looks like") {
  const std::string looks = ": the text is not valid UTF-8; it looks like Windows-1252 (é)";
  const std::string good = R"({"id":1,"author":"a","text":"é","createdAt":1462306917})";
  const std::string bad = "{\"id\":1,\"author\":\"a\",\"text\":\"\xE9\",\"createdAt\":1462306917}";
  CHECK(complaint(good + "\n" + bad + "\n").starts_with("f:2: column 30, byte 0xE9" + looks));
  CHECK(
      complaint("[\n" + good + ", " + bad + "]").starts_with("f:2: column 88, byte 0xE9" + looks));
  CHECK(complaint("[{\"id\":1,\n\"text\":\"\xE9\"}]")
            .starts_with("f:2: column 9, byte 0xE9" + looks));
  const std::string head = "id,author,text,createdAt,place\n";
  CHECK(complaint(head + "1,a,\"x\ny\xE9\",1462306917,\n")
            .starts_with("f:3: column 2, byte 0xE9" + looks));
  CHECK(
      complaint(head + "1,a,x,1462306917,caf\xE9\n").empty());  // what is not kept may be anything
  CHECK(complaint(head + "1,a,\x81,1462306917,\n").find("not in an encoding") != std::string::npos);
  Complaints complaints(1);
  OpenText names("id,name,bio\n1,a,caf\xE9\n2,b,\n");
  CHECK(read_names(names.buffer(), "n", complaints.bad, [](load::SourceUser&&) {}) == 1);
  CHECK(complaints.lines.at(0).starts_with("n:2: column 8, byte 0xE9" + looks));
}

}  // namespace chirp::cli::input
