// Goal: every operation answers everybody as they stand to whom it is about, and none is forgotten.
// Method: a table of what each role is to get of each operation, held against the table of
// operations; each cell in a world of its own, where Mira is who it is about.
#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "server/api/router.h"
#include "tests/support/api_client.h"
#include "tests/support/pictures.h"

namespace chirp::test::api_matrix_test {
namespace {

using api::WithDemo;

constexpr std::array kRoles{"nobody",               // without a token
                            "self",                 // Mira
                            "other",                // a stranger
                            "follower", "blocker",  // has blocked Mira
                            "blocked",              // by Mira
                            "muter",                // has muted Mira
                            "muted",                // by Mira
                            "removed",              // the token of an account that is gone
                            "expired",  "revoked", "suspended"};

struct Row {
  std::string operation;
  std::string target;    // `{names}` are filled in
  std::string body;      // `<png>` is a file
  std::string statuses;  // of each role in turn
};

// Needs no token and never looks at one.
std::string whoever(int status) {
  std::string all;
  for (std::size_t i = 0; i < kRoles.size(); ++i) all += fmt::format("{} ", status);
  return all;
}
// For callers with a good token or without one; a bad one is refused.
std::string open_to(const std::string& known) { return known + " 401 401 401 401"; }
// For callers with a good token.
std::string members(const std::string& known) { return open_to("401 " + known); }

// The readers of Mira's posts: nobody self other follower blocker blocked muter muted
const std::string kSeePublic = "200   200  200   200      404     404     200   200";
const std::string kSeeFollowers = "404   200  404   200      404     404     404   404";
const std::string kSeePrivate = "404   200  404   404      404     404     404   404";
const std::string kAll = "200   200  200   200      200     200     200   200";

std::vector<Row> account_rows() {
  const std::string ok = "200 200 200 200 200 200 200";
  const std::string done = "204 204 204 204 204 204 204";
  return {
      {"signUp", "/v1/users",
       R"({"username":"new","email":"new@example.org","password":"a new password"})", whoever(201)},
      {"listUsers", "/v1/users", "", open_to(kAll)},
      {"logIn", "/v1/sessions", R"({"username":"mira","password":"right password"})", whoever(201)},
      {"logIn", "/v1/sessions", R"({"username":"mira","password":"wrong password"})", whoever(401)},
      {"logIn", "/v1/sessions", R"({"username":"hushed","password":"right password"})",
       whoever(401)},
      {"logIn", "/v1/sessions", R"({"username":"gone","password":"right password"})", whoever(401)},
      {"logOut", "/v1/sessions/current", "", members(done)},
      {"listSessions", "/v1/sessions", "", members(ok)},
      {"revokeOtherSessions", "/v1/sessions", "", members(done)},
      {"revokeSession", "/v1/sessions/0000000000000000", "",
       members("404 404 404 404 404 404 404")},
      {"getMe", "/v1/users/me", "", members(ok)},
      {"editMe", "/v1/users/me", R"({"bio":"x"})", members(ok)},
      {"removeMe", "/v1/users/me", R"({"currentPassword":"right password"})", members(done)},
      {"getUser", "/v1/users/{mira}", "", open_to(kAll)},
      {"getUser", "/v1/users/@mira", "", open_to(kAll)},
      {"getUser", "/v1/users/{gone}", "", open_to("404 404 404 404 404 404 404 404")},
      {"getUser", "/v1/users/@gone", "", open_to("404 404 404 404 404 404 404 404")},
      {"getUser", "/v1/users/{hushed}", "", open_to("404 404 404 404 404 404 404 404")},
      {"getUser", "/v1/users/@hushed", "", open_to("404 404 404 404 404 404 404 404")},
      {"listUserPosts", "/v1/users/{mira}/posts", "", open_to(kAll)},
      {"listUserPosts", "/v1/users/me/posts", "", members(ok)},
      {"listUserPosts", "/v1/users/{mira}/posts?privacy=private", "", members(ok)},
      {"listUserPosts", "/v1/users/{gone}/posts", "", open_to("404 404 404 404 404 404 404 404")},
      {"listFollowing", "/v1/users/{mira}/following", "", open_to(kAll)},
      {"listFollowers", "/v1/users/{mira}/followers", "", open_to(kAll)},
  };
}

std::vector<Row> relation_rows() {
  const std::string ok = "200 200 200 200 200 200 200";
  const std::string none = "404 404 404 404 404 404 404";
  //                        self other follower blocker blocked muter muted
  const std::string unless_self = "422  204   204      204     204     204   204";
  const std::string done = "204  204   204      204     204     204   204";
  return {
      {"getRelationship", "/v1/users/{mira}/relationship", "", members(ok)},
      {"getRelationship", "/v1/users/{gone}/relationship", "", members(none)},
      {"listSuggestions", "/v1/users/me/suggestions", "", members(ok)},
      {"batchGetRelationships", "/v1/relationships/batch-get", R"({"userIds":["{mira}","{gone}"]})",
       members(ok)},
      {"follow", "/v1/users/{mira}/follow", "", members("422 204 204 403 403 204 204")},
      {"follow", "/v1/users/{mira}/follow", R"({"action":"follow"})",
       members("422 200 200 403 403 200 200")},
      {"follow", "/v1/users/{tomas}/follow", R"({"action":"unfollow"})", members(ok)},
      {"follow", "/v1/users/{gone}/follow", "", members(none)},
      {"unfollow", "/v1/users/{mira}/follow", "", members(done)},
      {"unfollow", "/v1/users/{gone}/follow", "", members(none)},
      // A suspended user can only be unfollowed.
      {"follow", "/v1/users/{hushed}/follow", "", members(none)},
      {"unfollow", "/v1/users/{hushed}/follow", "", members("404 404 204 404 404 404 404")},
      {"block", "/v1/users/{hushed}/block", "", members(none)},
      {"unblock", "/v1/users/{hushed}/block", "", members("404 404 404 204 404 404 404")},
      {"mute", "/v1/users/{hushed}/mute", "", members(none)},
      {"unmute", "/v1/users/{hushed}/mute", "", members("404 404 404 404 404 204 404")},
      {"listBlocked", "/v1/users/me/blocks", "", members(ok)},
      {"listMuted", "/v1/users/me/mutes", "", members(ok)},
      {"block", "/v1/users/{mira}/block", "", members(unless_self)},
      {"block", "/v1/users/{gone}/block", "", members(none)},
      {"unblock", "/v1/users/{mira}/block", "", members(done)},
      {"unblock", "/v1/users/{gone}/block", "", members(none)},
      {"mute", "/v1/users/{mira}/mute", "", members(unless_self)},
      {"mute", "/v1/users/{gone}/mute", "", members(none)},
      {"unmute", "/v1/users/{mira}/mute", "", members(done)},
      {"unmute", "/v1/users/{gone}/mute", "", members(none)},
  };
}

std::vector<Row> post_rows() {
  const std::string gone = "404 404 404 404 404 404 404 404";
  return {
      {"createPost", "/v1/posts", R"({"content":"hello"})", members("201 201 201 201 201 201 201")},
      {"createPost", "/v1/posts", R"({"content":"hello","mediaIds":["{media}"]})",
       members("201 422 422 422 422 422 422")},
      {"batchGetPosts", "/v1/posts/batch-get", R"({"postIds":["{public}"]})", open_to(kAll)},
      {"getPost", "/v1/posts/{public}", "", open_to(kSeePublic)},
      {"getPost", "/v1/posts/{followers}", "", open_to(kSeeFollowers)},
      {"getPost", "/v1/posts/{private}", "", open_to(kSeePrivate)},
      {"getPost", "/v1/posts/{repost}", "", open_to(kSeePublic)},
      {"getPost", "/v1/posts/{goneposts}", "", open_to(gone)},
      {"getPost", "/v1/posts/{hushedposts}", "", open_to(gone)},
      {"getPost", "/v1/posts/{public}?userId={caller}", "", members("200 200 200 404 404 200 200")},
      {"getPost", "/v1/posts/{public}?userId={tomas}", "", members("403 403 403 403 403 403 403")},
      {"removePost", "/v1/posts/{public}", "", members("204 403 403 404 404 403 403")},
      {"removePost", "/v1/posts/{followers}", "", members("204 404 403 404 404 404 404")},
      {"removePost", "/v1/posts/{private}", "", members("204 404 404 404 404 404 404")},
      {"getDelivery", "/v1/posts/{public}/delivery", "", members("200 403 403 404 404 403 403")},
      {"getDelivery", "/v1/posts/{followers}/delivery", "", members("200 404 403 404 404 404 404")},
      {"getDelivery", "/v1/posts/{private}/delivery", "", members("200 404 404 404 404 404 404")},
      {"getDelivery", "/v1/posts/{repost}/delivery", "", members("200 403 403 404 404 403 403")},
      {"repost", "/v1/posts/{public}/repost", "", members("201 201 201 404 404 201 201")},
      {"repost", "/v1/posts/{followers}/repost", "", members("403 404 403 404 404 404 404")},
      {"repost", "/v1/posts/{private}/repost", "", members("403 404 404 404 404 404 404")},
      {"unrepost", "/v1/posts/{public}/repost", "", members("204 204 204 404 404 204 204")},
      {"unrepost", "/v1/posts/{private}/repost", "", members("204 404 404 404 404 404 404")},
  };
}

std::vector<Row> talk_rows() {
  return {
      {"like", "/v1/posts/{public}/like", "", members("201 201 201 404 404 201 201")},
      {"like", "/v1/posts/{followers}/like", R"({"likeType":"love"})",
       members("201 404 201 404 404 404 404")},
      {"like", "/v1/posts/{private}/like", "", members("201 404 404 404 404 404 404")},
      {"unlike", "/v1/posts/{public}/like", "", members("200 200 200 404 404 200 200")},
      {"unlike", "/v1/posts/{followers}/like", "", members("200 404 200 404 404 404 404")},
      {"like", "/v1/posts/{hushedposts}/like", "", members("404 404 404 404 404 404 404")},
      {"listLikes", "/v1/posts/{public}/likes", "", open_to(kSeePublic)},
      {"listLikes", "/v1/posts/{followers}/likes", "", open_to(kSeeFollowers)},
      {"listLikes", "/v1/posts/{private}/likes", "", open_to(kSeePrivate)},
      {"createComment", "/v1/posts/{public}/comments", R"({"content":"hm"})",
       members("201 201 201 404 404 201 201")},
      {"createComment", "/v1/posts/{followers}/comments", R"({"content":"hm"})",
       members("201 404 201 404 404 404 404")},
      {"createComment", "/v1/posts/{public}/comments",
       R"({"content":"hm","parentCommentId":"{comment}"})", members("201 201 201 404 404 201 201")},
      {"listComments", "/v1/posts/{public}/comments", "", open_to(kSeePublic)},
      {"listComments", "/v1/posts/{followers}/comments", "", open_to(kSeeFollowers)},
      {"listComments", "/v1/posts/{private}/comments", "", open_to(kSeePrivate)},
      {"getComment", "/v1/comments/{comment}", "", open_to(kSeePublic)},
      {"removeComment", "/v1/comments/{comment}", "", members("204 403 403 404 404 403 403")},
      // Tomas's, under Mira's post: hers to remove.
      {"removeComment", "/v1/comments/{guest}", "", members("204 403 403 404 404 403 403")},
      {"removeComment", "/v1/comments/{hidden}", "", members("204 404 403 404 404 404 404")},
      {"likeComment", "/v1/comments/{comment}/like", "", members("201 201 201 404 404 201 201")},
      {"likeComment", "/v1/comments/{hidden}/like", "", members("201 404 201 404 404 404 404")},
      {"unlikeComment", "/v1/comments/{comment}/like", "", members("200 200 200 404 404 200 200")},
      {"unlikeComment", "/v1/comments/{hidden}/like", "", members("200 404 200 404 404 404 404")},
  };
}

std::vector<Row> other_rows() {
  const std::string ok = "200 200 200 200 200 200 200";
  return {
      {"getFeed", "/v1/feed", "", members(ok)},
      {"getFeed", "/v1/feed?userId={caller}", "", members(ok)},
      {"getFeed", "/v1/feed?userId={tomas}", "", members("403 403 403 403 403 403 403")},
      {"refreshFeed", "/v1/feed/refresh", R"({"lastSeen":"2026-01-01T00:00:00Z"})", members(ok)},
      {"listNotifications", "/v1/notifications", "", members(ok)},
      {"readNotifications", "/v1/notifications/read", "", members(ok)},
      {"stream", "/v1/stream", "", members(ok)},
      {"listTrends", "/v1/trends", "", whoever(200)},
      {"listTaggedPosts", "/v1/tags/garden/posts", "", open_to(kAll)},
      {"uploadMedia", "/v1/media", "<png>", members("200 201 201 201 201 201 201")},
      {"getMedia", "/media/{media}", "", whoever(200)},
      {"getMedia", "/media/1", "", whoever(404)},
      {"getStage", "/v1/stage", "", whoever(404)},  // of a demo alone, like the next
      {"switchStage", "/v1/stage", R"({"policy":"pull"})", whoever(404)},
      {"watchStage", "/v1/stage/stream", "", whoever(404)},
      {"getEngine", "/v1/engine", "", open_to(kAll)},
      {"getContract", "/v1/openapi.yaml", "", whoever(200)},
      {"getHealth", "/healthz", "", whoever(200)},
      {"getMetrics", "/metrics", "", whoever(200)},
  };
}

std::vector<Row> rows() {
  std::vector<Row> all;
  for (auto part : {account_rows(), relation_rows(), post_rows(), talk_rows(), other_rows()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

const api::Operation* operation_of(const std::string& id) {
  for (const auto& table : api::operation_tables()) {
    for (const api::Operation& operation : table) {
      if (operation.id == id) return &operation;
    }
  }
  return nullptr;
}

// Mira, how the roles stand to her, and what she has written.
class World : public ApiClient {
 public:
  World() {
    sign_up("mira");
    sign_up("gone");
    sign_up("hushed");  // suspended, and followed by one of them
    for (const char* role : kRoles) {
      if (std::string(role) != "nobody" && std::string(role) != "self") add(role);
    }
    add("tomas");
    remember("mira", user("mira").id.value);
    remember("tomas", user("tomas").id.value);
    remember("gone", user("gone").id.value);
    remember("hushed", user("hushed").id.value);
    relate();
    write();
    make_tokens();
  }

  UserNumber mira() { return user("mira").number; }

  Answer ask_as(const std::string& role, const Row& row) {
    const api::Operation* const operation = operation_of(row.operation);
    names_["caller"] = std::to_string(caller(role).id.value);
    Asking asking{.token = tokens_[role], .body = filled(row.body)};
    if (row.body == "<png>") asking.type = "image/png";
    return ask(operation->method, filled(row.target), asking);
  }

 private:
  User user(const std::string& name) { return engine.accounts().resolve("@" + name); }
  User caller(const std::string& role) {
    const bool named = role != "nobody" && role != "self" && role != "removed";
    return named ? engine.accounts().resolve_kept("@" + role) : user("mira");
  }
  void remember(const std::string& name, std::uint64_t id) { names_[name] = std::to_string(id); }

  void sign_up(const std::string& name) {
    social::SignUp sign_up;
    sign_up.username = name;
    sign_up.password = "right password";
    engine.accounts().add(sign_up);
  }

  void relate() {
    engine.follows().add(user("follower"), std::array{user("mira")});
    engine.follows().add(user("follower"), std::array{user("hushed")});
    engine.relations().set(user("blocker"), Relation::kBlock, user("hushed"));
    engine.relations().set(user("muter"), Relation::kMute, user("hushed"));
    engine.relations().set(user("blocker"), Relation::kBlock, user("mira"));
    engine.relations().set(user("mira"), Relation::kBlock, user("blocked"));
    engine.relations().set(user("muter"), Relation::kMute, user("mira"));
    engine.relations().set(user("mira"), Relation::kMute, user("muted"));
  }

  PostId publish(const std::string& author, const std::string& as, Privacy privacy) {
    const PostId id = engine.posts().publish(user(author), as, privacy).post.id;
    remember(as, id.value);
    return id;
  }

  void write() {
    const PostId open = publish("mira", "public", Privacy::kPublic);
    const PostId narrow = publish("mira", "followers", Privacy::kFollowers);
    publish("mira", "private", Privacy::kPrivate);
    remember("repost", engine.posts()
                           .repost(user("mira"), publish("tomas", "original", Privacy::kPublic))
                           .view.post.id.value);
    publish("gone", "goneposts", Privacy::kPublic);
    const PostId hushed = publish("hushed", "hushedposts", Privacy::kPublic);
    engine.reactions().react(user("tomas"), hushed, ReactionType::kLike);
    remember("comment",
             engine.comments().add(user("mira"), open, "a", kNoComment).comment.id.value);
    remember("guest", engine.comments().add(user("tomas"), open, "b", kNoComment).comment.id.value);
    remember("hidden",
             engine.comments().add(user("mira"), narrow, "c", kNoComment).comment.id.value);
    remember("media", engine.media().put(user("mira"), png()).id.value);
    clock.advance(1);
  }

  void make_tokens() {
    for (const std::string role : kRoles) {
      if (role != "nobody") tokens_[role] = engine.tokens().mint(user(caller_name(role)), {}).token;
    }
    tokens_["expired"] = engine.tokens().mint(user("expired"), 1).token;
    clock.advance(1);
    engine.tokens().revoke(user("revoked"));
    engine.accounts().remove(user("removed"));
    engine.accounts().remove(user("gone"));
    engine.accounts().suspend(user("suspended"));
    engine.accounts().suspend(user("hushed"));
  }
  static std::string caller_name(const std::string& role) { return role == "self" ? "mira" : role; }

  std::string filled(std::string text) {
    if (text == "<png>") return png();
    for (const auto& [name, value] : names_) {
      const std::string mark = "{" + name + "}";
      for (std::size_t at; (at = text.find(mark)) != std::string::npos;) {
        text.replace(at, mark.size(), value);
      }
    }
    return text;
  }

  std::map<std::string, std::string> names_;
  std::map<std::string, std::string> tokens_;
};

void play(const std::vector<Row>& table, WithDemo demo) {
  std::uint64_t number = 0;
  for (const Row& row : table) {
    REQUIRE(operation_of(row.operation) != nullptr);
    std::istringstream statuses(row.statuses);
    for (const char* role : kRoles) {
      int expected = 0;
      statuses >> expected;
      REQUIRE_MESSAGE(statuses, row.operation, " lacks a cell for ", role);
      if (!is_in_share(named_world_kind(), number++)) continue;
      World world;
      if (demo == WithDemo::kYes) world.start_demo({world.mira()});
      const Answer answer = world.ask_as(role, row);
      CHECK_MESSAGE(answer.status() == expected, row.operation, " ", row.target, " ", row.body,
                    " by ", role, ": ", answer.status(), " ", answer.body());
      CHECK(answer.header("RateLimit-Limit"));
    }
    std::string more;
    CHECK_MESSAGE(!(statuses >> more), row.operation, " has a cell too many");
  }
}

}  // namespace

TEST_CASE("api matrix: every operation has a row, and every row an operation") {
  std::set<std::string> known;
  for (const Row& row : rows()) {
    CHECK_MESSAGE(operation_of(row.operation) != nullptr, row.operation, " is no operation");
    known.insert(row.operation);
  }
  for (const auto& table : api::operation_tables()) {
    for (const api::Operation& operation : table) {
      CHECK_MESSAGE(known.contains(std::string(operation.id)), operation.id, " has no row");
    }
  }
}

TEST_CASE("api matrix: everybody gets what they are due") { play(rows(), WithDemo::kNo); }

TEST_CASE("api matrix: only the named accounts may switch the stage of a demo") {
  std::vector<Row> demo = rows();
  std::erase_if(demo, [](const Row& row) { return !row.target.starts_with("/v1/stage"); });
  for (Row& row : demo) row.statuses = members("200 403 403 403 403 403 403");
  CHECK(demo.size() == 3);
  play(demo, WithDemo::kYes);
}

}  // namespace chirp::test::api_matrix_test
