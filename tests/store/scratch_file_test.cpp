// Goal: room to sort in gives back what was put there, needs no file while it is small, and leaves
// no name behind. Method: random pieces, with some room in memory, all or none, against a string.
#include "store/scratch_file.h"

#include <filesystem>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/support/data_directories.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::scratch_file_test {
namespace {

namespace fs = std::filesystem;
using store::ScratchFile;

std::string read(const ScratchFile& file, std::uint64_t place, std::size_t least,
                 std::size_t most) {
  std::string bytes(most, '?');
  bytes.resize(file.read(place, bytes, least));
  CHECK(bytes.size() >= least);
  return bytes;
}

}  // namespace

TEST_CASE("scratch file: gives back what was put there") {
  std::mt19937_64 random(9);
  for (const std::size_t memory : {0U, 700U, 1U << 20}) {
    CAPTURE(memory);
    const TempFolder folder;
    ScratchFile file(folder / "load.tmp", "A test", memory);
    for (int round = 0; round < 2; ++round) {
      std::string all;
      for (int i = 0; i < 200; ++i) {
        const std::string piece(random() % 40, static_cast<char>(random()));
        CHECK(file.append(piece) == all.size());
        all += piece;
        if (all.empty()) continue;
        const std::size_t place = random() % all.size();
        const std::size_t least = random() % (all.size() - place + 1);
        const std::string found = read(file, place, least, least + random() % 100);
        CHECK(found == all.substr(place, found.size()));
      }
      CHECK_THROWS_AS((void)read(file, all.size() - 1, 2, 2), Error);
      CHECK(fs::exists(folder / "load.tmp") == (memory < all.size()));
      file.clear();
    }
  }
}

TEST_CASE("scratch file: its folder is the owner's, and what a killed process has left goes") {
  const TempFolder folder;
  fs::create_directory(folder / "load.tmp");
  write_file(folder / "load.tmp" / "sorted.1", "left");
  ScratchFile file(folder / "load.tmp", "A test");
  CHECK_FALSE(fs::is_empty(folder / "load.tmp"));
  (void)file.append("x");
  CHECK(fs::is_empty(folder / "load.tmp"));
  const TempFolder other;
  ScratchFile fresh(other / "load.tmp", "A test");
  (void)fresh.append("x");
  CHECK(fs::status(other / "load.tmp").permissions() == fs::perms::owner_all);
}

}  // namespace chirp::test::scratch_file_test
