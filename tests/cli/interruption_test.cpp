// Goal: a long command that a signal ends leaves everything as it says, says what was done and what
// to run, ends by the signal, and takes the signal for no damage.
// Method: the program is stopped at its calls that change files, gets the signal there, and goes
// on.
#include <csignal>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/feed/home_feed.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/faults.h"
#include "tests/support/progress.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kTries = 8;  // of the calls of a command

std::string data_in(const fs::path& folder) { return (folder / "data").string(); }

// A folder with a small world in it.
void make_small_world(const fs::path& folder) {
  store::make_data_directory(folder / "data", {});
  fill(*store::DataDirectory::open(folder / "data"), 6, 3);
}

bool says_it_is_interrupted(const Ended& ended) {
  return ended.err.find("nterrupted") != std::string::npos;
}

// A command with SIGTERM at some of its calls, each time in a folder that `make` fills. `look` sees
// how it ended. Returns how often it said that it was interrupted.
std::uint64_t interrupt(const std::function<void(const fs::path&)>& make,
                        const std::function<Command(const fs::path&)>& command,
                        const std::function<void(const fs::path&, const Ended&)>& look) {
  std::uint64_t calls = 0;
  {
    const TempFolder folder;
    make(folder.path());
    const Faults faults(folder.path());
    REQUIRE(run(faults.counted(command(folder.path()))).ok());
    calls = faults.calls();
  }
  std::uint64_t said = 0;
  const std::uint64_t stride = calls / kTries + 1;
  for (std::uint64_t call = 1; call <= calls; call += stride) {
    const TempFolder folder;
    make(folder.path());
    const Faults faults(folder.path());
    Background process(faults.at(call, "stop", command(folder.path())));
    REQUIRE(process.wait_stopped());
    process.signal(SIGTERM);
    process.signal(SIGCONT);
    const Ended ended = process.wait();
    INFO("call ", call, ": ", to_string(ended));
    CHECK(ended.signal == SIGTERM);
    CHECK(ended.err.find("damage") == std::string::npos);
    if (says_it_is_interrupted(ended)) ++said;
    look(folder.path(), ended);
  }
  return said;
}

// The state of a process, such as 'T' for stopped; 0 if there is no such process.
char state_of(pid_t process) {
  std::string facts;
  try {
    facts = read_file(fmt::format("/proc/{}/stat", process));
  } catch (const std::exception&) {
    return 0;  // it went while it was looked at
  }
  const std::size_t name = facts.rfind(')');
  return name == std::string::npos || name + 2 >= facts.size() ? '\0' : facts[name + 2];
}

// The process that reads the files for the doctor, stopped at one of its calls.
struct StoppedDoctor {
  explicit StoppedDoctor(const Command& command) : parent(command) {}

  // False if it ended before.
  bool wait() {
    for (Patience patience;;) {
      for (const pid_t one : processes_below(parent.pid())) {
        if (state_of(one) != 'T') continue;
        child = one;
        return true;
      }
      if (state_of(parent.pid()) == 'Z') return false;
      REQUIRE_MESSAGE(patience.rests(), patience.reason());
    }
  }

  Background parent;
  pid_t child = 0;
};

// A doctor whose child is stopped half-way through its calls.
std::unique_ptr<StoppedDoctor> stopped_doctor(const Faults& faults, const Command& command) {
  REQUIRE(run(faults.counted(command)).ok());
  const std::uint64_t calls = faults.calls();
  REQUIRE(calls > 1);
  auto doctor = std::make_unique<StoppedDoctor>(faults.at(calls / 2, "stop", command));
  REQUIRE(doctor->wait());
  return doctor;
}

}  // namespace

TEST_CASE("interruption: an export leaves nothing behind") {
  if (!can_inject_faults()) return;
  const auto said = interrupt(
      make_small_world,
      [](const fs::path& folder) {
        return chirp_command(data_in(folder), {"export", (folder / "out").string()});
      },
      [](const fs::path& folder, const Ended& ended) {
        const bool is_whole = ended.out.starts_with("Exported to ");
        CHECK(fs::exists(folder / "out") == is_whole);
        CHECK(entries_of(folder) == (is_whole ? 2 : 1));
        CHECK_FALSE((is_whole && says_it_is_interrupted(ended)));
      });
  CHECK(said > 0);
}

TEST_CASE("interruption: compacting leaves the data as it was") {
  if (!can_inject_faults()) return;
  std::vector<std::string> before;
  const auto said = interrupt(
      [&](const fs::path& folder) {
        make_small_world(folder);
        before = contents(folder / "data");
      },
      [](const fs::path& folder) { return chirp_command(data_in(folder), {"compact"}); },
      [&](const fs::path& folder, const Ended& ended) {
        CHECK((contents(folder / "data") == before));
        CHECK_FALSE(fs::exists(folder / "data" / "compact.tmp"));
        CHECK_FALSE((!ended.out.empty() && says_it_is_interrupted(ended)));
        CHECK(run(chirp_command(data_in(folder), {"compact"})).ok());
      });
  CHECK(said > 0);
}

TEST_CASE("interruption: a migration goes on when it is run again") {
  if (!can_inject_faults()) return;
  const auto said = interrupt(
      [](const fs::path& folder) { copy_older(older_formats().front(), folder / "data"); },
      [](const fs::path& folder) { return chirp_command(data_in(folder), {"migrate"}); },
      [](const fs::path& folder, const Ended& /*ended*/) {
        CHECK(run(chirp_command(data_in(folder), {"migrate"})).ok());
        CHECK(faults_in(*store::DataDirectory::open(folder / "data")).empty());
      });
  CHECK(said > 0);
}

TEST_CASE("interruption: rebuilding timelines says how many there are") {
  if (!can_inject_faults()) return;
  bool after_some = false;
  constexpr std::uint32_t kUsers = 3 * feed::kRebuiltAtOnce + 1;
  const auto said = interrupt(
      [](const fs::path& folder) {
        store::make_data_directory(folder / "data", {});
        fill(*store::DataDirectory::open(folder / "data"), kUsers, 3);
      },
      [](const fs::path& folder) {
        return chirp_command(data_in(folder), {"feed", "rebuild", "--all"});
      },
      [&](const fs::path& folder, const Ended& ended) {
        for (auto n = feed::kRebuiltAtOnce; n < kUsers; n += feed::kRebuiltAtOnce) {
          const auto words = fmt::format("Interrupted after {} timelines. They stay", n);
          if (ended.err.find(words) != std::string::npos) after_some = true;
        }
        CHECK(run(chirp_command(data_in(folder), {"feed", "verify", "--all"})).ok());
      });
  CHECK(said > 0);
  CHECK(after_some);
}

TEST_CASE("interruption: a load of posts ends at once, and the next command takes up the rest") {
  if (!can_inject_faults()) return;
  std::uint64_t with_mark = 0;
  const auto mark = [](const fs::path& folder) {
    return store::DataDirectory::open(folder / "data")->storage().snapshot()->state().early_below;
  };
  const auto said = interrupt(
      [](const fs::path& folder) {
        make_small_world(folder);
        std::string posts;
        for (int i = 1; i <= 3000; ++i) {
          posts += fmt::format(R"({{"id":"{}","authorId":"{}","text":"p","createdAt":{}}})"
                               "\n",
                               i, 1 + i % 150, 1'500'000'000 + i);
        }
        write_file(folder / "posts.jsonl", posts);
      },
      [](const fs::path& folder) {
        return chirp_command(data_in(folder), {"load", "posts", (folder / "posts.jsonl").string(),
                                               "--bulk", "always"});
      },
      [&](const fs::path& folder, const Ended& ended) {
        if (says_it_is_interrupted(ended)) {
          CHECK(ended.out.empty());
          CHECK(ended.err.find("Run the same command again") != std::string::npos);
        }
        CHECK(faults_in(*store::DataDirectory::open(folder / "data")).empty());
        if (mark(folder) != PostId{}) ++with_mark;
        CHECK(run(chirp_command(data_in(folder), {"doctor"})).ok());
        CHECK(run(chirp_command(data_in(folder), {"config", "set", "auth.bcrypt_cost", "4"})).ok());
        CHECK(mark(folder) == PostId{});
        CHECK(faults_in(*store::DataDirectory::open(folder / "data")).empty());
      });
  CHECK(said > 0);
  CHECK(with_mark > 0);
}

TEST_CASE("interruption: a load that sorts posts says how many are stored") {
  if (!can_inject_faults()) return;
  constexpr int kPosts = 12'000;
  std::uint64_t at_nothing = 0;
  const auto said = interrupt(
      [](const fs::path& folder) {
        make_small_world(folder);
        // More than needs no file, in no order.
        std::string posts;
        for (int i = 1; i <= kPosts; ++i) {
          posts += fmt::format(R"({{"id":"{}","authorId":"{}","text":"{:500}.","createdAt":{}}})"
                               "\n",
                               i, 1 + i % 150, i, 1'500'000'000 + i * 7919L % kPosts);
        }
        write_file(folder / "posts.jsonl", posts);
      },
      [](const fs::path& folder) {
        return chirp_command(data_in(folder), {"load", "posts", (folder / "posts.jsonl").string(),
                                               "--bulk", "always"});
      },
      [&](const fs::path& folder, const Ended& ended) {
        if (ended.err.find("At least 0 posts are stored") != std::string::npos) ++at_nothing;
        CHECK(faults_in(*store::DataDirectory::open(folder / "data")).empty());
        const fs::path sorted = folder / "data" / "load.tmp";
        if (fs::exists(sorted)) CHECK(fs::is_empty(sorted));
        CHECK(run(chirp_command(data_in(folder),
                                {"load", "posts", (folder / "posts.jsonl").string(), "--quiet"}))
                  .ok());
        const auto directory = store::DataDirectory::open(folder / "data");
        CHECK(directory->storage().snapshot()->table_rows().at("posts") == kPosts + 18);
        CHECK(faults_in(*directory).empty());
      });
  CHECK(said > 0);
  CHECK(at_nothing > 0);
}

TEST_CASE("interruption: loading an export says what is left") {
  if (!can_inject_faults()) return;
  std::string bulk;
  SUBCASE("in transactions") { bulk = "never"; }
  SUBCASE("in bulk") { bulk = "always"; }
  const auto said = interrupt(
      [](const fs::path& folder) {
        const TempFolder from;
        make_small_world(from.path());
        REQUIRE(
            run(chirp_command(data_in(from.path()), {"export", (folder / "out").string()})).ok());
        store::make_data_directory(folder / "data", {});
      },
      [&](const fs::path& folder) {
        return chirp_command(data_in(folder),
                             {"load", "export", (folder / "out").string(), "--bulk", bulk});
      },
      [](const fs::path& folder, const Ended& ended) {
        if (!says_it_is_interrupted(ended)) return;
        CHECK(ended.err.find("holds a part of the export now") != std::string::npos);
        // The users of a batch come before their cards.
        CHECK(run(chirp_command(data_in(folder), {"doctor", "--repair"})).ok());
      });
  CHECK(said > 0);
}

TEST_CASE("interruption: the doctor ends with the process that reads the files") {
  if (!can_inject_faults()) return;
  const TempFolder folder;
  make_small_world(folder.path());
  const Faults faults(folder.path());
  for (const char* option : {"--quiet", "--repair"}) {
    CAPTURE(option);
    const auto doctor =
        stopped_doctor(faults, chirp_command(data_in(folder.path()), {"doctor", option}));
    doctor->parent.signal(SIGTERM);
    const Ended ended = doctor->parent.wait();
    INFO(to_string(ended));
    CHECK(ended.signal == SIGTERM);
    CHECK(says_it_is_interrupted(ended));
    CHECK(ended.err.find("run it again") != std::string::npos);
    CHECK(ended.out.find("damage") == std::string::npos);
    CHECK(ended.out.find("Everything is right") == std::string::npos);
    CHECK(state_of(doctor->child) == 0);
  }
  CHECK(run(chirp_command(data_in(folder.path()), {"doctor"})).ok());
}

TEST_CASE("interruption: a doctor that is killed takes the process that reads the files along") {
  if (!can_inject_faults()) return;
  const TempFolder folder;
  make_small_world(folder.path());
  const Faults faults(folder.path());
  const auto doctor = stopped_doctor(faults, chirp_command(data_in(folder.path()), {"doctor"}));
  doctor->parent.signal(SIGKILL);
  CHECK(doctor->parent.wait().signal == SIGKILL);
  for (Patience patience; state_of(doctor->child) != 0 && state_of(doctor->child) != 'Z';) {
    REQUIRE_MESSAGE(patience.rests(), patience.reason());
  }
}

TEST_CASE("interruption: a signal to the process that reads the files is no damage") {
  if (!can_inject_faults()) return;
  const TempFolder folder;
  make_small_world(folder.path());
  const Faults faults(folder.path());
  for (const int signal : {SIGTERM, SIGKILL, SIGSEGV, SIGBUS}) {
    CAPTURE(signal);
    const auto doctor = stopped_doctor(faults, chirp_command(data_in(folder.path()), {"doctor"}));
    ::kill(doctor->child, signal);
    ::kill(doctor->child, SIGCONT);
    const Ended ended = doctor->parent.wait();
    INFO(to_string(ended));
    CHECK(ended.status == 1);
    CHECK(ended.err.find(fmt::format("ended by signal {} (", signal)) != std::string::npos);
    CHECK(ended.err.find("damage") == std::string::npos);
    CHECK(ended.out.find("damage") == std::string::npos);
  }
}

TEST_CASE("interruption: a fault's signal that is sent says nothing of the files") {
  if (!can_inject_faults()) return;
  const TempFolder folder;
  make_small_world(folder.path());
  const Faults faults(folder.path());
  Background process(faults.at(1, "stop", chirp_command(data_in(folder.path()), {"user", "list"})));
  REQUIRE(process.wait_stopped());
  process.signal(SIGSEGV);
  process.signal(SIGCONT);
  const Ended ended = process.wait();
  INFO(to_string(ended));
  CHECK(ended.signal == SIGSEGV);
  CHECK(ended.err.empty());
}

}  // namespace chirp::test
