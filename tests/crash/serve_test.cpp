// Goal: a server that is killed or meets a failing call, at whichever of its calls that change
// files, has kept what it answered with success; what it refused is not there, what it left
// unanswered is there whole or not at all. Method: the program under the fault injector, asked the
// same things each time; here at a few of the calls, by `make torture` at all of them.

#include <charconv>
#include <csignal>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/budget.h"
#include "tests/support/faults.h"
#include "tests/support/server_process.h"
#include "tests/support/storm_oracle.h"
#include "tests/support/sweep.h"
#include "tests/support/torture_world.h"

namespace chirp::test {
namespace {

struct Prepared {
  TempFolder folder;
  std::vector<std::string> tokens;
  Prepared() : tokens(make_served_directory((folder / "chirp").string(), {"c0", "c1"})) {}
};

// The port that a server says it listens on; none if it ends before.
std::optional<std::uint16_t> port_of(Background& process) {
  const std::string line = process.error_line();
  const auto colon = line.rfind(':');
  if (!line.starts_with("Listening on http://") || colon == std::string::npos) return std::nullopt;
  std::uint16_t port = 0;
  std::from_chars(line.data() + colon + 1, line.data() + line.size(), port);
  return port;
}

Word word_of(const Told& told) {
  if (told.ok()) return Word::kDone;
  const bool is_unknown = told.body.find("does not know whether it was done") != std::string::npos;
  return told.status == 0 || is_unknown ? Word::kCut : Word::kFailed;
}

// What is asked of every server, and what it answered.
StormOracle ask(std::uint16_t port, const std::vector<std::string>& tokens) {
  StormOracle oracle;
  for (const char* name : {"c0", "c1"}) oracle.people[name].truth = Truth::kThere;
  Asker asker(port);
  std::string id;
  std::string last;
  for (const char* text : {"one #tag", "two", "three @c1"}) {
    const std::string body = fmt::format(R"({{"content":"{}"}})", text);
    const Told told = asker.ask({"POST", "/v1/posts", body, tokens[0]});
    oracle.posts[text].author = "c0";
    oracle.make(oracle.posts[text].truth, word_of(told));
    if (!told.ok()) continue;
    id = told.field("postId");
    last = text;
  }
  const std::string follow = "/v1/users/c0/follow";
  oracle.make(oracle.follows[{"c1", "c0"}], word_of(asker.ask({"POST", follow, {}, tokens[1]})));
  if (!id.empty()) {
    const std::string path = "/v1/posts/" + id + "/comments";
    const Told told = asker.ask({"POST", path, R"({"content":"below"})", tokens[1]});
    oracle.comments["below"] = {Truth::kGone, "c1", {}, last};
    oracle.make(oracle.comments["below"].truth, word_of(told));
  }
  (void)asker.ask({"GET", "/v1/feed", {}, tokens[1]});
  oracle.take(oracle.follows[{"c1", "c0"}], word_of(asker.ask({"DELETE", follow, {}, tokens[1]})));
  return oracle;
}

struct Run {
  StormOracle oracle;
  Ended ended;
  std::uint64_t calls = 0;
};

Run serve(const Prepared& prepared, const TempFolder& folder, const std::string& mode,
          std::uint64_t call) {
  copy_folder(prepared.folder / "chirp", folder / "chirp");
  const Faults faults(folder.path());
  const bool sticky = mode.ends_with('+');
  const std::string fault = mode.substr(0, mode.size() - (sticky ? 1 : 0));
  const Command command =
      chirp_command((folder / "chirp").string(), {"serve", "--port", "0", "--quiet"});
  Background process(sticky ? faults.from(call, fault, command) : faults.at(call, fault, command));
  Run run;
  // One that does not begin to listen ends by itself.
  if (const auto port = port_of(process)) {
    run.oracle = ask(*port, prepared.tokens);
    process.signal(SIGTERM);
  }
  run.ended = process.wait();
  run.calls = faults.calls();
  return run;
}

// Empty if nothing is wrong.
std::string wrong(const TempFolder& folder, const Run& run, const std::string& mode) {
  if (run.ended.late) return "it does not end";
  if (run.ended.signal != 0 && (mode != "kill" || run.ended.signal != SIGKILL)) return "a signal";
  for (const std::string& line : run.oracle.faults_in(folder / "chirp")) return line;
  const Ended next = chirp::test::run(
      chirp_command((folder / "chirp").string(), {"config", "set", "auth.bcrypt_cost", "4"}));
  if (!next.ok()) return "the next command fails: " + to_string(next);
  const Ended doctor = chirp::test::run(chirp_command((folder / "chirp").string(), {"doctor"}));
  return doctor.ok() ? "" : "doctor: " + to_string(doctor);
}

void try_calls(const Prepared& prepared, const std::string& mode, std::uint64_t sample,
               Budget& budget) {
  const TempFolder counted;
  const Run whole = serve(prepared, counted, "kill", 0);
  REQUIRE(whole.ended.ok());
  for (const auto& [text, post] : whole.oracle.posts) REQUIRE(post.truth == Truth::kThere);
  REQUIRE(whole.oracle.comments.at("below").truth == Truth::kThere);
  const std::uint64_t calls = whole.calls;
  const std::uint64_t stride = budget.thorough() ? 1 : calls / sample + 1;
  for (std::uint64_t call = budget.seed() % stride + 1; call <= calls; call += stride) {
    if (budget.over()) return;
    const TempFolder folder;
    const Run run = serve(prepared, folder, mode, call);
    const std::string what = wrong(folder, run, mode);
    CHECK_MESSAGE(what.empty(), fmt::format("chirp serve, {} at call {} of {}: {}\n{}", mode, call,
                                            calls, what, to_string(run.ended)));
    budget.tried();
  }
}

// A post to a server of which one call fails, and another one behind it.
struct TwoPosts {
  Told first;
  Told second;
  Ended ended;
};
TwoPosts post_twice(const Prepared& prepared, const TempFolder& folder, std::uint64_t call) {
  copy_folder(prepared.folder / "chirp", folder / "chirp");
  const Faults faults(folder.path());
  Background process(
      faults.at(call, "enospc",
                chirp_command((folder / "chirp").string(), {"serve", "--port", "0", "--quiet"})));
  TwoPosts posts;
  if (const auto port = port_of(process)) {
    Asker asker(*port);
    const auto post = [&](const char* text) {
      return asker.ask(
          {"POST", "/v1/posts", fmt::format(R"({{"content":"{}"}})", text), prepared.tokens[0]});
    };
    posts.first = post("first");
    posts.second = post("second");
    process.signal(SIGTERM);
  }
  posts.ended = process.wait();
  return posts;
}

}  // namespace

TEST_CASE("crash: a server whose disk fails at the last page of a change says so, and goes on") {
  if (skipped()) return;
  constexpr std::uint64_t kMost = 60;
  const Prepared prepared;
  for (std::uint64_t call = 1; call <= kMost; ++call) {
    const TempFolder folder;
    const TwoPosts posts = post_twice(prepared, folder, call);
    CHECK_MESSAGE(posts.ended.err.find("damaged") == std::string::npos, to_string(posts.ended));
    if (word_of(posts.first) != Word::kCut || posts.first.status == 0) continue;
    CHECK(posts.first.status == 503);
    CHECK_MESSAGE(posts.second.status == 201, posts.second.body, to_string(posts.ended));
    const Ended doctor = chirp::test::run(chirp_command((folder / "chirp").string(), {"doctor"}));
    CHECK_MESSAGE(doctor.ok(), to_string(doctor));
    return;
  }
  FAIL("no call wrote the last page");
}

TEST_CASE("crash: a server that is killed or fails at its calls keeps what it answered") {
  if (skipped()) return;
  Budget budget("servers");
  const Prepared prepared;
  do {
    try_calls(prepared, "kill", 8, budget);
    for (const char* mode : {"eio", "enospc", "short:100", "sync", "eio+", "enospc+"}) {
      try_calls(prepared, mode, 3, budget);
    }
  } while (budget.next());
}

}  // namespace chirp::test
