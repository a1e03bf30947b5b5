// Goal: whoever looks through a folder bears that others work in it.
// Method: a folder whose other files go while the first one is looked at.
#include "store/files.h"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "tests/support/data_directories.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

namespace fs = std::filesystem;

TEST_CASE("files: what goes away while a folder is walked is left out") {
  const TempFolder folder;
  for (int i = 0; i < 10; ++i) write_file(folder / std::to_string(i), "one");
  int visited = 0;
  store::walk(folder / ".", [&](const fs::path& path, fs::file_type type) {
    CHECK(type == fs::file_type::regular);
    ++visited;
    for (int i = 0; i < 10; ++i) {
      const fs::path other = folder / std::to_string(i);
      if (other.filename() != path.filename()) fs::remove(other);
    }
  });
  CHECK(visited == 1);
}

}  // namespace chirp::test
