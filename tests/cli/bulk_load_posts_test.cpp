// Goal: `load posts --bulk always` and `--bulk never` leave the same rows, and beside a load that
// has put entries and not their posts yet every other command finds everything right.
// Method: copies of one directory and random posts, with a stopped clock; commands in processes of
// their own between two transactions of a load.
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/load/post_loader.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::bulk_load_posts_test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kUsers = 12;

Ended chirp_ended(const fs::path& data, std::vector<std::string> arguments) {
  Command command = chirp_command(data.string(), std::move(arguments));
  command.environment.emplace_back("CHIRP_TEST_CLOCK=2026-01-15T18:30:00Z");
  return run(command);
}

void chirp(const fs::path& data, std::vector<std::string> arguments) {
  const Ended ended = chirp_ended(data, std::move(arguments));
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
}

// In no order, of few milliseconds, some twice, some answers and retweets.
std::string some_posts(std::mt19937_64& random, std::uint32_t count) {
  std::string text;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto id = 1 + random() % (3 * count);
    const auto other = 1 + random() % (3 * count);
    const auto what = random() % 12;
    const std::string link = other == id || what > 1 ? ""
                             : what == 0             ? fmt::format(R"(,"replyTo":"{}")", other)
                                                     : fmt::format(R"(,"repostOf":"{}")", other);
    // A second repost of one post by one user would be none: a reposter of each.
    const auto author = what == 1 ? kUsers + 1 + i : 1 + random() % kUsers;
    const std::string more = random() % 7 == 0   ? R"(,"privacy":"followers")"
                             : random() % 7 == 0 ? R"(,"mediaUrls":["https://a.example/b.png"])"
                                                 : "";
    text += fmt::format(R"({{"id":"{}","authorId":"{}","text":"post {}","createdAt":{}{}{}}})"
                        "\n",
                        id, author, id, 1'500'000'000 + random() % (count / 3), link, more);
  }
  return text;
}

std::map<std::string, std::string> exported(const fs::path& data) {
  const TempFolder folder;
  chirp(data, {"export", (folder / "out").string(), "--quiet"});
  return files_of(folder / "out");
}

void make_people(const fs::path& data, const fs::path& folder) {
  chirp(data, {"init"});
  std::string edges;
  for (std::uint32_t i = 0; i < 3 * kUsers; ++i) {
    edges += fmt::format("{} {}\n", 1 + i % kUsers, 1 + (i * 5 + i / kUsers + 1) % kUsers);
  }
  // Reposters too, so that their numbers do not depend on when they come.
  for (std::uint32_t i = 0; i < 300; ++i) edges += fmt::format("{} 1\n", kUsers + 1 + i);
  write_file(folder / "edges.txt", edges);
  chirp(data, {"load", "graph", (folder / "edges.txt").string(), "--quiet"});
}

PostId mark_in(const fs::path& data) {
  return store::DataDirectory::open(data)->storage().snapshot()->state().early_below;
}

}  // namespace

TEST_CASE("load posts --bulk: exports are the same whichever way posts are stored") {
  std::mt19937_64 random(11);
  const TempFolder folder;
  const fs::path first = folder / "first";
  make_people(first, folder.path());
  for (int round = 0; round < 2; ++round) {
    CAPTURE(round);
    write_file(folder / "posts.jsonl", some_posts(random, 300));
    std::map<std::string, std::string> told;
    for (const std::string bulk : {"never", "always", "auto"}) {
      CAPTURE(bulk);
      const fs::path data = folder / bulk;
      copy_folder(first, data);
      chirp(data, {"load", "posts", (folder / "posts.jsonl").string(), "--bulk", bulk, "--quiet"});
      chirp(data, {"doctor"});
      const auto files = exported(data);
      if (told.empty()) told = files;
      CHECK((files == told));
    }
    fs::remove_all(first);
    fs::rename(folder / "always", first);
    fs::remove_all(folder / "never");
    fs::remove_all(folder / "auto");
  }
}

TEST_CASE("load posts --bulk: before a bad line the same posts are stored, sorted or not") {
  constexpr std::uint32_t kBatch = 32'768;
  std::mt19937_64 random(12);
  const TempFolder folder;
  std::string posts;
  for (std::uint32_t i = 0; i < kBatch + 500; ++i) {
    posts += fmt::format(R"({{"id":"{}","authorId":"{}","text":"post {}","createdAt":{}}})"
                         "\n",
                         1 + random() % (2 * kBatch), 1 + random() % kUsers, i,
                         1'500'000'000 + random() % kBatch);
  }
  write_file(folder / "posts.jsonl", posts + "no post\n");
  make_people(folder / "first", folder.path());
  std::map<std::string, std::string> told;
  for (const std::string bulk : {"never", "always"}) {
    CAPTURE(bulk);
    const fs::path data = folder / bulk;
    copy_folder(folder / "first", data);
    const Ended ended =
        chirp_ended(data, {"load", "posts", (folder / "posts.jsonl").string(), "--bulk", bulk});
    CHECK_MESSAGE(ended.status == 1, to_string(ended));
    CHECK_MESSAGE(ended.err.find("read but not stored: ") != std::string::npos, to_string(ended));
    const auto rows = store::DataDirectory::open(data)->storage().snapshot()->table_rows();
    CHECK(rows.at("posts") > kBatch / 2);
    const auto files = exported(data);
    if (told.empty()) told = files;
    CHECK((files == told));
  }
}

TEST_CASE("load posts --bulk: names what it takes") {
  const TempFolder folder;
  write_file(folder / "posts.jsonl", R"({"id":"1","authorId":"1","text":"p","createdAt":1500000})");
  chirp(folder / "data", {"init"});
  const Ended ended = chirp_ended(
      folder / "data", {"load", "posts", (folder / "posts.jsonl").string(), "--bulk", "sometimes"});
  CHECK(ended.status == 2);
  CHECK_MESSAGE(ended.err.find("auto, always") != std::string::npos, to_string(ended));
}

namespace {

// Loads posts in this process, and calls `act` once, when some entries are there and no post is.
void load_beside(const fs::path& data, const std::function<void()>& act) {
  const auto directory = store::DataDirectory::open(data);
  Storage& storage = directory->storage();
  bool acted = false;
  const auto between = [&] {
    if (acted || storage.snapshot()->state().early_below == PostId{}) return;
    acted = true;
    act();
  };
  load::PostOptions options{.first_rows = 5, .most_rows = 5};
  options.early = load::Bulk::kAlways;
  load::PostLoader loader(storage, directory->users(), test_clock(), between, options);
  for (std::uint64_t i = 1; i <= 60; ++i) {
    load::SourcePost post;
    post.id = SourceId{i};
    post.author_id = SourceId{1 + i % kUsers};
    post.text = fmt::format("post {}", i);
    post.created_at = Time{1'500'000'000'000 + static_cast<std::int64_t>(i / 3)};
    REQUIRE_FALSE(loader.add(std::move(post)));
  }
  loader.finish();
  CHECK(acted);
  CHECK(storage.snapshot()->state().early_below == PostId{});
}

std::string same_posts() {
  std::string text;
  for (std::uint64_t i = 1; i <= 60; ++i) {
    text += fmt::format(R"({{"id":"{}","authorId":"{}","text":"post {}","createdAt":{}}})"
                        "\n",
                        i, 1 + i % kUsers, i, 1'500'000'000);
  }
  return text;
}

}  // namespace

TEST_CASE("load posts --bulk: before its posts are there, other commands find everything right") {
  const TempFolder folder;
  const fs::path data = folder / "data";
  make_people(data, folder.path());
  const auto before = exported(data);
  load_beside(data, [&] {
    chirp(data, {"doctor"});
    chirp(data, {"doctor", "--repair"});
    chirp(data, {"feed", "verify", "--all"});
    chirp(data, {"feed", "rebuild", "--all"});
    chirp(data, {"post", "list", "u2"});
    CHECK((exported(data) == before));
    chirp(data, {"backup", (folder / "copy").string()});
    CHECK_FALSE(chirp_ended(data, {"compact"}).ok());
  });
  chirp(data, {"doctor"});
  // The copy has the entries, and nobody who will load their posts.
  const fs::path restored = folder / "restored";
  chirp(restored, {"restore", (folder / "copy").string()});
  CHECK(mark_in(restored) != PostId{});
  chirp(restored, {"doctor"});
  CHECK((exported(restored) == before));
  chirp(restored, {"compact"});
  CHECK(faults_in(*store::DataDirectory::open(restored)).empty());
  chirp(restored, {"follow", "add", "u2", "u1"});
  CHECK(mark_in(restored) == PostId{});
  CHECK(faults_in(*store::DataDirectory::open(restored)).empty());
  chirp(restored, {"doctor"});
}

TEST_CASE("load posts --bulk: another load of the same posts, and a removal of their author") {
  const TempFolder folder;
  write_file(folder / "same.jsonl", same_posts());
  make_people(folder / "first", folder.path());
  for (const char* other : {"always", "never", "remove"}) {
    CAPTURE(other);
    const fs::path data = folder / other;
    copy_folder(folder / "first", data);
    load_beside(data, [&] {
      if (std::string(other) == "remove") {
        chirp(data, {"user", "remove", "u2", "--yes"});
      } else {
        chirp(data, {"load", "posts", (folder / "same.jsonl").string(), "--bulk", other});
      }
      chirp(data, {"doctor"});
    });
    CHECK(faults_in(*store::DataDirectory::open(data)).empty());
    chirp(data, {"doctor"});
    const auto posts =
        store::DataDirectory::open(data)->storage().snapshot()->table_rows().at("posts");
    CHECK(posts == (std::string(other) == "remove" ? 55 : 60));
  }
}

}  // namespace chirp::test::bulk_load_posts_test
