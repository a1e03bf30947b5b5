// Goal: the stage tells what the engine does, to who may switch it and to nobody else, and what it
// switches is in force for all.
// Method: an App without sockets with a demo; what the stage sends is held against the timelines,
// the pages and the settings of the same store. A stream waits for its messages.
#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/events/consumers.h"
#include "server/limits.h"
#include "tests/support/api_client.h"
#include "tests/support/eventually.h"

namespace chirp::test {
namespace {

// Keeps what comes.
class Watching final : public http::Outlet {
 public:
  bool send(std::string_view bytes) override {
    const std::lock_guard lock(mutex_);
    text_ += bytes;
    return !over_;
  }
  [[nodiscard]] Flow flow() const override {
    const std::lock_guard lock(mutex_);
    return over_ ? Flow::kGone : Flow::kDrained;
  }
  void close() override { cut(); }
  void cut() override {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  [[nodiscard]] bool is_over() const { return flow() == Flow::kGone; }
  [[nodiscard]] std::string text() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }
  // Whether it has come, or comes.
  [[nodiscard]] bool has(const std::string& part) const {
    return eventually([&] { return text().find(part) != std::string::npos; });
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
  bool over_ = false;
};

struct StageWorld : ApiClient {
  StageWorld() {
    set("http.rate_limit", "1000000");  // some tests ask again and again
    for (const char* name : {"mira", "yuki", "ada"}) add(name);
    for (const char* name : {"yuki", "ada"}) {
      engine.follows().add(user(name), std::array{user("mira")});
    }
    drain();
    consumers.observe([this](const events::DeliveryReport& report) {
      deliveries.note(report);
      stage.note(report);
    });
    start_demo();
    mira = token_of(user("mira"));
  }
  User user(const std::string& name) { return engine.accounts().resolve("@" + name); }
  std::shared_ptr<Watching> watch(const std::string& token) {
    Answer answer = get("/v1/stage/stream", token);
    REQUIRE(answer.status() == 200);
    auto outlet = std::make_shared<Watching>();
    answer.response().stream(outlet);
    REQUIRE(outlet->has("event: queue\n"));
    return outlet;
  }
  PostId publish(Privacy privacy = Privacy::kPublic) {
    const PostId id = engine.posts().publish(user("mira"), "text", privacy).post.id;
    stage.wake();
    return id;
  }
  void deliver() {
    while (consumers.step()) continue;
  }

  events::Consumers consumers{storage, clock};
  std::string mira;
};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("api stage: a post is announced as it is written, delivered and done") {
  StageWorld world;
  const auto seen = world.watch(world.mira);
  CHECK(seen->has(R"("policy":"hybrid")"));
  const PostId post = world.publish();
  CHECK(
      seen->has(fmt::format("event: post\ndata: {{\"postId\":\"{}\",\"username\":\"mira\","
                            "\"tier\":\"regular\",\"followerCount\":2,\"delivery\":\"pushed\"}}",
                            post.value)));
  CHECK(seen->has(R"({"pendingEvents":1,"queuedPosts":0})"));
  world.deliver();
  // To her followers and to herself, in one turn.
  CHECK(seen->has(
      fmt::format(R"({{"posts":[{{"postId":"{}","timelines":3}}],"timelines":3,)", post.value)));
  CHECK(
      seen->has(fmt::format("event: done\ndata: {{\"postId\":\"{}\",\"state\":\"delivered\","
                            "\"timelines\":3,",
                            post.value)));
  for (const char* name : {"mira", "yuki", "ada"}) {
    CHECK(world.storage.snapshot()->timeline(world.user(name).number)->entries.size() == 1);
  }
}

TEST_CASE("api stage: of a post that is not public only the number of deliveries is shown") {
  StageWorld world;
  const auto seen = world.watch(world.mira);
  std::vector<PostId> hidden;
  for (const Privacy privacy : {Privacy::kFollowers, Privacy::kPrivate}) {
    hidden.push_back(world.publish(privacy));
    world.deliver();
  }
  CHECK(seen->has(R"({"posts":[],"timelines":3,)"));
  const PostId shown = world.publish();
  world.deliver();
  CHECK(seen->has(fmt::format("event: done\ndata: {{\"postId\":\"{}\"", shown.value)));
  for (const PostId post : hidden) {
    CHECK(seen->text().find(std::to_string(post.value)) == std::string::npos);
  }
}

TEST_CASE("api stage: nothing is sent once the answer says that its token is revoked") {
  StageWorld world;
  const auto gone = world.watch(world.mira);
  const std::string kept = world.token_of(world.user("mira"));
  const auto stays = world.watch(kept);
  CHECK(world.remove("/v1/sessions/current", world.mira).status() == 204);
  CHECK(gone->is_over());
  CHECK_FALSE(stays->is_over());
}

TEST_CASE("api stage: a read shows its cost and the sources of its posts, but not its reader") {
  StageWorld world;
  world.publish();
  world.deliver();
  const auto seen = world.watch(world.mira);
  world.publish();
  const Answer page = world.get("/v1/feed?explain=true", world.token_of(world.user("yuki")));
  CHECK(seen->has(fmt::format(R"({{"pages":1,"posts":2,"sources":{},"examined":{},)",
                              page.number("/cost/sources"), page.number("/cost/examined"))));
  CHECK(seen->has(R"("bySource":{"pushed":1,"pulled":0,"pending":1,)"));
  CHECK(seen->text().find("yuki") == std::string::npos);
}

TEST_CASE("api stage: a switch takes effect, is announced, and is refused as a whole") {
  StageWorld world;
  const auto seen = world.watch(world.mira);
  const auto switched = [&](const char* body) {
    return world.patch("/v1/stage", world.mira, body);
  };
  const Answer done = switched(R"({"policy":"pull","influencerFrom":2,"celebrityAbove":3})");
  CHECK(done.status() == 200);
  CHECK(done.text("/policy") == "pull");
  const feed::FeedSettings settings = world.storage.snapshot()->state().settings;
  CHECK(settings.policy == feed::Policy::kPull);
  CHECK(settings.influencer_from == 2);
  CHECK(settings.celebrity_above == 3);
  CHECK(seen->has(R"("policy":"pull","influencerFrom":2,"celebrityAbove":3)"));
  CHECK(switched(R"({"policy":"push","celebrityAbove":1})").blamed() == "celebrityAbove");
  CHECK(switched(R"({"policy":"push","celebrityAbove":0})").blamed() == "celebrityAbove");
  CHECK(switched(R"({"policy":"best","influencerFrom":"2"})").blamed() == "policy influencerFrom");
  CHECK(world.storage.snapshot()->state().settings == settings);
  CHECK(switched("{}").text("/policy") == "pull");
}

TEST_CASE("api stage: a reader's stream has nothing of it") {
  StageWorld world;
  const auto seen = world.watch(world.mira);
  Answer stream = world.get("/v1/stream", world.token_of(world.user("yuki")));
  auto reader = std::make_shared<Watching>();
  stream.response().stream(reader);
  CHECK(reader->has("heartbeat"));
  world.publish();
  world.hub.wake();
  world.deliver();
  CHECK(seen->has("event: done"));
  CHECK(reader->has("event: post\n"));
  for (const char* word : {"event: queue", "event: delivery", "event: done", "event: state"}) {
    CHECK(reader->text().find(word) == std::string::npos);
  }
}

TEST_CASE("api stage: it ends with its token, and has room for so many") {
  StageWorld world;
  const auto seen = world.watch(world.mira);
  std::vector<std::shared_ptr<Watching>> others;
  const std::string ada = world.token_of(world.user("ada"));
  // One account leaves places for others.
  for (std::size_t i = 0; i < limits::kStageWatchersPerUserMax; ++i) {
    others.push_back(world.watch(ada));
  }
  CHECK(world.get("/v1/stage/stream", ada).status() == 429);
  CHECK(world.get("/v1/stage/stream", world.token_of(world.user("ada"))).status() == 429);
  for (std::size_t i = others.size() + 1; i < limits::kStageWatchersMax; ++i) {
    const User watcher = world.add("w" + std::to_string(i));
    others.push_back(world.watch(world.token_of(watcher)));
  }
  const std::string yuki = world.token_of(world.user("yuki"));
  CHECK(world.get("/v1/stage/stream", yuki).status() == 429);
  CHECK(world.remove("/v1/sessions/current", world.mira).status() == 204);
  world.clock.advance(limits::kStreamAllowedMs);
  CHECK(eventually([&] { return seen->is_over(); }));
  CHECK(eventually([&] { return world.get("/v1/stage/stream", yuki).status() == 200; }));
  world.stage.stop();
  for (const auto& other : others) CHECK(other->is_over());
}

TEST_SUITE_END();

}  // namespace chirp::test
