// A test run that is ended when nothing moves in it any more, however long it takes on a busy
// machine.
#pragma once

#include <functional>
#include <string_view>
#include <sys/types.h>

namespace chirp::test {

// Runs `body` in a child process and watches it with all its descendants (progress.h). Returns in
// the child, with the result of `body`. The calling process ends like the child: with its status,
// or by its signal. If nothing moves any more, it prints which test hangs, kills all of them and
// ends with status 1; CHIRP_HANGS_AFTER is the number of quiet seconds. In a debugger, or with
// CHIRP_UNWATCHED in the environment, `body` runs in the calling process. For a process with one
// thread.
int run_watched(const std::function<int()>& body);

// The process that started this run, such as ctest: the parent of the one that watches.
[[nodiscard]] pid_t run_started_by();

// The body reports the start of each test. A test may use an hour of processor time; tests with
// CHIRP_TORTURE_SECONDS or CHIRP_SOAK_SECONDS may use any.
void begin_watched_test(std::string_view name);

}  // namespace chirp::test
