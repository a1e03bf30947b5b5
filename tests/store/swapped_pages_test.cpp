// Goal: whoever writes to a store in which pages have taken each other's places comes to an end,
// and does not hold the writers' turn for ever; whoever reads it comes to one too.
// Method: the pages of the hashtags, whose oldest are taken away with every post, change places
// with every other page; then somebody posts, and somebody is removed. Of a small store every two
// pages change places, and all is read.

#include <doctest/doctest.h>

#include "tests/support/child.h"
#include "tests/support/damaged_directory.h"
#include "tests/support/data_directories.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::swapped_pages_test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPage = 4096;

std::string swapped(std::string bytes, std::size_t a, std::size_t b) {
  const std::string kept = bytes.substr(a * kPage, kPage);
  bytes.replace(a * kPage, kPage, bytes.substr(b * kPage, kPage));
  bytes.replace(b * kPage, kPage, kept);
  return bytes;
}

}  // namespace

TEST_CASE("swapped pages: a writer comes to an end") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  store::make_data_directory(path, {});
  fill(*store::DataDirectory::open(path), 8, 3);
  REQUIRE(run(chirp_command(path.string(), {"post", "add", "a0", "one #ZEBRAFISH"})).ok());
  const fs::path file = path / "engine" / "data.mdb";
  const std::string sound = read_file(file);
  copy_folder(path, folder / "sound");
  int tried = 0;
  for (std::size_t tags = 2; tags < sound.size() / kPage; ++tags) {
    // Tags are kept in lower case beside the texts as they were written.
    if (sound.substr(tags * kPage, kPage).find("zebrafish") == std::string::npos) continue;
    for (std::size_t other = 2; other < sound.size() / kPage; ++other) {
      if (other == tags) continue;
      INFO("pages " << tags << " and " << other);
      fs::remove_all(path);
      copy_folder(folder / "sound", path);
      write_file(file, swapped(sound, tags, other));
      for (const auto& arguments : {std::vector<std::string>{"post", "add", "a0", "hello #again"},
                                    std::vector<std::string>{"user", "remove", "a1"}}) {
        const Ended ended = run(chirp_command(path.string(), arguments));
        CHECK_FALSE_MESSAGE(ended.late, to_string(ended));
        if (!ended.ok()) CHECK_FALSE(ended.err.empty());
        ++tried;
      }
    }
  }
  CHECK(tried > 20);
}

TEST_CASE("swapped pages: a reader comes to an end, wherever a search for a key leads") {
  const DamagedDirectory directory(Left::kClosed);
  const std::string sound = directory.bytes("engine/data.mdb");
  const std::size_t pages = sound.size() / kPage;
  for (std::size_t one = 2; one < pages; ++one) {
    for (std::size_t other = one + 1; other < pages; ++other) {
      INFO("pages " << one << " and " << other);
      const Ended ended = directory.examine("engine/data.mdb", swapped(sound, one, other));
      CHECK_FALSE_MESSAGE(ended.late, to_string(ended));
      CHECK(ended.signal == 0);
    }
  }
}

}  // namespace chirp::test::swapped_pages_test
