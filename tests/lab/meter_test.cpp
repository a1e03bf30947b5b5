// Goal: what the lab's work costs is charged to the work that was under way, and what lies between
// to nobody.
// Method: bytes written to a file and processor time used up on purpose, in each kind of work.
#include <cstdint>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "cli/bench/reference/written.h"
#include "cli/lab/play.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

using cli::lab::Meter;

constexpr std::uint64_t kBytes = 1'000'000;
constexpr std::int64_t kWorkNs = 5'000'000;

void work(const TempFolder& folder) {
  std::ofstream(folder / "file") << std::string(kBytes, 'x') << std::flush;
  const std::int64_t until = cli::lab::processor_ns() + kWorkNs;
  while (cli::lab::processor_ns() < until) continue;
}

}  // namespace

TEST_CASE("lab meter: bytes and processor time go to the work that was under way") {
  const TempFolder folder;
  Meter meter;
  work(folder);
  meter.turn_to(Meter::Work::kPosts);
  work(folder);
  meter.turn_to(Meter::Work::kPosts);  // as before: it goes on
  work(folder);
  meter.turn_to(Meter::Work::kAside);
  work(folder);
  meter.turn_to(Meter::Work::kReads);
  work(folder);
  meter.turn_to(Meter::Work::kAside);
  CHECK(meter.posts().processor_ns >= 2 * kWorkNs);
  CHECK(meter.reads().processor_ns >= kWorkNs);
  if (cli::bench::bytes_handed_to_writes() == 0) return;  // a system that does not count
  CHECK(meter.posts().bytes_written >= 2 * kBytes);
  CHECK(meter.posts().bytes_written < 3 * kBytes);
  CHECK(meter.reads().bytes_written >= kBytes);
  CHECK(meter.reads().bytes_written < 2 * kBytes);
}

}  // namespace chirp::test
