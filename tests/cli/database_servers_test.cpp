// Goal: servers on one database are one to whoever asks them: what one has answered the others show
// in their next answer, out of the feeds that they hold in memory.
// Method: two servers, asked in turns at random for posts, likes, follows, removals and pages,
// beside a naive model of what a page says; tokens and settings changed through one and tried at
// the other. What stood in memory is counted by the servers.
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/json_value.h"
#include "tests/support/postgres_server.h"
#include "tests/support/server_process.h"

namespace chirp::test::database_servers_test {
namespace {

constexpr std::size_t kPeople = 5;
constexpr std::size_t kServers = 2;
constexpr std::size_t kPage = 20;
constexpr int kSteps = 400;

const std::vector<std::string> kNames{"mira", "yuki", "tomas", "ines", "olaf"};

// What a page says of a post.
struct Line {
  std::string post;
  std::int64_t likes = 0;
  bool liked = false;

  bool operator==(const Line&) const = default;
};

// Everybody's posts, and who follows and likes what; pages are read off by looking at all of it.
struct Village {
  struct Written {
    std::string id;
    std::size_t author = 0;
    bool there = true;
    std::set<std::size_t> likes{};
  };
  std::vector<Written> posts;
  std::set<std::pair<std::size_t, std::size_t>> follows;

  [[nodiscard]] std::vector<Line> page(std::size_t reader) const {
    std::vector<Line> lines;
    for (auto post = posts.rbegin(); post != posts.rend() && lines.size() < kPage; ++post) {
      const bool is_read = post->author == reader || follows.contains({reader, post->author});
      if (!post->there || !is_read) continue;
      lines.push_back(
          {post->id, static_cast<std::int64_t>(post->likes.size()), post->likes.contains(reader)});
    }
    return lines;
  }
};

class Servers {
 public:
  explicit Servers(const std::string& data) {
    for (std::size_t i = 0; i < kServers; ++i) {
      processes_.push_back(std::make_unique<ServerProcess>(data));
      askers_.push_back(processes_.back()->client());
    }
  }

  // Asks whichever comes next, as a proxy would.
  Told ask(const Question& question) { return askers_.at(next_++ % kServers).ask(question); }
  Told ask(std::size_t server, const Question& question) {
    return askers_.at(server).ask(question);
  }
  void skip(std::size_t servers) { next_ += servers; }

  // The sum over all servers.
  double metric(const std::string& name) {
    double sum = 0;
    for (Asker& asker : askers_) {
      const Told told = asker.ask({.path = "/metrics"});
      const std::size_t at = told.body.find("\n" + name + " ");
      if (at != std::string::npos) {
        sum += std::strtod(told.body.c_str() + at + 1 + name.size(), nullptr);
      }
    }
    return sum;
  }

  void end() {
    for (const auto& process : processes_) CHECK(process->end(SIGTERM).ok());
  }

 private:
  std::vector<std::unique_ptr<ServerProcess>> processes_;
  std::vector<Asker> askers_;
  std::size_t next_ = 0;
};

class Play {
 public:
  Play(Servers& servers, std::vector<std::string> tokens, std::uint64_t seed)
      : servers_(servers), tokens_(std::move(tokens)), random_(seed) {}

  void step() {
    servers_.skip(draw(kServers));
    switch (draw(8)) {
      case 0:
      case 1:
        return publish();
      case 2:
        return follow();
      case 3:
        return like();
      case 4:
        return remove();
      default:
        return read(draw(kPeople));
    }
  }

  // Both servers, one after the other.
  void read(std::size_t reader) {
    const std::vector<Line> expected = village_.page(reader);
    for (std::size_t i = 0; i < kServers; ++i) {
      CHECK(page(reader) == expected);
    }
  }

 private:
  std::size_t draw(std::size_t below) { return random_() % below; }

  Told ask(std::size_t who, std::string method, std::string path, std::string body = {}) {
    return servers_.ask({std::move(method), std::move(path), std::move(body), tokens_.at(who)});
  }

  void publish() {
    const std::size_t author = draw(kPeople);
    const Told told = ask(author, "POST", "/v1/posts", R"({"content":"frost"})");
    REQUIRE_MESSAGE(told.ok(), told.body);
    village_.posts.push_back({told.field("postId"), author});
  }

  void follow() {
    const std::size_t follower = draw(kPeople);
    const std::size_t followee = (follower + 1 + draw(kPeople - 1)) % kPeople;
    const std::pair edge{follower, followee};
    const bool follows = village_.follows.contains(edge);
    const Told told = ask(follower, follows ? "DELETE" : "POST",
                          fmt::format("/v1/users/@{}/follow", kNames.at(followee)));
    REQUIRE_MESSAGE(told.ok(), told.body);
    follows ? (void)village_.follows.erase(edge) : (void)village_.follows.insert(edge);
  }

  void like() {
    if (village_.posts.empty()) return;
    auto& post = village_.posts.at(draw(village_.posts.size()));
    if (!post.there) return;
    const std::size_t who = draw(kPeople);
    const bool liked = post.likes.contains(who);
    const Told told =
        ask(who, liked ? "DELETE" : "POST", fmt::format("/v1/posts/{}/like", post.id));
    REQUIRE_MESSAGE(told.ok(), told.body);
    liked ? (void)post.likes.erase(who) : (void)post.likes.insert(who);
  }

  void remove() {
    if (village_.posts.empty()) return;
    auto& post = village_.posts.at(draw(village_.posts.size()));
    if (!post.there) return;
    const Told told = ask(post.author, "DELETE", fmt::format("/v1/posts/{}", post.id));
    REQUIRE_MESSAGE(told.ok(), told.body);
    post.there = false;
  }

  std::vector<Line> page(std::size_t reader) {
    const Told told = ask(reader, "GET", fmt::format("/v1/feed?limit={}", kPage));
    REQUIRE_MESSAGE(told.ok(), told.body);
    std::vector<Line> lines;
    const JsonValue shown = JsonValue::parse(told.body);
    for (const JsonValue& item : shown["posts"].list()) {
      lines.push_back({item["postId"].text(), item["likeCount"].as<std::int64_t>(),
                       item["userLiked"].as<bool>()});
    }
    return lines;
  }

  Servers& servers_;
  std::vector<std::string> tokens_;
  std::mt19937_64 random_;
  Village village_;
};

}  // namespace

TEST_CASE("database: servers on it are one, whichever is asked") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  const auto tokens = make_served_directory(database.url(), kNames);
  Servers servers(database.url());
  Play play(servers, tokens, 20260);
  for (int i = 0; i < kSteps; ++i) play.step();
  for (std::size_t reader = 0; reader < kPeople; ++reader) play.read(reader);
  // Pages that nobody has written in between stand in memory.
  const double before = servers.metric(R"(chirp_hot_set_pages_total{from="memory"})");
  for (std::size_t reader = 0; reader < kPeople; ++reader) play.read(reader);
  CHECK(servers.metric(R"(chirp_hot_set_pages_total{from="memory"})") - before ==
        static_cast<double>(kPeople * kServers));
  CHECK(servers.metric(R"(chirp_quick_reads_total{how="at_once"})") > 0);
  servers.end();
}

TEST_CASE("database: a page out of memory takes one round trip, and who asks for it no other") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  const auto tokens = make_served_directory(database.url(), {"mira"});
  // Another has the right to the consumers, and asks for what they have to do.
  ServerProcess other(database.url());
  ServerProcess server(database.url());
  Asker mira = server.client();
  const auto read = [&] { CHECK(mira.ask({.path = "/v1/feed", .token = tokens.front()}).ok()); };
  const auto trips = [&] {
    const std::string text = mira.ask({.path = "/metrics"}).body;
    const std::string name = "\nchirp_database_round_trips_total ";
    return std::strtod(text.c_str() + text.find(name) + name.size(), nullptr);
  };
  for (int i = 0; i < 3; ++i) read();
  const auto cost = [&](int pages) {
    const double before = trips();
    for (int i = 0; i < pages; ++i) read();
    return trips() - before;
  };
  // What looks beside the requests is little, and the same however many they are.
  const double few = cost(1);
  CHECK(cost(201) - few < 250);
  CHECK(server.end(SIGTERM).ok());
  CHECK(other.end(SIGTERM).ok());
}

TEST_CASE("database: tokens and settings changed through one server hold at the others") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  const auto tokens = make_served_directory(database.url(), kNames);
  Servers servers(database.url());
  const auto status = [&](std::size_t server, std::size_t who) {
    return servers.ask(server, {.path = "/v1/users/me", .token = tokens.at(who)}).status;
  };
  for (std::size_t who = 0; who < kPeople; ++who) {
    for (std::size_t server = 0; server < kServers; ++server) CHECK(status(server, who) == 200);
    const std::size_t through = who % kServers;
    CHECK(servers
              .ask(through,
                   {.method = "DELETE", .path = "/v1/sessions/current", .token = tokens.at(who)})
              .ok());
    for (std::size_t server = 0; server < kServers; ++server) CHECK(status(server, who) == 401);
  }
  CHECK(
      run(chirp_command(database.url(), {"config", "set", "http.rate_limit_anonymous", "1"})).ok());
  for (std::size_t server = 0; server < kServers; ++server) {
    (void)servers.ask(server, {.path = "/v1/trends"});
    const Told told = servers.ask(server, {.path = "/v1/trends"});
    CHECK_MESSAGE(told.status == 429, told.body);
  }
  servers.end();
}

TEST_CASE("database: a server measures what it uses of it, and no memory map") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  (void)make_served_directory(database.url(), {"mira"});
  ServerProcess server(database.url());
  const std::string text = server.client().ask({.path = "/metrics"}).body;
  CHECK(text.find("\nchirp_database_connections 16\n") != std::string::npos);
  CHECK(text.find("\nchirp_database_connections_used ") != std::string::npos);
  CHECK(text.find("chirp_map") == std::string::npos);
  CHECK(text.find("chirp_reader_slots") == std::string::npos);
  CHECK(server.end(SIGTERM).ok());
}

}  // namespace chirp::test::database_servers_test
