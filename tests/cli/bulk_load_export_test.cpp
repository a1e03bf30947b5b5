// Goal: an export that is loaded and exported again is the same byte for byte, whichever way it is
// loaded; what others write meanwhile stays; a load that was killed leaves nothing but a part of
// the export. Method: a world whose follows are of several times, with hidden reposts, blocks,
// suspensions and removed users, and a stopped clock; commands beside a load, and a process that is
// killed at some of its calls.
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/faults.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::bulk_load_export_test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kUsers = 40;

Command chirp_at(const fs::path& data, std::vector<std::string> arguments, int minute = 30) {
  Command command = chirp_command(data.string(), std::move(arguments));
  command.environment.emplace_back(fmt::format("CHIRP_TEST_CLOCK=2026-01-15T18:{:02}:00Z", minute));
  return command;
}

void chirp(const fs::path& data, std::vector<std::string> arguments, int minute = 30) {
  const Ended ended = run(chirp_at(data, std::move(arguments), minute));
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
}

// Follows of three times: later, earlier and the same.
void make_world(const fs::path& data, const fs::path& folder) {
  std::mt19937_64 random(1);
  chirp(data, {"init"});
  for (const int minute : {20, 10, 20, 25}) {
    std::string edges;
    for (std::uint32_t i = 0; i < 200; ++i) {
      edges += fmt::format("{} {}\n", 1 + random() % kUsers, 1 + random() % kUsers);
    }
    write_file(folder / "edges.txt", edges);
    chirp(data, {"load", "graph", (folder / "edges.txt").string(), "--quiet"}, minute);
  }
  std::string posts;
  for (std::uint32_t i = 1; i <= 500; ++i) {
    const std::string link = i % 9 == 0    ? fmt::format(R"(,"repostOf":"{}")", i - 8)
                             : i % 11 == 0 ? fmt::format(R"(,"replyTo":"{}")", i - 5)
                                           : "";
    posts += fmt::format(R"({{"id":"{}","authorId":"{}","text":"post {}","createdAt":{}{}}})"
                         "\n",
                         i, 1 + random() % kUsers, i, 1'500'000'000 + i / 3, link);
  }
  write_file(folder / "posts.jsonl", posts);
  chirp(data, {"load", "posts", (folder / "posts.jsonl").string(), "--quiet"});
  for (const char* other : {"u3", "u7", "u12"}) {
    chirp(data, {"follow", "add", "u5", other, "--no-reposts"}, 28);
  }
  chirp(data, {"user", "block", "u6", "u9"});
  chirp(data, {"user", "mute", "u6", "u10"});
  chirp(data, {"user", "remove", "u11"});
  chirp(data, {"user", "suspend", "u13"});
  chirp(data, {"post", "add", "u14", "only for followers", "--privacy", "followers"});
}

std::map<std::string, std::string> exported(const fs::path& data) {
  const TempFolder folder;
  chirp(data, {"export", (folder / "out").string(), "--quiet"});
  return files_of(folder / "out");
}

std::set<std::string> lines_of(const std::string& text) {
  std::set<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.insert(line);
  return lines;
}

}  // namespace

TEST_CASE("load export --bulk: what is exported again is the same, whichever way it was loaded") {
  const TempFolder folder;
  make_world(folder / "world", folder.path());
  chirp(folder / "world", {"export", (folder / "first").string(), "--quiet"});
  const auto first = files_of(folder / "first");
  CHECK(first.at("follows.jsonl").find("\"showingReposts\":false") != std::string::npos);
  CHECK(first.at("follows.jsonl").find("18:10:00") != std::string::npos);
  CHECK(first.at("follows.jsonl").find("18:28:00") != std::string::npos);
  for (const std::string bulk : {"never", "always", "auto"}) {
    CAPTURE(bulk);
    const fs::path data = folder / bulk;
    chirp(data, {"init"});
    chirp(data, {"load", "export", (folder / "first").string(), "--bulk", bulk, "--quiet"});
    CHECK(store::DataDirectory::open(data)->storage().snapshot()->state().early_below == PostId{});
    CHECK((exported(data) == first));
    CHECK_FALSE(fs::exists(data / "load.tmp"));
    chirp(data, {"doctor"});
    chirp(data, {"feed", "verify", "--all"});
  }
}

TEST_CASE("load export --bulk: what others write meanwhile stays") {
  const TempFolder folder;
  make_world(folder / "world", folder.path());
  chirp(folder / "world", {"export", (folder / "first").string(), "--quiet"});
  const auto first = files_of(folder / "first");
  for (int round = 0; round < 3; ++round) {
    const fs::path data = folder / fmt::format("data{}", round);
    chirp(data, {"init"});
    Background load(chirp_at(
        data, {"load", "export", (folder / "first").string(), "--bulk", "always", "--quiet"}));
    std::set<std::string> names;
    std::set<std::string> follows;
    for (int i = 0; i < 60 && (!load.has_ended() || names.empty()); ++i) {
      const std::string name = fmt::format("writer{}", i);
      if (!run(chirp_at(data, {"user", "add", name})).ok()) continue;
      names.insert(name);
      if (run(chirp_at(data, {"follow", "add", name, "u3"})).ok()) follows.insert(name);
    }
    const Ended ended = load.wait();
    if (ended.status != 0) {
      // The first of them was there before the load looked.
      CHECK_MESSAGE(ended.err.find("not empty") != std::string::npos, to_string(ended));
      continue;
    }
    const auto now = exported(data);
    for (const char* file : {"users.jsonl", "posts.jsonl", "follows.jsonl", "relations.jsonl"}) {
      CAPTURE(file);
      const auto lines = lines_of(now.at(file));
      std::size_t missing = 0;
      for (const std::string& line : lines_of(first.at(file)))
        if (!lines.contains(line)) ++missing;
      CHECK(missing == 0);
      if (file == std::string("follows.jsonl")) {
        CHECK(lines.size() == lines_of(first.at(file)).size() + follows.size());
      }
    }
    for (const std::string& name : follows) {
      CHECK(run(chirp_at(data, {"follow", "check", name, "u3"})).ok());
    }
    chirp(data, {"doctor"});
  }
}

TEST_CASE("load export --bulk: a killed load leaves a part that is sound, and no file") {
  if (!can_inject_faults()) return;
  const TempFolder folder;
  make_world(folder / "world", folder.path());
  chirp(folder / "world", {"export", (folder / "first").string(), "--quiet"});
  const auto command = [&](const fs::path& where) {
    return chirp_at(where / "data",
                    {"load", "export", (folder / "first").string(), "--bulk", "always"});
  };
  std::uint64_t calls = 0;
  {
    const TempFolder counted;
    store::make_data_directory(counted / "data", {});
    const Faults faults(counted.path());
    REQUIRE(run(faults.counted(command(counted.path()))).ok());
    calls = faults.calls();
  }
  int without_follows = 0;
  int with_follows = 0;
  constexpr std::uint64_t kTries = 40;
  for (std::uint64_t call = 1; call <= calls; call += calls / kTries + 1) {
    CAPTURE(call);
    const TempFolder place;
    store::make_data_directory(place / "data", {});
    const Faults faults(place.path());
    (void)run(faults.at(call, "kill", command(place.path())));
    chirp(place / "data", {"config", "set", "auth.bcrypt_cost", "4"});
    CHECK_FALSE(fs::exists(place / "data" / "load.tmp"));
    // The users of a batch come before their cards.
    chirp(place / "data", {"doctor", "--repair"});
    const auto follows = store::DataDirectory::open(place / "data")
                             ->storage()
                             .snapshot()
                             ->table_rows()
                             .at("follows");
    ++(follows == 0 ? without_follows : with_follows);
    CHECK((follows == 0 || follows > 500));
    const Ended again = run(command(place.path()));
    CHECK((again.ok() || again.err.find("not empty") != std::string::npos));
  }
  CHECK(without_follows > 0);
  CHECK(with_follows > 0);
}

TEST_CASE("load export --bulk: names what it takes") {
  const TempFolder folder;
  chirp(folder / "data", {"init"});
  const Ended ended =
      run(chirp_at(folder / "data", {"load", "export", "x", "--bulk", "sometimes"}));
  CHECK(ended.status == 2);
  CHECK_MESSAGE(ended.err.find("auto, always") != std::string::npos, to_string(ended));
}

}  // namespace chirp::test::bulk_load_export_test
