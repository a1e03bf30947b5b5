#include "tests/support/soak_world.h"

#include <csignal>
#include <fstream>
#include <memory>
#include <numeric>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/eventually.h"
#include "tests/support/password.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kResidents{"ada", "bo", "cleo", "dan", "eve", "finn"};
constexpr const char* kLodger = "gale";  // logs in and out
constexpr std::size_t kKeptPosts = 60;
constexpr std::uint64_t kBackupEvery = 3;
constexpr std::uint64_t kPostsLoaded = 24;

// Two groups by turns: one is loaded while the other is removed.
std::string guest(std::size_t group, std::uint64_t number) {
  return fmt::format("guest_{}_{}", group, number);
}

std::vector<std::string> make_world(const std::string& data) {
  std::vector<std::string> tokens = make_served_directory(data, kResidents);
  Command lodger = chirp_command(data, {"user", "add", kLodger, "--password-stdin"});
  lodger.input = kPassword;
  REQUIRE(run(lodger).ok());
  for (std::size_t i = 0; i < kResidents.size(); ++i) {
    const std::string& next = kResidents[(i + 1) % kResidents.size()];
    REQUIRE(run(chirp_command(data, {"follow", "add", kResidents[i], next})).ok());
  }
  // Short, so that a short run sees events being dropped.
  REQUIRE(run(chirp_command(data, {"config", "set", "log.keep", "1s"})).ok());
  return tokens;
}

// Commands that run beside the test. One that gives up because others were writing for too long is
// run again, as a person would; whoever it was to remove may be gone by then.
class Beside {
 public:
  explicit Beside(const std::string& data) : data_(data) {}

  void start(std::vector<std::string> arguments) {
    const Command command = chirp_command(data_, std::move(arguments));
    running_.emplace_back(command, std::make_unique<Background>(command));
  }
  void join() {
    for (const auto& [command, running] : running_) {
      Ended ended = running->wait();
      bool again = false;
      for (int i = 0; i < kTriesMax && is_busy(ended); ++i) {
        ended = run(command);
        again = true;
      }
      const bool gone = again && ended.err.find("There is no user") != std::string::npos;
      REQUIRE_MESSAGE((ended.ok() || gone), to_string(ended));
    }
    running_.clear();
  }

 private:
  static constexpr int kTriesMax = 3;
  static bool is_busy(const Ended& ended) {
    return !ended.ok() && ended.err.find("Another process is writing") != std::string::npos;
  }

  const std::string& data_;
  std::vector<std::pair<Command, std::unique_ptr<Background>>> running_;
};

}  // namespace

SoakWorld::SoakWorld()
    : data_((folder_ / "data").string()),
      tokens_(make_world(data_)),
      server_(data_),
      client_(server_.client()) {
  for (const std::string& token : tokens_) {
    ids_.push_back(ask({.path = "/v1/users/me", .token = token}).field("userId"));
  }
  for (const std::size_t group : {0u, 1u}) write_graph(group);
}

Told SoakWorld::ask(const Question& question) {
  Told told = client_.ask(question);
  REQUIRE_MESSAGE(told.ok(), question.method, " ", question.path, ": ", told.status, " ",
                  told.body);
  return told;
}

void SoakWorld::write_graph(std::size_t group) const {
  std::ofstream graph(folder_ / fmt::format("graph{}", group));
  std::ofstream names(folder_ / fmt::format("names{}", group));
  std::ofstream posts(folder_ / fmt::format("posts{}", group));
  const auto source = [&](std::uint64_t number) { return 1000 * (group + 1) + number; };
  names << "id,name\n";
  for (std::uint64_t i = 0; i < kRemovedPeople; ++i) {
    names << fmt::format("{},{}\n", source(i), guest(group, i));
    for (std::uint64_t step = 1; step < kRemovedPeople; ++step) {
      graph << fmt::format("{} {}\n", source(i), source((i + step) % kRemovedPeople));
    }
  }
  for (std::uint64_t i = 0; i < kPostsLoaded; ++i) {
    posts << fmt::format(R"({{"id":{},"authorId":{},"text":"loaded {} #harbour","createdAt":{}}})",
                         source(i), source(i % kRemovedPeople), i, 1'700'000'000 + i);
    posts << '\n';
  }
}

// Residents react to themselves and mention guests: notifications about others are kept for good.
void SoakWorld::talk(std::size_t resident) {
  const std::string& token = tokens_[resident];
  const std::size_t other = (resident + 1 + rounds_ / 2 % 4) % kResidents.size();
  ask({.method = rounds_ % 2 == 0 ? "PUT" : "DELETE",
       .path = fmt::format("/v1/users/{}/mute", ids_[other]),
       .token = token});
  const std::string content =
      fmt::format("round {} #harbour @{}", rounds_, guest(rounds_ % 2, resident % kRemovedPeople));
  const std::string id = ask({.method = "POST",
                              .path = "/v1/posts",
                              .body = fmt::format(R"({{"content":"{}"}})", content),
                              .token = token})
                             .field("postId");
  const std::string post = "/v1/posts/" + id;
  kept_.push_back({resident, id});
  ask({.method = "POST", .path = post + "/like", .token = token});
  const Told comment = ask({.method = "POST",
                            .path = post + "/comments",
                            .body = R"({"content":"well said"})",
                            .token = token});
  ask({.path = post + "/comments", .token = token});
  ask({.method = "DELETE", .path = "/v1/comments/" + comment.field("commentId"), .token = token});
  for (const std::string& path :
       {std::string("/v1/feed?limit=20"), std::string("/v1/feed?ranked=true"),
        std::string("/v1/notifications"), std::string("/v1/trends"),
        fmt::format("/v1/users/{}/followers", ids_[other])}) {
    ask({.path = path, .token = token});
  }
}

void SoakWorld::log_in_and_out() {
  const Told session =
      ask({.method = "POST",
           .path = "/v1/sessions",
           .body = fmt::format(R"({{"username":"{}","password":"{}"}})", kLodger, kPassword)});
  ask({.method = "DELETE", .path = "/v1/sessions/current", .token = session.field("token")});
}

// Clients that go without a word: in the middle of a head, before their answer, on a stream.
void SoakWorld::leave_early() {
  const std::string bearer = fmt::format("Authorization: Bearer {}\r\n", tokens_[0]);
  (void)HttpClient(server_.port()).send("GET /v1/feed HTTP/1.1\r\nHos");
  (void)HttpClient(server_.port()).send(get("/v1/feed", bearer));
  HttpClient stream(server_.port());
  REQUIRE(stream.send(get("/v1/stream", bearer)));
  CHECK(stream.read_head().status == 200);
}

void SoakWorld::remove_the_oldest() {
  while (kept_.size() > kKeptPosts) {
    const Kept oldest = kept_.front();
    kept_.pop_front();
    ask({.method = "DELETE", .path = "/v1/posts/" + oldest.id, .token = tokens_[oldest.resident]});
  }
}

void SoakWorld::round() {
  const std::size_t in = rounds_ % 2;
  const std::size_t out = 1 - in;
  const auto file = [&](const char* name, std::size_t group) {
    return (folder_ / fmt::format("{}{}", name, group)).string();
  };
  Beside beside(data_);
  const auto start = [&](std::vector<std::string> arguments) {
    beside.start(std::move(arguments));
  };

  start({"load", "graph", file("graph", in), "--names", file("names", in)});
  start({"feed", "show", kResidents[1]});
  fs::path backup;
  if (rounds_ % kBackupEvery == 0) {
    backup = folder_ / fmt::format("backup{}", rounds_);
    start({"backup", backup.string()});
  }
  for (std::size_t i = 0; i < kResidents.size() / 2; ++i) talk(i);
  beside.join();
  start({"load", "posts", file("posts", in)});
  start({"follow", "add", kResidents[2], guest(in, 0)});
  for (std::uint64_t i = 0; rounds_ > 0 && i < kRemovedPeople; ++i) {
    start({"user", "remove", guest(out, i)});
  }
  for (std::size_t i = kResidents.size() / 2; i < kResidents.size(); ++i) talk(i);
  log_in_and_out();
  leave_early();
  beside.join();
  remove_the_oldest();
  if (!backup.empty()) {
    fs::remove_all(std::exchange(backup_, backup));
    const std::string restored = restore();
    prove(restored, {"doctor"});
    fs::remove_all(restored);
  }
  ++rounds_;
  rest();
}

std::uint64_t SoakWorld::metric(std::string_view name) {
  const std::string body = ask({.path = "/metrics"}).body;
  const std::string start = fmt::format("\n{} ", name);
  const std::size_t at = body.find(start);
  REQUIRE(at != std::string::npos);
  return static_cast<std::uint64_t>(std::stod(body.substr(at + start.size())));
}

void SoakWorld::rest() {
  CHECK(eventually([&] { return metric("chirp_connections") == 1; }));
}

std::uint64_t SoakWorld::memory_bytes() const {
  std::ifstream status(fmt::format("/proc/{}/status", server_.pid()));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) return std::stoull(line.substr(8)) * 1024;
  }
  throw std::runtime_error("the server is gone");
}

std::uint64_t SoakWorld::descriptors() const {
  return entries_of(fmt::format("/proc/{}/fd", server_.pid()));
}

std::uint64_t SoakWorld::file_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& file : fs::recursive_directory_iterator(data_)) {
    std::error_code gone;  // files of SQLite come and go
    if (const auto size = file.file_size(gone); file.is_regular_file(gone)) bytes += size;
  }
  return bytes;
}

std::uint64_t SoakWorld::reader_slots() { return metric("chirp_reader_slots_used"); }

void SoakWorld::prove(const std::string& data, const std::vector<std::string>& proof) {
  const Ended ended = run(chirp_command(data, proof));
  CHECK_MESSAGE(ended.ok(), to_string(ended));
}

std::string SoakWorld::restore() const {
  const std::string restored = (folder_ / "restored").string();
  const Ended ended = run(chirp_command(restored, {"restore", backup_.string()}));
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  return restored;
}

void SoakWorld::finish() {
  const Ended ended = server_.end(SIGTERM);
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  for (const std::string& data : {data_, restore()}) {
    prove(data, {"doctor"});
    prove(data, {"feed", "verify", "--all"});
  }
}

double Level::mean(std::size_t begin, std::size_t end) const {
  const auto at = [&](std::size_t i) { return samples_.begin() + static_cast<std::ptrdiff_t>(i); };
  return std::accumulate(at(begin), at(end), 0.0) / static_cast<double>(end - begin);
}

double Level::middle() const {
  const std::size_t third = samples_.size() / 3;
  return mean(third, 2 * third);
}

double Level::last() const {
  const std::size_t third = samples_.size() / 3;
  return mean(samples_.size() - third, samples_.size());
}

bool Level::holds() const {
  const double rounds = static_cast<double>(samples_.size()) / 3;  // between the thirds' middles
  return last() <=
         middle() * (1 + tolerance_.share) + tolerance_.more + tolerance_.each_round * rounds;
}

std::string Level::words() const {
  return fmt::format("{}: {:.0f} in the middle third, {:.0f} in the last, of {} rounds", what_,
                     middle(), last(), samples_.size());
}

}  // namespace chirp::test
