// Goal: following, blocking and muting over HTTP are idempotent, take both documented forms, and
// are listed to whom they concern.
// Method: an App without sockets over the stores in memory.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/settings.h"
#include "tests/support/api_client.h"

namespace chirp::test {
namespace {

struct RelationWorld : ApiClient {
  RelationWorld() : mira(token_of(add("mira"))), yuki(token_of(add("yuki"))) {}
  Answer follow(const std::string& body = {}) { return post("/v1/users/@yuki/follow", mira, body); }
  std::string mira;
  std::string yuki;
};

}  // namespace

TEST_CASE("api relations: a follow without a body is silent, one with an action tells the state") {
  RelationWorld world;
  CHECK(world.follow().status() == 204);
  CHECK(world.follow().status() == 204);
  const std::string since = iso8601(world.clock.now());
  world.clock.advance(1000);
  const Answer state = world.follow(R"({"action":"follow","showingReposts":false})");
  CHECK(state.status() == 200);
  CHECK(state.text("/status") == "active");
  CHECK(state.text("/createdAt") == since);
  const Answer relation = world.get("/v1/users/@Yuki/relationship", world.mira);
  CHECK(relation.flag("/following"));
  CHECK_FALSE(relation.flag("/showingReposts"));
  CHECK_FALSE(relation.has("/blockedBy"));
  CHECK(world.follow(R"({"action":"follow"})").status() == 200);  // the switch stays
  CHECK_FALSE(world.get("/v1/users/@yuki/relationship", world.mira).flag("/showingReposts"));
  const Answer none = world.follow(R"({"action":"unfollow"})");
  CHECK(none.text("/status") == "none");
  CHECK_FALSE(none.has("/createdAt"));
  CHECK(world.remove("/v1/users/@yuki/follow", world.mira).status() == 204);
  for (const char* bad : {"{}", R"({"action":"stare"})", R"({"action":null})"}) {
    CHECK(world.follow(bad).status() == 422);
    CHECK(world.follow(bad).blamed() == "action");
  }
  CHECK(world.follow(R"({"action":"follow","showingReposts":"no"})").blamed() == "showingReposts");
  CHECK_FALSE(world.get("/v1/users/@yuki/relationship", world.mira).flag("/following"));
}

TEST_CASE("api relations: nobody does it to themselves, and all is false between oneself") {
  RelationWorld world;
  CHECK(world.post("/v1/users/me/follow", world.mira).blamed() == "user");
  CHECK(world.put("/v1/users/@mira/block", world.mira).status() == 422);
  CHECK(world.put("/v1/users/me/mute", world.mira).status() == 422);
  CHECK(world.remove("/v1/users/me/block", world.mira).status() == 204);
  const Answer oneself = world.get("/v1/users/me/relationship", world.mira);
  for (const char* field : {"/following", "/followedBy", "/blocking", "/muting"}) {
    CHECK_FALSE(oneself.flag(field));
  }
}

TEST_CASE("api relations: several are answered in one call, each as it is alone") {
  RelationWorld world;
  const auto id_of = [&](const char* name) {
    return std::to_string(world.engine.accounts().resolve(name).id.value);
  };
  for (const char* name : {"ann", "ben", "cat"}) world.add(name);
  world.engine.accounts().suspend(world.engine.accounts().resolve("cat"));
  CHECK(world.follow(R"({"action":"follow","showingReposts":false})").status() == 200);
  CHECK(world.put("/v1/users/@ann/mute", world.mira).status() == 204);
  CHECK(world.put("/v1/users/@mira/block", world.token_of(world.engine.accounts().resolve("ben")))
            .status() == 204);
  const std::vector<std::string> names{"ben", "yuki", "mira", "ann"};
  std::string ids;
  for (const std::string& name : names) ids += fmt::format(R"("{}",)", id_of(name.c_str()));
  const std::string cat = std::to_string(world.engine.accounts().resolve_kept("cat").id.value);
  const std::string body =
      fmt::format(R"({{"userIds":[{}"{}","9","{}"]}})", ids, cat, id_of("yuki"));
  const Answer answer = world.post("/v1/relationships/batch-get", world.mira, body);
  REQUIRE(answer.status() == 200);
  REQUIRE(answer.size("/relationships") == names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    CAPTURE(names[i]);
    const std::string at = fmt::format("/relationships/{}", i);
    CHECK(answer.text(at + "/userId") == id_of(names[i].c_str()));
    const Answer alone = world.get("/v1/users/@" + names[i] + "/relationship", world.mira);
    for (const char* field :
         {"/following", "/followedBy", "/blocking", "/muting", "/showingReposts"}) {
      CHECK(answer.flag(at + field) == alone.flag(field));
    }
    CHECK(answer.has(at + "/blockedBy") == alone.has("/blockedBy"));
  }
  REQUIRE(answer.size("/missing") == 2);
  CHECK(answer.text("/missing/0") == cat);
  CHECK(answer.text("/missing/1") == "9");
  const Answer bad = world.post("/v1/relationships/batch-get", world.mira, R"({"userIds":["x"]})");
  CHECK(bad.blamed() == "userIds[0]");
}

TEST_CASE("api relations: a block refuses follows, a bound refuses more, neither an unfollow") {
  RelationWorld world;
  world.add("ann");
  settings::set(world.storage, "follow.max", "1", world.clock.now());
  CHECK(world.follow().status() == 204);
  const Answer bound = world.post("/v1/users/@ann/follow", world.mira);
  CHECK(bound.status() == 403);
  CHECK(bound.code() == "limit_exceeded");
  CHECK(world.follow().status() == 204);
  CHECK(world.put("/v1/users/@mira/block", world.yuki).status() == 204);
  CHECK(world.follow().code() == "forbidden");
  CHECK(world.follow(R"({"action":"unfollow"})").status() == 200);
  CHECK(world.get("/v1/users/@yuki/relationship", world.mira).flag("/blockedBy"));
  CHECK(world.get("/v1/users/@mira/relationship", world.yuki).flag("/blocking"));
}

TEST_CASE("api relations: lists go on where the page ended, in the order of arrival") {
  RelationWorld world;
  for (const char* name : {"ann", "ben", "cat"}) {
    const std::string token = world.token_of(world.add(name));
    CHECK(world.post("/v1/users/@yuki/follow", token).status() == 204);
    CHECK(world.post(fmt::format("/v1/users/@{}/follow", name), world.yuki).status() == 204);
    CHECK(world.put(fmt::format("/v1/users/@{}/block", name), world.mira).status() == 204);
    CHECK(world.put(fmt::format("/v1/users/@{}/mute", name), world.mira).status() == 204);
  }
  const auto walk = [&](const std::string& list, const std::string& what,
                        const std::string& token) {
    std::string names;
    std::string cursor;
    for (bool more = true; more;) {
      const Answer page = world.get(list + "?limit=2" + cursor, token);
      REQUIRE(page.status() == 200);
      for (std::size_t i = 0; i < page.size(what); ++i) {
        names += page.text(fmt::format("{}/{}/username", what, i)) + ' ';
      }
      more = page.flag("/pagination/hasMore");
      if (more) cursor = "&cursor=" + page.text("/pagination/nextCursor");
    }
    return names;
  };
  CHECK(walk("/v1/users/@yuki/followers", "/followers", world.mira) == "ann ben cat ");
  CHECK(walk("/v1/users/@yuki/following", "/following", world.mira) == "ann ben cat ");
  CHECK(walk("/v1/users/me/blocks", "/users", world.mira) == "ann ben cat ");
  CHECK(walk("/v1/users/me/mutes", "/users", world.mira) == "ann ben cat ");
  CHECK(walk("/v1/users/me/mutes", "/users", world.yuki).empty());
  CHECK(world.get("/v1/users/@yuki/followers", world.mira).number("/totalCount") == 3);
  for (const char* list : {"/v1/users/@yuki/followers", "/v1/users/me/following",
                           "/v1/users/me/blocks", "/v1/users/me/mutes"}) {
    CHECK(world.get(fmt::format("{}?limit=201", list), world.mira).blamed() == "limit");
    CHECK(world.get(fmt::format("{}?cursor=x", list), world.mira).blamed() == "cursor");
    const bool open = std::string_view(list).ends_with("@yuki/followers");
    CHECK(world.get(list).status() == (open ? 200 : 401));
  }
}

}  // namespace chirp::test
