// Goal: the feed's calls page, explain, rank and refresh as the contract says, and say of each bad
// parameter which one it was.
// Method: an App without sockets over the stores in memory.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/rules/writing.h"
#include "server/limits.h"
#include "tests/support/api_client.h"

namespace chirp::test {
namespace {

struct FeedWorld : ApiClient {
  FeedWorld() : mira(token_of(add("mira"))), yuki(token_of(add("yuki"))) {
    REQUIRE(post("/v1/users/@mira/follow", yuki).status() == 204);
  }
  std::string publish(const std::string& token, std::string_view text = "x") {
    clock.advance(1000);
    return post("/v1/posts", token, fmt::format(R"({{"content":"{}"}})", text)).text("/postId");
  }
  std::vector<std::string> publish_many(const std::string& token, int count) {
    std::vector<std::string> ids;
    while (count-- > 0) ids.insert(ids.begin(), publish(token));
    return ids;  // newest first
  }
  Answer feed(const std::string& query) { return get("/v1/feed?" + query, yuki); }
  std::string blamed(const std::string& query) {
    const Answer answer = feed(query);
    CHECK(answer.status() == 400);
    return answer.blamed();
  }

  std::string mira;
  std::string yuki;
};

std::vector<std::string> ids(const Answer& page) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < page.size("/posts"); ++i) {
    result.push_back(page.text(fmt::format("/posts/{}/postId", i)));
  }
  return result;
}

}  // namespace

TEST_CASE("api feed: goes down and up by the cursors it gives") {
  FeedWorld world;
  const auto posted = world.publish_many(world.mira, 5);
  const Answer top = world.feed("limit=2");
  CHECK(ids(top) == std::vector{posted[0], posted[1]});
  CHECK(top.text("/pagination/nextCursor") == posted[1]);
  CHECK(top.text("/pagination/prevCursor") == posted[0]);
  CHECK(top.flag("/pagination/hasMore"));
  CHECK(top.header("Cache-Control") == "no-store");
  const Answer end = world.feed("limit=3&cursor=" + posted[1]);
  CHECK(ids(end) == std::vector{posted[2], posted[3], posted[4]});
  CHECK(end.is_null("/pagination/nextCursor"));
  CHECK_FALSE(end.flag("/pagination/hasMore"));
  const Answer up = world.feed("limit=2&after=" + posted[3]);
  CHECK(ids(up) == std::vector{posted[1], posted[2]});
  CHECK(up.text("/pagination/prevCursor") == posted[1]);
  CHECK(up.flag("/pagination/hasMore"));
  const Answer above = world.feed("after=" + posted[0]);
  CHECK(above.size("/posts") == 0);
  CHECK(above.text("/pagination/prevCursor") == posted[0]);
  CHECK(above.text("/pagination/nextCursor") == posted[0]);
}

TEST_CASE("api feed: an item has counters, marks and reposts, and says why it is there if asked") {
  FeedWorld world;
  const std::string tomas = world.token_of(world.add("tomas"));
  const std::string post = world.publish(tomas);
  CHECK(world.post("/v1/posts/" + post + "/repost", world.mira).status() == 201);
  CHECK(world.post("/v1/posts/" + post + "/like", world.yuki).status() == 201);
  const Answer plain = world.feed("limit=5");
  REQUIRE(plain.size("/posts") == 1);
  CHECK(plain.text("/posts/0/postId") == post);
  CHECK(plain.number("/posts/0/likeCount") == 1);
  CHECK(plain.flag("/posts/0/userLiked"));
  CHECK(plain.text("/posts/0/repostedBy/0/username") == "mira");
  for (const char* absent :
       {"/posts/0/explanation", "/posts/0/score", "/cost", "/posts/0/repostOf"}) {
    CHECK_FALSE(plain.has(absent));
  }
  const Answer explained = world.feed("explain=true");
  CHECK(explained.text("/posts/0/explanation/reason") == "repost");
  CHECK(explained.text("/posts/0/explanation/via/username") == "mira");
  CHECK(explained.number("/cost/sources") > 0);
  CHECK_FALSE(world.get("/v1/feed?explain=true", tomas).has("/posts/0/explanation/via"));
}

TEST_CASE("api feed: a ranked walk is cut from one snapshot until it lapses") {
  FeedWorld world;
  auto posted = world.publish_many(world.mira, 6);
  const Answer first = world.feed("algorithm=ranked&limit=2&explain=true");
  CHECK(first.size("/posts") == 2);
  CHECK(first.has("/posts/0/score"));
  CHECK(first.has("/posts/0/explanation/scoreParts/recency"));
  CHECK(first.is_null("/pagination/prevCursor"));
  const std::string next = first.text("/pagination/nextCursor");
  world.publish(world.mira);  // not in this walk
  auto walked = ids(first);
  std::string cursor = next;
  for (bool more = true; more;) {
    const Answer page = world.feed("algorithm=ranked&limit=2&cursor=" + cursor);
    CHECK(page.status() == 200);
    const auto some = ids(page);
    walked.insert(walked.end(), some.begin(), some.end());
    more = page.flag("/pagination/hasMore");
    if (more) cursor = page.text("/pagination/nextCursor");
    CHECK(page.is_null("/pagination/nextCursor") == !more);
  }
  std::sort(walked.begin(), walked.end());
  std::sort(posted.begin(), posted.end());
  CHECK(walked == posted);

  // The same page again, what has gone meanwhile left out.
  CHECK(world.remove("/v1/users/@mira/follow", world.yuki).status() == 204);
  CHECK(world.feed("algorithm=ranked&cursor=" + next).size("/posts") == 0);
  CHECK(world.get("/v1/feed?algorithm=ranked&cursor=" + next, world.mira).blamed() == "cursor");
  world.clock.advance(limits::kRankedWalkMs);
  CHECK(world.feed("algorithm=ranked&cursor=" + next).status() == 200);
  world.clock.advance(limits::kRankedWalkMs + 1);
  CHECK(world.blamed("algorithm=ranked&cursor=" + next) == "cursor");
}

TEST_CASE("api feed: says of a bad parameter which one it was") {
  FeedWorld world;
  const std::string post = world.publish(world.mira);
  CHECK(world.blamed("limit=0") == "limit");
  CHECK(world.blamed("limit=101") == "limit");
  CHECK(world.blamed("limit=%2B5") == "limit");
  CHECK(world.blamed("cursor=newest") == "cursor");
  CHECK(world.blamed("cursor=") == "cursor");
  CHECK(world.blamed("cursor=99999999999999999999") == "cursor");
  CHECK(world.blamed("cursor=1&cursor=1") == "cursor");
  CHECK(world.blamed("after=-1") == "after");
  CHECK(world.blamed("after=1&cursor=1") == "after");
  CHECK(world.blamed("algorithm=best") == "algorithm");
  CHECK(world.blamed("explain=yes") == "explain");
  CHECK(world.blamed("algorithm=ranked&after=1") == "after");
  CHECK(world.blamed("algorithm=ranked&cursor=" + post) == "cursor");
  CHECK(world.blamed("cursor=r0000000000000001-1") == "cursor");
  CHECK(world.blamed("userId=me") == "userId");
  CHECK(world.feed("userId=7").status() == 403);
  CHECK(world.feed("nonsense=1").status() == 200);
  CHECK(world.get("/v1/feed").status() == 401);
}

TEST_CASE("api feed: a score is the mean of its parts by the weights that the page names") {
  FeedWorld world;
  world.set("rank.recency", "7");
  world.set("rank.variety", "90");
  world.publish_many(world.mira, 3);
  const Answer page = world.feed("algorithm=ranked&explain=true");
  CHECK(page.number("/weights/recency") == 7);
  REQUIRE(page.size("/posts") == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    double sum = 0;
    double all = 0;
    for (const char* part : {"recency", "engagement", "affinity", "variety"}) {
      const auto weight = static_cast<double>(page.number(fmt::format("/weights/{}", part)));
      sum += weight * page.real(fmt::format("/posts/{}/explanation/scoreParts/{}", i, part));
      all += weight;
    }
    CHECK(page.real(fmt::format("/posts/{}/score", i)) == doctest::Approx(sum / all).epsilon(1e-5));
  }
  CHECK_FALSE(world.feed("algorithm=ranked").has("/weights"));
  CHECK_FALSE(world.feed("explain=true").has("/weights"));
}

TEST_CASE("api feed: a read without a timeline does not count as a hit") {
  FeedWorld world;
  world.publish(world.mira);
  world.drain();
  const auto counted = [&](const std::string& how) {
    const std::string line = "chirp_feed_reads_total{timeline=\"" + how + "\"} 1\n";
    return world.metrics.text().find(line) != std::string::npos;
  };
  CHECK(world.feed("limit=1").status() == 200);
  CHECK(counted("hit"));
  // The timeline is there and valid, and nobody looks at it.
  world.set("feed.policy", "pull");
  CHECK(world.feed("limit=1").status() == 200);
  CHECK(counted("hit"));
  CHECK(counted("miss"));
}

TEST_CASE("api feed: a read leaves the timeline to be built, and counts as warm or cold") {
  FeedWorld world;
  world.publish(world.mira);
  const UserNumber yuki = world.engine.accounts().resolve("yuki").number;
  for (const char* query : {"limit=1", "algorithm=ranked"}) {
    rules::drop_timeline(world.storage, yuki);
    CHECK(world.feed(query).status() == 200);
    CHECK(world.storage.snapshot()->timeline(yuki).has_value());
  }
}

TEST_CASE("api feed: a refresh counts what is new and shows the top of it") {
  FeedWorld world;
  const auto posted = world.publish_many(world.mira, 4);
  const auto refresh = [&](const std::string& body) {
    return world.post("/v1/feed/refresh", world.yuki, body);
  };
  const Answer some = refresh(fmt::format(R"({{"lastSeen":"{}","limit":2}})", posted[3]));
  CHECK(some.number("/newPostsCount") == 3);
  CHECK(ids(some) == std::vector{posted[0], posted[1]});
  CHECK(refresh(fmt::format(R"({{"lastSeen":"{}"}})", posted[0])).number("/newPostsCount") == 0);
  // A time is below all posts of that time.
  const std::string now = iso8601(world.clock.now());
  CHECK(refresh(fmt::format(R"({{"lastSeen":"{}"}})", now)).number("/newPostsCount") == 1);
  CHECK(refresh(R"({"lastSeen":"2000-01-02"})").number("/newPostsCount") == 4);
  const Answer ranked = refresh(R"({"lastSeen":"1","algorithm":"ranked","limit":3})");
  CHECK(ranked.number("/newPostsCount") == 4);
  CHECK(ranked.size("/posts") == 3);
  CHECK(ranked.has("/posts/0/score"));
  const auto blamed = [&](const std::string& body) {
    const Answer answer = refresh(body);
    CHECK(answer.status() == 422);
    return answer.blamed();
  };
  CHECK(blamed("{}") == "lastSeen");
  CHECK(blamed(R"({"lastSeen":""})") == "lastSeen");
  CHECK(blamed(R"({"lastSeen":5})") == "lastSeen");
  CHECK(blamed(R"({"lastSeen":"yesterday","algorithm":"best","limit":101})") ==
        "lastSeen algorithm limit");
  CHECK(refresh("[]").status() == 400);
}

TEST_CASE("api feed: a hashtag has the public posts of everybody, in any case and any script") {
  FeedWorld world;
  world.publish(world.mira, "#frost one");
  world.publish(world.yuki, "#Frost two");
  world.publish(world.yuki, "#мороз three");
  world.drain();
  const auto texts = [&](const std::string& target, const std::string& token = {}) {
    const Answer page = world.get("/v1/tags/" + target, token);
    REQUIRE(page.status() == 200);
    std::string all;
    for (std::size_t i = 0; i < page.size("/posts"); ++i) {
      all += page.text(fmt::format("/posts/{}/content", i)) + '|';
    }
    return all;
  };
  CHECK(texts("frost/posts") == "#Frost two|#frost one|");
  CHECK(texts("FROST/posts", world.mira) == "#Frost two|#frost one|");
  CHECK(texts("%D0%9C%D0%9E%D0%A0%D0%9E%D0%97/posts") == "#мороз three|");
  CHECK(texts("thaw/posts").empty());
  const Answer first = world.get("/v1/tags/frost/posts?limit=1", world.mira);
  CHECK(first.has("/posts/0/userLiked"));
  const std::string next = first.text("/pagination/nextCursor");
  CHECK(texts("frost/posts?cursor=" + next) == "#frost one|");
  CHECK(world.put("/v1/users/@yuki/mute", world.mira).status() == 204);
  CHECK(texts("frost/posts", world.mira) == "#frost one|");
  CHECK(world.get("/v1/tags/frost/posts?limit=0").blamed() == "limit");
  CHECK(world.get("/v1/tags/frost/posts?cursor=x").blamed() == "cursor");
}

TEST_CASE("api feed: trends are of a window from an hour to a week") {
  FeedWorld world;
  for (const std::string& token : {world.mira, world.yuki}) world.publish(token, "#frost");
  world.drain();
  const auto trends = [&](const std::string& query) { return world.get("/v1/trends" + query); };
  const Answer answer = trends("");
  CHECK(answer.text("/window") == "24h");
  REQUIRE(answer.size("/trends") == 1);
  CHECK(answer.text("/trends/0/tag") == "frost");
  CHECK(answer.number("/trends/0/postCount") == 2);
  for (const char* good : {"1h", "7d", "168h", "24h"}) {
    CHECK(trends(fmt::format("?window={}", good)).text("/window") == good);
  }
  for (const char* bad : {"0h", "169h", "8d", "60m", "h", "01h", "1h1", "-1h", "1000h", ""}) {
    CHECK(trends(fmt::format("?window={}", bad)).blamed() == "window");
  }
  CHECK(trends("?limit=101").blamed() == "limit");
  CHECK(world.get("/v1/trends", "an invalid token").status() == 200);
}

TEST_CASE(
    "api feed: a page and its cost are the same bytes with private posts of others as without") {
  const auto walk = [](bool with_private) {
    ApiClient api;
    const std::string mira = api.token_of(api.add("mira"));
    const std::string tomas = api.token_of(api.add("tomas"));
    REQUIRE(api.post("/v1/users/@tomas/follow", mira).status() == 204);
    for (int i = 0; i < 12; ++i) {
      api.clock.advance(1);
      const bool is_private = i % 3 == 1;
      if (is_private && !with_private) continue;
      const std::string privacy = is_private ? "private" : "public";
      REQUIRE(api.post("/v1/posts", tomas, R"({"content":"p","privacy":")" + privacy + R"("})")
                  .status() == 201);
      if (i == 8) api.drain();
    }
    std::string bodies;
    for (int limit = 1; limit <= 9; ++limit) {
      std::string target = fmt::format("/v1/feed?explain=true&limit={}", limit);
      for (const std::string first = target; !target.empty();) {
        const Answer page = api.get(target, mira);
        REQUIRE(page.status() == 200);
        bodies += page.body();
        target = page.flag("/pagination/hasMore")
                     ? first + "&cursor=" + page.text("/pagination/nextCursor")
                     : "";
      }
    }
    return bodies;
  };
  CHECK(walk(true) == walk(false));
}

}  // namespace chirp::test
