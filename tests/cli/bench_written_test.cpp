// Goal: what the reference load says was written is what was written: bytes as they were handed
// over, and bytes of the disk, each as the difference of two counts. Method: counts of the system
// written down by hand; a known number of small changes, spread over a file; costs made up.
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <unistd.h>

#include <doctest/doctest.h>

#include "cli/bench/reference/measured.h"
#include "cli/bench/reference/written.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

using cli::bench::Costs;

// Changes `count` bytes of the file, each in a page of its own.
void touch_pages(const std::filesystem::path& file, std::uint64_t count) {
  constexpr off_t kPage = 4096;
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  REQUIRE(fd >= 0);
  for (std::uint64_t i = 0; i < count; ++i) {
    REQUIRE(::pwrite(fd, "x", 1, static_cast<off_t>(i) * kPage) == 1);
  }
  REQUIRE(::fdatasync(fd) == 0);
  ::close(fd);
}

}  // namespace

TEST_CASE("bench written: counts of the system are read by their names and places") {
  const std::string io =
      "rchar: 323934931\nwchar: 323929600\nsyscr: 632687\nsyscw: 632675\nread_bytes: 0\n"
      "write_bytes: 323932160\ncancelled_write_bytes: 0\n";
  CHECK(cli::bench::number_after(io, "wchar:") == std::uint64_t{323'929'600});
  CHECK(cli::bench::number_after(io, "write_bytes:") == std::uint64_t{323'932'160});
  CHECK_FALSE(cli::bench::number_after(io, "char:"));
  CHECK_FALSE(cli::bench::number_after("wchar: many", "wchar:"));
  constexpr std::uint64_t kBytes = 512'000;
  // Reads, merged, sectors, ms; writes, merged, sectors of 512 bytes, ms; and others.
  CHECK(cli::bench::bytes_written_of("  10 1 80 5  20 2 1000 7  0 9 12 0 0 0 0 3 1\n") == kBytes);
  CHECK(cli::bench::bytes_written_of("10 1 80 5 20 2 1000") == kBytes);
  CHECK_FALSE(cli::bench::bytes_written_of("10 1 80 5 20 2"));
  CHECK_FALSE(cli::bench::bytes_written_of(""));
}

TEST_CASE("bench written: a change counts as its bytes, wherever the pages of its file are") {
  const std::uint64_t before = cli::bench::bytes_handed_to_writes();
  const TempFolder folder;
  constexpr std::uint64_t kChanges = 2'000;
  touch_pages(folder / "file", kChanges);
  const std::uint64_t first = cli::bench::bytes_handed_to_writes();
  touch_pages(folder / "file", kChanges);  // in pages of the cache by now
  const std::uint64_t second = cli::bench::bytes_handed_to_writes();
  if (second == 0) {
    MESSAGE("skipped: this system counts no writes of processes");
    return;
  }
  CHECK(first - before >= kChanges);
  // By pages these would be 8 MB.
  CHECK(first - before < 10 * kChanges);
  CHECK(second - first == kChanges);
}

TEST_CASE("bench written: the disk of a place counts on, and a place on none has no count") {
  const TempFolder folder;
  const auto before = cli::bench::bytes_written_by_disk(folder.path());
  touch_pages(folder / "file", 100);
  const auto after = cli::bench::bytes_written_by_disk(folder.path());
  CHECK(before.has_value() == after.has_value());
  if (before && after) CHECK(*after >= *before);
  CHECK_FALSE(cli::bench::bytes_written_by_disk("/proc/self"));
  CHECK_FALSE(cli::bench::bytes_written_by_disk(folder / "nothing"));
}

TEST_CASE("bench written: the costs of a run are what came on top, and memory as it is") {
  const Costs before{1.5, 1'000, 50'000, 300, 400};
  const Costs costs = cli::bench::costs_since(before, {4, 5'000, 90'000, 700, 800});
  CHECK(costs.processor_seconds == doctest::Approx(2.5));
  CHECK(costs.bytes_written == 4'000);
  CHECK(costs.disk_bytes == std::uint64_t{40'000});
  CHECK(costs.own_bytes == 700);
  CHECK(costs.mapped_bytes == 800);
  CHECK_FALSE(cli::bench::costs_since(before, {4, 5'000, {}, 700, 800}).disk_bytes);
  CHECK_FALSE(cli::bench::costs_since({1, 0, {}, 0, 0}, {4, 5'000, 90'000, 0, 0}).disk_bytes);
}

}  // namespace chirp::test
