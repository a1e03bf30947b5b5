// Goal: what is asked at a terminal is asked there alone, a password is never shown, and the
// terminal shows again what is typed, however the question ends. It is steered only where it can
// be. Method: the program at a pseudo-terminal, whose settings are looked at while it waits.
#include "tests/support/terminal.h"

#include <csignal>

#include <doctest/doctest.h>

#include "tests/support/password.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::terminal_test {
namespace {

constexpr const char* kFirst = "New password (8 to 72 bytes): ";
constexpr const char* kAgain = "The same again: ";

// A directory with mira in it.
class Village {
 public:
  Village() {
    REQUIRE(run(command({"init"})).ok());
    REQUIRE(run(command({"user", "add", "mira"})).ok());
  }
  [[nodiscard]] Command command(std::vector<std::string> arguments) const {
    return chirp_command((folder_ / "world").string(), std::move(arguments));
  }
  // A line for the shell, in which $CHIRP is the program and $CHIRP_DATA the directory.
  [[nodiscard]] Command shell(const std::string& line) const {
    return {.arguments = {"/bin/sh", "-c", line},
            .environment = {std::string("CHIRP=") + CHIRP_BINARY,
                            "CHIRP_DATA=" + (folder_ / "world").string()}};
  }

 private:
  TempFolder folder_;
};

std::string line(std::string_view text) { return std::string(text) + "\n"; }

}  // namespace

TEST_CASE("terminal: a password is asked for twice, and not shown") {
  const Village village;
  Terminal terminal(village.command({"user", "passwd", "mira"}));
  REQUIRE(terminal.shows(kFirst));
  CHECK_FALSE(terminal.echoes());
  terminal.type(line(kPassword));
  REQUIRE(terminal.shows(kAgain));
  CHECK_FALSE(terminal.echoes());
  terminal.type(line(kPassword));
  REQUIRE(terminal.shows("mira has a new password."));
  CHECK(terminal.echoes());
  const Ended ended = terminal.wait();
  CHECK(ended.status == 0);
  CHECK(ended.out == std::string(kFirst) + "\n" + kAgain + "\nmira has a new password.\n");
}

TEST_CASE("terminal: the password of a new account is asked for, whatever the option") {
  const Village village;
  for (const char* option : {"--password", "--password-stdin"}) {
    CAPTURE(option);
    const std::string name = option[10] == '\0' ? "zoe" : "yuki";
    Terminal terminal(village.command({"user", "add", name, option, "--quiet"}));
    for (const char* question : {kFirst, kAgain}) {
      REQUIRE(terminal.shows(question));
      CHECK_FALSE(terminal.echoes());
      terminal.type(line(kPassword));
    }
    const Ended ended = terminal.wait();
    CHECK(ended.status == 0);
    CHECK(ended.out.find(kPassword) == std::string::npos);
  }
}

TEST_CASE("terminal: passwords that differ, are too short, cut off, or none change nothing") {
  const Village village;
  const auto asked = [&](const std::vector<std::string>& typed) {
    Terminal terminal(village.command({"user", "add", "zoe", "--password"}));
    for (std::size_t i = 0; i < typed.size(); ++i) {
      REQUIRE(terminal.shows(i == 0 ? kFirst : kAgain));
      terminal.type(typed[i]);
    }
    const Ended ended = terminal.wait();
    CHECK(run(village.command({"user", "show", "zoe"})).status == 3);
    return ended;
  };
  const Ended differ = asked({line(kPassword), "seven wet ducks\n"});
  CHECK(differ.status == 2);
  CHECK(differ.out.ends_with("\nchirp: The two passwords differ. Nothing is changed.\n"));
  CHECK(asked({"short\n"}).status == 2);
  CHECK(asked({"half a password\x04\x04"}).status == 2);  // Ctrl-D, with no return before it
  const Ended none = asked({"\x04"});
  CHECK(none.status == 2);
  CHECK(none.out == std::string(kFirst) + "\nchirp: No line was typed.\n");
}

TEST_CASE("terminal: no password is asked for a user who does not exist") {
  const Village village;
  Terminal terminal(village.command({"user", "passwd", "nobody"}));
  const Ended ended = terminal.wait();
  CHECK(ended.status == 3);
  CHECK(ended.out.find("password") == std::string::npos);
}

TEST_CASE(
    "terminal: a signal ends a question as ever, and the terminal shows again what is typed") {
  const Village village;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    CAPTURE(signal);
    // The shell keeps the terminal open, to be looked at afterwards.
    Terminal terminal(
        village.shell("trap : INT QUIT HUP TERM; $CHIRP user passwd mira; "
                      "echo ended $?; read rest"));
    REQUIRE(terminal.shows(kFirst));
    CHECK_FALSE(terminal.echoes());
    terminal.type("half a pass");
    terminal.signal(signal);
    REQUIRE(terminal.shows("ended " + std::to_string(128 + signal)));
    CHECK(terminal.echoes());
    terminal.type("\n");
    CHECK(terminal.wait().out.find("half a pass") == std::string::npos);
  }
}

TEST_CASE("terminal: keys that interrupt and stop work while a password is typed") {
  const Village village;
  SUBCASE("Ctrl-C") {
    Terminal terminal(village.command({"user", "passwd", "mira"}));
    REQUIRE(terminal.shows(kFirst));
    terminal.type("\x03");
    CHECK(terminal.wait().signal == SIGINT);
  }
  SUBCASE("Ctrl-Z, and back") {
    Terminal terminal(
        village.shell("set -m; $CHIRP user passwd mira; echo stopped; "
                      "read line; fg; echo ended $?"));
    REQUIRE(terminal.shows(kFirst));
    terminal.type("\x1a");
    REQUIRE(terminal.shows("stopped"));
    CHECK(terminal.echoes());
    terminal.type("\n");
    for (const char* question : {kFirst, kAgain}) {
      REQUIRE(terminal.shows(question));
      CHECK_FALSE(terminal.echoes());
      terminal.type(line(kPassword));
    }
    REQUIRE(terminal.shows("ended 0"));
    CHECK(terminal.echoes());
    CHECK(terminal.wait().out.find(kPassword) == std::string::npos);
  }
}

TEST_CASE("terminal: it is steered where it can be and where that is wanted, nowhere else") {
  const Village village;
  const auto at = [&](std::vector<std::string> arguments, std::vector<std::string> environment) {
    Command command = village.command(std::move(arguments));
    command.environment = std::move(environment);
    return command;
  };
  const auto steers = [](const Command& command) {
    return Terminal(command).wait().out.find('\x1b') != std::string::npos;
  };
  CHECK(steers(at({"user", "list"}, {"TERM=xterm", "NO_COLOR="})));
  CHECK_FALSE(steers(at({"user", "list"}, {"TERM=xterm", "NO_COLOR=1"})));
  CHECK_FALSE(steers(at({"user", "list"}, {"TERM=dumb", "NO_COLOR="})));
  CHECK_FALSE(steers(at({"user", "list", "--no-color"}, {"TERM=xterm", "NO_COLOR="})));
  CHECK_FALSE(steers(at({"user", "list", "--json"}, {"TERM=xterm", "NO_COLOR="})));
  CHECK_FALSE(steers(at({"user", "list", "--csv"}, {"TERM=xterm", "NO_COLOR="})));
  CHECK(run(at({"user", "list"}, {"TERM=xterm", "NO_COLOR="})).out.find('\x1b') ==
        std::string::npos);
  const std::vector<std::string> watched{"stats", "--watch", "--times", "1", "--no-color"};
  CHECK(steers(at(watched, {"TERM=xterm"})));
  CHECK_FALSE(steers(at(watched, {"TERM=dumb"})));
}

TEST_CASE("terminal: without one, a password comes by --password-stdin or not at all") {
  const Village village;
  const Ended ended = run(village.command({"user", "passwd", "mira"}));
  CHECK(ended.status == 2);
  CHECK(ended.err ==
        "chirp: There is no terminal to ask for a password. Use --password-stdin, and pipe the "
        "password in.\n");
  Command piped = village.command({"user", "passwd", "mira", "--password-stdin"});
  piped.input = kPassword;
  CHECK(run(piped).ok());
}

}  // namespace chirp::test::terminal_test
