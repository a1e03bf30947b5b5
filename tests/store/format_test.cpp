// Goal: a data directory of every format version that was ever released is migrated, read and
// written, so that a change of the format is noticed before it is released.
// Method: one such directory for each is kept under testdata; a session with a copy of it is run
// against the program. Its make.sh says what is in it.
#include <filesystem>

#include <doctest/doctest.h>

#include "tests/support/golden.h"

namespace chirp::test {

TEST_CASE("format: a directory of version 1 is migrated, read, written and examined") {
  const auto session = std::filesystem::path(CHIRP_SOURCE_DIR) / "testdata/format-1/session.txt";
  for (const GoldenMismatch& mismatch : run_golden(session)) {
    FAIL_CHECK(session.string() << ":" << mismatch.line << "\n$ " << mismatch.command
                                << "\n--- expected\n"
                                << mismatch.expected << "--- said\n"
                                << mismatch.actual);
  }
}

}  // namespace chirp::test
