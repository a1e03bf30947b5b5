// Goal: a data directory of every format version that was ever released is migrated, read and
// written, and answers what it answered before, so that a change of the format is noticed before it
// is released.
// Method: one such directory for each is kept under testdata, beside sessions with a copy of it
// that are run against the program. Its make.sh says what is in it.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/data_directories.h"
#include "tests/support/golden.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sessions_of(std::uint32_t format) {
  std::vector<fs::path> sessions;
  for (const auto& entry : fs::directory_iterator(kept_folder(format))) {
    if (entry.path().extension() == ".txt") sessions.push_back(entry.path());
  }
  std::ranges::sort(sessions);
  return sessions;
}

}  // namespace

TEST_CASE("format: a directory of each older version is migrated, read, written and examined") {
  for (const std::uint32_t format : older_formats()) {
    const std::vector<fs::path> sessions = sessions_of(format);
    CHECK_FALSE(sessions.empty());
    for (const fs::path& session : sessions) {
      for (const GoldenMismatch& mismatch : run_golden(session)) {
        FAIL_CHECK(session.string()
                   << ":" << mismatch.line << "\n$ " << mismatch.command << "\n--- expected\n"
                   << mismatch.expected << "--- said\n"
                   << mismatch.actual);
      }
    }
  }
}

}  // namespace chirp::test
