// Goal: ids, times and texts of other programs are read right at their edges.
// Method: tables.
#include "cli/input/notations.h"

#include <doctest/doctest.h>

namespace chirp::cli::input {

TEST_CASE("notations: source ids have 63 bits") {
  CHECK(parse_source_id("0") == SourceId{0});
  CHECK(parse_source_id(" 42\t") == SourceId{42});
  CHECK(parse_source_id("9223372036854775807") == SourceId{9'223'372'036'854'775'807u});
  for (const char* bad : {"", "-1", "+1", "1.5", "1e3", "x", "1 2", "9223372036854775808",
                          "18446744073709551616", "0x10"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_source_id(bad));
  }
}

TEST_CASE("notations: times are understood as others write them") {
  const Time time{1'462'306'917'000};
  for (const char* text : {"2016-05-03T20:21:57Z", "2016-05-03 20:21:57", "2016-05-03 20:21:57 UTC",
                           "2016-05-03 20:21:57+00:00", "Tue May 03 20:21:57 +0000 2016",
                           "Tue May 03 22:21:57 +0200 2016", "1462306917", "1462306917000",
                           " 1462306917 ", "1462306917.0"}) {
    CAPTURE(text);
    CHECK(parse_when(text) == time);
  }
  CHECK(parse_when("1462306917.25") == Time{time.ms + 250});
  CHECK(parse_when("0") == Time{0});
  CHECK(parse_when("-5") == Time{-5000});
  CHECK(parse_when("99999999999") == Time{99'999'999'999'000});
  CHECK(parse_when("100000000000") == Time{100'000'000'000});
  for (const char* bad : {"", "yesterday", "Tue Foo 03 20:21:57 +0000 2016",
                          "Tue May 32 20:21:57 +0000 2016", "Tue May 03 20:21:57 0000 2016", "nan",
                          "inf", "1e9", "2016-02-30", "99999999999999999999"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_when(bad));
  }
}

TEST_CASE("notations: HTML escapes are undone once") {
  CHECK(html_unescaped("a &amp; b &lt;c&gt; &quot;d&quot;") == "a & b <c> \"d\"");
  CHECK(html_unescaped("&amp;lt; &amp;amp;") == "&lt; &amp;");
  CHECK(html_unescaped("&#39;&#x27;&#128512;&#xe9;") == "''\xF0\x9F\x98\x80\xC3\xA9");
  for (const char* same : {"", "&", "&&", "AT&T", "&;", "&nosuch;", "a & b; c", "&#0;", "&#xD800;",
                           "&#1114112;", "&amp", "&#;", "&#x;"}) {
    CAPTURE(same);
    CHECK(html_unescaped(same) == same);
  }
}

}  // namespace chirp::cli::input
