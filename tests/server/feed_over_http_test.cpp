// Goal: a feed read over HTTP is the feed of the definition: the server adds nothing, loses nothing
// and mixes nothing up between the engine and the wire.
// Method: random worlds made by calls of the API, while consumers run, timelines come and go and
// policies change; then everybody's feed is walked down and up, looked into at random places and
// refreshed, and every page is held against a naive one. CHIRP_SEED and CHIRP_WORLDS choose the
// worlds; a failure prints the seed.
#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/limits.h"
#include "core/rules/writing.h"
#include "core/settings.h"
#include "tests/support/api_client.h"
#include "tests/support/naive_feed.h"
#include "tests/support/remembering_app.h"
#include "tests/support/seeds.h"

namespace chirp::test {
namespace {

constexpr std::uint64_t kWorlds = 200;
constexpr std::size_t kPeople = 6;
constexpr int kActions = 60;

class HttpWorld {
 public:
  explicit HttpWorld(std::uint64_t seed) : random_(seed) {
    settings::set(client_.storage, {{"http.rate_limit", "1000000"}, {"feed.cap", "4"}},
                  client_.clock.now());
    for (std::size_t i = 0; i < kPeople; ++i) {
      people_.push_back(client_.add(fmt::format("p{}", i)));
      tokens_.push_back(client_.token_of(people_.back()));
    }
  }

  void act() {
    const std::size_t who = pick(kPeople);
    const std::string other = "/v1/users/@" + people_[pick(kPeople)].username;
    switch (pick(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return publish(who);
      case 4:
      case 5:
      case 6:
        return said(who, http::Method::kPost, other + "/follow");
      case 7:
        return said(who, http::Method::kPost, other + "/follow",
                    fmt::format(R"({{"action":"follow","showingReposts":{}}})", pick(2) == 0));
      case 8:
        return said(who, http::Method::kDelete, other + "/follow");
      case 9:
      case 10:
      case 11:
        return of_a_post(who, http::Method::kPost, "/repost");
      case 12:
        return of_a_post(who, pick(2) == 0 ? http::Method::kDelete : http::Method::kPost, "/like");
      case 13:
        return of_a_post(who, http::Method::kDelete, pick(3) == 0 ? "" : "/repost");
      case 14:
        return said(who, pick(2) == 0 ? http::Method::kPut : http::Method::kDelete,
                    other + (pick(3) == 0 ? "/block" : "/mute"));
      default:
        return beside();
    }
  }

  void compare_all() {
    const World world = world_of(*client_.storage.snapshot());
    for (std::size_t who = 0; who < kPeople; ++who) {
      const std::vector<Entry> feed = naive_feed(world, people_[who].number);
      walk(world, feed, who);
      for (int i = 0; i < 3; ++i) look_anywhere(world, feed, who);
      refresh(world, feed, who);
    }
  }

  [[nodiscard]] std::size_t at_once() const { return at_once_; }

 private:
  std::size_t pick(std::size_t below) { return static_cast<std::size_t>(random_() % below); }

  void said(std::size_t who, http::Method method, const std::string& target,
            const std::string& body = {}) {
    const Answer answer = client_.ask(method, target, {.token = tokens_[who], .body = body});
    // What may not be done is no fault of the world.
    CHECK(answer.status() < 500);
  }

  void publish(std::size_t who) {
    constexpr std::array kLevels{"public", "public", "followers", "private"};
    client_.clock.advance(static_cast<std::int64_t>(pick(3)));
    const Answer answer =
        client_.post("/v1/posts", tokens_[who],
                     fmt::format(R"({{"content":"text","privacy":"{}"}})", kLevels[pick(4)]));
    REQUIRE(answer.status() == 201);
    posts_.push_back(answer.text("/postId"));
  }

  void of_a_post(std::size_t who, http::Method method, const std::string& what) {
    if (posts_.empty()) return;
    const std::string post =
        posts_[posts_.size() - 1 - pick(std::min<std::size_t>(posts_.size(), 6))];
    const Answer answer = client_.ask(method, "/v1/posts/" + post + what, {.token = tokens_[who]});
    CHECK(answer.status() < 500);
    if (answer.status() == 201 && what == "/repost") posts_.push_back(answer.text("/postId"));
  }

  // What nobody asks for over HTTP.
  void beside() {
    constexpr std::array kPolicies{"push", "pull", "hybrid", "cost"};
    switch (pick(4)) {
      case 0:
        return client_.drain();
      case 1:
        return rules::drop_timeline(client_.storage, people_[pick(kPeople)].number);
      case 2:
        return settings::set(client_.storage, "feed.policy", kPolicies[pick(4)],
                             client_.clock.now());
      default:
        (void)client_.engine.feeds().rebuild(people_[pick(kPeople)].number);
    }
  }

  // ---- comparing

  Answer read(std::size_t who, std::uint32_t limit, std::optional<PostId> before,
              std::optional<PostId> after) {
    std::string target = fmt::format("/v1/feed?limit={}", limit);
    if (before) target += fmt::format("&cursor={}", before->value);
    if (after) target += fmt::format("&after={}", after->value);
    Answer answer = client_.get(target, tokens_[who]);
    REQUIRE(answer.status() == 200);
    compare_at_once(request_for(http::Method::kGet, target, {.token = tokens_[who]}), answer);
    return answer;
  }

  // The answer from memory is the same, byte for byte.
  void compare_at_once(http::Request request, const Answer& answer) {
    CHECK(remembering_.ask(request).body == answer.body());
    const auto at_once = remembering_.ask_at_once(request);
    if (!at_once) return;
    ++at_once_;
    CHECK(at_once->body == answer.body());
  }

  static void compare(const Answer& answer, const NaivePage& wanted) {
    compare_items(answer, wanted.items);
    CHECK(answer.flag("/pagination/hasMore") == wanted.has_more);
    CHECK(cursor_at(answer, "/pagination/nextCursor") == wanted.next_cursor);
    CHECK(cursor_at(answer, "/pagination/prevCursor") == wanted.prev_cursor);
  }

  static void compare_items(const Answer& answer, const std::vector<NaiveItem>& wanted) {
    REQUIRE(answer.size("/posts") == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const std::string item = fmt::format("/posts/{}", i);
      CHECK(answer.text(item + "/postId") == std::to_string(wanted[i].original.value));
      CHECK(answer.has(item + "/repostedBy") == !wanted[i].reposts.empty());
      for (std::size_t j = 0; j < wanted[i].reposts.size(); ++j) {
        CHECK(answer.text(fmt::format("{}/repostedBy/{}/postId", item, j)) ==
              std::to_string(wanted[i].reposts[j].value));
      }
    }
  }

  static std::optional<PostId> cursor_at(const Answer& answer, std::string_view pointer) {
    if (answer.is_null(pointer)) return std::nullopt;
    return PostId{std::stoull(answer.text(pointer))};
  }

  void walk(const World& world, const std::vector<Entry>& feed, std::size_t who) {
    const auto limit = static_cast<std::uint32_t>(1 + pick(5));
    std::optional<PostId> before;
    for (bool more = true; more;) {
      const Answer page = read(who, limit, before, std::nullopt);
      compare(page, naive_page(world, feed, before, std::nullopt, limit));
      more = page.flag("/pagination/hasMore");
      before = cursor_at(page, "/pagination/nextCursor");
    }
    PostId after = kBelowAllPosts;
    for (bool more = true; more;) {
      const Answer page = read(who, limit, std::nullopt, after);
      compare(page, naive_page(world, feed, std::nullopt, after, limit));
      more = page.flag("/pagination/hasMore");
      after = cursor_at(page, "/pagination/prevCursor").value();
    }
  }

  void look_anywhere(const World& world, const std::vector<Entry>& feed, std::size_t who) {
    if (posts_.empty()) return;
    const PostId at{std::stoull(posts_[pick(posts_.size())]) + pick(3) - 1};
    const auto limit = static_cast<std::uint32_t>(1 + pick(8));
    std::optional<PostId> before;
    std::optional<PostId> after;
    (pick(2) == 0 ? before : after) = at;
    compare(read(who, limit, before, after), naive_page(world, feed, before, after, limit));
  }

  void refresh(const World& world, const std::vector<Entry>& feed, std::size_t who) {
    const PostId since{posts_.empty() ? 0 : std::stoull(posts_[pick(posts_.size())])};
    std::vector<Entry> above;
    for (const Entry& entry : feed) {
      if (entry.id > since) above.push_back(entry);
    }
    auto wanted = folded_reposts(world, above);
    const Answer answer =
        client_.post("/v1/feed/refresh", tokens_[who],
                     fmt::format(R"({{"lastSeen":"{}","limit":3}})", since.value));
    REQUIRE(answer.status() == 200);
    CHECK(answer.number("/newPostsCount") == static_cast<std::int64_t>(wanted.size()));
    if (wanted.size() > 3) wanted.resize(3);
    compare_items(answer, wanted);
  }

  ApiClient client_;
  RememberingApp remembering_{client_};
  std::size_t at_once_ = 0;
  std::mt19937_64 random_;
  std::vector<User> people_;
  std::vector<std::string> tokens_;
  std::vector<std::string> posts_;  // ids, of reposts too
};

}  // namespace

TEST_CASE("feed over HTTP: every page of random worlds is the page of the definition") {
  const std::uint64_t first = first_seed();
  const std::uint64_t worlds = std::min(worlds_or(kWorlds), kWorlds);
  std::size_t at_once = 0;
  for (std::uint64_t seed = first; seed < first + worlds; ++seed) {
    INFO("run again with CHIRP_SEED=" << seed << " CHIRP_WORLDS=1");
    HttpWorld world(seed);
    for (int i = 0; i < kActions; ++i) {
      world.act();
      if (i % 20 == 19) world.compare_all();
    }
    at_once += world.at_once();
  }
  CHECK(at_once > 0);
}

}  // namespace chirp::test
