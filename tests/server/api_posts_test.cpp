// Goal: the calls about posts answer what the contract says in words: what is there and what is
// left out, what is new, who is notified of what.
// Method: an App without sockets over the stores in memory.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/limits.h"
#include "tests/support/api_client.h"
#include "tests/support/pictures.h"

namespace chirp::test {
namespace {

struct PostWorld : ApiClient {
  PostWorld() : mira(token_of(add("mira"))), yuki(token_of(add("yuki"))) {}

  std::string id_of(std::string_view body, const std::string& token) {
    const Answer answer = post("/v1/posts", token, std::string(body));
    REQUIRE(answer.status() == 201);
    return answer.text("/postId");
  }
  std::string upload(const std::string& name, const std::string& bytes) {
    return std::to_string(engine.media().put(engine.accounts().resolve(name), bytes).id.value);
  }
  Answer publish(std::string_view body) { return post("/v1/posts", mira, std::string(body)); }

  std::string mira;
  std::string yuki;
};

Asking keyed(std::string token, std::string key, std::string body) {
  return {.token = std::move(token),
          .body = std::move(body),
          .headers = {{"idempotency-key", std::move(key)}}};
}

}  // namespace

TEST_CASE("api posts: a new one is shown as its author sees it, with its place") {
  PostWorld world;
  const Answer answer = world.publish(R"({"content":"First frost"})");
  CHECK(answer.status() == 201);
  CHECK(answer.header("Location") == "/v1/posts/" + answer.text("/postId"));
  CHECK(answer.text("/username") == "mira");
  CHECK(answer.text("/privacy") == "public");
  CHECK(answer.text("/postType") == "text");
  CHECK(answer.size("/mediaUrls") == 0);
  CHECK(answer.number("/likeCount") == 0);
  CHECK_FALSE(answer.flag("/userLiked"));
  for (const char* absent : {"/userLikeType", "/likeCounts", "/repostOf", "/profileImageUrl"}) {
    CHECK_FALSE(answer.has(absent));
  }
}

TEST_CASE("api posts: uploads come before addresses, and the type has to agree") {
  PostWorld world;
  const std::string media = world.upload("mira", png());
  const Answer answer = world.publish(fmt::format(
      R"({{"content":"","mediaUrls":["https://example.org/b"],"mediaIds":["{}"],"postType":"media"}})",
      media));
  REQUIRE(answer.status() == 201);
  CHECK(answer.text("/postType") == "media");
  CHECK(answer.text("/mediaUrls/0") == "/media/" + media);
  CHECK(answer.text("/mediaUrls/1") == "https://example.org/b");

  const auto blamed = [&](std::string_view body) {
    const Answer refused = world.publish(body);
    CHECK(refused.status() == 422);
    return refused.blamed();
  };
  CHECK(blamed(R"({"content":"x","postType":"media"})") == "postType");
  CHECK(blamed(R"({"content":"x","postType":"repost"})") == "postType");
  CHECK(blamed(R"({"content":"x","postType":"text","mediaUrls":["http://a"]})") == "postType");
  CHECK(blamed(R"({"content":"","mediaUrls":[]})") == "content");
  CHECK(blamed(R"({"privacy":"friends"})") == "content privacy");
  // What other services call it must not make a post public.
  CHECK(blamed(R"({"content":"x","visibility":"private"})") == "visibility");
  CHECK(blamed(R"({"content":"x","audience":"followers"})") == "audience");
  CHECK(blamed(R"({"content":"x","mediaUrls":["http://a","file:///etc/passwd"]})") ==
        "mediaUrls[1]");
  CHECK(blamed(R"({"content":"x","mediaIds":["a"]})") == "mediaIds[0]");
  CHECK(blamed(fmt::format(R"({{"content":"x","mediaIds":["{}","7"]}})", media)) == "mediaIds[1]");
  CHECK(
      blamed(fmt::format(
          R"({{"content":"x","mediaIds":["{}"],"mediaUrls":["http://a","http://b","http://c","http://d"]}})",
          media)) == "mediaUrls");
  const std::string theirs = world.upload("yuki", jpeg());
  CHECK(blamed(fmt::format(R"({{"content":"x","mediaIds":["{}"]}})", theirs)) == "mediaIds[0]");
}

TEST_CASE("api posts: what media show is said of each, and nothing where nothing is said") {
  PostWorld world;
  const std::string media = world.upload("mira", png());
  const auto body = [&](const std::string& texts) {
    return fmt::format(
        R"({{"content":"","mediaUrls":["https://example.org/b"],"mediaIds":["{}"],"altTexts":{}}})",
        media, texts);
  };
  const Answer said = world.publish(body(R"(["","Boats in fog"])"));
  REQUIRE(said.status() == 201);
  CHECK(said.text("/altTexts/0").empty());
  CHECK(said.text("/altTexts/1") == "Boats in fog");
  const Answer first = world.publish(body(R"(["A heron"])"));
  REQUIRE(first.status() == 201);
  CHECK(first.text("/altTexts/0") == "A heron");
  CHECK(first.size("/altTexts") == 2);
  CHECK_FALSE(world.publish(body("[]")).has("/altTexts"));
  CHECK_FALSE(world.publish(body(R"(["",""])")).has("/altTexts"));

  const auto blamed = [&](const std::string& texts) {
    const Answer refused = world.publish(body(texts));
    CHECK(refused.status() == 422);
    return refused.blamed();
  };
  CHECK(blamed(R"(["a","b","c"])") == "altTexts");
  CHECK(blamed(R"([7])") == "altTexts[0]");
  CHECK(blamed(R"(["a"," "])") == "altTexts[1]");
  CHECK(blamed(fmt::format(R"(["{}"])", std::string(limits::kAltTextMax + 1, 'a'))) ==
        "altTexts[0]");
}

TEST_CASE("api posts: a key makes one post, and shows it as it is by now") {
  PostWorld world;
  const auto ask = [&](std::string key, std::string body) {
    return world.ask(http::Method::kPost, "/v1/posts",
                     keyed(world.mira, std::move(key), std::move(body)));
  };
  const Answer first = ask("k1", R"({"content":"once"})");
  CHECK(first.status() == 201);
  const std::string post = "/v1/posts/" + first.text("/postId");
  CHECK(world.post(post + "/like", world.mira).status() == 201);
  const Answer again = ask("k1", R"({"content":"once"})");
  CHECK(again.status() == 200);
  CHECK(again.text("/postId") == first.text("/postId"));
  CHECK(again.number("/likeCount") == 1);
  CHECK(again.flag("/userLiked"));
  CHECK_FALSE(again.header("Location"));
  CHECK(ask("k1", R"({"content":"twice"})").status() == 409);
  CHECK(ask("k2", R"({"content":"once"})").status() == 201);
  CHECK(world.remove(post, world.mira).status() == 204);
  const Answer other = ask("k1", R"({"content":"once"})");
  CHECK(other.code() == "conflict");
  CHECK(other.blamed() == "Idempotency-Key");
  for (const std::string& bad :
       {std::string("a b"), std::string("a\x7f"), std::string(129, 'k'), std::string()}) {
    const Answer refused = ask(bad, R"({"content":"once"})");
    CHECK(refused.status() == 400);
    CHECK(refused.blamed() == "Idempotency-Key");
  }
  Asking two = keyed(world.mira, "k3", R"({"content":"once"})");
  two.headers.push_back({"idempotency-key", "k4"});
  CHECK(world.ask(http::Method::kPost, "/v1/posts", two).blamed() == "Idempotency-Key");
}

TEST_CASE("api posts: marks are the caller's, counters everybody's, and either can be left out") {
  PostWorld world;
  const std::string post = "/v1/posts/" + world.id_of(R"({"content":"x"})", world.mira);
  CHECK(world.post(post + "/like", world.yuki, R"({"likeType":"sad"})").status() == 201);
  const Answer mine = world.get(post, world.yuki);
  CHECK(mine.flag("/userLiked"));
  CHECK(mine.text("/userLikeType") == "sad");
  CHECK(mine.number("/likeCounts/sad") == 1);
  const Answer hers = world.get(post, world.mira);
  CHECK_FALSE(hers.flag("/userLiked"));
  CHECK_FALSE(hers.has("/userLikeType"));
  CHECK_FALSE(world.get(post).has("/userLiked"));
  CHECK(world.get(post).number("/likeCount") == 1);
  const Answer bare = world.get(post + "?includeStats=false", world.yuki);
  for (const char* counter : {"/likeCount", "/commentCount", "/repostCount", "/likeCounts"}) {
    CHECK_FALSE(bare.has(counter));
  }
  CHECK(bare.flag("/userLiked"));
  CHECK(world.get(post + "?includeStats=no").blamed() == "includeStats");
  CHECK(world.get(post + "?includeStats=true&includeStats=true").blamed() == "includeStats");
}

TEST_CASE("api posts: a tag covers the counters and the caller's marks") {
  PostWorld world;
  const std::string post = "/v1/posts/" + world.id_of(R"({"content":"x"})", world.mira);
  const auto tag = [&](const std::string& token) { return world.get(post, token).header("ETag"); };
  const auto before = tag(world.yuki);
  REQUIRE(before);
  CHECK(tag(world.yuki) == before);
  const auto ask = [&](const std::string& held) {
    return world.ask(http::Method::kGet, post,
                     {.token = world.yuki, .headers = {{"if-none-match", held}}});
  };
  CHECK(ask(*before).status() == 304);
  CHECK(ask(*before).body().empty());
  CHECK(world.post(post + "/like", world.mira).status() == 201);
  CHECK(ask(*before).status() == 200);
  CHECK(tag(world.yuki) != tag(world.mira));
}

TEST_CASE("api posts: an answer that is not public says `no-store`") {
  PostWorld world;
  const std::string open = world.id_of(R"({"content":"x"})", world.mira);
  const std::string narrow = world.id_of(R"({"content":"x","privacy":"private"})", world.mira);
  const auto kept = [&](const std::string& target, const std::string& token) {
    return world.get(target, token).header("Cache-Control");
  };
  CHECK(kept("/v1/posts/" + open, {}) == "no-cache");
  CHECK(kept("/v1/posts/" + open, world.mira) == "private, no-cache");
  CHECK(kept("/v1/posts/" + narrow, world.mira) == "no-store");
  for (const char* list : {"/likes", "/comments"}) {
    CHECK(kept("/v1/posts/" + open + list, world.mira) == "private, no-cache");
    CHECK(kept("/v1/posts/" + narrow + list, world.mira) == "no-store");
  }
  CHECK(kept("/v1/users/me/posts", world.mira) == "no-store");
  CHECK(kept("/v1/users/me/posts?privacy=public", world.mira) == "private, no-cache");
}

TEST_CASE("api posts: what may not be seen is not there, and what is seen may be refused") {
  PostWorld world;
  const std::string narrow =
      "/v1/posts/" + world.id_of(R"({"content":"x","privacy":"followers"})", world.mira);
  const std::string open = "/v1/posts/" + world.id_of(R"({"content":"x"})", world.mira);
  for (const std::string& token : {std::string(), world.yuki}) {
    CHECK(world.get(narrow, token).status() == 404);
    CHECK(world.get(open, token).status() == 200);
  }
  CHECK(world.remove(narrow, world.yuki).status() == 404);
  CHECK(world.post(narrow + "/repost", world.yuki).status() == 404);
  CHECK(world.remove(open, world.yuki).status() == 403);
  CHECK(world.post("/v1/users/@mira/follow", world.yuki).status() == 204);
  CHECK(world.get(narrow, world.yuki).status() == 200);
  CHECK(world.remove(narrow, world.yuki).status() == 403);
  CHECK(world.post(narrow + "/repost", world.yuki).status() == 403);
  const std::string me = std::to_string(world.engine.accounts().resolve("yuki").id.value);
  CHECK(world.get(open + "?userId=" + me, world.yuki).status() == 200);
  CHECK(world.get(open + "?userId=" + me, world.mira).status() == 403);
  CHECK(world.get(open + "?userId=" + me).status() == 401);
  CHECK(world.get(open + "?userId=me", world.yuki).status() == 400);
}

TEST_CASE("api posts: several are found in the order asked for, each once") {
  PostWorld world;
  const std::string one = world.id_of(R"({"content":"one"})", world.mira);
  const std::string two = world.id_of(R"({"content":"two"})", world.yuki);
  const std::string hidden = world.id_of(R"({"content":"x","privacy":"private"})", world.mira);
  const std::string body =
      fmt::format(R"({{"postIds":["{}","{}","9","{}","{}"]}})", two, hidden, one, two);
  const Answer answer = world.post("/v1/posts/batch-get", world.yuki, body);
  CHECK(answer.status() == 200);
  REQUIRE(answer.size("/posts") == 2);
  CHECK(answer.text("/posts/0/postId") == two);
  CHECK(answer.text("/posts/1/postId") == one);
  REQUIRE(answer.size("/missing") == 2);
  CHECK(answer.text("/missing/0") == hidden);
  CHECK(answer.text("/missing/1") == "9");
  CHECK(answer.has("/posts/0/userLiked"));
  CHECK_FALSE(world.post("/v1/posts/batch-get", {}, body).has("/posts/0/userLiked"));
  CHECK(world.post("/v1/posts/batch-get", {}, R"({"postIds":["x"]})").blamed() == "postIds[0]");
}

TEST_CASE("api posts: a repost is a post of its own, made once, and its original shows in it") {
  PostWorld world;
  const std::string original = world.id_of(R"({"content":"x"})", world.mira);
  const Answer made = world.post("/v1/posts/" + original + "/repost", world.yuki);
  CHECK(made.status() == 201);
  const std::string repost = made.text("/postId");
  CHECK(made.header("Location") == "/v1/posts/" + repost);
  CHECK(made.text("/postType") == "repost");
  CHECK(made.text("/content").empty());
  CHECK_FALSE(made.has("/likeCount"));
  CHECK_FALSE(made.has("/userLiked"));
  CHECK(made.text("/repostOf/postId") == original);
  CHECK(made.number("/repostOf/repostCount") == 1);
  CHECK(made.flag("/repostOf/userReposted"));
  const std::string path = "/v1/posts/" + original;
  CHECK(world.get(path, world.yuki).flag("/userReposted"));
  CHECK_FALSE(world.get(path, world.mira).flag("/userReposted"));
  CHECK_FALSE(world.get(path).has("/userReposted"));
  CHECK(world.post("/v1/posts/" + repost + "/repost", world.yuki).status() == 200);
  CHECK_FALSE(world.get("/v1/posts/" + repost + "?includeStats=false").has("/repostOf/likeCount"));
  CHECK(world.remove("/v1/posts/" + original + "/repost", world.yuki).status() == 204);
  CHECK(world.remove("/v1/posts/" + original + "/repost", world.yuki).status() == 204);
  CHECK(world.get("/v1/posts/" + repost).status() == 404);
  CHECK_FALSE(world.get(path, world.yuki).flag("/userReposted"));
}

TEST_CASE("api posts: somebody's are listed in pages, at one level if one is asked for") {
  PostWorld world;
  std::string last;
  for (const char* level : {"public", "followers", "private", "public"}) {
    last = world.id_of(fmt::format(R"({{"content":"x","privacy":"{}"}})", level), world.mira);
  }
  const std::string list = "/v1/users/@mira/posts";
  CHECK(world.get(list, world.mira).size("/posts") == 4);
  CHECK(world.get(list, world.yuki).size("/posts") == 2);
  CHECK(world.get(list).size("/posts") == 2);
  CHECK(world.get(list + "?privacy=followers", world.mira).size("/posts") == 1);
  CHECK(world.get(list + "?privacy=followers", world.yuki).size("/posts") == 0);
  CHECK(world.get(list + "?privacy=public").size("/posts") == 2);
  CHECK(world.get(list + "?privacy=followers").status() == 401);
  CHECK(world.get(list + "?privacy=all").blamed() == "privacy");
  const Answer page = world.get(list + "?limit=1");
  CHECK(page.text("/posts/0/postId") == last);
  CHECK(page.flag("/pagination/hasMore"));
  const Answer rest = world.get(list + "?cursor=" + page.text("/pagination/nextCursor"));
  CHECK(rest.size("/posts") == 1);
  CHECK_FALSE(rest.flag("/pagination/hasMore"));
  CHECK(rest.is_null("/pagination/nextCursor"));
  for (const char* bad : {"limit=0", "limit=101", "limit=x", "limit=1&limit=1"}) {
    CHECK(world.get(list + '?' + bad).blamed() == "limit");
  }
  CHECK(world.get(list + "?cursor=abc").blamed() == "cursor");
  CHECK(world.get("/v1/users/@nobody/posts").status() == 404);
}

}  // namespace chirp::test
