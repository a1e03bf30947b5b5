// Goal: the engine says what is in force and what became of a post, as the engine itself has it.
// Method: an App without sockets over the stores in memory; what it says is held against the
// timelines that are stored and against pages that are read.
#include <algorithm>
#include <array>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/events/consumers.h"
#include "core/rules/writing.h"
#include "server/engine/deliveries.h"
#include "server/limits.h"
#include "tests/support/api_client.h"

namespace chirp::test {
namespace {

// Aurora has three followers, which is one too many for pushing; Mira has one.
struct DeliveryWorld : ApiClient {
  DeliveryWorld() {
    consumers.observe([this](const events::DeliveryReport& report) { deliveries.note(report); });
    set("tier.influencer_from", "2");
    set("tier.celebrity_above", "2");
    for (const char* name : {"aurora", "mira", "ada", "bo", "cy"}) add(name);
    for (const char* name : {"ada", "bo", "cy"}) follow(name, "aurora");
    follow("ada", "mira");
    deliver();
  }
  void follow(const std::string& who, const std::string& whom) {
    engine.follows().add(user(who), std::array{user(whom)});
  }
  User user(const std::string& name) { return engine.accounts().resolve("@" + name); }
  void deliver() {
    consumers.settle_tiers();
    while (consumers.step()) continue;
  }
  PostId publish(const std::string& name) {
    return engine.posts().publish(user(name), "text").post.id;
  }
  Answer delivery(const std::string& name, PostId post) {
    return get(fmt::format("/v1/posts/{}/delivery", post.value), token_of(user(name)));
  }
  // How many timelines hold it, as they are stored.
  std::int64_t holding(PostId post) {
    std::int64_t count = 0;
    const auto snapshot = storage.snapshot();
    for (const char* name : {"aurora", "mira", "ada", "bo", "cy"}) {
      const auto timeline = snapshot->timeline(user(name).number);
      if (timeline && std::ranges::count(timeline->entries, post, &Entry::id) > 0) ++count;
    }
    return count;
  }

  events::Consumers consumers{storage, clock};
};

}  // namespace

TEST_CASE("api engine: a post is pending, then delivered to as many timelines as hold it") {
  DeliveryWorld world;
  const PostId post = world.publish("mira");
  CHECK(world.delivery("mira", post).text("/state") == "pending");
  CHECK_FALSE(world.delivery("mira", post).has("/timelines"));
  world.clock.advance(104);
  world.deliver();
  const Answer done = world.delivery("mira", post);
  CHECK(done.text("/state") == "delivered");
  CHECK(done.number("/timelines") == world.holding(post));
  CHECK(world.holding(post) == 2);
  CHECK(done.number("/tookMs") == 104);
}

TEST_CASE("api engine: users without a timeline get no deliveries, and are not counted") {
  DeliveryWorld world;
  rules::drop_timeline(world.storage, world.user("ada").number);
  const PostId post = world.publish("mira");
  world.deliver();
  CHECK(world.holding(post) == 1);
  // A database that finds no timeline does not say so.
  if (named_world_kind().is_database()) return;
  CHECK(world.delivery("mira", post).number("/timelines") == 1);
  CHECK(world.consumers.deliveries() == 1);
}

TEST_CASE("api engine: a celebrity's post ends as pulled, for its author too") {
  DeliveryWorld world;
  const PostId post = world.publish("aurora");
  CHECK(world.delivery("aurora", post).text("/state") == "pending");
  world.deliver();
  const Answer done = world.delivery("aurora", post);
  CHECK(done.text("/state") == "pulled");
  CHECK(done.number("/timelines") == 0);
  CHECK(world.holding(post) == 0);
  const Answer page = world.get("/v1/feed?explain=true", world.token_of(world.user("aurora")));
  CHECK(page.text("/posts/0/explanation/source") == "pulled");
}

TEST_CASE("api engine: what this server does not remember is derived from the marks") {
  DeliveryWorld world;
  const PostId pushed = world.publish("mira");
  const PostId pulled = world.publish("aurora");
  world.drain();  // by somebody else
  CHECK(world.delivery("mira", pushed).text("/state") == "delivered");
  CHECK(world.delivery("aurora", pulled).text("/state") == "pulled");
  CHECK_FALSE(world.delivery("mira", pushed).has("/timelines"));
}

TEST_CASE("api engine: the policy in force is named, with what it makes of the caller") {
  DeliveryWorld world;
  const auto state = [&](const std::string& name) {
    return world.get("/v1/engine", world.token_of(world.user(name)));
  };
  CHECK(state("aurora").text("/policy") == "hybrid");
  CHECK(state("aurora").number("/celebrityAbove") == 2);
  CHECK(state("aurora").text("/caller/tier") == "celebrity");
  CHECK(state("aurora").number("/caller/followerCount") == 3);
  CHECK(state("aurora").text("/caller/delivery") == "pulled");
  CHECK(state("mira").text("/caller/tier") == "regular");
  CHECK(state("mira").text("/caller/delivery") == "pushed");
  CHECK_FALSE(world.get("/v1/engine").has("/caller"));
  world.set("feed.policy", "push");
  CHECK(state("aurora").text("/policy") == "push");
  CHECK(state("aurora").text("/caller/delivery") == "pushed");
  const PostId post = world.publish("aurora");
  world.deliver();
  CHECK(world.delivery("aurora", post).number("/timelines") == 4);
  CHECK(world.holding(post) == 4);
  world.set("feed.policy", "pull");
  CHECK(state("mira").text("/caller/delivery") == "pulled");
}

TEST_CASE("api engine: the oldest deliveries are forgotten, the newest are not") {
  ApiClient api;
  for (std::uint64_t id = 1; id <= limits::kDeliveriesKept + 1; ++id) {
    events::DeliveryReport report;
    report.delivered = {{PostId{id}, UserNumber{1}, 3}, {PostId{id}, UserNumber{1}, 1}};
    report.took_ns = 4'000;
    report.finished = {PostId{id}};
    api.deliveries.note(report);
  }
  CHECK_FALSE(api.deliveries.find(PostId{1}));
  const auto last = api.deliveries.find(PostId{limits::kDeliveriesKept + 1});
  REQUIRE(last);
  CHECK(last->timelines == 4);
  CHECK(last->work_ns == 4'000);
  CHECK(last->stage == DeliveryRecord::Stage::kDelivered);
}

}  // namespace chirp::test
