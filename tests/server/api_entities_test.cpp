// Goal: a text comes with its mentions and links, in units that JavaScript and Java count in;
// nothing is revealed of a text that is not delivered.
// Method: an App without sockets over the stores in memory. What is found in texts is tested with
// the grammar.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/api_client.h"

namespace chirp::test {
namespace {

// `mention 0-5 mira, …`
std::string entities(const Answer& answer, const std::string& at) {
  std::string words;
  for (std::size_t i = 0; answer.has(at) && i < answer.size(at); ++i) {
    const std::string one = fmt::format("{}/{}", at, i);
    words += fmt::format("{}{} {}-{} {}", i == 0 ? "" : ", ", answer.text(one + "/type"),
                         answer.number(one + "/begin"), answer.number(one + "/end"),
                         answer.text(one + "/value"));
  }
  return words;
}

constexpr std::string_view kText = "🐦 @Yuki は #Été, (sea.example/Tern_(bird)).";
constexpr std::string_view kFound =
    "mention 3-8 Yuki, hashtag 11-15 été, link 18-41 https://sea.example/Tern_(bird)";

}  // namespace

TEST_CASE("api entities: posts, comments and profiles say what their texts mention") {
  ApiClient world;
  const std::string mira = world.token_of(world.add("mira"));
  const std::string body = fmt::format(R"({{"content":"{}"}})", kText);
  const Answer post = world.post("/v1/posts", mira, body);
  REQUIRE(post.status() == 201);
  CHECK(entities(post, "/entities") == kFound);
  const std::string path = "/v1/posts/" + post.text("/postId");
  CHECK(entities(world.get(path, mira), "/entities") == kFound);
  CHECK(entities(world.get("/v1/feed", mira), "/posts/0/entities") == kFound);

  const Answer plain = world.post("/v1/posts", mira, R"({"content":"Nothing to link"})");
  CHECK_FALSE(plain.has("/entities"));

  const Answer comment = world.post(path + "/comments", mira, body);
  REQUIRE(comment.status() == 201);
  CHECK(entities(comment, "/entities") == kFound);
  const std::string id = comment.text("/commentId");
  const Answer reply = world.post(path + "/comments", mira,
                                  fmt::format(R"({{"content":"x","parentCommentId":"{}"}})", id));
  REQUIRE(reply.status() == 201);
  CHECK(entities(world.get(path + "/comments", mira), "/comments/0/entities") == kFound);
  REQUIRE(world.remove("/v1/comments/" + id, mira).status() == 204);
  const Answer left = world.get(path + "/comments", mira);
  CHECK(left.flag("/comments/0/removed"));
  CHECK_FALSE(left.has("/comments/0/entities"));

  const Answer edited = world.patch("/v1/users/me", mira, fmt::format(R"({{"bio":"{}"}})", kText));
  REQUIRE(edited.status() == 200);
  CHECK(entities(edited, "/entities") == kFound);
  CHECK(entities(world.get("/v1/users/@mira", ""), "/entities") == kFound);
  // Beside a name alone there is no bio.
  CHECK_FALSE(world.get(path, mira).has("/bio"));
}

}  // namespace chirp::test
