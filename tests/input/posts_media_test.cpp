// Goal: what posts say of media elsewhere is read, with what these show, each at its place.
// Method: small texts of JSON and tables, with the usual names and with what stands alone.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/input/posts.h"
#include "tests/support/inputs.h"

namespace chirp::cli::input {
namespace {

using test::Complaints;
using test::OpenText;
using Media = std::vector<load::SourceMedium>;

Media media_in(const std::string& text, TableLayout layout = {}) {
  Media media;
  Complaints complaints(0);
  const PostSink sink{
      .post = [&](load::SourcePost&& post, const InputPlace&) -> std::optional<std::string> {
        media.insert(media.end(), post.media.begin(), post.media.end());
        return std::nullopt;
      },
      .user = [](load::SourceUser&&) {}};
  OpenText open(text);
  PostReader reader(PostFormat::kAuto, complaints.bad, sink, std::move(layout));
  CHECK(reader.read(open.buffer(), "f", Unknown::kRefused).posts == 1);
  return media;
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
  // What belongs to nothing stands alone, for who takes it to say.
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

}  // namespace chirp::cli::input
