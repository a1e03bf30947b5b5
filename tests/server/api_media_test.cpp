// Goal: files come in as what they are and go out as they came, whole or in part, and nothing else
// is made of them. Method: the App over the stores in memory; small files of every type, declared
// rightly and wrongly; every range of a small file against plain substr.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/limits.h"
#include "server/api/byte_range.h"
#include "server/limits.h"
#include "tests/support/api_client.h"
#include "tests/support/pictures.h"

namespace chirp::test {
namespace {

using http::Method;

struct Files : ApiClient {
  Answer upload(const std::string& type, const std::string& bytes) {
    return ask(Method::kPost, "/v1/media", {.token = token, .body = bytes, .type = type});
  }
  Answer fetch(const std::string& path, std::vector<http::Pair> headers = {},
               Method method = Method::kGet) {
    return ask(method, path, {.headers = std::move(headers)});
  }

  User mira = add("mira");
  std::string token = token_of(mira);
};

}  // namespace

TEST_CASE("api media: each type is taken as what it is, and comes back unchanged") {
  Files api;
  const std::vector<std::pair<std::string, std::string>> files{{"image/png", png()},
                                                               {"image/jpeg", jpeg()},
                                                               {"image/gif", gif()},
                                                               {"image/webp", webp()},
                                                               {"video/mp4", mp4()}};
  for (const auto& [type, bytes] : files) {
    CAPTURE(type);
    const Answer made = api.upload(type, bytes);
    REQUIRE(made.status() == 201);
    CHECK(made.text("/type") == type);
    CHECK(made.number("/width") == 3);
    CHECK(made.number("/height") == 2);
    CHECK(made.text("/url") == "/media/" + made.text("/mediaId"));
    CHECK(made.header("Location") == made.text("/url"));
    const Answer file = api.fetch(made.text("/url"));
    CHECK(file.status() == 200);
    CHECK(file.response().type == type);
    CHECK(made.number("/bytes") == static_cast<std::int64_t>(file.body().size()));
    CHECK(file.header("Cache-Control") == "public, no-cache");
    CHECK(file.header("Accept-Ranges") == "bytes");
    CHECK(file.header("X-Content-Type-Options") == "nosniff");
    CHECK(file.header("Content-Security-Policy") == "default-src 'none'; sandbox");
    CHECK(file.header("ETag")->starts_with('"'));
    for (const auto& [other, _] : files) {
      if (other == type) continue;
      const Answer refused = api.upload(other, bytes);
      CHECK(refused.status() == 415);
      CHECK(refused.code() == "unsupported_media_type");
    }
  }
}

TEST_CASE("api media: the same file again is the same upload") {
  Files api;
  const Answer first = api.upload("image/png", png());
  api.clock.advance(1);
  const Answer again = api.upload("image/png", png());
  CHECK(again.status() == 200);
  CHECK(again.body() == first.body());
  CHECK_FALSE(again.header("Location"));
  const User yuki = api.add("yuki");
  api.token = api.token_of(yuki);
  const Answer hers = api.upload("image/png", png());
  CHECK(hers.status() == 201);
  CHECK(hers.text("/mediaId") != first.text("/mediaId"));
}

TEST_CASE("api media: what is not a picture or video is not taken, whatever it is called") {
  Files api;
  const std::string page = "<html><script>alert(1)</script></html>";
  for (const char* type : {"text/html", "image/svg+xml", "application/octet-stream", "image/*",
                           "image/png, text/html", "", "application/json", "video/webm"}) {
    CAPTURE(type);
    CHECK(api.upload(type, png()).status() == 415);
    CHECK(api.upload(type, page).status() == 415);
  }
  CHECK(api.upload("image/png", page).status() == 415);
  CHECK(api.upload("image/gif", "GIF89a" + page).status() == 415);
  CHECK(api.upload("image/png", png().substr(0, 20)).status() == 415);
  CHECK(api.upload("IMAGE/PNG; charset=utf-8", png()).status() == 201);
  CHECK(api.ask(Method::kPost, "/v1/media",
                {.token = api.token, .headers = {{"content-type", "image/png"}}})
            .status() == 400);
  CHECK(api.ask(Method::kPost, "/v1/media", {.token = api.token}).status() == 400);
  const Answer large = api.upload("image/png", std::string(limits::kMediaBytesMax + 1, 'x'));
  CHECK(large.status() == 413);
  CHECK(large.code() == "payload_too_large");
  CHECK(api.ask(Method::kPost, "/v1/media", {.body = png(), .type = "image/png"}).status() == 401);
}

TEST_CASE("api media: a file that is not there, or not any more, is not found") {
  Files api;
  const std::string url = api.upload("image/png", png()).text("/url");
  for (const char* none : {"/media/1", "/media/0", "/media/x", "/media/-1", "/media/%2e%2e",
                           "/media/9223372036854775808", "/media/..%2fusers.db"}) {
    CAPTURE(none);
    CHECK(api.fetch(none).status() == 404);
  }
  CHECK(api.fetch("/media/").status() == 404);
  CHECK(api.fetch("/media").status() == 404);
  const Change mark = MarkRemoved{api.mira.number};
  (void)api.storage.write({&mark, 1}, api.clock.now());
  CHECK(api.fetch(url).status() == 404);
  CHECK(api.upload("image/png", png()).status() == 401);
}

TEST_CASE("api media: a file goes with the last that names it, from the next request on") {
  Files api;
  const auto post = [&](const std::string& media) {
    const Answer made =
        api.ask(Method::kPost, "/v1/posts",
                {.token = api.token, .body = R"({"content":"","mediaIds":[")" + media + R"("]})"});
    REQUIRE(made.status() == 201);
    return "/v1/posts/" + made.text("/postId");
  };
  const auto remove = [&](const std::string& path) {
    CHECK(api.ask(Method::kDelete, path, {.token = api.token}).status() == 204);
  };
  const Answer upload = api.upload("image/png", png());
  const std::string id = upload.text("/mediaId");
  const std::string url = upload.text("/url");
  CHECK(api.fetch(url).status() == 200);  // for whoever is about to post it
  const std::string first = post(id);
  const std::string second = post(id);
  const std::string tag = *api.fetch(url).header("ETag");
  remove(first);
  CHECK(api.fetch(url).status() == 200);
  remove(second);
  CHECK(api.fetch(url).status() == 404);
  CHECK(api.fetch(url, {{"if-none-match", tag}}).status() == 404);
  CHECK(api.fetch(url, {{"range", "bytes=0-1"}}).status() == 404);
  CHECK(api.fetch(url, {}, Method::kHead).status() == 404);
  post(id);
  CHECK(api.fetch(url).status() == 200);

  const Answer picture = api.upload("image/gif", gif());
  const auto edit = [&](const std::string& body) {
    CHECK(api.ask(Method::kPatch, "/v1/users/me", {.token = api.token, .body = body}).status() ==
          200);
  };
  edit(R"({"profileMediaId":")" + picture.text("/mediaId") + R"("})");
  CHECK(api.fetch(picture.text("/url")).status() == 200);
  edit(R"({"profileMediaId":null})");
  CHECK(api.fetch(picture.text("/url")).status() == 404);
  CHECK(api.upload("image/gif", gif()).status() == 200);  // about to be named again
  CHECK(api.fetch(picture.text("/url")).status() == 200);
}

TEST_CASE("api media: an unchanged file is not sent again, and never changes") {
  Files api;
  const std::string url = api.upload("image/png", png()).text("/url");
  const std::string tag = *api.fetch(url).header("ETag");
  for (const std::string& held : {tag, "W/" + tag, std::string("*"), "\"x\", " + tag}) {
    const Answer same = api.fetch(url, {{"if-none-match", held}, {"range", "bytes=0-1"}});
    CHECK(same.status() == 304);
    CHECK(same.body().empty());
    CHECK(same.header("ETag") == tag);
    CHECK(same.header("Cache-Control") == "public, no-cache");
  }
  CHECK(api.fetch(url, {{"if-none-match", "\"x\""}}).status() == 200);
  CHECK(*api.fetch(api.upload("image/gif", gif()).text("/url")).header("ETag") != tag);
}

TEST_CASE("api media: one range is cut out, and anything else is ignored") {
  Files api;
  const std::string url = api.upload("image/png", png()).text("/url");
  const std::string whole = api.fetch(url).body();
  const std::size_t size = whole.size();
  for (std::size_t first = 0; first < size; first += 7) {
    for (std::size_t last = first; last < size + 9; last += 5) {
      const Answer part = api.fetch(url, {{"range", fmt::format("bytes={}-{}", first, last)}});
      CHECK(part.status() == 206);
      CHECK(part.body() == whole.substr(first, last - first + 1));
      CHECK(part.header("Content-Range") ==
            fmt::format("bytes {}-{}/{}", first, std::min(last, size - 1), size));
    }
  }
  CHECK(api.fetch(url, {{"range", "bytes=5-"}}).body() == whole.substr(5));
  CHECK(api.fetch(url, {{"range", "bytes=-5"}}).body() == whole.substr(size - 5));
  // Numbers have no end, and a unit is one in any case.
  for (const char* all :
       {"bytes=-999999", "bytes=-18446744073709551616", "bytes=0-18446744073709551616",
        "Bytes=0-99999999999999999999999", "BYTES=0-"}) {
    CAPTURE(all);
    const Answer part = api.fetch(url, {{"range", all}});
    CHECK(part.status() == 206);
    CHECK(part.body() == whole);
  }
  for (const std::string& past :
       {fmt::format("bytes={}-", size), fmt::format("bytes={}-{}", size + 5, size + 9),
        std::string("bytes=-0"), std::string("bytes=18446744073709551615-"),
        std::string("bytes=18446744073709551616-"),
        std::string("bytes=99999999999999999999999-99999999999999999999999")}) {
    CAPTURE(past);
    const Answer refused = api.fetch(url, {{"range", past}});
    CHECK(refused.status() == 416);
    CHECK(refused.code() == "invalid_argument");
    CHECK(refused.blamed() == "Range");
    CHECK(refused.header("Content-Range") == fmt::format("bytes */{}", size));
  }
  std::string many = "bytes=0-";
  for (int i = 0; i < 1500; ++i) many += ",0-";
  for (const std::string& ignored :
       {many, std::string("bytes=0-1,3-4"), std::string("bytes=5-4"), std::string("bytes=-"),
        std::string("bytes="), std::string("bytes"), std::string("lines=0-1"), std::string(""),
        std::string("bytes=a-b"), std::string("bytes=0x0-1"), std::string("bytes= 0-1"),
        std::string("bytes=+0-1"), std::string("bytes=99999999999999999999999x-"),
        std::string("bytes=0-99999999999999999999999 "), std::string("BYTES 0-1")}) {
    CAPTURE(ignored.substr(0, 30));
    const Answer full = api.fetch(url, {{"range", ignored}});
    CHECK(full.status() == 200);
    CHECK(full.body() == whole);
    CHECK_FALSE(full.header("Content-Range"));
  }
  const std::string tag = *api.fetch(url).header("ETag");
  CHECK(api.fetch(url, {{"range", "bytes=0-1"}, {"if-range", tag}}).status() == 206);
  CHECK(api.fetch(url, {{"range", "bytes=0-1"}, {"if-range", "\"x\""}}).status() == 200);
  CHECK(api.fetch(url, {{"range", "bytes=0-1"}, {"if-range", "W/" + tag}}).status() == 200);
  CHECK(api.fetch(url, {{"range", "bytes=0-1"}}, Method::kHead).status() == 200);
}

TEST_CASE("api media: only the requested range is read") {
  Files api;
  const std::string url = api.upload("image/png", png()).text("/url");
  const http::Response part =
      api.app->answer(request_for(Method::kGet, url, {.headers = {{"range", "bytes=7-7"}}}));
  REQUIRE(part.source);
  CHECK(part.body.empty());
  CHECK(part.source_begin == 7);
  CHECK(part.source_bytes == 1);
  std::string byte(1, ' ');
  part.source->read(7, byte);
  CHECK(byte == api.fetch(url).body().substr(7, 1));
}

TEST_CASE("api media: a range of an empty file can't be") {
  CHECK_FALSE(api::byte_range("bytes=0-", 0)->satisfiable);
  CHECK_FALSE(api::byte_range("bytes=-1", 0)->satisfiable);
}

}  // namespace chirp::test
