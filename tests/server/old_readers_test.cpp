// Goal: the log names a reader who holds much, once, and says when nobody does any more. Method: a
// forked copy of the test is told of readers; its standard error is read.
#include "server/engine/old_readers.h"

#include <doctest/doctest.h>

#include "tests/support/child.h"

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
