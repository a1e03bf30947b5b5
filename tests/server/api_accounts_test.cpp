// Goal: people sign up, change and remove their accounts and look each other up as the contract
// says. Method: the App over the stores in memory; bodies as clients send them, wrong ones too.
#include "tests/support/api_accounts.h"

#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <simdjson.h>

#include "tests/support/pictures.h"

namespace chirp::test {
TEST_CASE("api accounts: a new account is there, as its owner sees it") {
  Accounts api;
  const Answer made =
      api.post("/v1/users", "",
               R"({"username":"Mira","email":"Mira@example.org","password":"seven wet geese",
          "displayName":"Mira Okafor","bio":"Up before\nthe slugs.","more":1})");
  REQUIRE(made.status() == 201);
  const std::string id = made.text("/userId");
  CHECK(made.header("Location") == "/v1/users/" + id);
  CHECK(made.text("/username") == "Mira");
  CHECK(made.text("/displayName") == "Mira Okafor");
  CHECK(made.text("/bio") == "Up before\nthe slugs.");
  CHECK(made.text("/email") == "Mira@example.org");
  CHECK(made.number("/followerCount") == 0);
  CHECK(made.body().find("geese") == std::string::npos);
  const Answer profile = api.get("/v1/users/" + id);
  CHECK(profile.status() == 200);
  CHECK_FALSE(profile.has("/email"));
  CHECK(api.get("/v1/users/@mIRA").body() == profile.body());
  CHECK(api.post("/v1/users", "", sign_up("plain")).text("/displayName") == "plain");
  // The token of somebody is not looked at, nor does signing up give one.
  CHECK(api.post("/v1/users", "wrong", sign_up("other")).status() == 201);
}

TEST_CASE("api accounts: every fault of a sign-up is said at its field") {
  Accounts api;
  CHECK(api.post("/v1/users", "", "{}").blamed() == "username email password");
  const Answer all = api.post("/v1/users", "",
                              R"({"username":"not a name","email":"nobody","password":"short",
                                  "displayName":" ","bio":5})");
  CHECK(all.status() == 422);
  CHECK(all.code() == "invalid_argument");
  CHECK(all.blamed() == "bio username email displayName password");
  for (const char* body :
       {R"({"username":"","email":"a@example.org","password":"seven wet geese"})",
        R"({"username":"mira","email":"","password":"seven wet geese"})",
        R"({"username":null,"email":"a@example.org","password":"seven wet geese"})",
        R"({"username":"mira","email":"a@example.org","password":"seven\u0000wet geese"})",
        R"({"username":"mira","email":"a@example.org","password":12345678})",
        R"({"username":["mira"],"email":"a@example.org","password":"seven wet geese"})"}) {
    CAPTURE(body);
    CHECK(api.post("/v1/users", "", body).status() == 422);
  }
  CHECK(api.directory.count() == 0);
}

TEST_CASE("api accounts: a name or address that is taken says which") {
  Accounts api;
  CHECK(api.post("/v1/users", "", sign_up("mira")).status() == 201);
  const Answer name =
      api.post("/v1/users", "",
               R"({"username":"MIRA","email":"b@example.org","password":"seven wet geese"})");
  CHECK(name.status() == 409);
  CHECK(name.code() == "already_exists");
  CHECK(name.blamed() == "username");
  const Answer address =
      api.post("/v1/users", "",
               R"({"username":"yuki","email":"MIRA@example.org","password":"seven wet geese"})");
  CHECK(address.status() == 409);
  CHECK(address.blamed() == "email");
  CHECK(api.hasher.hashed == 1);
  const std::string token = api.join("tomas");
  const Answer edit =
      api.patch("/v1/users/me", token,
                fmt::format(R"({{"email":"mira@EXAMPLE.org","currentPassword":"{}"}})", kPassword));
  CHECK(edit.status() == 409);
  CHECK(edit.blamed() == "email");
}

TEST_CASE("api accounts: a session is a token for thirty days, and ends with a log-out") {
  Accounts api;
  CHECK(api.post("/v1/users", "", sign_up("mira")).status() == 201);
  const Answer session =
      api.post("/v1/sessions", "",
               fmt::format(R"({{"email":"MIRA@example.org","password":"{}"}})", kPassword));
  REQUIRE(session.status() == 201);
  CHECK(session.text("/expiresAt") == "2026-01-31T00:00:00.000Z");
  CHECK(session.text("/user/username") == "mira");
  CHECK(session.text("/user/email") == "mira@example.org");
  CHECK_FALSE(session.header("Location"));
  const std::string token = session.text("/token");
  const std::string other = api.log_in("mira");
  CHECK(api.get("/v1/users/me", token).text("/email") == "mira@example.org");
  const Answer gone = api.remove("/v1/sessions/current", token);
  CHECK(gone.status() == 204);
  CHECK(gone.body().empty());
  CHECK(api.remove("/v1/sessions/current", token).status() == 401);
  CHECK(api.get("/v1/users/me", token).status() == 401);
  CHECK(api.get("/v1/users/me", other).status() == 200);
  api.clock.advance(30 * kDayMs - 1);
  CHECK(api.get("/v1/users/me", other).status() == 200);
  api.clock.advance(1);
  CHECK(api.get("/v1/users/me", other).status() == 401);
}

TEST_CASE("api accounts: an edit changes what it names") {
  Accounts api;
  const std::string token = api.join("mira");
  const Answer edited = api.patch("/v1/users/me", token,
                                  R"({"displayName":"Zoe\u0308","bio":"hi","username":"evil"})");
  CHECK(edited.status() == 200);
  CHECK(edited.header("ETag") == api.get("/v1/users/me", token).header("ETag"));
  CHECK(edited.text("/displayName") == "Zoë");
  CHECK(edited.text("/username") == "mira");
  CHECK(edited.text("/email") == "mira@example.org");
  const Answer again = api.patch("/v1/users/me", token, "{}");
  CHECK(again.text("/bio") == "hi");
  CHECK(api.patch("/v1/users/me", token, R"({"bio":""})").text("/bio").empty());
  CHECK(api.patch("/v1/users/me", token,
                  fmt::format(R"({{"email":"new@example.org","currentPassword":"{}"}})", kPassword))
            .text("/email") == "new@example.org");
  for (const auto& [body, field] : std::vector<std::pair<std::string, std::string>>{
           {R"({"displayName":""})", "displayName"},
           {R"({"displayName":null})", "displayName"},
           {R"({"bio":7})", "bio"},
           {R"({"email":"","currentPassword":"x"})", "email"},
           {R"({"email":null})", "email"},
           {R"({"email":"other@example.org"})", "currentPassword"},
           {R"({"profileMediaId":5})", "profileMediaId"},
           {R"({"profileMediaId":"5"})", "profileMediaId"},
           {R"({"password":"eight dry geese"})", "currentPassword"},
           {R"({"password":"short","currentPassword":"x"})", "password"}}) {
    CAPTURE(body);
    const Answer refused = api.patch("/v1/users/me", token, body);
    CHECK(refused.status() == 422);
    CHECK(refused.blamed() == field);
  }
  CHECK(api.get("/v1/users/me", token).text("/email") == "new@example.org");
}

TEST_CASE("api accounts: a profile shows a picture of its owner's, and no video") {
  Accounts api;
  const std::string token = api.join("mira");
  const std::string other = api.join("yuki");
  const auto upload = [&](const std::string& whose, const std::string& type, std::string bytes) {
    return api.ask(http::Method::kPost, "/v1/media", {.token = whose, .body = bytes, .type = type})
        .text("/mediaId");
  };
  const std::string picture = upload(token, "image/png", png());
  const std::string video = upload(token, "video/mp4", mp4());
  const std::string hers = upload(other, "image/png", png());
  const auto set = [&](const std::string& id) {
    return api.patch("/v1/users/me", token, fmt::format(R"({{"profileMediaId":"{}"}})", id));
  };
  CHECK(set(picture).text("/profileImageUrl") == "/media/" + picture);
  for (const std::string& id : {video, hers, std::string("77")}) {
    const Answer refused = set(id);
    CHECK(refused.status() == 422);
    CHECK(refused.blamed() == "profileMediaId");
  }
  CHECK(api.get("/v1/users/@mira").text("/profileImageUrl") == "/media/" + picture);
  const Answer none = api.patch("/v1/users/me", token, R"({"profileMediaId":null})");
  CHECK(none.status() == 200);
  CHECK_FALSE(none.has("/profileImageUrl"));
}

TEST_CASE("api accounts: a new password needs the old one, and keeps the token in use") {
  Accounts api;
  const std::string token = api.join("mira");
  const std::string other = api.log_in("mira");
  const Answer refused =
      api.patch("/v1/users/me", token,
                R"({"bio":"changed","password":"eight dry geese","currentPassword":"wrong one"})");
  CHECK(refused.status() == 403);
  CHECK(refused.code() == "forbidden");
  CHECK(api.get("/v1/users/me", token).text("/bio").empty());
  CHECK(api.get("/v1/users/me", other).status() == 200);
  const Answer changed = api.patch(
      "/v1/users/me", token,
      fmt::format(R"({{"bio":"changed","password":"eight dry geese","currentPassword":"{}"}})",
                  kPassword));
  CHECK(changed.status() == 200);
  CHECK(changed.text("/bio") == "changed");
  CHECK(api.get("/v1/users/me", token).status() == 200);
  CHECK(api.get("/v1/users/me", other).status() == 401);
  CHECK(api.log_in("mira").empty());
  CHECK_FALSE(api.log_in("mira", "eight dry geese").empty());
}

TEST_CASE("api accounts: another e-mail address and the end of an account need the password") {
  Accounts api;
  const std::string token = api.join("mira");
  const Answer guessed = api.patch("/v1/users/me", token,
                                   R"({"email":"thief@example.org","currentPassword":"a guess"})");
  CHECK(guessed.status() == 403);
  CHECK(guessed.code() == "forbidden");
  const Answer none = api.remove("/v1/users/me", token);
  CHECK(none.status() == 422);
  CHECK(none.blamed() == "currentPassword");
  CHECK(api.leave(token, "a guess").status() == 403);
  // Setting the same address again changes nothing.
  api.hasher.matched = 0;
  CHECK(api.patch("/v1/users/me", token, R"({"email":"mira@example.org","bio":"hi"})").status() ==
        200);
  CHECK(api.hasher.matched == 0);
  CHECK(api.get("/v1/users/me", token).text("/email") == "mira@example.org");
  // An account without a password has a token from the operator; no password can be asked for.
  const std::string plain = api.token_of(api.add("plain"));
  CHECK(api.patch("/v1/users/me", plain, R"({"email":"plain@example.org"})").status() == 200);
  CHECK(api.remove("/v1/users/me", plain).status() == 204);
}

TEST_CASE("api accounts: a removed account is gone for everybody") {
  Accounts api;
  const std::string token = api.join("mira");
  const std::string id = api.get("/v1/users/me", token).text("/userId");
  CHECK(api.leave(token, kPassword).status() == 204);
  CHECK(api.leave(token, kPassword).status() == 401);
  CHECK(api.get("/v1/users/" + id).status() == 404);
  CHECK(api.get("/v1/users/@mira").status() == 404);
  CHECK(api.get("/v1/users").size("/users") == 0);
  CHECK(api.log_in("mira").empty());
  CHECK_FALSE(api.join("mira").empty());
  CHECK(api.get("/v1/users/@mira").text("/userId") != id);
}

TEST_CASE("api accounts: with an account its part in every count goes, before the answer") {
  Accounts api;
  const std::string mira = api.join("mira");
  const std::string yuki = api.join("yuki");
  const std::string post =
      "/v1/posts/" + api.post("/v1/posts", yuki, R"({"content":"here"})").text("/postId");
  CHECK(api.post("/v1/users/@yuki/follow", mira).status() == 204);
  CHECK(api.post("/v1/users/@mira/follow", yuki).status() == 204);
  CHECK(api.post(post + "/like", mira).status() == 201);
  CHECK(api.post(post + "/repost", mira).status() == 201);
  CHECK(api.post(post + "/comments", mira, R"({"content":"so I see"})").status() == 201);
  const auto counts = [&] {
    const Answer of_post = api.get(post);
    const Answer of_user = api.get("/v1/users/@yuki");
    std::vector<std::int64_t> all;
    for (const char* field : {"/likeCount", "/repostCount", "/commentCount"}) {
      all.push_back(of_post.number(field));
    }
    for (const char* field : {"/followerCount", "/followingCount"}) {
      all.push_back(of_user.number(field));
    }
    return all;
  };
  CHECK(counts() == std::vector<std::int64_t>{1, 1, 1, 1, 1});
  CHECK(api.leave(mira, kPassword).status() == 204);
  CHECK(counts() == std::vector<std::int64_t>{0, 0, 0, 0, 0});
}

TEST_CASE("api accounts: a profile is found by id, by name and by whose token it is") {
  Accounts api;
  const std::string token = api.join("mira");
  const std::string digits = api.join("123");
  const std::string id = api.get("/v1/users/me", token).text("/userId");
  CHECK(api.get("/v1/users/" + id).text("/username") == "mira");
  CHECK(api.get("/v1/users/@123").text("/username") == "123");
  CHECK(api.get("/v1/users/@mira", token).text("/email") == "mira@example.org");
  CHECK_FALSE(api.get("/v1/users/@mira", digits).has("/email"));
  CHECK(api.get("/v1/users/me").status() == 401);
  for (const char* nobody : {"123",
                             "mira",
                             "@",
                             "@@mira",
                             "@yuki",
                             "0",
                             "-1",
                             "+1",
                             "1.0",
                             "0x1",
                             "%20",
                             "@mira%20",
                             "@mira%00",
                             "99999999999999999999",
                             "%ff",
                             "9223372036854775807",
                             "18446744073709551616",
                             "ME",
                             "@me",
                             "1'%20OR%20'1'='1",
                             "..",
                             "%2e%2e"}) {
    CAPTURE(nobody);
    const Answer answer = api.get(std::string("/v1/users/") + nobody);
    CHECK(answer.status() == 404);
    CHECK(answer.code() == "not_found");
  }
}

TEST_CASE("api accounts: users are listed by name, page by page") {
  Accounts api;
  for (const char* name : {"dora", "Ada", "carl", "bob", "eve"}) api.add(name);
  std::string names;
  std::string target = "/v1/users?limit=2";
  for (int page = 0; page < 3; ++page) {
    const Answer answer = api.get(target);
    REQUIRE(answer.status() == 200);
    for (std::size_t i = 0; i < answer.size("/users"); ++i) {
      names += answer.text(fmt::format("/users/{}/username", i)) + " ";
    }
    CHECK(answer.flag("/pagination/hasMore") == (page < 2));
    if (page < 2) target = "/v1/users?limit=2&cursor=" + answer.text("/pagination/nextCursor");
  }
  CHECK(names == "Ada bob carl dora eve ");
  CHECK(api.get("/v1/users?match=ARL").size("/users") == 1);
  CHECK(api.get("/v1/users?match=CA").size("/users") == 1);
  CHECK(api.get("/v1/users?match=AR").size("/users") == 0);
  CHECK(api.get("/v1/users?limit=200&unknown=1&unknown=2").size("/users") == 5);
  for (const char* bad :
       {"limit=0", "limit=201", "limit=", "limit=x", "limit=1.5", "limit=-1", "limit=%2b1",
        "limit=99999999999", "limit=2&limit=2", "match=", "match=%ff", "match=%25", "match=%C3%BF",
        "cursor=", "cursor=*", "cursor=IzE"}) {
    CAPTURE(bad);
    const Answer answer = api.get(std::string("/v1/users?") + bad);
    CHECK(answer.status() == 400);
    CHECK(answer.code() == "invalid_argument");
    CHECK(answer.blamed() == std::string(bad).substr(0, std::string(bad).find('=')));
  }
  CHECK(api.get("/v1/users?match=" + std::string(50, 'x')).status() == 200);
  CHECK(api.get("/v1/users?match=" + std::string(51, 'x')).status() == 400);
}

TEST_CASE("api accounts: what looks like markup or a query is text like any other") {
  Accounts api;
  const std::string token = api.join("mira");
  for (const char* text :
       {"<script>alert(1)</script>", "' OR '1'='1", "Robert'); DROP TABLE users;--", "${jndi:x}",
        "{{7*7}}", "%00%0d%0a", "../../etc/passwd", "\\u003c/script\\u003e", "a\\u0022b",
        "\\u200fabc"}) {
    CAPTURE(text);
    const Answer edited = api.patch("/v1/users/me", token, fmt::format(R"({{"bio":"{}"}})", text));
    REQUIRE(edited.status() == 200);
    simdjson::dom::parser parser;
    const std::string said = fmt::format(R"("{}")", text);
    CHECK(api.get("/v1/users/@mira").text("/bio") ==
          std::string_view(parser.parse(said).get_string()));
    CHECK(edited.response().type == "application/json");
  }
  CHECK(api.get("/v1/users?match='%20OR%201=1--").size("/users") == 0);
  CHECK(api.directory.count() == 1);
}

}  // namespace chirp::test
