// Goal: a file is hashed once for what it is, and nothing of one that is damaged is given out,
// whenever that happens.
// Method: files on disk, rewritten and renamed under an open reader; how many bytes were hashed.
#include "store/checked_file.h"

#include <array>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/limits.h"
#include "store/media_files.h"
#include "store/secrets.h"
#include "tests/support/data_directories.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

constexpr std::chrono::milliseconds kAtOnce{0};

// A file of some pieces under the name of its hash.
struct Kept {
  Kept() { write_file(path(), bytes); }
  [[nodiscard]] std::filesystem::path path() const { return folder / hash; }
  [[nodiscard]] std::shared_ptr<const MediaFile> open(
      std::chrono::milliseconds settled = kAtOnce) const {
    return store::open_checked(store::File::open(path(), O_RDONLY), hash, path(), settled);
  }
  // Whatever it does to the content, the time of the last change is put back.
  void rewrite(const std::string& with) const {
    struct stat before {};
    REQUIRE(::stat(path().c_str(), &before) == 0);
    write_file(path(), with);
    const std::array<timespec, 2> times{before.st_atim, before.st_mtim};
    REQUIRE(::utimensat(AT_FDCWD, path().c_str(), times.data(), 0) == 0);
  }

  TempFolder folder;
  std::string bytes = std::string(200'000, 'a') + "the end";
  std::string hash = store::sha256(bytes);
};

std::string read(const MediaFile& file, std::uint64_t offset, std::size_t count) {
  std::string bytes(count, ' ');
  file.read(offset, bytes);
  return bytes;
}

}  // namespace

TEST_CASE("checked files: any part is read, and the whole is hashed once") {
  const Kept kept;
  const std::uint64_t before = store::hashed_bytes();
  for (int i = 0; i < 5; ++i) {
    const auto file = kept.open();
    CHECK(read(*file, 0, kept.bytes.size()) == kept.bytes);
    CHECK(read(*file, 200'004, 3) == "end");
    CHECK(read(*file, kept.bytes.size(), 0).empty());
    CHECK(code_of([&] { (void)read(*file, kept.bytes.size(), 1); }) == ErrorCode::kCorrupt);
  }
  CHECK(store::hashed_bytes() == before + kept.bytes.size());
}

TEST_CASE("checked files: what has just changed is not remembered") {
  const Kept kept;
  const std::uint64_t before = store::hashed_bytes();
  for (int i = 0; i < 2; ++i) (void)kept.open(std::chrono::hours(1));
  CHECK(store::hashed_bytes() == before + 2 * kept.bytes.size());
}

TEST_CASE("checked files: damage is not given out, though size and time are the same") {
  const Kept kept;
  const auto file = kept.open();
  CHECK(read(*file, 0, 1) == "a");
  std::string damaged = kept.bytes;
  damaged[100'000] = 'b';
  kept.rewrite(damaged);
  CHECK(code_of([&] { (void)read(*file, 100'000, 1); }) == ErrorCode::kCorrupt);
  CHECK(code_of([&] { (void)read(*file, 0, 1); }) == ErrorCode::kCorrupt);
  CHECK(code_of([&] { (void)kept.open(); }) == ErrorCode::kCorrupt);
  kept.rewrite(kept.bytes.substr(1));
  CHECK(code_of([&] { (void)kept.open(); }) == ErrorCode::kCorrupt);
  kept.rewrite(kept.bytes);
  CHECK(read(*kept.open(), 200'000, 7) == "the end");
  CHECK(read(*file, 200'000, 7) == "the end");
}

TEST_CASE("checked files: what is removed while it is read is read to its end") {
  const Kept kept;
  const auto file = kept.open();
  CHECK(read(*file, 0, 1) == "a");
  std::filesystem::remove(kept.path());
  CHECK(read(*file, 200'000, 7) == "the end");
  write_file(kept.path(), "another");
  CHECK(read(*file, 200'000, 7) == "the end");
  CHECK(code_of([&] { (void)kept.open(); }) == ErrorCode::kCorrupt);
}

TEST_CASE("checked files: something else in place of the file, or a foreign file, is damage") {
  const TempFolder folder;
  const store::MediaFiles files(folder.path());
  const std::string hash = store::sha256("x");
  CHECK(code_of([&] { (void)files.open(hash); }) == ErrorCode::kCorrupt);
  REQUIRE(::mkfifo((folder / hash).c_str(), 0600) == 0);
  CHECK(code_of([&] { (void)files.open(hash); }) == ErrorCode::kCorrupt);
  std::filesystem::remove(folder / hash);
  std::filesystem::create_symlink("/dev/zero", folder / hash);
  CHECK(code_of([&] { (void)files.open(hash); }) == ErrorCode::kCorrupt);
  std::filesystem::remove(folder / hash);
  write_file(folder / hash, std::string(limits::kMediaBytesMax + 1, 'x'));
  CHECK(code_of([&] { (void)files.open(hash); }) == ErrorCode::kCorrupt);
  write_file(folder / hash, "x");
  CHECK(read(*files.open(hash), 0, 1) == "x");
}

}  // namespace chirp::test
