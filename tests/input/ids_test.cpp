// Goal: ids are read in every form that tables have them in, and a cell with another text is never
// taken for an empty one; times and texts of other programs are read right at their edges.
// Method: small texts of posts, in JSON and as tables.
#include <doctest/doctest.h>

#include "cli/input/notations.h"
#include "cli/input/posts.h"
#include "tests/support/inputs.h"

namespace chirp::cli::input {
namespace {

using namespace chirp::test;

std::vector<load::SourcePost> posts_in(const std::string& text,
                                       std::vector<std::string>* notes = nullptr) {
  PostsIn all = read_posts(text);
  if (notes != nullptr) *notes = all.notes;
  return std::move(all.posts);
}

}  // namespace

TEST_CASE("ids: numbers that a table made real ones") {
  CHECK(parse_source_id("3.0") == SourceId{3});
  CHECK(parse_source_id(" 9007199254740992.00 ") == SourceId{9'007'199'254'740'992u});
  for (const char* none :
       {"3.", ".0", "3.5", "3.0.0", "9007199254740994.0", "7.3e17", "-3.0", "1e3", "x", ""}) {
    CAPTURE(none);
    CHECK_FALSE(parse_source_id(none));
  }
  CHECK(source_id(3.0) == SourceId{3});
  for (const double none : {3.5, -1.0, 1e17}) CHECK_FALSE(source_id(none));
  for (const char* nothing : {"", " ", "NaN", "null", "None", "<NA>", "\\N"}) {
    CHECK(says_nothing(nothing));
  }
  for (const char* something : {"0", "x", "nanny", "-"}) CHECK_FALSE(says_nothing(something));
}

TEST_CASE("ids: what a post answers or repeats, under its usual names") {
  for (const char* name :
       {"replyTo", "in_response_to_tweet_id", "in_response_to_status_id", "in_response_to_id",
        "reply_to_tweet_id", "reply_to_status_id", "reply_to_id", "in_reply_to_tweet_id"}) {
    CAPTURE(name);
    const std::string head = "id,author_id,text,created_at," + std::string(name) + "\n";
    const auto rows = posts_in(head + "3.0,7.0,a,1462306917,1.0\n4,7,b,1462306917,\n");
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].id == SourceId{3});
    CHECK(rows[0].author_id == SourceId{7});
    CHECK(rows[0].reply_to == SourceId{1});
    CHECK_FALSE(rows[1].reply_to);
    const auto objects = posts_in(R"({"id":3.0,"author_id":7.0,"text":"a","created_at":1,")" +
                                  std::string(name) + R"(":1.0})");
    CHECK(objects.at(0).reply_to == SourceId{1});
    CHECK(objects.at(0).author_id == SourceId{7});
  }
}

TEST_CASE("ids: names and links of Twitter say that texts are escaped, which is undone once") {
  const auto table = [](const std::string& column, const std::string& cell) {
    return posts_in("id,author_id,text,created_at," + column + "\n1,2,&amp;lt;,1462306917," + cell +
                    "\n")
        .at(0)
        .text;
  };
  const auto object = [](const std::string& column, const std::string& cell) {
    return posts_in(R"({"id":1,"author_id":2,"text":"&amp;lt;","created_at":1462306917,")" +
                    column + R"(":")" + cell + R"("})")
        .at(0)
        .text;
  };
  for (const auto& named : {std::pair<std::string, std::string>{"tweet_id", "7"},
                            {"in_reply_to_status_id", ""},
                            {"in_response_to_tweet_id", ""},
                            {"link", "https://www.twitter.com/a/statuses/1"},
                            {"url", "https://x.com/a/status/1"}}) {
    CHECK(table(named.first, named.second) == "&lt;");
    CHECK(object(named.first, named.second) == "&lt;");
  }
  for (const auto& named : {std::pair<std::string, std::string>{"replyTo", ""},
                            {"link", "https://mine.example/twitter.com/"}}) {
    CAPTURE(named.first);
    CHECK(table(named.first, named.second) == "&amp;lt;");
    CHECK(object(named.first, named.second) == "&amp;lt;");
  }
}

TEST_CASE("ids: a table with a last row that may be cut off says so") {
  const std::string head = "id,author_id,created_at,text\n1,2,1462306917,Fish and chips\n";
  std::vector<std::string> notes;
  CHECK(posts_in(head, &notes).size() == 1);
  CHECK(notes.empty());
  CHECK(posts_in(head + "2,2,1462306917,Fish and ch", &notes).size() == 2);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with("f:3: the last line has no newline"));
}

TEST_CASE("ids: a cell whose text is not an id is bad") {
  for (const char* cell : {"xyz", "7.3e17", "-1", "1.5", "https://a/b"}) {
    for (const char* name : {"replyTo", "retweeted_status_id"}) {
      CAPTURE(cell);
      CAPTURE(name);
      const std::string table = "id,author_id,text,created_at," + std::string(name) + "\n" +
                                "1,2,a,1462306917," + cell + "\n";
      const std::string object = R"({"id":1,"author_id":2,"text":"a","created_at":1,")" +
                                 std::string(name) + R"(":")" + cell + R"("})";
      CHECK(complaint_of([&] { posts_in(table); }).starts_with("f:2: the id \""));
      CHECK(complaint_of([&] { posts_in(object); }).starts_with("f:1: the id \""));
    }
  }
}

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
