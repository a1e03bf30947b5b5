// Goal: below the disk reserve every command that adds is refused and says why, every command that
// removes goes on, and feeds stay right; with room again everything goes on. A disk that commands
// fill stops at the reserve: everything acknowledged is there, and nothing is damaged.
// Method: the program with a reserve of twice what is free, or of eight times; a small file system
// in memory, filled by loads, posts, uploads and sign-ups.
#include "store/disk_reserve.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/pictures.h"
#include "tests/support/small_disk.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::reserve_commands_test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// The program on one directory, with a reserve.
class Program {
 public:
  // Empty: the default.
  Program(fs::path data, const std::string& reserve)
      : data_(std::move(data)), reserve_("CHIRP_DISK_RESERVE=" + reserve) {}

  [[nodiscard]] Ended operator()(Words arguments) const {
    Command command = chirp_command(data_.string(), std::move(arguments));
    command.environment.push_back(reserve_);
    return run(command);
  }
  [[nodiscard]] std::string done(Words arguments) const {
    const Ended ended = (*this)(std::move(arguments));
    CHECK_MESSAGE(ended.ok(), to_string(ended));
    return ended.out;
  }
  [[nodiscard]] bool refuses(Words arguments) const {
    const Ended ended = (*this)(std::move(arguments));
    const bool refused =
        ended.status == 1 && ended.err.find("reserve") != std::string::npos && ended.out.empty();
    CHECK_MESSAGE(refused, to_string(ended));
    return refused;
  }

 private:
  fs::path data_;
  std::string reserve_;
};

struct Village {
  Village() {
    store::make_data_directory(path, {});
    fill(*store::DataDirectory::open(path), 6, 3);
    write_file(folder / "graph.txt", "1 2\n2 3\n");
    write_file(folder / "posts.jsonl",
               R"({"id":1,"authorId":7,"text":"loaded","createdAt":"2020-01-01T00:00:00Z"})"
               "\n");
    write_file(folder / "picture.png", png());
  }
  // So many times as much as is free.
  [[nodiscard]] Program with_reserve(std::uint64_t times) const {
    return {path, std::to_string(times * fs::space(folder.path()).available)};
  }
  // The id of the newest post of somebody.
  [[nodiscard]] std::string post_of(const std::string& name) const {
    const std::string list = Program(path, "0").done({"post", "list", name, "--json"});
    constexpr std::string_view kField = "\"postId\":\"";
    const auto at = list.find(kField) + kField.size();
    return list.substr(at, list.find('"', at) - at);
  }

  TempFolder folder;
  fs::path path = folder / "chirp";
};

}  // namespace

TEST_CASE("disk reserve: commands that add are refused, and those that remove go on") {
  const Village village;
  const Program chirp = village.with_reserve(2);
  const std::string file = (village.folder / "picture.png").string();
  const std::string post = village.post_of("a1");
  const auto before = contents(village.path);
  for (const Words& adding :
       {Words{"post", "add", "a0", "hello"}, Words{"post", "add", "a0", "look", "--media", file},
        Words{"post", "repost", "a0", post}, Words{"follow", "add", "a0", "a5"},
        Words{"comment", "add", "a0", post, "a word"}, Words{"user", "add", "newcomer"},
        Words{"load", "posts", (village.folder / "posts.jsonl").string(), "--quiet"},
        Words{"seed", "--users", "5", "--follows", "5", "--posts", "5"},
        Words{"feed", "rebuild", "a0"}, Words{"backup", (village.folder / "copy").string()},
        Words{"export", (village.folder / "export").string()}}) {
    CAPTURE(fmt::format("{}", fmt::join(adding, " ")));
    const Ended ended = chirp(adding);
    CHECK_MESSAGE(ended.status == 1, to_string(ended));
    CHECK_MESSAGE(ended.err.find("--disk-reserve") != std::string::npos, to_string(ended));
  }
  CHECK(contents(village.path) == before);
  CHECK_FALSE(fs::exists(village.folder / "copy"));
  CHECK_FALSE(fs::exists(village.folder / "export"));

  CHECK(chirp.done({"status"}).find("consumers\tpaused: disk reserve") != std::string::npos);
  const std::string status = chirp.done({"status", "--json"});
  CHECK(status.find(R"("paused":true)") != std::string::npos);
  CHECK(status.find(R"("reached":true)") != std::string::npos);

  for (const Words& removing :
       {Words{"post", "remove", post, "--yes"}, Words{"follow", "remove", "a0", "a1"},
        Words{"user", "edit", "a2", "--bio", "quiet"}, Words{"user", "mute", "a0", "a2"},
        Words{"user", "block", "a3", "a4"}, Words{"user", "remove", "a5", "--yes"},
        Words{"config", "set", "feed.cap", "300"}, Words{"compact"}}) {
    CAPTURE(fmt::format("{}", fmt::join(removing, " ")));
    (void)chirp.done(removing);
  }
  // No consumer has taken that in, and every reader sees it.
  CHECK(chirp.done({"feed", "verify", "--all"}).find("none wrong") != std::string::npos);
  CHECK(chirp.done({"status", "--json"}).find(R"("fanout":0)") == std::string::npos);

  const Program roomy(village.path, "0");
  (void)roomy.done({"post", "add", "a0", "hello"});
  CHECK(roomy.done({"status", "--json"}).find(R"("fanout":0)") != std::string::npos);
  CHECK(faults_in(*store::DataDirectory::open(village.path)).empty());
}

TEST_CASE("disk reserve: below a quarter of it nothing is written, and reading goes on") {
  const Village village;
  const Program chirp = village.with_reserve(8);
  const auto before = contents(village.path);
  for (const Words& change :
       {Words{"follow", "remove", "a0", "a1"}, Words{"user", "edit", "a2", "--bio", "quiet"},
        Words{"post", "add", "a0", "hello"}}) {
    CHECK(chirp.refuses(change));
  }
  CHECK(contents(village.path) == before);
  CHECK(chirp.done({"feed", "show", "a0"}).find("post") != std::string::npos);
  CHECK(chirp.done({"doctor"}).find("Everything is right.") != std::string::npos);
}

TEST_CASE("disk reserve: the option says how large it is, and goes before the environment") {
  const Village village;
  const Program chirp = village.with_reserve(8);
  (void)chirp.done({"--disk-reserve", "0", "post", "add", "a0", "hello"});
  (void)chirp.done({"post", "add", "a0", "hello", "--disk-reserve", "4K"});
  const Ended ended = chirp({"post", "add", "a0", "hello", "--disk-reserve", "some"});
  CHECK_MESSAGE(ended.status == 2, to_string(ended));
  CHECK(ended.err.find("--disk-reserve takes a size such as") != std::string::npos);
  CHECK(ended.err.find("\"some\"") != std::string::npos);
}

// ---- a disk that fills up

namespace {

constexpr std::uintmax_t kMiB = std::uintmax_t{1} << 20;

// Writes of several kinds, again and again, and what was acknowledged of them.
class Filling {
 public:
  explicit Filling(const Program& chirp) : chirp_(chirp) {}

  // One of each. How many were acknowledged.
  int round() {
    ++round_;
    return post() + upload() + sign_up() + load_posts() + load_graph();
  }
  [[nodiscard]] const std::set<std::string>& posts() const { return posts_; }
  [[nodiscard]] const std::set<std::string>& users() const { return users_; }
  [[nodiscard]] int refused() const { return refused_; }

 private:
  int tell(const Ended& ended) {
    if (ended.ok()) return 1;
    const bool says_so = ended.status == 1 && ended.err.find("--disk-reserve") != std::string::npos;
    CHECK_MESSAGE(says_so, to_string(ended));
    ++refused_;
    return 0;
  }
  int noted(const Ended& ended, std::set<std::string>& kept, const std::string& what) {
    const int done = tell(ended);
    if (done == 1) kept.insert(what);
    return done;
  }
  int post() {
    const std::string text = fmt::format("post {}", round_);
    return noted(chirp_({"post", "add", "a0", text}), posts_, text);
  }
  int upload() {
    const std::string text = fmt::format("picture {}", round_);
    const std::string noise(200'000, static_cast<char>(round_));
    write_file(outside_ / "picture.png", png(png_chunk("IDAT", noise)));
    return noted(chirp_({"post", "add", "a1", text, "--media", outside_ / "picture.png"}), posts_,
                 text);
  }
  int sign_up() {
    const std::string name = fmt::format("newcomer{}", round_);
    return noted(chirp_({"user", "add", name}), users_, name);
  }
  int load_posts() {
    std::string lines;
    for (int i = 0; i < 1'000; ++i) {
      lines += fmt::format(
          R"({{"id":{},"authorId":{},"text":"loaded {}","createdAt":"2020-01-01T00:00:00Z"}})"
          "\n",
          round_ * 1'000 + i, i % 50 + 1, std::string(200, 'x'));
    }
    write_file(outside_ / "posts.jsonl", lines);
    return tell(chirp_({"load", "posts", outside_ / "posts.jsonl", "--quiet"}));
  }
  int load_graph() {
    std::string lines;
    for (int i = 1; i <= 2'000; ++i)
      lines += fmt::format("{} {}\n", round_ * 2'000 + i, i % 50 + 1);
    write_file(outside_ / "graph.txt", lines);
    return tell(chirp_({"load", "graph", outside_ / "graph.txt", "--quiet"}));
  }

  const Program& chirp_;
  TempFolder outside_;
  int round_ = 0;
  int refused_ = 0;
  std::set<std::string> posts_;
  std::set<std::string> users_;
};

}  // namespace

TEST_CASE("disk reserve: a disk that fills up keeps what was acknowledged, and recovers") {
  const SmallDisk disk("100m");
  if (!disk.mounted()) return;
  const fs::path path = disk / "chirp";
  store::make_data_directory(path, {});
  fill(*store::DataDirectory::open(path), 6, 3);
  const Program chirp(path, "");  // 5 %
  disk.fill_up(12 * kMiB);
  Filling filling(chirp);
  constexpr int kRoundsMax = 200;
  int rounds = 0;
  {
    // One that reads all the while: pages that it may need can't be used again.
    const auto directory = store::DataDirectory::open(path);
    const auto reader = directory->storage().snapshot();
    (void)reader->state();
    while (filling.round() > 0 && rounds < kRoundsMax) ++rounds;
  }
  CHECK(rounds > 1);
  CHECK(rounds < kRoundsMax);
  CHECK(filling.refused() >= 5);
  const std::uint64_t reserve = store::reserve_on(*store::disk_at(path), {});
  CHECK(reserve == 5 * kMiB);
  CHECK(disk.free_bytes() > reserve / 4);

  const auto check_kept = [&] {
    std::set<std::string> said;
    for (const std::string& line : contents(path)) {
      if (line.starts_with("post ")) {
        said.insert(line.substr(line.find(' ', line.find(' ', 5) + 1) + 1));
      } else if (line.starts_with("user ")) {
        said.insert(line);
      }
    }
    for (const std::string& text : filling.posts()) CHECK(said.contains(text));
    for (const std::string& name : filling.users()) {
      CHECK_FALSE(chirp.done({"user", "show", name}).empty());
    }
  };
  check_kept();
  // What the reader held is free for the engine, and for nobody else.
  disk.fill_up(4 * kMiB);
  (void)chirp.done({"post", "add", "a0", "of pages that are free"});
  CHECK(chirp.refuses({"user", "add", "late"}));
  CHECK(chirp.done({"doctor"}).ends_with("Everything is right.\n"));
  for (const Words& removing :
       {Words{"follow", "remove", "a0", "a1"}, Words{"user", "remove", "a5", "--yes"},
        Words{"user", "edit", "a2", "--bio", "quiet"}}) {
    (void)chirp.done(removing);
  }
  CHECK(chirp.done({"doctor"}).ends_with("Everything is right.\n"));

  disk.make_room();
  const int refused = filling.refused();
  CHECK(filling.round() == 5);
  CHECK(filling.refused() == refused);
  check_kept();
  CHECK(chirp.done({"feed", "verify", "--all"}).find("none wrong") != std::string::npos);
  CHECK(faults_in(*store::DataDirectory::open(path)).empty());
}

TEST_CASE("disk reserve: posts are not sorted where there is no room for it") {
  constexpr int kPosts = 9'000;
  const SmallDisk disk("100m");
  if (!disk.mounted()) return;
  const fs::path path = disk / "chirp";
  store::make_data_directory(path, {});
  const TempFolder folder;
  std::string posts;
  for (int i = 1; i <= kPosts; ++i) {
    posts += fmt::format(R"({{"id":"{}","authorId":"{}","text":"{:700}.","createdAt":{}}})"
                         "\n",
                         i, 1 + i % 50, i, 1'500'000'000 + i * 7919L % kPosts);
  }
  write_file(folder / "posts.jsonl", posts);
  const Words load{"load", "posts", (folder / "posts.jsonl").string(), "--bulk", "always"};
  const Program chirp(path, "");  // 5 %
  disk.fill_up(18 * kMiB);
  const Ended refused = chirp(load);
  CHECK_MESSAGE(refused.status == 1, to_string(refused));
  CHECK_MESSAGE(refused.err.find("Sorting the posts (--bulk never needs less) takes up to") !=
                    std::string::npos,
                to_string(refused));
  const auto stored = [&] {
    return store::DataDirectory::open(path)->storage().snapshot()->table_rows().at("posts");
  };
  CHECK(stored() == 0);
  CHECK(faults_in(*store::DataDirectory::open(path)).empty());
  disk.make_room();
  (void)chirp.done({"load", "posts", load[2], "--bulk", "never"});
  CHECK(stored() == kPosts);
  CHECK_FALSE(fs::exists(path / "load.tmp"));
  (void)chirp.done(load);
  CHECK(stored() == kPosts);
  CHECK(fs::is_empty(path / "load.tmp"));
  CHECK(faults_in(*store::DataDirectory::open(path)).empty());
}

}  // namespace chirp::test::reserve_commands_test
