// Goal: no test waits for a time, or fails because of how long something took.
// Method: reads the source tree as text. What a wait may be is written down in
// docs/decisions/0100-waits.md.
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/source_tree.h"

namespace chirp::test {
namespace {

using Names = std::set<std::string, std::less<>>;

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The calls that wait for a time, start one, or ask a clock.
Names timed_calls(std::string_view code) {
  static constexpr std::array kCalls{"alarm",
                                     "clock",
                                     "clock_gettime",
                                     "clock_nanosleep",
                                     "gettimeofday",
                                     "nanosleep",
                                     "now",
                                     "ppoll",
                                     "select",
                                     "pselect",
                                     "setitimer",
                                     "sigtimedwait",
                                     "sleep",
                                     "sleep_for",
                                     "sleep_until",
                                     "timer_create",
                                     "timerfd_create",
                                     "try_lock_for",
                                     "try_lock_until",
                                     "try_acquire_for",
                                     "usleep",
                                     "wait_for",
                                     "wait_until",
                                     "epoll_wait",
                                     "poll"};
  Names found;
  for (const std::string_view call : kCalls) {
    for (std::size_t at = code.find(call); at != std::string_view::npos;
         at = code.find(call, at + 1)) {
      const std::size_t end = at + call.size();
      if (at == 0 || is_of_name(code[at - 1]) || end >= code.size() || code[end] != '(') continue;
      const std::string_view before = code.substr(0, at);
      // The port of the clock has a now(), too.
      if (call == "now" && !before.ends_with("lock::")) continue;
      if (call == "clock" && !before.ends_with("std::")) continue;
      if (call == "select" && !before.ends_with("::")) continue;
      const std::string_view arguments = code.substr(end, code.find(';', end) - end);
      if (call == "poll" && arguments.find(", -1)") != std::string_view::npos) continue;
      found.emplace(call);
    }
  }
  return found;
}

}  // namespace

TEST_CASE("waits: nothing but the helpers waits for a time or asks a clock") {
  // With what they may call, and why.
  const std::map<std::string, Names, std::less<>> kAllowed{
      // The helpers: between two looks.
      {"tests/support/progress.h", {"now"}},
      {"tests/support/progress.cpp", {"now", "poll", "clock_gettime"}},
      {"tests/support/eventually.h", {"wait_for"}},
      {"tests/support/watched_run.cpp", {"sigtimedwait"}},
      // Whether the run of ctest that it serves is still there.
      {"tests/support/postgres_run.cpp", {"sigtimedwait"}},
      // Processor time.
      {"tests/support/progress_test.cpp", {"clock"}},
      // For as long as somebody asked.
      {"tests/support/budget.h", {"now"}},
      {"tests/support/budget.cpp", {"now"}},
      {"tests/soak/soak_test.cpp", {"now"}},
      // What the system's own calls would do.
      {"tests/support/sanitizers.c", {"clock_gettime"}},
      // Whether something is there by now.
      {"tests/support/http_client.cpp", {"poll"}},
      {"tests/server/hashing_pool_test.cpp", {"wait_for"}},
      // That a wait takes so long at least, however slow the machine is.
      {"tests/store/processes_test.cpp", {"now"}},
  };
  for (const SourceFile& file : source_tree()) {
    if (file.layer() != "tests" || !file.is_cpp()) continue;
    const auto allowed = kAllowed.find(file.path);
    const Names calls = timed_calls(code_only(file.text));
    if (allowed != kAllowed.end()) {
      CHECK_MESSAGE(calls == allowed->second, file.path, " calls other functions than it may");
      continue;
    }
    for (const std::string& call : calls) {
      FAIL_CHECK(
          fmt::format("{} calls {}(): tests wait by tests/support/progress.h", file.path, call));
    }
  }
}

TEST_CASE("waits: what waits for a time is found") {
  CHECK(timed_calls("std::this_thread::sleep_for(5ms); x.wait_for(lock, 5s);") ==
        Names{"sleep_for", "wait_for"});
  CHECK(timed_calls("auto a = std::chrono::steady_clock::now(); poll(&end, 1, 100);") ==
        Names{"now", "poll"});
  CHECK(timed_calls("clock.now(); browser.wait_for_line(a); poll(&end, 1, -1); pg_sleep(1);")
            .empty());
}

TEST_CASE("waits: no test has seconds to end in, and no script of one has") {
  for (const SourceFile& file : source_tree()) {
    const bool is_built =
        file.path.ends_with("CMakeLists.txt") || file.path.find(".cmake") != std::string::npos;
    if (file.layer() == "tests" && is_built) {
      CHECK_MESSAGE(file.text.find("TIMEOUT") == std::string::npos, file.path, " bounds a test");
    }
    const bool is_script = file.layer() == "tests" || file.layer() == "testdata";
    if (is_script && file.path.ends_with(".py")) {
      for (const char* word : {"timeout", "sleep("}) {
        CHECK_MESSAGE(file.text.find(word) == std::string::npos, file.path, " has a ", word);
      }
    }
  }
}

}  // namespace chirp::test
