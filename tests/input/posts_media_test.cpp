// Goal: media elsewhere that posts name are read, each with its alt text; a retweet whose original
// can't be read is reported. Method: small texts of JSON and tables, with the usual names and with
// fields that come alone.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/input/posts.h"
#include "tests/support/inputs.h"

namespace chirp::cli::input {
namespace {

using namespace chirp::test;
using Media = std::vector<load::SourceMedium>;

Media media_in(const std::string& text, TableLayout layout = {}) {
  const auto posts = read_posts(text, {.layout = std::move(layout)}).posts;
  REQUIRE(posts.size() == 1);
  return posts.front().media;
}

Media in_object(const std::string& members) {
  return media_in(R"({"id":1,"authorId":2,"text":"a","createdAt":1768000000,)" + members + "}");
}

load::SourceMedium at(std::string address, std::string alt_text = {}) {
  load::SourceMedium medium;
  medium.address = std::move(address);
  medium.alt_text = std::move(alt_text);
  return medium;
}

constexpr const char* kOne = "https://example.org/1.png";
constexpr const char* kTwo = "https://example.org/2.png";

load::SourcePost with(const std::string& original) {
  const auto posts =
      read_posts(R"({"id":4,"author":"s","text":"RT @bob: hi","createdAt":"2020-01-01",)" +
                 std::string(R"("retweeted_status":)") + original + "}")
          .posts;
  REQUIRE(posts.size() == 1);
  return posts.front();
}

}  // namespace

TEST_CASE("posts: media of objects, and what they show") {
  CHECK(in_object(R"("mediaUrls":[])").empty());
  CHECK(in_object(R"("mediaUrls":null,"altTexts":null)").empty());
  CHECK(in_object(R"("mediaUrls":["https://example.org/1.png","https://example.org/2.png"])") ==
        Media{at(kOne), at(kTwo)});
  CHECK(in_object(R"("altTexts":["","A dot"],
                     "media_urls":["https://example.org/1.png","https://example.org/2.png"])") ==
        Media{at(kOne), at(kTwo, "A dot")});
  CHECK(in_object(R"("mediaUrl":"https://example.org/1.png","alt_text":"A dot")") ==
        Media{at(kOne, "A dot")});
  CHECK(in_object(R"("media_attachments":[
                     {"type":"image","url":"https://example.org/1.png","description":"A dot"},
                     {"url":"https://example.org/2.png","alt_text":"Another"}])") ==
        Media{at(kOne, "A dot"), at(kTwo, "Another")});
  // An alt text without media is read alone; the caller decides about it.
  CHECK(in_object(R"("altText":"A dot")") == Media{at("", "A dot")});
  CHECK(in_object(R"("mediaUrl":"https://example.org/1.png","altTexts":["A dot","More"])") ==
        Media{at(kOne, "A dot"), at("", "More")});
  CHECK(in_object(R"("mediaUrls":{"a":1},"altTexts":{"b":[]})").empty());
}

TEST_CASE("posts: media of tables") {
  const std::string head = "id,authorId,text,createdAt,media_url,alt text\n1,2,a,1768000000,";
  CHECK(media_in(head + "https://example.org/1.png,A dot\n") == Media{at(kOne, "A dot")});
  CHECK(media_in(head + "https://example.org/1.png https://example.org/2.png,\"A dot, red\"\n") ==
        Media{at(kOne, "A dot, red"), at(kTwo)});
  CHECK(media_in(head + ",\n").empty());
  CHECK(media_in(head + ",A dot\n") == Media{at("", "A dot")});
  CHECK(media_in("1|2|a|1768000000|https://example.org/1.png|A dot\n",
                 {.separator = '|',
                  .columns = parse_columns("id,authorId,text,createdAt,mediaUrls,altTexts")}) ==
        Media{at(kOne, "A dot")});
}

TEST_CASE("originals: a value that is not an object is reported; the retweet keeps its own text") {
  for (const char* original : {"[]", R"([{"id":1}])", R"("{'id': 1}")", "17"}) {
    CAPTURE(original);
    const load::SourcePost post = with(original);
    CHECK(post.text == "RT @bob: hi");
    CHECK(post.original_problem == "the tweet is not an object");
    CHECK_FALSE(post.repost_of);
    CHECK(post.original.empty());
  }
}

TEST_CASE("originals: an empty value is not reported") {
  for (const char* original : {"null", R"("")", R"("nan")", "false"}) {
    CAPTURE(original);
    CHECK(with(original).original_problem.empty());
  }
}

}  // namespace chirp::cli::input
