// Goal: a long list at a terminal goes through a pager, and nothing else does; the command's status
// stays its own, whatever becomes of the pager, and no key or signal leaves the pager behind.
// Method: pagers made of small programs, at a pseudo-terminal.
#include <algorithm>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/temp_folder.h"
#include "tests/support/terminal.h"

namespace chirp::test::pager_test {
namespace {

constexpr const char* kMarking = "CHIRP_PAGER=sed s/^/paged:/";

// A directory where mira has so many posts of many bytes.
class Village {
 public:
  explicit Village(int posts) {
    REQUIRE(run(command({"init"})).ok());
    REQUIRE(run(command({"user", "add", "mira"})).ok());
    std::string rows;
    std::string text;
    for (int i = 0; i < 270; ++i) text += " 漢";
    for (int id = 1; id <= posts; ++id) {
      rows += fmt::format(R"({{"id":{},"authorId":7,"author":"zoe","text":"{}{}",)"
                          R"("createdAt":"2020-01-01T00:{:02}:{:02}Z"}})"
                          "\n",
                          id, id, text, id / 60, id % 60);
    }
    Command load = command({"load", "posts", "-"});
    load.input = rows;
    REQUIRE(run(load).ok());
  }
  [[nodiscard]] Command command(std::vector<std::string> arguments,
                                std::vector<std::string> environment = {kMarking}) const {
    Command command = chirp_command((folder_ / "world").string(), std::move(arguments));
    command.environment = std::move(environment);
    if (command.environment.empty() || !command.environment.back().starts_with("TERM=")) {
      command.environment.emplace_back("TERM=xterm");
    }
    return command;
  }
  // What the terminal shows of `post list zoe`.
  [[nodiscard]] Ended listed(std::vector<std::string> environment,
                             std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"post", "list", "zoe"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Terminal(command(arguments, std::move(environment))).wait();
  }

 private:
  TempFolder folder_;
};

bool has(const Ended& ended, std::string_view text) {
  return ended.out.find(text) != std::string::npos;
}

// Every post of a page of 20, as ids that were loaded begin their texts.
bool has_all(const Ended& ended) {
  for (int id = 1; id <= 20; ++id) {
    if (!has(ended, fmt::format("    {} 漢", id))) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("pager: a list of more lines than the terminal has goes through it, notes too") {
  const Village village(30);
  const Ended paged = village.listed({kMarking});
  CHECK(paged.status == 0);
  CHECK(has(paged, "\npaged:    11 漢"));
  CHECK(has(paged, "\npaged:There are more: "));
  CHECK(has(village.listed({"PAGER=sed s/^/other:/"}), "\nother:    11 漢"));
  CHECK(has(village.listed({kMarking, "PAGER=sed s/^/other:/"}), "\npaged:    11 漢"));
  const Ended short_one = village.listed({kMarking}, {"--limit", "1"});
  CHECK(has(short_one, "    30 漢"));
  CHECK_FALSE(has(short_one, "paged:"));
  CHECK(has(village.listed({"CHIRP_PAGER=cat; echo told $LESS"}), "told FRX"));
  CHECK(has(village.listed({"CHIRP_PAGER=cat; echo told $LESS", "LESS=S"}), "told -R S"));
}

TEST_CASE("pager: none where it is not wanted, or nobody could steer it") {
  const Village village(20);
  for (const auto& [environment, more] :
       std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>>{
           {{kMarking}, {"--no-pager"}},
           {{kMarking, "CHIRP_NO_PAGER=1"}, {}},
           {{kMarking}, {"--json"}},
           {{"CHIRP_PAGER=", "PAGER=sed s/^/paged:/"}, {}},
           {{"CHIRP_PAGER=cat", "PAGER=sed s/^/paged:/"}, {}},
           {{kMarking, "TERM=dumb"}, {}},
           {{"CHIRP_PAGER=there-is-no-such-program"}, {}},
           {{"CHIRP_PAGER=A=1 there-is-no-such-program 2> /dev/null"}, {}},
           {{"CHIRP_PAGER=/dev/null"}, {}}}) {
    CAPTURE(environment.front());
    const Ended ended = village.listed(environment, more);
    CHECK(ended.status == 0);
    CHECK((more == std::vector<std::string>{"--json"} || has_all(ended)));
    CHECK_FALSE(has(ended, "paged:"));
  }
  const Ended piped = run(village.command({"post", "list", "zoe"}));
  CHECK(piped.ok());
  CHECK(piped.out.find("paged:") == std::string::npos);
  Terminal to_pipe({.arguments = {"/bin/sh", "-c", "$CHIRP --data $DATA post list zoe | cat"},
                    .environment = {std::string("CHIRP=") + CHIRP_BINARY, kMarking, "TERM=xterm",
                                    "DATA=" + village.command({}).arguments[2]}});
  CHECK_FALSE(has(to_pipe.wait(), "paged:"));
}

TEST_CASE("pager: the status is the command's, and quitting a pager early is not a failure") {
  const Village village(100);
  const Ended quit = village.listed({"CHIRP_PAGER=head -n 3"}, {"--limit", "100"});
  CHECK(quit.status == 0);
  CHECK(std::ranges::count(quit.out, '\n') == 3);
  CHECK(village.listed({"CHIRP_PAGER=cat; exit 7"}).status == 0);
  CHECK(Terminal(village.command({"post", "list", "nobody"})).wait().status == 3);
}

TEST_CASE("pager: if it fails early, the list is printed; a later failure is reported") {
  const Village village(100);
  constexpr const char* kTold = "chirp: the pager ";
  for (const char* const failing : {"CHIRP_PAGER=false", "CHIRP_PAGER=sed --no-such-option",
                                    "CHIRP_PAGER=exit 3 # at once", "CHIRP_PAGER=kill -SEGV $$"}) {
    for (const char* const limit : {"20", "100"}) {  // what goes into a pipe at once, and more
      CAPTURE(failing);
      CAPTURE(limit);
      const Ended ended = village.listed({failing}, {"--limit", limit});
      CHECK(ended.status == 0);
      CHECK(has(ended, "    100 漢"));
      CHECK(has(ended, limit == std::string("20") ? "    81 漢" : "    1 漢"));
      CHECK_FALSE(has(ended, kTold));
    }
  }
  for (const char* const failing : {"CHIRP_PAGER=cat; exit 7", "CHIRP_PAGER=head -n 3; exit 7"}) {
    CAPTURE(failing);
    const Ended ended = village.listed({failing});
    CHECK(ended.status == 0);
    CHECK(has(ended, "chirp: the pager ended with status 7"));
    CHECK(ended.out.find("    100 漢") == ended.out.rfind("    100 漢"));  // not shown again
  }
  // Quit early, by a key or as the shell tells of a signal.
  for (const char* const quit : {"CHIRP_PAGER=head -n 3", "CHIRP_PAGER=head -n 3; exit 141",
                                 "CHIRP_PAGER=read x; kill $$"}) {
    CAPTURE(quit);
    CHECK_FALSE(has(village.listed({quit}), kTold));
  }
}

TEST_CASE("pager: answers, events, figures and help go through it, what goes on never does") {
  const Village village(30);
  constexpr TerminalSize kSmall{80, 10};
  const auto shown = [&](std::vector<std::string> arguments) {
    return Terminal(village.command(std::move(arguments)), kSmall).wait();
  };
  for (const auto& one : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"query", "SELECT id, text FROM posts"}, "paged:"},
           {{"query", "SELECT id FROM posts", "--csv"}, "\npaged:2"},
           {{"query", "--tables"}, "\npaged:users.id "},
           {{"stats"}, "\npaged:\x1b[2mposts "},
           {{"help"}, "\npaged:  chirp user add mira"},
           {{"help", "feed", "show"}, "\npaged:  chirp feed show yuki --explain"},
           {{"feed", "show", "--help"}, "\npaged:  chirp feed show yuki --explain"}}) {
    CAPTURE(fmt::format("{}", fmt::join(one.first, " ")));
    const Ended paged = shown(one.first);
    CHECK(paged.status == 0);
    CHECK(has(paged, one.second));
    const Ended left =
        Terminal(village.command(one.first, {"CHIRP_PAGER=head -n 2"}), kSmall).wait();
    CHECK(left.status == 0);
    CHECK(std::ranges::count(left.out, '\n') == 2);
    std::vector<std::string> plain = one.first;
    plain.insert(plain.begin(), "--no-pager");
    CHECK_FALSE(has(shown(plain), "paged:"));
  }
  for (int i = 0; i < 12; ++i) {
    REQUIRE(run(village.command({"post", "add", "mira", std::to_string(i)})).ok());
  }
  CHECK(has(shown({"log", "tail"}), "paged:"));
  CHECK_FALSE(has(shown({"stats", "--watch", "--times", "2", "--every", "0s"}), "paged:"));
  Terminal following(village.command({"log", "tail", "--follow"}), kSmall);
  REQUIRE(following.shows("post.created"));
  following.type("\x03");
  CHECK_FALSE(has(following.wait(), "paged:"));
}

TEST_CASE("pager: reading the answer to a query holds nothing of the directory") {
  const Village village(30);
  const std::string looks = "CHIRP_PAGER=readlink /proc/$PPID/fd/*; cat";
  // More than a pipe holds, even cut to the terminal's width, so that the program is still writing
  // when the pager looks.
  const std::string many = "SELECT a.text FROM posts a, posts b, posts c LIMIT 4000";
  const Ended read = Terminal(village.command({"query", many}, {looks})).wait();
  CHECK(read.status == 0);
  CHECK(has(read, "pipe:"));
  CHECK_FALSE(has(read, "/world/"));
}

TEST_CASE("pager: an answer of many bytes is whole, and may be left early") {
  const Village village(100);
  const std::vector<std::string> all{"query", "SELECT a.id, b.text FROM posts a, posts b"};
  const Ended read = Terminal(village.command(all, {"CHIRP_PAGER=wc -l"})).wait();
  CHECK(read.status == 0);
  CHECK(has(read, "10011\n"));  // with the titles of each MiB
  const Ended left = Terminal(village.command(all, {"CHIRP_PAGER=head -n 3"})).wait();
  CHECK(left.status == 0);
  CHECK(std::ranges::count(left.out, '\n') == 3);
  // What a shell can't find has read nothing, however much was to be shown.
  const Ended none =
      Terminal(village.command(all, {"CHIRP_PAGER=A=1 there-is-no-such-program 2> /dev/null"}))
          .wait();
  CHECK(none.status == 0);
  CHECK(std::ranges::count(none.out, '\n') == 10011);
  // What is too long to be held back is shown as it comes.
  const std::string many =
      "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 9000) "
      "SELECT printf('%01000d', i) AS digits FROM n";
  const Ended flood = Terminal(village.command({"query", "--csv", many})).wait();
  CHECK(flood.status == 0);
  CHECK(std::ranges::count(flood.out, '\n') == 9001);
  CHECK_FALSE(has(flood, "paged:"));
  // The list before an error goes to the pager, too, and the error after it.
  const std::string fails =
      "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 90) "
      "SELECT i, CASE WHEN i = 90 THEN abs(-9223372036854775808) ELSE 0 END AS zero FROM n";
  const Ended failed = Terminal(village.command({"query", fails})).wait();
  CHECK(failed.status != 0);
  CHECK(has(failed, "\npaged:89 "));
  CHECK(has(failed, "\nchirp: "));
}

TEST_CASE("pager: quitting a list early shows no hint how to continue") {
  const Village village(100);
  const Ended quit = village.listed({"CHIRP_PAGER=head -n 3"}, {"--limit", "90"});
  CHECK(quit.status == 0);
  CHECK_FALSE(has(quit, "There are more"));
}

TEST_CASE("pager: Ctrl-C is the pager's once all is written, and waits for it before") {
  const Village village(100);
  // Whenever the signal comes after "ready", it is heard; a shell that is about to read may miss
  // it.
  const std::string hears =
      "python3 -c 'import signal as s; s.pthread_sigmask(s.SIG_BLOCK, [s.SIGINT]); "
      "print(\"ready\", flush=True); s.sigwait([s.SIGINT]); print(\"heard\")' < /dev/tty; ";
  SUBCASE("all is written") {
    Terminal terminal(village.command(
        {"post", "list", "zoe"},
        {"CHIRP_PAGER=trap : INT; cat; echo all; " + hears + "read key < /dev/tty"}));
    REQUIRE(terminal.shows("\nall\n"));
    REQUIRE(terminal.shows("ready"));
    terminal.type("\x03");
    REQUIRE(terminal.shows("heard"));
    terminal.type("\n");
    CHECK(terminal.wait().status == 0);
  }
  SUBCASE("more than a pipe holds is on its way") {
    Terminal terminal(village.command(
        {"post", "list", "zoe", "--limit", "100"},
        {"CHIRP_PAGER=trap : INT; " + hears + "read key < /dev/tty; wc -l; echo left"}));
    REQUIRE(terminal.shows("ready"));
    terminal.type("\x03");
    REQUIRE(terminal.shows("heard"));
    terminal.type("\n");
    const Ended ended = terminal.wait();
    CHECK(has(ended, "left"));
    CHECK(ended.signal == SIGINT);
  }
}

TEST_CASE("pager: what ends the program from outside ends the pager") {
  const Village village(20);
  Terminal terminal(
      {.arguments = {"/bin/sh", "-c",
                     "$CHIRP --data $DATA post list zoe & read key; kill $!; wait $!; "
                     "echo ended $?; read key"},
       .environment = {std::string("CHIRP=") + CHIRP_BINARY, "TERM=xterm",
                       "CHIRP_PAGER=cat; echo all; exec tail -f /dev/null",
                       "DATA=" + village.command({}).arguments[2]}});
  REQUIRE(terminal.shows("\nall\n"));
  terminal.type("\n");
  REQUIRE(terminal.shows("ended 143"));
  terminal.type("\n");
  CHECK(terminal.wait().status == 0);
}

}  // namespace chirp::test::pager_test
