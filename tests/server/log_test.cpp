// Goal: the log is a JSON object a line, with what it was given and nothing broken by it; old
// readers are named once.
// Method: a forked copy of the test logs; its standard error is read.

#include "server/log.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>

#include <doctest/doctest.h>

#include "server/engine/old_readers.h"
#include "server/limits.h"
#include "tests/support/child.h"
#include "tests/support/fake_clock.h"

using namespace chirp;

namespace {

// What follows the time of a line.
std::string rest(const std::string& line) {
  const auto end = line.find(',');
  return end == std::string::npos ? line : line.substr(end + 1);
}

// Standard error becomes a pipe that is full; what reads from it.
int stall_standard_error() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  const std::string block(4096, ' ');
  while (::write(ends[1], block.data(), block.size()) > 0) continue;
  (void)::fcntl(ends[1], F_SETFL, 0);
  (void)::fcntl(ends[0], F_SETFL, 0);
  (void)::dup2(ends[1], STDERR_FILENO);
  return ends[0];
}

void write_lines(Log& log, std::size_t lines) {
  for (std::size_t i = 0; i < lines; ++i) log.write(Severity::kInfo, "a line");
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("log: a reader that stalls holds up neither callers nor the end") {
  const auto ended = test::run_forked([] {
    if (stall_standard_error() < 0) return 1;
    test::StillClock clock;
    std::atomic<bool> over{false};
    std::thread moves;
    {
      Log log(Log::Requests::kLogged, &clock);
      write_lines(log, limits::kLogLinesMax + 100);
      if (log.dropped() < 99) return 2;
      moves = std::thread([&] {
        while (!over) clock.advance(100);
      });
    }
    over = true;
    moves.join();
    return 0;
  });
  CHECK(ended.ok());
}

TEST_SUITE_END();

TEST_CASE("log: lines that were dropped are counted in the next one that is written") {
  const auto ended = test::run_forked([] {
    const int reader = stall_standard_error();
    if (reader < 0) return 1;
    Log log(Log::Requests::kLogged);
    write_lines(log, limits::kLogLinesMax + 100);
    std::string text;
    std::array<char, 4096> block{};
    std::size_t lines = 0;
    while (lines < limits::kLogLinesMax) {
      const ssize_t got = ::read(reader, block.data(), block.size());
      if (got <= 0) return 2;
      text.append(block.data(), static_cast<std::size_t>(got));
      lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }
    // In one line or in two: the log may take its first line while others are dropped.
    constexpr std::string_view kDropped = ",\"dropped\":";
    std::uint64_t told = 0;
    for (std::size_t at = 0; (at = text.find(kDropped, at)) != std::string::npos;) {
      at += kDropped.size();
      told += std::stoull(text.substr(at, 20));
    }
    return told >= 99 && told == log.dropped() ? 0 : 3;
  });
  CHECK(ended.status == 0);
}

TEST_CASE("log: a line is a JSON object, whatever is in it") {
  const auto ended = test::run_forked([] {
    Log log(Log::Requests::kLogged);
    log.write(Severity::kWarning, "disk \"full\"\n", {{"path", std::string("/a\tb\xff")}});
    log.request({{"id", std::string("r1")}, {"status", std::int64_t{200}}});
    return 0;
  });
  REQUIRE(ended.ok());
  const auto second = ended.err.find('\n') + 1;
  CHECK(ended.err.starts_with("{\"time\":\"2"));
  CHECK(rest(ended.err.substr(0, second)) ==
        "\"level\":\"warning\",\"message\":\"disk \\\"full\\\"\\n\",\"path\":\"/a\\tb\uFFFD\"}\n");
  CHECK(rest(ended.err.substr(second)) ==
        "\"level\":\"info\",\"message\":\"request\",\"id\":\"r1\",\"status\":200}\n");
}

TEST_CASE("log: requests can be kept quiet") {
  const auto ended = test::run_forked([] {
    Log log(Log::Requests::kQuiet);
    log.request({{"id", std::string("r1")}});
    log.write(Severity::kInfo, "serving");
    return 0;
  });
  REQUIRE(ended.ok());
  CHECK(ended.err.find("r1") == std::string::npos);
  CHECK(ended.err.find("serving") != std::string::npos);
}

namespace chirp::test {
namespace {

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("old readers: the log names who holds much, and when that is over") {
  const Ended ended = run_forked([] {
    Log log(Log::Requests::kQuiet);
    OldReaders readers(log);
    const OldReader small{11, "chirp export", 40, limits::kHeldBytes - 1};
    const OldReader large{12, "chirp query \"…\"", 4'000, limits::kHeldBytes};
    const OldReader next{13, "", 5'000, 2 * limits::kHeldBytes};
    readers.note(std::nullopt);
    readers.note(small);
    for (int i = 0; i < 3; ++i) readers.note(large);
    readers.note(next);
    for (int i = 0; i < 3; ++i) readers.note(small);
    readers.note(large);
    return 0;
  });
  CAPTURE(ended.err);
  CHECK(count_of(ended.err, "\n") == 4);
  CHECK(count_of(ended.err, R"("pid":12,"command":"chirp query \"…\"","commitsAgo":4000,)"
                            R"("bytesHeld":268435456})") == 2);
  CHECK(count_of(ended.err, R"("pid":13,)") == 1);
  CHECK(count_of(ended.err, "no longer grows") == 1);
}

}  // namespace chirp::test
