// Goal: a full disk refuses writes with a message that says so, changes nothing, keeps reads going,
// and is forgotten once there is room.
// Method: a small file system in memory, which only the superuser can mount.

#include <sys/resource.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/faults.h"
#include "tests/support/small_disk.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

void check_full(const Ended& ended) {
  CHECK_MESSAGE(ended.status == 1, to_string(ended));
  const bool says_so = ended.err.find("full") != std::string::npos ||
                       ended.err.find("No space left") != std::string::npos;
  CHECK_MESSAGE(says_so, to_string(ended));
  CHECK(ended.out.empty());
}

}  // namespace

TEST_CASE("full disk: writes are refused, reads go on, and with room all is well") {
  const SmallDisk disk("4m");
  if (!disk.mounted()) return;
  const fs::path path = disk / "chirp";
  store::make_data_directory(path, {});
  fill(*store::DataDirectory::open(path), 6, 3);
  const auto chirp = [&](std::vector<std::string> arguments) {
    return run(chirp_command(path.string(), std::move(arguments)));
  };
  disk.fill_up();
  // The store's file has free pages of its own for a few.
  constexpr int kPostsMax = 300;
  Ended post;
  for (int i = 0; i < kPostsMax; ++i) {
    post = chirp({"post", "add", "a0", std::string(280, 'x')});
    if (!post.ok()) break;
  }
  check_full(post);
  const auto before = contents(path);
  check_full(chirp({"post", "add", "a0", std::string(280, 'x')}));
  check_full(chirp({"user", "add", "newcomer"}));
  check_full(chirp({"backup", (disk / "backup").string()}));
  check_full(chirp({"compact"}));
  for (const char* name : {"a0", "a5"}) {
    const Ended feed = chirp({"feed", "show", name});
    CHECK_MESSAGE(feed.ok(), to_string(feed));
  }
  CHECK(contents(path) == before);
  CHECK_FALSE(fs::exists(disk / "backup"));

  disk.make_room();
  for (const auto& arguments :
       {std::vector<std::string>{"post", "add", "a0", "hello"},
        std::vector<std::string>{"user", "add", "newcomer"}, std::vector<std::string>{"compact"}}) {
    const Ended ended = chirp(arguments);
    CHECK_MESSAGE(ended.ok(), to_string(ended));
  }
  CHECK(faults_in(*store::DataDirectory::open(path)).empty());
}

TEST_CASE("full disk: with blocks smaller than a page it is called full, and reads go on") {
  const SmallDisk disk(SmallDisk::SmallBlocks{}, std::uintmax_t{8} << 20);
  if (!disk.mounted()) return;
  const fs::path path = disk / "chirp";
  store::make_data_directory(path, {});
  fill(*store::DataDirectory::open(path), 6, 3);
  const auto before = contents(path);
  for (std::size_t left = 0; left <= 44 * 1024; left += 2048) {
    CAPTURE(left);
    for (const char* file : {"users.db-wal", "users.db-shm"}) fs::remove(path / file);
    disk.fill_up(left);
    for (const auto& arguments :
         {std::vector<std::string>{"user", "list"}, std::vector<std::string>{"feed", "show", "a0"},
          std::vector<std::string>{"feed", "show", "a5"}}) {
      const Ended ended = run(chirp_command(path.string(), arguments));
      CHECK_MESSAGE(ended.ok(), to_string(ended));
    }
    for (const auto& arguments :
         {std::vector<std::string>{"user", "edit", "a0", "--bio", std::string(160, 'x')},
          std::vector<std::string>{"user", "add", fmt::format("late{}", left)}}) {
      const Ended ended = run(chirp_command(path.string(), arguments));
      if (!ended.ok()) check_full(ended);
    }
    disk.make_room();
  }
  CHECK(contents(path).size() >= before.size());
  CHECK(faults_in(*store::DataDirectory::open(path)).empty());
}

TEST_CASE("full disk: a load keeps whole batches, says so, and goes on with room") {
  const TempFolder folder;
  std::string edges;
  for (int i = 1; i <= 60'000; ++i) edges += fmt::format("{} {}\n", i, i % 1000 + 1);
  write_file(folder / "graph.txt", edges);
  for (const char* size : {"3m", "3300k", "3700k", "4200k", "5m", "6m", "7m"}) {
    CAPTURE(size);
    const SmallDisk disk(size);
    if (!disk.mounted()) return;
    const fs::path path = disk / "chirp";
    store::make_data_directory(path, {});
    const Ended load =
        run(chirp_command(path.string(), {"load", "graph", folder / "graph.txt", "--json"}));
    CHECK_MESSAGE(load.status == 1, to_string(load));
    CHECK_MESSAGE(load.err.find("full") != std::string::npos, to_string(load));
    CHECK_MESSAGE(load.err.find("The load has stopped") != std::string::npos, to_string(load));
    CHECK_MESSAGE(load.out.starts_with("{\"read\":"), to_string(load));
    CHECK(faults_in(*store::DataDirectory::open(path)).empty());
  }
}

TEST_CASE("full disk: init says so and leaves nothing") {
  const SmallDisk disk("4m");
  if (!disk.mounted()) return;
  disk.fill_up();
  check_full(run(chirp_command((disk / "chirp").string(), {"init"})));
  CHECK(entries_of((disk / "chirp").parent_path()) == 1);
  disk.make_room();
  const Ended ended = run(chirp_command((disk / "chirp").string(), {"init"}));
  CHECK_MESSAGE(ended.ok(), to_string(ended));
}

TEST_CASE("full disk: one process writes until it is full, and nothing acknowledged is lost") {
  const SmallDisk disk("3m");
  if (!disk.mounted()) return;
  const fs::path path = disk / "chirp";
  store::make_data_directory(path, {});
  fill(*store::DataDirectory::open(path), 6, 1);
  const auto directory = store::DataDirectory::open(path);
  std::vector<PostId> acknowledged;
  const Error error = error_of([&] {
    for (;;) acknowledged.push_back(publish(*directory, UserNumber{1}, std::string(1000, 'x')));
  });
  CHECK(error.code() == ErrorCode::kStorageFull);
  CHECK(acknowledged.size() > 100);
  const auto snapshot = directory->storage().snapshot();
  for (const PostId id : acknowledged) CHECK(snapshot->post(id));
  CHECK(snapshot->table_rows().at("posts") == acknowledged.size() + 6);
}

TEST_CASE("full disk: a limit on file sizes is one too") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  store::make_data_directory(path, {});
  fill(*store::DataDirectory::open(path), 6, 1);
  const auto before = contents(path);
  const Ended ended = run_forked([&] {
    const rlim_t most = fs::file_size(path / "engine" / "data.mdb") + 100;
    const rlimit limit{most, most};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    Command command = chirp_command(path.string(), {"post", "add", "a0", "hello"});
    for (int i = 0; i < 200; ++i) {
      const Ended post = run(command);
      if (post.ok()) continue;
      fmt::print(stderr, "{}", to_string(post));
      return post.status == 1 && post.err.find("full") != std::string::npos ? 0 : 2;
    }
    return 3;
  });
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  const auto directory = store::DataDirectory::open(path);
  CHECK(faults_in(*directory).empty());
  CHECK(contents(*directory).size() >= before.size());
}

}  // namespace chirp::test
