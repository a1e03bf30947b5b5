// Goal: while the disk reserve is reached, the server answers what adds with 507 and a problem,
// takes what removes, pauses its consumers without trying again and again, and every feed stays
// what the definition says; with room again everything goes on by itself.
// Method: a store that says when the reserve is reached, below the API, the writers' groups, the
// consumers and the upkeep; and the program on a small file system.
#include <array>
#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/model/names.h"
#include "core/settings.h"
#include "server/engine/grouped_storage.h"
#include "server/engine/upkeep.h"
#include "server/limits.h"
#include "store/sqlite/user_directory.h"
#include "tests/model/storage.h"
#include "tests/support/api_client.h"
#include "tests/support/data_directories.h"
#include "tests/support/directories.h"
#include "tests/support/eventually.h"
#include "tests/support/naive_feed.h"
#include "tests/support/openapi.h"
#include "tests/support/pictures.h"
#include "tests/support/reserved_storage.h"
#include "tests/support/server_process.h"
#include "tests/support/small_disk.h"
#include "tests/support/social_world.h"
#include "tests/support/storage_contract.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test::server_reserve_test {
namespace {

// The ids of a feed by the definition.
std::vector<std::uint64_t> defined_feed(const Snapshot& snapshot, UserNumber viewer) {
  std::vector<std::uint64_t> ids;
  for (const Entry& entry : naive_feed(world_of(snapshot), viewer)) ids.push_back(entry.id.value);
  return ids;
}

std::vector<std::uint64_t> shown_feed(const Snapshot& snapshot, UserNumber viewer,
                                      const Clock& clock) {
  std::vector<std::uint64_t> ids;
  feed::PageRequest request{viewer, {}, {}, 100, feed::Explain::kNo, {}};
  for (const feed::FeedItem& item : feed::home_feed(snapshot, request, clock).items) {
    ids.push_back(item.post->id.value);
  }
  return ids;
}

// A village whose consumers have yet to take something in.
struct Village {
  Village() {
    sign_up(model, 4);
    for (std::uint32_t i = 2; i <= 4; ++i) apply(Follow{UserNumber{1}, UserNumber{i}});
    events::drain(storage, clock);
    for (std::uint32_t i = 1; i <= 4; ++i) posts.push_back(apply(Publish{UserNumber{i}, "text"}));
  }
  PostId apply(const Change& change) {
    return storage.write({&change, 1}, clock.now()).front().post;
  }
  void check_feeds() const {
    const auto snapshot = model.snapshot();
    for (std::uint32_t i = 1; i <= 4; ++i) {
      CHECK(shown_feed(*snapshot, UserNumber{i}, clock) == defined_feed(*snapshot, UserNumber{i}));
    }
  }
  [[nodiscard]] StoreState state() const { return model.snapshot()->state(); }

  model::ModelStorage model;
  ReservedStorage storage{model};
  FakeClock clock{kStart};
  std::vector<PostId> posts;
};

}  // namespace

TEST_CASE("disk reserve: consumers pause, and readers see what is pending") {
  Village village;
  village.storage.set_reached(true);
  events::Consumers consumers(village.storage, village.clock);
  const StoreState before = village.state();
  CHECK(consumers.is_paused());
  village.apply(Unfollow{UserNumber{1}, UserNumber{2}});
  village.apply(RemovePost{village.posts[2]});
  for (int i = 0; i < 3; ++i) {
    CHECK_FALSE(consumers.step());
    CHECK_FALSE(consumers.step_in_turn());
    CHECK_FALSE(consumers.hurried(1));
  }
  CHECK(village.storage.refused_turns() == 0);  // it looks first, and gathers nothing in vain
  CHECK_FALSE(events::drain(village.storage, village.clock));
  CHECK(village.state().fan_out == before.fan_out);
  CHECK(village.state().counters == before.counters);
  CHECK(village.state().post_removals == 0);  // what only removes goes on
  village.check_feeds();

  village.storage.set_reached(false);
  CHECK_FALSE(consumers.is_paused());
  CHECK(consumers.step());
  CHECK(events::drain(village.storage, village.clock));
  CHECK(village.state().fan_out == village.state().log_end);
  CHECK(first_breach(village.model) == "");
  village.check_feeds();
}

TEST_CASE("disk reserve: a group of writers takes those that remove, and stays healthy") {
  Village village;
  Metrics metrics;
  const auto group = group_writes(village.storage, village.clock, metrics, [] {});
  village.storage.set_reached(true);
  const std::vector<Change> adding{Publish{UserNumber{1}, "more"}};
  CHECK(is_reserve_reached(error_of([&] { (void)group->write(adding, village.clock.now()); })));
  const std::vector<Change> removing{Unfollow{UserNumber{1}, UserNumber{2}}};
  CHECK(group->write(removing, village.clock.now()).front().result == Result::kDone);
  CHECK(group->can_write());
  village.storage.set_reached(false);
  CHECK(group->write(adding, village.clock.now()).front().result == Result::kDone);
}

// ---- the API

namespace {

struct Asked {
  const char* operation;
  const char* method;
  std::string target;
  std::string body{};
  std::string type = "application/json";
};

class Api {
 public:
  Api() {
    settings::set(client_.storage, {{"http.rate_limit", "1000000"}}, client_.clock.now());
    app_ = api::make_app({.engine = engine_,
                          .callers = callers_,
                          .hub = client_.hub,
                          .metrics = client_.metrics,
                          .log = client_.log,
                          .version = "1.2.3",
                          .healthy = [] { return true; }});
  }
  PlainAnswer ask(const Asked& asked, const std::string& token) {
    const Asking asking{token, asked.body, asked.type};
    return plain_answer(
        app_->answer(request_for(http::method_named(asked.method), asked.target, asking)));
  }
  ApiClient& client() { return client_; }
  ReservedStorage& storage() { return storage_; }
  Engine& engine() { return engine_; }

 private:
  ApiClient client_;
  ReservedStorage storage_{client_.storage};
  Engine engine_{storage_, client_.directory, client_.hasher, client_.clock};
  api::Callers callers_{engine_, std::size_t{1} << 20};
  std::unique_ptr<http::App> app_;
};

}  // namespace

TEST_CASE("disk reserve: the API answers what adds with 507, and takes what removes") {
  Api api;
  const User mira = api.client().add("mira");
  const User yuki = api.client().add("yuki");
  const std::string token = api.client().token_of(mira);
  const std::string post = std::to_string(
      api.engine().posts().publish(yuki, social::NewPost{"text"}).view.post.id.value);
  const auto own = api.engine().posts().publish(mira, social::NewPost{"own"}).view.post.id.value;
  (void)api.engine().follows().add(mira, std::array{yuki});
  api.storage().set_reached(true);
  ContractCheck answers;
  for (const Asked& adding :
       {Asked{"createPost", "POST", "/v1/posts", R"({"content":"more"})"},
        Asked{"repost", "POST", "/v1/posts/" + post + "/repost"},
        Asked{"like", "POST", "/v1/posts/" + post + "/like"},
        Asked{"createComment", "POST", "/v1/posts/" + post + "/comments", R"({"content":"a"})"}}) {
    const PlainAnswer answer = api.ask(adding, token);
    CAPTURE(adding.operation);
    CHECK(answer.status == 507);
    CHECK(answer.header("content-type") == "application/problem+json");
    CHECK(answer.header("retry-after") == "60");
    CHECK(answer.json()["code"].text() == "insufficient_storage");
    CHECK(answer.body.find("/srv") == std::string::npos);
    answers.add(adding.operation, answer);
  }
  for (const std::string& fault : answers.faults()) FAIL_CHECK(fault);
  for (const Asked& removing : {Asked{"unfollow", "DELETE", "/v1/users/@yuki/follow"},
                                Asked{"mute", "PUT", "/v1/users/@yuki/mute"},
                                Asked{"block", "PUT", "/v1/users/@yuki/block"},
                                Asked{"removePost", "DELETE", fmt::format("/v1/posts/{}", own)},
                                Asked{"editMe", "PATCH", "/v1/users/me", R"({"bio":"quiet"})"}}) {
    CAPTURE(removing.operation);
    const PlainAnswer answer = api.ask(removing, token);
    CHECK_MESSAGE(answer.status / 100 == 2, answer.body);
  }
  CHECK(api.ask({"getFeed", "GET", "/v1/feed"}, token).status == 200);
  api.storage().set_reached(false);
  CHECK(api.ask({"createPost", "POST", "/v1/posts", R"({"content":"more"})"}, token).status == 201);
}

// ---- upkeep and the program

TEST_SUITE_BEGIN("threads");

TEST_CASE("disk reserve: upkeep pauses the consumers, ends removals, and goes on by itself") {
  model::ModelStorage model;
  ReservedStorage storage(model);
  const TempFolder folder;
  sqlite::create_user_directory(folder / "users.db",
                                {std::string(kDirectoryUuid), kDirectoryMachine});
  const auto users = sqlite::open_user_directory(folder / "users.db");  // for two threads
  UserDirectory& directory = *users;
  const PlainHasher hasher;
  StillClock clock;
  Log log{Log::Requests::kQuiet};
  Metrics metrics;
  Engine engine(storage, directory, hasher, clock);
  const auto add = [&](const char* name) {
    social::SignUp sign_up;
    sign_up.username = name;
    return engine.accounts().add(sign_up).user;
  };
  const User mira = add("mira");
  const User yuki = add("yuki");
  (void)engine.follows().add(mira, std::array{yuki});
  (void)engine.posts().publish(yuki, social::NewPost{"text"});
  storage.set_reached(true);
  UpkeepThread upkeep({storage, directory, hasher, clock, log, metrics,
                       [] { return std::make_shared<int>(0); }, [] { return 1.0; }});
  upkeep.start();
  engine.accounts().hide(yuki);
  upkeep.after_read(mira.number, feed::Upkeep::kBuild);
  upkeep.wake();
  CHECK(eventually([&] { return !directory.find(yuki.number); }));
  CHECK(model.snapshot()->state().fan_out != model.snapshot()->state().log_end);
  CHECK(storage.refused_turns() == 0);
  storage.set_reached(false);
  clock.advance(limits::kLookAroundMs);
  CHECK(eventually([&] {
    const StoreState state = model.snapshot()->state();
    return state.fan_out == state.log_end && state.counters == state.log_end;
  }));
}

TEST_SUITE_END();

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr const char* kSignUp =
    R"({"username":"late","email":"late@example.org","password":"seven wet geese on a wall"})";

class Served {
 public:
  explicit Served(const SmallDisk& disk)
      : path_(disk / "chirp"),
        tokens_(make_served_directory(path_.string(), {"p0", "p1", "p2"})),
        server_(path_.string(), {"--quiet", "--disk-reserve", "5M"}) {}

  Told ask(std::size_t who, const char* method, const std::string& target,
           const std::string& body = {}) {
    return asker_.ask({method, target, body, tokens_[who]});
  }
  Told post(std::size_t who) { return ask(who, "POST", "/v1/posts", R"({"content":"text"})"); }
  bool measures(const std::string& line) {
    return ask(0, "GET", "/metrics").body.find(line) != std::string::npos;
  }
  // Feeds over HTTP are those of the definition.
  void check_feeds() {
    const auto directory = store::DataDirectory::open(path_);
    const auto snapshot = directory->storage().snapshot();
    for (std::size_t who = 0; who < tokens_.size(); ++who) {
      const User user = *directory->users().look_up(NamedUser{fmt::format("p{}", who)});
      const JsonValue page = JsonValue::parse(ask(who, "GET", "/v1/feed?limit=100").body);
      std::vector<std::uint64_t> shown;
      for (const JsonValue& item : page["posts"].list()) {
        shown.push_back(std::stoull(item["postId"].text()));
      }
      CHECK(shown == defined_feed(*snapshot, user.number));
    }
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  Ended end() { return server_.end(SIGTERM); }

 private:
  std::filesystem::path path_;
  std::vector<std::string> tokens_;
  ServerProcess server_;
  Asker asker_ = server_.client();
};

}  // namespace

TEST_CASE("service: on a disk that fills up it keeps the reserve, and goes on with room") {
  const SmallDisk disk("64m");
  if (!disk.mounted()) return;
  Served served(disk);
  CHECK(served.ask(0, "POST", "/v1/users/@p1/follow").ok());
  CHECK(served.ask(0, "POST", "/v1/users/@p2/follow").ok());
  CHECK(served.ask(1, "POST", "/v1/users/@p2/follow").ok());
  const std::string removed = served.post(1).field("postId");
  CHECK(served.post(2).status == 201);
  CHECK(served.measures("chirp_disk_reserve_reached 0"));

  disk.fill_up(3 * kMiB);
  Told told;
  CHECK(eventually([&] {
    told = served.post(2);
    return told.status != 201;
  }));
  CHECK(told.status == 507);
  CHECK(told.field("code") == "insufficient_storage");
  CHECK(served.measures("chirp_disk_reserve_reached 1"));
  CHECK(served.ask(2, "POST", "/v1/users/@p0/follow").status == 507);
  CHECK(served.ask(2, "POST", "/v1/users", kSignUp).status == 507);
  CHECK(served.ask(0, "DELETE", "/v1/users/@p2/follow").ok());
  CHECK(served.ask(1, "DELETE", "/v1/posts/" + removed).ok());
  CHECK(served.ask(1, "PATCH", "/v1/users/me", R"({"bio":"quiet"})").ok());
  CHECK_FALSE(served.measures(R"(chirp_events_pending{consumer="fanout"} 0)"));
  CHECK(served.ask(0, "GET", "/healthz").status == 200);
  served.check_feeds();

  disk.make_room();
  CHECK(eventually([&] { return served.post(2).status == 201; }));
  CHECK(
      eventually([&] { return served.measures(R"(chirp_events_pending{consumer="fanout"} 0)"); }));
  CHECK(served.measures("chirp_disk_reserve_reached 0"));
  served.check_feeds();
  CHECK(served.end().ok());
  CHECK(faults_in(*store::DataDirectory::open(served.path())).empty());
}

}  // namespace chirp::test::server_reserve_test
