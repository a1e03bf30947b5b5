// A run of tests that is ended when nothing moves in it any more, however long that takes on a busy
// machine.
#pragma once

#include <functional>
#include <string_view>
#include <sys/types.h>

namespace chirp::test {

// Runs `body` in a child process and watches it with all that it starts (progress.h); returns in
// the child, with what `body` returned. The calling process ends as the child does: with its
// status, or by its signal. If nothing moves any more, it says which test hangs, kills all of them
// and ends with status 1. CHIRP_HANGS_AFTER
// says after how many quiet seconds. In a debugger, or with CHIRP_UNWATCHED in the environment,
// `body` runs in the calling process. For a process with one thread.
int run_watched(const std::function<int()>& body);

// The process that started this run, such as ctest: the parent of the one that watches.
[[nodiscard]] pid_t run_started_by();

// The body says which test begins. Each may use an hour of the processor; tests that were asked for
// longer, by CHIRP_TORTURE_SECONDS or CHIRP_SOAK_SECONDS, any time.
void begin_watched_test(std::string_view name);

}  // namespace chirp::test
