// Goal: upkeep that works in parts - tiers of new bounds, large steps of fan-out with their
// announcement, their parts, the timelines that go and posts with more followers than are delivered
// to at once - may be killed or fail at any of its calls: no page of any feed is another one,
// doctor finds nothing, and whoever comes next ends it. Method: this very program under the fault
// injector, as a process that works in turns of two or three rows where much is pending; here at a
// few of the calls, with CHIRP_TORTURE_SECONDS at all of them.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/events/consumers.h"
#include "core/rules/settings.h"
#include "core/rules/writing.h"
#include "tests/support/budget.h"
#include "tests/support/data_directories.h"
#include "tests/support/faults.h"
#include "tests/support/sweep.h"
#include "tests/support/torture_scene.h"
#include "tests/support/torture_world.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

// Names the directory to a copy of this program that is to work there, and no more.
constexpr const char* kWorkThere = "CHIRP_TEST_UPKEEP_OF";
constexpr std::uint32_t kUsers = 7;
constexpr UserNumber kStar{kUsers};
constexpr events::FanOutBounds kBounds{.events = 20, .deliveries = 30, .chunk = 2, .large = 10};

// Everybody follows the star and some others; nothing of what they post last is delivered, and the
// star's new tier is due.
void make_busy_world(const fs::path& folder, feed::Policy policy) {
  store::make_data_directory(folder / "chirp", {});
  const auto directory = store::DataDirectory::open(folder / "chirp");
  Storage& storage = directory->storage();
  const Time now = test_clock().now();
  fill(*directory, kUsers, 2);
  std::vector<Change> follows;
  for (std::uint32_t n = 1; n < kUsers; ++n) follows.emplace_back(Follow{UserNumber{n}, kStar});
  storage.write(follows, now);
  events::drain(storage, test_clock());
  feed::FeedSettings settings = storage.snapshot()->state().settings;
  settings.policy = policy;
  settings.influencer_from = kUsers - 1;
  rules::put_settings(storage, settings, now);
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t n = 1; n <= kUsers; ++n) {
      publish(*directory, UserNumber{n}, fmt::format("round {} by {}", round, n));
    }
  }
}

void work_once(const fs::path& data) {
  constexpr std::uint32_t kUsersAtOnce = 2;
  const auto directory = store::DataDirectory::open(data);
  Storage& storage = directory->storage();
  const Clock& clock = test_clock();
  if (rules::tiers_due(*storage.snapshot())) {
    while (!rules::settle_tiers(storage, kUsersAtOnce, clock.now())) continue;
  }
  events::FanOut fan_out(storage, clock, kBounds, {2, 1, 3});
  fan_out.note_read(UserNumber{1});
  while (fan_out.step() == events::Progress::kMoved) continue;
}

// What fails is tried again, as in a server.
void work_in_parts(const fs::path& data) {
  constexpr int kTries = 3;
  for (int tries = 1; tries < kTries; ++tries) {
    try {
      return work_once(data);
    } catch (const Error&) {
      continue;
    }
  }
  work_once(data);
}

Command upkeep_of(const fs::path& folder) {
  Command command{{"/proc/self/exe", "--test-case=crash: upkeep in parts does all of it"}};
  command.environment = {fmt::format("{}={}", kWorkThere, (folder / "chirp").string())};
  return command;
}

class Busy {
 public:
  explicit Busy(feed::Policy policy) : policy_(policy) {
    make_busy_world(world_.path(), policy);
    const Seen seen = look_at(TortureSite(world_.path()).data);
    REQUIRE_MESSAGE(seen.sound(), faults_of(seen));
    before_ = seen.contents;
  }

  [[nodiscard]] std::uint64_t calls(const std::string& mode) const {
    const TempFolder folder(TempFolder::Where::kMemory);
    const fs::path place = enter(folder);
    const Faults faults(place);
    const Ended ended = run(faults.at(0, mode, upkeep_of(place)));
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    return faults.calls();
  }

  // What is wrong with the fault at that call; empty if nothing is.
  [[nodiscard]] std::string try_at(const std::string& mode, std::uint64_t call) const {
    const TempFolder folder(TempFolder::Where::kMemory);
    const fs::path place = enter(folder);
    const Faults faults(place);
    const Ended ended = run(faults.at(call, mode, upkeep_of(place)));
    // Now and then a run has fewer calls than another one.
    if (faults.calls() < call) return {};
    const std::string wrong = this->wrong(mode, ended, place);
    if (wrong.empty()) return {};
    return fmt::format("upkeep under {}, {} at call {}: {}\n{}", feed::name(policy_), mode, call,
                       wrong, to_string(ended));
  }

 private:
  [[nodiscard]] fs::path enter(const TempFolder& folder) const {
    copy_folder(world_.path(), folder / "world");
    return folder / "world";
  }

  [[nodiscard]] std::string wrong(const std::string& mode, const Ended& ended,
                                  const fs::path& place) const {
    const bool kills = mode == "kill" || mode.starts_with("torn");
    if (ended.late) return "it does not end";
    if (ended.signal != 0 && !(kills && ended.signal == SIGKILL)) return "a signal";
    if (mode == "kill" && ended.signal == 0) return "it is not killed";
    if (std::string wrong = wrong_now(place); !wrong.empty()) return wrong;
    if (const Ended again = run(upkeep_of(place)); !again.ok()) {
      return "whoever comes next fails: " + to_string(again);
    }
    if (const Ended next = write_next(TortureSite(place)); !next.ok()) {
      return "the next command fails: " + to_string(next);
    }
    const std::string wrong = wrong_now(place);
    return wrong.empty() ? wrong : "at the end: " + wrong;
  }

  [[nodiscard]] std::string wrong_now(const fs::path& place) const {
    const Seen seen = look_at(TortureSite(place).data);
    if (std::string faults = faults_of(seen); !faults.empty()) return faults;
    return difference(seen.contents, before_);
  }

  feed::Policy policy_;
  TempFolder world_{TempFolder::Where::kMemory};
  std::vector<std::string> before_;
};

void try_calls(const Busy& busy, const std::string& mode, std::uint64_t sample, Budget& budget) {
  const std::uint64_t calls = busy.calls(mode);
  const std::uint64_t stride = budget.thorough() ? 1 : calls / sample + 1;
  for (std::uint64_t call = budget.seed() % stride + 1; call <= calls; call += stride) {
    if (budget.over()) return;
    const std::string wrong = busy.try_at(mode, call);
    CHECK_MESSAGE(wrong.empty(), wrong);
    budget.tried();
  }
}

}  // namespace

TEST_CASE("crash: upkeep in parts does all of it") {
  if (const char* const data = std::getenv(kWorkThere)) return work_in_parts(data);
  const TempFolder folder(TempFolder::Where::kMemory);
  make_busy_world(folder.path(), feed::Policy::kHybrid);
  work_in_parts(folder / "chirp");
  const auto directory = store::DataDirectory::open(folder / "chirp");
  const auto snapshot = directory->storage().snapshot();
  CHECK(snapshot->state().fan_out == snapshot->state().log_end);
  CHECK(snapshot->state().fan_out_queue == 0);
  CHECK_FALSE(rules::tiers_due(*snapshot));
  const auto mark = snapshot->find(tables::Marks::Key{kStar});
  REQUIRE(mark);
  CHECK(mark->tier == feed::Tier::kInfluencer);
  // Some of the users who do not read have no timeline any more.
  CHECK(snapshot->scan_timelines(kNobody, kUsers).size() < kUsers);
  CHECK(faults_in(*directory).empty());
}

TEST_CASE("crash: upkeep in parts is killed or fails at its calls") {
  if (skipped()) return;
  Budget budget("upkeep");
  do {
    for (const auto policy : {feed::Policy::kHybrid, feed::Policy::kCost}) {
      const Busy busy(policy);
      try_calls(busy, "kill", 12, budget);
      for (const char* mode : {"torn:512", "eio", "enospc", "short:100", "sync"}) {
        try_calls(busy, mode, 3, budget);
      }
    }
  } while (budget.next());
}

}  // namespace chirp::test
