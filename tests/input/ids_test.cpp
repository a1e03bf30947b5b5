// Goal: an id is an id in every way that tables write it, and what is none is never taken for
// nothing.
// Method: small texts of posts, in JSON and as tables.
#include <doctest/doctest.h>

#include "cli/input/notations.h"
#include "cli/input/posts.h"
#include "tests/support/inputs.h"

namespace chirp::cli::input {
namespace {

using test::complaint_of;
using test::Complaints;
using test::OpenText;

std::vector<load::SourcePost> posts_in(const std::string& text,
                                       std::vector<std::string>* notes = nullptr) {
  std::vector<load::SourcePost> posts;
  Complaints complaints(0);
  const PostSink sink{
      .post = [&](load::SourcePost&& post, const InputPlace&) -> std::optional<std::string> {
        posts.push_back(std::move(post));
        return std::nullopt;
      },
      .user = [](load::SourceUser&&) {}};
  OpenText open(text);
  PostReader(PostFormat::kAuto, complaints.bad, sink).read(open.buffer(), "f", Unknown::kRefused);
  if (notes != nullptr) *notes = complaints.notes;
  return posts;
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

TEST_CASE("ids: a table whose last row may be cut off says so") {
  const std::string head = "id,author_id,created_at,text\n1,2,1462306917,Fish and chips\n";
  std::vector<std::string> notes;
  CHECK(posts_in(head, &notes).size() == 1);
  CHECK(notes.empty());
  CHECK(posts_in(head + "2,2,1462306917,Fish and ch", &notes).size() == 2);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with("f:3: the last line has no newline"));
}

TEST_CASE("ids: what is none in a cell makes it a bad one") {
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

}  // namespace chirp::cli::input
