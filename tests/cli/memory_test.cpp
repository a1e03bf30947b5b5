// Goal: a load's own memory stays bounded however big its input, and so does that of a command.
// Method: the program under RLIMIT_DATA, so that it fails when it asks for more; mapped files do
// not count. One file named many times makes a big input that is quickly read.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/faults.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kLoadMax = 256 * kMiB;
constexpr std::uint64_t kCommandMax = 32 * kMiB;
// Too little for anything: shows that the limit is one.
constexpr std::uint64_t kTooLittle = 2 * kMiB;

// A sanitizer has a memory of its own beside the program's.
bool can_limit_memory() {
  if (can_inject_faults()) return true;
  MESSAGE("skipped: a build with a sanitizer needs far more memory");
  return false;
}

class Commands {
 public:
  explicit Commands(std::uint64_t memory) : memory_(memory) { must({"init"}); }

  [[nodiscard]] std::filesystem::path file(const char* name) const { return folder_ / name; }
  Ended run(std::vector<std::string> arguments, std::uint64_t memory) const {
    Command command = chirp_command((folder_ / "chirp").string(), std::move(arguments));
    command.memory = memory;
    return test::run(command);
  }
  std::string must(std::vector<std::string> arguments) const {
    const Ended ended = run(std::move(arguments), memory_);
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    return ended.out;
  }

 private:
  TempFolder folder_{TempFolder::Where::kDisk};
  std::uint64_t memory_;
};

// Without a pattern, the same in every run.
std::uint64_t scattered(std::uint64_t n, std::uint64_t below) {
  return (n * 0x9E37'79B9'7F4A'7C15u >> 33) % below;
}

std::vector<std::string> load_of(const char* what, const std::filesystem::path& file, int times) {
  std::vector<std::string> arguments{"load", what, "--json"};
  for (int i = 0; i < times; ++i) arguments.push_back(file.string());
  return arguments;
}

}  // namespace

TEST_CASE("memory: a load of a graph keeps to 256 MiB, however big the graph") {
  if (!can_limit_memory()) return;
  constexpr std::uint64_t kEdges = 1'000'000;
  constexpr std::uint64_t kUsers = 200'000;
  // Gathered without bound they would take three to four bytes each, 270 MB in all.
  constexpr int kTimes = 75;
  const Commands commands(kLoadMax);
  const auto file = commands.file("graph.txt");
  {
    std::ofstream out(file, std::ios::binary);
    for (std::uint64_t i = 0; i < kEdges; ++i) {
      const std::uint64_t follower = scattered(2 * i, kUsers);
      const std::uint64_t followee = (follower + 1 + scattered(2 * i + 1, kUsers - 1)) % kUsers;
      out << follower << ' ' << followee << '\n';
    }
  }
  CHECK_FALSE(commands.run(load_of("graph", file, 1), kTooLittle).ok());
  const std::string summary = commands.must(load_of("graph", file, kTimes));
  CHECK(summary.find(fmt::format("\"read\":{}", kEdges * kTimes)) != std::string::npos);
}

TEST_CASE("memory: a load of posts keeps to 256 MiB, however many posts") {
  if (!can_limit_memory()) return;
  constexpr std::uint64_t kPosts = 40'000;
  constexpr int kTimes = 30;
  const Commands commands(kLoadMax);
  const auto file = commands.file("posts.jsonl");
  {
    const std::string text(280, 'x');
    std::ofstream out(file, std::ios::binary);
    for (std::uint64_t i = 1; i <= kPosts; ++i) {
      out << fmt::format(
                 R"({{"id":{},"authorId":{},"text":"{}","createdAt":"2020-01-01T00:00:00Z"}})", i,
                 scattered(i, 1'000), text)
          << '\n';
    }
    REQUIRE(static_cast<std::uint64_t>(out.tellp()) * kTimes > kLoadMax);
  }
  const std::string summary = commands.must(load_of("posts", file, kTimes));
  CHECK(summary.find(fmt::format("\"stored\":{}", kPosts)) != std::string::npos);
}

TEST_CASE("memory: a load of posts in no order of time keeps to 256 MiB") {
  if (!can_limit_memory()) return;
  constexpr std::uint64_t kPosts = 350'000;  // more than are gathered
  const Commands commands(kLoadMax);
  const auto file = commands.file("posts.jsonl");
  {
    const std::string text(280, 'x');
    std::ofstream out(file, std::ios::binary);
    for (std::uint64_t i = 1; i <= kPosts; ++i) {
      out << fmt::format(R"({{"id":{},"authorId":{},"text":"{}","createdAt":{}}})", i,
                         scattered(i, 1'000), text, 1'600'000'000'000 + scattered(i, 1u << 30))
          << '\n';
    }
  }
  const std::string summary = commands.must(load_of("posts", file, 1));
  CHECK(summary.find(fmt::format("\"stored\":{}", kPosts)) != std::string::npos);
}

TEST_CASE("memory: a load of an archive keeps to 256 MiB, however big its outbox") {
  if (!can_limit_memory()) return;
  constexpr std::uint64_t kPosts = 40'000;
  const Commands commands(kLoadMax);
  const auto folder = commands.file("mastodon");
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "actor.json")
      << R"({"id":"https://tern.example/users/mira","preferredUsername":"mira"})";
  {
    // Most of an activity is what is not loaded.
    const std::string context(7'000, 'x');
    std::ofstream out(folder / "outbox.json", std::ios::binary);
    out << R"({"type":"OrderedCollection","orderedItems":[)";
    for (std::uint64_t i = 1; i <= kPosts; ++i) {
      out << (i == 1 ? "" : ",")
          << fmt::format(
                 R"({{"type":"Create","@context":"{}","object":{{"type":"Note","id":"https://t/{}",)"
                 R"("content":"<p>words</p>","published":"2022-11-20T14:58:08Z",)"
                 R"("to":["https://www.w3.org/ns/activitystreams#Public"]}}}})",
                 context, i);
    }
    out << "]}";
    REQUIRE(static_cast<std::uint64_t>(out.tellp()) > kLoadMax);
  }
  const std::string summary = commands.must({"load", "archive", "--json", folder.string()});
  CHECK(summary.find(fmt::format("\"stored\":{}", kPosts)) != std::string::npos);
}

TEST_CASE("memory: a command keeps to 32 MiB") {
  if (!can_limit_memory()) return;
  const Commands commands(kCommandMax);
  const Ended seeded = commands.run(
      {"seed", "--users", "10000", "--follows", "200000", "--posts", "50000"}, kLoadMax);
  REQUIRE_MESSAGE(seeded.ok(), to_string(seeded));
  const std::string users = commands.must({"user", "list", "--limit", "20", "--json"});
  std::vector<std::string> names;
  const std::string key = "\"username\":\"";
  for (std::size_t at = users.find(key); at != std::string::npos; at = users.find(key, at)) {
    at += key.size();
    names.push_back(users.substr(at, users.find('"', at) - at));
  }
  REQUIRE(names.size() == 20);
  CHECK_FALSE(commands.run({"feed", "show", names.front()}, kTooLittle).ok());
  for (const std::string& name : names) {
    CHECK_FALSE(commands.must({"feed", "show", name, "--limit", "100"}).empty());
    commands.must({"feed", "show", name, "--policy", "pull", "--limit", "100"});
  }
  commands.must({"post", "add", names.front(), "hello"});
  commands.must({"follow", "add", names.front(), names.back()});
  commands.must({"follow", "followers", names.front()});
  commands.must({"post", "list", names.front()});
  commands.must({"stats"});
}

}  // namespace chirp::test
