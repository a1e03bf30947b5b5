// Goal: likes, comments and notifications over HTTP say what is new, keep their cursors to their
// lists, and hide what may not be seen.
// Method: an App without sockets over the stores in memory.
#include <cstdint>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/limits.h"
#include "tests/support/api_client.h"
#include "tests/support/pictures.h"

namespace chirp::test {
namespace {

struct TalkWorld : ApiClient {
  TalkWorld() : mira(token_of(add("mira"))), yuki(token_of(add("yuki"))) {
    post_id = post("/v1/posts", mira, R"({"content":"First frost"})").text("/postId");
    path = "/v1/posts/" + post_id;
  }
  std::string comment(const std::string& token, const std::string& text,
                      const std::string& parent = {}) {
    const std::string body =
        parent.empty() ? fmt::format(R"({{"content":"{}"}})", text)
                       : fmt::format(R"({{"content":"{}","parentCommentId":"{}"}})", text, parent);
    const Answer answer = post(path + "/comments", token, body);
    REQUIRE(answer.status() == 201);
    return answer.text("/commentId");
  }
  std::string listed(const std::string& query, const std::string& token = {}) {
    const Answer page = get(path + "/comments" + query, token);
    REQUIRE(page.status() == 200);
    std::string texts;
    for (std::size_t i = 0; i < page.size("/comments"); ++i) {
      texts += page.text(fmt::format("/comments/{}/content", i)) + ' ';
    }
    return texts;
  }

  std::string mira;
  std::string yuki;
  std::string post_id;
  std::string path;
};

}  // namespace

TEST_CASE("api likes: the first is new, another kind replaces it, taking it back is harmless") {
  TalkWorld world;
  const Answer first = world.post(world.path + "/like", world.yuki);
  CHECK(first.status() == 201);
  CHECK(first.text("/likeType") == "like");
  CHECK(first.text("/postId") == world.post_id);
  CHECK(first.number("/newTotalLikes") == 1);
  world.clock.advance(1000);
  const Answer changed = world.post(world.path + "/like", world.yuki, R"({"likeType":"love"})");
  CHECK(changed.status() == 200);
  CHECK(changed.text("/likeType") == "love");
  CHECK(changed.text("/createdAt") == first.text("/createdAt"));
  CHECK(changed.number("/newTotalLikes") == 1);
  CHECK(world.post(world.path + "/like", world.yuki, R"({"likeType":"meh"})").blamed() ==
        "likeType");
  CHECK(world.remove(world.path + "/like", world.yuki).number("/newTotalLikes") == 0);
  CHECK(world.remove(world.path + "/like", world.yuki).status() == 200);
  CHECK(world.post(world.path + "/like", world.yuki).status() == 201);
}

TEST_CASE("api likes: are listed by kind, and a cursor goes with its own list alone") {
  TalkWorld world;
  for (int i = 0; i < 5; ++i) {
    const std::string token = world.token_of(world.add(fmt::format("p{}", i)));
    const std::string type = i % 2 == 0 ? "love" : "sad";
    CHECK(world.post(world.path + "/like", token, fmt::format(R"({{"likeType":"{}"}})", type))
              .status() == 201);
  }
  const std::string list = world.path + "/likes";
  CHECK(world.get(list).number("/totalCount") == 5);
  const Answer loves = world.get(list + "?likeType=love&limit=2");
  CHECK(loves.number("/totalCount") == 3);
  CHECK(loves.size("/likes") == 2);
  CHECK(loves.text("/likes/1/username") == "p2");
  const std::string cursor = loves.text("/pagination/nextCursor");
  const Answer rest = world.get(list + "?likeType=love&limit=2&cursor=" + cursor);
  CHECK(rest.size("/likes") == 1);
  CHECK(rest.is_null("/pagination/nextCursor"));
  CHECK(world.get(list + "?cursor=" + cursor).blamed() == "cursor");
  CHECK(world.get(list + "?likeType=meh").blamed() == "likeType");
  CHECK(world.get(list + "?limit=201").blamed() == "limit");
  CHECK(world.get("/v1/posts/7/likes").status() == 404);
}

TEST_CASE("api likes: who likes is shown with their picture") {
  TalkWorld world;
  const User yuki = world.engine.accounts().resolve("yuki");
  const MediaId picture = world.engine.media().put_picture(yuki, png()).id;
  social::AccountEdit edit;
  edit.picture = picture;
  (void)world.engine.accounts().edit(world.engine.accounts().resolve("yuki"), edit);
  CHECK(world.post(world.path + "/like", world.yuki).status() == 201);
  const std::string url = "/media/" + std::to_string(picture.value);
  CHECK(world.get(world.path + "/likes").text("/likes/0/profileImageUrl") == url);
  const Answer told = world.get("/v1/notifications", world.mira);
  CHECK(told.text("/notifications/0/actor/profileImageUrl") == url);
}

TEST_CASE("api comments: are threaded, sorted, paged, and emptied when they have replies") {
  TalkWorld world;
  const std::string one = world.comment(world.yuki, "one");
  const std::string two = world.comment(world.mira, "two");
  const std::string reply = world.comment(world.mira, "reply", one);
  CHECK(world.post("/v1/comments/" + one + "/like", world.mira).status() == 201);
  CHECK(world.post("/v1/comments/" + one + "/like", world.mira).status() == 200);
  CHECK(world.listed("") == "two one ");
  CHECK(world.listed("?sort=oldest") == "one two ");
  CHECK(world.listed("?sort=popular") == "one two ");
  CHECK(world.listed("?parentCommentId=" + one) == "reply ");
  const Answer page = world.get(world.path + "/comments?limit=1&sort=oldest", world.mira);
  CHECK(page.flag("/comments/0/userLiked"));
  CHECK(page.number("/comments/0/likeCount") == 1);
  CHECK(page.number("/comments/0/replyCount") == 1);
  CHECK(page.is_null("/comments/0/parentCommentId"));
  const std::string cursor = page.text("/pagination/nextCursor");
  CHECK(world.listed("?sort=oldest&cursor=" + cursor) == "two ");
  const auto blamed = [&](const std::string& query) {
    return world.get(world.path + "/comments?" + query).blamed();
  };
  CHECK(blamed("sort=newest&cursor=" + cursor) == "cursor");
  CHECK(blamed("sort=best") == "sort");
  CHECK(blamed("parentCommentId=x") == "parentCommentId");
  CHECK(blamed("limit=0") == "limit");
  for (const std::string& nothing : {std::string("7"), std::string("0"), world.post_id}) {
    CHECK(world.get(world.path + "/comments?parentCommentId=" + nothing).status() == 404);
  }
  CHECK_FALSE(world.get(world.path + "/comments").has("/comments/0/userLiked"));

  CHECK(world.remove("/v1/comments/" + one, world.yuki).status() == 204);
  const Answer emptied = world.get(world.path + "/comments?sort=oldest&limit=1");
  CHECK(emptied.flag("/comments/0/removed"));
  CHECK(emptied.text("/comments/0/userId") == "0");
  CHECK(emptied.text("/comments/0/content").empty());
  CHECK(world.remove("/v1/comments/" + one, world.yuki).status() == 404);
  CHECK(world.remove("/v1/comments/" + reply, world.yuki).status() == 403);
  CHECK(world.remove("/v1/comments/" + two + "/like", world.yuki).number("/newTotalLikes") == 0);
}

TEST_CASE("api comments: a reply answers a comment of this post, and null is no comment") {
  TalkWorld world;
  const auto blamed = [&](const std::string& body) {
    const Answer answer = world.post(world.path + "/comments", world.yuki, body);
    CHECK(answer.status() == 422);
    return answer.blamed();
  };
  CHECK(blamed("{}") == "content");
  CHECK(blamed(R"({"content":"  "})") == "content");
  CHECK(blamed(R"({"content":"x","parentCommentId":"0"})") == "parentCommentId");
  CHECK(blamed(R"({"content":"x","parentCommentId":"7"})") == "parentCommentId");
  CHECK(blamed(R"({"content":"x","parentCommentId":7})") == "parentCommentId");
  const Answer top =
      world.post(world.path + "/comments", world.yuki, R"({"content":"x","parentCommentId":null})");
  CHECK(top.status() == 201);
  CHECK(top.header("Location") == "/v1/comments/" + top.text("/commentId"));
  CHECK_FALSE(top.flag("/userLiked"));
}

TEST_CASE("api comments: replies come along level by level, below what was removed too") {
  TalkWorld world;
  const std::string top = world.comment(world.yuki, "top");
  const std::string other = world.comment(world.yuki, "other");
  std::string gone;
  for (std::uint32_t i = 0; i <= limits::kRepliesShown; ++i) {
    const std::string reply = world.comment(world.mira, fmt::format("reply {}", i), top);
    if (i == 0) gone = reply;
  }
  const std::string deep = world.comment(world.yuki, "deep", gone);
  world.comment(world.yuki, "deeper", deep);
  CHECK(world.remove("/v1/comments/" + gone, world.mira).status() == 204);

  const Answer counted = world.get(world.path + "/comments?sort=oldest");
  CHECK_FALSE(counted.has("/comments/0/replies"));
  const Answer page = world.get(world.path + "/comments?sort=oldest&replies=true");
  CHECK(page.size("/comments") == 2);
  CHECK_FALSE(page.has("/comments/1/replies"));
  CHECK(page.size("/comments/0/replies/comments") == limits::kRepliesShown);
  CHECK(page.flag("/comments/0/replies/comments/0/removed"));
  CHECK(page.text("/comments/0/replies/comments/1/content") == "reply 1");
  CHECK(page.text("/comments/0/replies/comments/0/replies/comments/0/content") == "deep");
  CHECK(page.text("/comments/0/replies/comments/0/replies/comments/0/replies/comments/0/content") ==
        "deeper");
  const std::string next = page.text("/comments/0/replies/pagination/nextCursor");
  CHECK(world.listed(fmt::format("?sort=oldest&parentCommentId={}&cursor={}", top, next)) ==
        fmt::format("reply {} ", limits::kRepliesShown));
  CHECK(world.get(world.path + "/comments?replies=1").blamed() == "replies");
}

TEST_CASE("api comments: the replies of one page have one bound together") {
  TalkWorld world;
  constexpr std::uint32_t kBranches = limits::kRepliesOnPage / limits::kRepliesShown + 1;
  for (std::uint32_t i = 0; i < kBranches; ++i) {
    const std::string top = world.comment(world.yuki, fmt::format("top {}", i));
    world.clock.advance(60'000);  // so that nobody is asked to wait
    for (std::uint32_t j = 0; j < limits::kRepliesShown; ++j) {
      world.comment(world.mira, "reply", top);
    }
  }
  const Answer page =
      world.get(world.path + fmt::format("/comments?sort=oldest&replies=true&limit={}", kBranches));
  const std::string last = fmt::format("/comments/{}", kBranches - 1);
  CHECK(page.size(fmt::format("/comments/{}/replies/comments", kBranches - 2)) ==
        limits::kRepliesShown);
  CHECK_FALSE(page.has(last + "/replies"));
  CHECK(page.number(last + "/replyCount") == limits::kRepliesShown);
}

TEST_CASE("api comments: a comment that is sent again with its key is there once") {
  TalkWorld world;
  const auto send = [&](const std::string& key, const std::string& content, const std::string& path,
                        const std::string& token) {
    Asking asking{.token = token, .body = fmt::format(R"({{"content":"{}"}})", content)};
    asking.headers = {{"idempotency-key", key}};
    return world.ask(http::Method::kPost, path, asking);
  };
  const std::string path = world.path + "/comments";
  const Answer first = send("k", "once", path, world.yuki);
  CHECK(first.status() == 201);
  const std::string id = first.text("/commentId");
  CHECK(first.header("Location") == "/v1/comments/" + id);
  const Answer again = send("k", "once", path, world.yuki);
  CHECK(again.status() == 200);
  CHECK(again.text("/commentId") == id);
  CHECK_FALSE(again.header("Location"));
  CHECK(world.get(path).size("/comments") == 1);
  CHECK(send("k", "twice", path, world.yuki).status() == 409);
  CHECK(send("k k", "once", path, world.yuki).blamed() == "Idempotency-Key");
  CHECK(send("k", "once", path, world.mira).status() == 201);  // another's key
  // The key of a comment can't be used for a post.
  CHECK(send("k", "once", "/v1/posts", world.yuki).status() == 409);
  CHECK(world.remove("/v1/comments/" + id, world.yuki).status() == 204);
  CHECK(send("k", "once", path, world.yuki).status() == 409);
}

TEST_CASE("api comments: one is read by its id, by those who see it") {
  TalkWorld world;
  const std::string id = world.comment(world.yuki, "here");
  const std::string path = "/v1/comments/" + id;
  const Answer shown = world.get(path, world.mira);
  CHECK(shown.status() == 200);
  CHECK(shown.text("/content") == "here");
  CHECK(shown.text("/username") == "yuki");
  CHECK_FALSE(shown.flag("/userLiked"));
  CHECK_FALSE(world.get(path).has("/userLiked"));
  CHECK(world.get("/v1/comments/7").status() == 404);
  world.comment(world.mira, "reply", id);
  CHECK(world.get(path).number("/replyCount") == 1);
  CHECK(world.remove(path, world.yuki).status() == 204);
  CHECK(world.get(path).status() == 404);
}

TEST_CASE("api notifications: are paged, marked up to one or all, and null marks nothing") {
  TalkWorld world;
  for (const char* text : {"one", "two", "three"}) world.comment(world.yuki, text);
  const auto list = [&](const std::string& query) {
    return world.get("/v1/notifications" + query, world.mira);
  };
  const Answer page = list("?limit=2");
  CHECK(page.number("/unreadCount") == 3);
  CHECK(page.text("/notifications/0/type") == "comment");
  CHECK(page.text("/notifications/0/actor/username") == "yuki");
  CHECK(page.text("/notifications/0/postId") == world.post_id);
  CHECK(page.text("/notifications/0/content") == "three");
  CHECK(page.text("/notifications/1/content") == "two");
  CHECK_FALSE(page.has("/notifications/0/likeType"));
  CHECK_FALSE(page.flag("/notifications/0/read"));
  const std::string second = page.text("/notifications/1/notificationId");
  CHECK(list("?cursor=" + page.text("/pagination/nextCursor")).size("/notifications") == 1);
  const auto read = [&](const std::string& body) {
    return world.post("/v1/notifications/read", world.mira, body);
  };
  CHECK(read(R"({"upTo":null})").blamed() == "upTo");
  CHECK(read(R"({"upTo":5})").blamed() == "upTo");
  // An id of another history: an existing number, with another digest or none.
  const std::uint64_t id = std::stoull(second);
  for (const std::uint64_t other :
       {id ^ 1, id + (std::uint64_t{1} << 30), id >> 20, std::uint64_t{0}}) {
    CAPTURE(other);
    CHECK(read(fmt::format(R"({{"upTo":"{}"}})", other)).number("/unreadCount") == 3);
    CHECK(list(fmt::format("?cursor={}", other)).blamed() == "cursor");
    CHECK(list(fmt::format("?folded=true&cursor={}", other)).blamed() == "cursor");
  }
  CHECK(list("").number("/unreadCount") == 3);
  CHECK(read(fmt::format(R"({{"upTo":"{}"}})", second)).number("/unreadCount") == 1);
  CHECK(list("?unread=true").size("/notifications") == 1);
  CHECK(read({}).number("/unreadCount") == 0);
  CHECK(list("?unread=true").size("/notifications") == 0);
  CHECK(list("?unread=1").blamed() == "unread");
  CHECK(list("?folded=1").blamed() == "folded");
  CHECK(list("?cursor=x").blamed() == "cursor");
  CHECK(list("?limit=101").blamed() == "limit");
}

TEST_CASE("api notifications: folded, a line has those who did it, six of them by name") {
  TalkWorld world;
  const auto list = [&](const std::string& query) {
    return world.get("/v1/notifications?folded=true" + query, world.mira);
  };
  for (int i = 0; i < 8; ++i) {
    const std::string token = world.token_of(world.add(fmt::format("u{}", i)));
    CHECK(world.post(world.path + "/like", token).status() == 201);
    if (i == 3) world.comment(world.yuki, "between them");
  }
  const Answer page = list("");
  REQUIRE(page.size("/notifications") == 2);
  CHECK(page.text("/notifications/0/type") == "like");
  CHECK(page.text("/notifications/0/actor/username") == "u7");
  CHECK(page.number("/notifications/0/actorCount") == 8);
  REQUIRE(page.size("/notifications/0/actors") == 6);
  CHECK(page.text("/notifications/0/actors/5/username") == "u2");
  CHECK_FALSE(page.flag("/notifications/0/read"));
  CHECK(page.text("/notifications/1/type") == "comment");
  CHECK(page.number("/notifications/1/actorCount") == 1);
  CHECK(page.number("/unreadCount") == 9);
  const Answer first = list("&limit=1");
  CHECK(first.number("/notifications/0/actorCount") == 4);
  const Answer second = list("&limit=1&cursor=" + first.text("/pagination/nextCursor"));
  CHECK(second.text("/notifications/0/type") == "comment");
}

}  // namespace chirp::test
