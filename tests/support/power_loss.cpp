#include "tests/support/power_loss.h"

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <stdexcept>

#include <fmt/format.h>

#include "tests/support/data_directories.h"
#include "tests/support/fault_record.h"
#include "tests/support/faults.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

struct Kind {
  const char* name;
  Loss loss;
  bool chance;  // decides what is kept
};

constexpr std::array kKinds{
    Kind{"nothing unsynced is kept", {Loss::Data::kLost, Loss::Names::kLost}, false},
    Kind{"everything is kept", {Loss::Data::kKept, Loss::Names::kKept}, false},
    Kind{"data without names", {Loss::Data::kKept, Loss::Names::kLost}, false},
    Kind{"names without data", {Loss::Data::kLost, Loss::Names::kKept}, false},
    Kind{"sizes, and zeros", {Loss::Data::kZeros, Loss::Names::kKept}, false},
    Kind{"sizes, and garbage", {Loss::Data::kGarbage, Loss::Names::kKept}, false},
    Kind{"some sectors", {Loss::Data::kSectors, Loss::Names::kKept}, true},
    Kind{"some sectors, the first names", {Loss::Data::kSectors, Loss::Names::kFirst}, true},
    Kind{"some sectors, names by folder", {Loss::Data::kSectors, Loss::Names::kFolders}, true},
};

// What lives in mapped memory while somebody has the directory open, and may hold anything later.
void replace_mapped(DiskState& state, std::uint64_t choice) {
  for (const char* name : {"world/chirp/engine/lock.mdb", "world/chirp/users.db-shm"}) {
    switch (choice++ % 3) {
      case 0:
        state.files.erase(name);
        break;
      case 1:
        if (state.files.contains(name)) state.files[name] = std::string(8192, '\0');
        break;
      default:
        if (!state.files.contains(name)) break;
        std::mt19937_64 random(choice);
        std::string bytes(8192, '\0');
        for (char& byte : bytes) byte = static_cast<char>(random());
        state.files[name] = bytes;
    }
  }
}

}  // namespace

const std::vector<Script>& scripts() {
  using Left = Deed::Left;
  static const std::vector<Script> kScripts = [] {
    const auto named = [](const std::vector<std::string>& verbs) {
      std::vector<Deed> chosen;
      for (const std::string& verb : verbs) {
        const auto found = std::find_if(deeds().begin(), deeds().end(),
                                        [&](const Deed& deed) { return deed.verb == verb; });
        chosen.push_back(*found);
      }
      return chosen;
    };
    return std::vector<Script>{
        {"posts", named({"post add", "follow add", "post react", "comment add", "post remove"})},
        {"people", named({"user add", "user block", "user passwd", "user token", "follow remove"})},
        {"removals", named({"comment remove", "user remove"})},
        {"profiles", named({"user edit"})},
        {"pictures",
         {{"post add", {"a1", "seen", "--media", "./picture.png"}, Left::kWhole, {0}, false}}},
        {"reading", named({"feed show", "feed mark", "notify read", "feed rebuild"})},
        {"settings", named({"config set", "post add"})},
        {"graph", named({"load graph"})},
        {"load of posts", named({"load posts"})},
        {"bulk load of posts",
         {{"load posts", {"./posts.jsonl", "--bulk", "always"}, Left::kPart}}},
        {"a new directory", named({"init"})},
        {"a backup", named({"backup"})},
        {"a restore", named({"restore"})},
        {"compacting", named({"compact"})},
        {"migrating", named({"migrate"})},
    };
  }();
  return kScripts;
}

PowerLoss::PowerLoss(const FolderWorld& world, const Script& script, const std::string& bug)
    : world_(world), script_(script) {
  const fs::path place = folder_ / "world";
  world.copy_to(place, script.deeds.front());
  const TempFolder outside;
  const fs::path record = outside / "record";
  copy_folder(place, outside / "twin");
  copy_folder(place, outside / "world");
  contents_.push_back(look_at(TortureSite(outside / "twin").data).contents);
  disk_ = std::make_unique<Disk>(folder_.path());
  const Faults faults(folder_.path());
  at_.push_back({});
  for (std::size_t i = 0; i < script.deeds.size(); ++i) {
    Command command = faults.recorded(record, world.command(script.deeds[i], TortureSite(place)));
    if (!bug.empty()) command.environment.push_back("CHIRP_FAULT_BUG=" + bug);
    const Ended ended = run(command);
    if (!ended.ok()) throw std::runtime_error(script.deeds[i].verb + ": " + to_string(ended));
    events_ = read_record(record);
    const auto said =
        std::find_if(events_.begin() + static_cast<std::ptrdiff_t>(at_.size() - 1), events_.end(),
                     [](const DiskEvent& event) { return event.kind == kRecordSaid; });
    const auto answer = static_cast<std::size_t>(said - events_.begin());
    while (at_.size() <= events_.size()) at_.push_back({i + (at_.size() > answer), i + 1});
    at_.back().answered = i + 1;
    (void)run(world.command(script.deeds[i], TortureSite(outside / "world")));
    copy_folder(outside / "world", outside / fmt::format("after{}", i));
    contents_.push_back(look_at(TortureSite(outside / fmt::format("after{}", i)).data).contents);
  }
}

void PowerLoss::advance(std::size_t moment) {
  if (moment < applied_) throw std::runtime_error("moments come in their order");
  for (; applied_ < moment; ++applied_) disk_->apply(events_[applied_]);
}

std::vector<std::string> PowerLoss::faults_at(std::size_t moment, std::uint64_t draws) {
  advance(moment);
  std::vector<std::string> faults;
  for (const Kind& kind : kKinds) {
    for (std::uint64_t draw = 0; draw < (kind.chance ? draws : 1); ++draw) {
      std::mt19937_64 random(world_.seed() * 1'000'003 + moment * 1'009 + draw);
      DiskState state = disk_->state(kind.loss, random);
      const Moment& now = at_[moment];
      const std::uint64_t hash = hash_of(state) + now.answered * 31 + now.begun * 37;
      if (!seen_.insert(hash).second) continue;
      replace_mapped(state, hash);
      const std::string wrong = this->wrong(state, now, draw);
      if (wrong.empty()) continue;
      faults.push_back(
          fmt::format("power lost, {}, moment {} of {}, {}, draw {}: {}\nAgain: "
                      "CHIRP_SEED={} CHIRP_TORTURE_AT='{}|{}'",
                      script_.name, moment, moments(), kind.name, draw, wrong, world_.seed(),
                      script_.name, moment));
    }
  }
  return faults;
}

// Acknowledged commands are there, the one at hand whole or not at all.
std::string PowerLoss::wrong_contents(const fs::path& folder, const Moment& moment) const {
  const Seen seen = look_at(TortureSite(folder).data);
  if (!seen.error.empty()) return faults_of(seen);
  const auto& least = contents_[moment.answered];
  const auto& most = contents_[moment.begun];
  if (seen.contents == least || seen.contents == most) return {};
  const Deed& deed = script_.deeds[moment.begun - 1];
  if (moment.answered == moment.begun || deed.left == Deed::Left::kWhole) {
    return difference(seen.contents, least);
  }
  return {};  // its steps are judged once it is run again
}

std::string PowerLoss::wrong(const DiskState& state, const Moment& moment,
                             std::uint64_t /*choice*/) const {
  const TempFolder folder;
  lay_out(state, folder.path());
  const TortureSite site(folder / "world");
  if (std::string wrong = wrong_contents(site.folder, moment); !wrong.empty()) return wrong;
  if (moment.begun == 0) return {};
  const Deed& deed = script_.deeds[moment.begun - 1];
  if (moment.answered < moment.begun) {
    const Ended ended = run(world_.command(deed, site));
    if (std::find(deed.again.begin(), deed.again.end(), ended.status) == deed.again.end()) {
      return "run again: " + to_string(ended);
    }
  }
  if (const Ended next = write_next(site); !next.ok()) {
    return "the next command fails: " + to_string(next);
  }
  const Seen seen = look_at(site.data);
  if (std::string wrong = wrong_findings(site, seen); !wrong.empty()) {
    return wrong;
  }
  if (!deed.once) return {};
  const std::string wrong = difference(seen.contents, contents_[moment.begun]);
  return wrong.empty() ? "" : "at the end: " + wrong;
}

}  // namespace chirp::test
