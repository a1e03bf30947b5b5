// Goal: tables, times and colours are right at a terminal, and plain everywhere else; the line of
// progress counts what is done, and fits the terminal.
// Method: output is made for each audience and read back through a pipe.
#include "cli/output.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unistd.h>

#include <doctest/doctest.h>

#include "cli/load/summary.h"
#include "cli/progress.h"
#include "cli/social/post_text.h"
#include "cli/table.h"

namespace chirp::cli {
namespace {

// Sends what is written to a file descriptor elsewhere, as long as it lives.
class Diverted {
 public:
  Diverted(int fd, int elsewhere) : fd_(fd), saved_(::dup(fd)) { ::dup2(elsewhere, fd); }
  ~Diverted() {
    ::dup2(saved_, fd_);
    ::close(saved_);
  }
  Diverted(const Diverted&) = delete;
  Diverted& operator=(const Diverted&) = delete;

 private:
  int fd_;
  int saved_;
};

// What `body` prints and says, as a terminal shows it.
template <class Body>
std::string printed(OutputAudience audience, Colour colour, Body body) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  {
    const Diverted data(STDOUT_FILENO, ends[1]);
    const Diverted words(STDERR_FILENO, ends[1]);
    Output out(audience, colour, Verbosity::kVerbose);
    body(out);
    out.flush();
  }
  ::close(ends[1]);
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t n = 0; (n = ::read(ends[0], buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  ::close(ends[0]);
  return text;
}

void print_two(Output& out) {
  TextTable table({{"NAME"}, {"N", Align::kRight}, {"TEXT"}});
  table.row({"zoë", "5", "a\tb"});
  table.row({"漢字", "1234", "\x1b[31mred"});
  table.print(out);
}

}  // namespace

TEST_CASE("summary: a load that has stopped says what is not stored, and has no rate") {
  const auto shown = [](std::optional<std::uint64_t> not_stored) {
    LoadSummary summary;
    summary.rows = "posts";
    summary.read = 5;
    summary.seconds = 1;
    summary.not_stored = not_stored;
    return printed(OutputAudience::kPipe, Colour::kNo,
                   [&](Output& out) { print_summary(out, summary); });
  };
  CHECK(shown(std::nullopt).find("rate\t5 posts/s\n") != std::string::npos);
  const std::string stopped = shown(2);
  CHECK(stopped.find("read but not stored\t2\n") != std::string::npos);
  CHECK(stopped.find("rate") == std::string::npos);
}

TEST_CASE("table: aligned by columns at a terminal, tabs through a pipe, never an escape") {
  CHECK(printed(OutputAudience::kTerminal, Colour::kNo, print_two) ==
        "NAME     N  TEXT\n"
        "zoë      5  a\\tb\n"
        "漢字  1234  \\x1b[31mred\n");
  CHECK(printed(OutputAudience::kPipe, Colour::kNo, print_two) ==
        "zoë\t5\ta\\tb\n"
        "漢字\t1234\t\\x1b[31mred\n");
  CHECK(printed(OutputAudience::kTerminal, Colour::kYes, print_two).rfind("\x1b[2mNAME", 0) == 0);
}

TEST_CASE("table: a title is as little a command to a terminal as a cell") {
  const auto print = [](Output& out) {
    TextTable table({{"\x1b[2J"}});
    table.row({"mira"});
    table.print(out);
  };
  CHECK(printed(OutputAudience::kTerminal, Colour::kNo, print) == "\\x1b[2J\nmira\n");
}

TEST_CASE("table: a title as long as a statement is cut, and its numbers are not") {
  const std::string title(300, 't');
  const auto at = [&](std::size_t columns) {
    return printed(OutputAudience::kPipe, Colour::kNo, [&](Output&) {
      Output out(OutputAudience::kTerminal, Colour::kNo, Verbosity::kNormal, columns);
      TextTable table({{title, Align::kRight}, {"ID", Align::kRight}});
      table.row({"5", "3446950330368008192"});
      table.print(out);
    });
  };
  CHECK(at(100) == std::string(59, 't') + "…                   ID\n" + std::string(59, ' ') +
                       "5  3446950330368008192\n");
  CHECK(at(37) == std::string(15, 't') + "…                   ID\n" + std::string(15, ' ') +
                      "5  3446950330368008192\n");
  CHECK(at(36) ==
        std::string(59, 't') + "…  5\nID" + std::string(60, ' ') + "3446950330368008192\n");
}

TEST_CASE("output: at a terminal what was printed before an error is shown, in a pipe it is not") {
  const auto at = [](OutputAudience audience) {
    return printed(OutputAudience::kPipe, Colour::kNo, [&](Output&) {
      Output out(audience, Colour::kNo, Verbosity::kNormal);
      out.print("half a table\n");
    });
  };
  CHECK(at(OutputAudience::kTerminal) == "half a table\n");
  CHECK(at(OutputAudience::kPipe).empty());
}

TEST_CASE("table: a long cell is cut at a terminal alone") {
  const std::string text(100, 'x');
  const auto print = [&](Output& out) {
    TextTable table({{"TEXT"}});
    table.row({text});
    table.print(out);
  };
  CHECK(printed(OutputAudience::kTerminal, Colour::kNo, print) ==
        "TEXT\n" + std::string(59, 'x') + "…\n");
  CHECK(printed(OutputAudience::kPipe, Colour::kNo, print) == text + "\n");
}

TEST_CASE("output: what is said about data comes after them") {
  const auto speak = [](Output& out) {
    out.print("one\n");
    out.note("noted");
    out.print("two\n");
    out.detail("explained");
    out.print("three\n");
    out.warn("warned");
    out.print("four\n");
  };
  CHECK(printed(OutputAudience::kTerminal, Colour::kNo, speak) ==
        "one\nnoted\ntwo\nexplained\nthree\nchirp: warned\nfour\n");
}

TEST_CASE("time: relative for people, then a date") {
  const Time now{*parse_iso8601("2026-01-15T18:30:00Z")};
  CHECK(relative(now, now) == "just now");
  CHECK(relative(Time{now.ms - 59 * kSecondMs}, now) == "just now");
  CHECK(relative(Time{now.ms - kMinuteMs}, now) == "1m ago");
  CHECK(relative(Time{now.ms - 23 * kHourMs}, now) == "23h ago");
  CHECK(relative(Time{now.ms - 6 * kDayMs}, now) == "6d ago");
  CHECK(relative(Time{now.ms - 7 * kDayMs}, now) == "2026-01-08");
  CHECK(relative(Time{now.ms + kDayMs}, now) == "2026-01-16T18:30");
}

TEST_CASE("numbers: grouped by thousands") {
  CHECK(counted(0, "row", "rows") == "0 rows");
  CHECK(counted(1, "row", "rows") == "1 row");
  CHECK(counted(999, "row", "rows") == "999 rows");
  CHECK(counted(1000, "row", "rows") == "1,000 rows");
  CHECK(counted(1234567, "row", "rows") == "1,234,567 rows");
}

TEST_CASE("post: lines of its own, and nothing that steers a terminal") {
  const Post post{PostId{42}, UserNumber{1},    "one\n\ttwo \xE2\x80\xAE three",
                  Time{0},    Privacy::kPublic, std::nullopt};
  const AuthorCard author{UserNumber{1}, UserId{7}, "mira", "Mira Okafor", std::nullopt};
  const std::string text = printed(OutputAudience::kPipe, Colour::kNo,
                                   [&](Output& out) { print_post(out, post, author, Time{0}); });
  CHECK(text ==
        "@mira Mira Okafor · 1970-01-01T00:00:00.000Z · 42\n"
        "    one\n"
        "      two \\u{202e} three\n");
}

TEST_CASE("progress: a line fits the terminal, whatever its width") {
  const std::string words = " 50 %  1,000 posts, 1.0 K/s  1 s left";
  const Reach half{.done = 1, .total = 2, .rows = 1000};
  CHECK(progress_line(half, words, 80) == "[############............] " + words);
  for (std::size_t columns = 0; columns < 90; ++columns) {
    CAPTURE(columns);
    const std::string line = progress_line(half, words, columns);
    CHECK(line.size() <= (columns == 0 ? 0 : columns - 1));
    if (columns > words.size()) CHECK(line.ends_with(words));
  }
  CHECK(progress_line(half, words, words.size() + 8) == "[##..] " + words);
  CHECK(progress_line(half, words, words.size() + 7) == words);
  CHECK(progress_line(half, words, 10) == words.substr(0, 9));
  CHECK(progress_line({.done = 1, .total = std::nullopt, .rows = 2}, words, 80) == words);
}

TEST_CASE("progress: what is read and not stored is not done") {
  const Reach all_read = reach_of(1000, 1000, 400, 100);
  CHECK(all_read.done == 250);
  CHECK(all_read.rows == 100);
  CHECK(progress_words(all_read, "edges", 10) == " 25 %  100 edges, 10/s  30 s left");
  CHECK(reach_of(1000, 1000, 400, 400).done == 1000);
  CHECK(reach_of(1000, 1000, 400, 500).rows == 400);  // what came from inside is more than read
  CHECK(reach_of(600, 1000, 0, 0).done == 600);
  // Users come before the rows that name them, and take a while.
  CHECK(progress_words({.done = 0, .total = 1000, .rows = 0, .users = 12'345}, "edges", 2) ==
        "12,345 new users");
  CHECK(progress_words({.done = 0, .total = 1000, .rows = 20, .users = 30'000}, "edges", 2) ==
        "30,000 new users");
  CHECK(progress_words({.done = 0, .total = 1000, .rows = 0, .users = 0}, "edges", 2) ==
        "0 edges, 0/s");
  CHECK(progress_words({.done = 500, .total = 1000, .rows = 20, .users = 1}, "edges", 2) ==
        " 50 %  20 edges, 10/s, 1 new user  2 s left");
  CHECK(progress_words({.done = 1, .total = 4, .rows = 1}, "runs", 1) ==
        " 25 %  1 run, 1/s  3 s left");
  // The first rows say nothing of the rest.
  CHECK(progress_words({.done = 1, .total = 1000, .rows = 3}, "edges", 1) == "  0 %  3 edges, 3/s");
}

}  // namespace chirp::cli
