#include "tests/support/torture_scene.h"

#include <algorithm>
#include <csignal>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool kills(const std::string& mode) { return mode.starts_with("kill") || mode.starts_with("torn"); }

// A failed sync says so: the change may have been made.
bool says_open(const Ended& ended) {
  return ended.err.find("Whether the change is stored is not known") != std::string::npos;
}
// Whether the command says that its change was made although it failed.
bool says_it_stands(const Ended& ended) {
  return ended.err.find("The change was made") != std::string::npos ||
         ended.err.find("has been replaced, but that may not outlast") != std::string::npos;
}

// A directory that a command can write to is there.
bool is_ready(const std::vector<std::string>& contents) { return contents.size() > 1; }

}  // namespace

Ended write_next(const TortureSite& site) {
  return run(torture_command(site, {"config", "set", "auth.bcrypt_cost", "4"}));
}

std::string wrong_findings(const TortureSite& site, const Seen& seen) {
  const bool mendable =
      std::all_of(seen.findings.begin(), seen.findings.end(),
                  [](const std::string& finding) { return finding.starts_with("media"); });
  if (!seen.error.empty() || !mendable) return faults_of(seen);
  if (seen.findings.empty()) return {};
  const Ended ended = run(torture_command(site, {"doctor", "--repair"}));
  if (!ended.ok()) return "doctor does not mend: " + to_string(ended);
  return faults_of(look_at(site.data));
}

std::vector<std::string> TortureWorld::placed(std::vector<std::string> arguments) const {
  for (std::string& argument : arguments) {
    if (const auto found = names_.find(argument); found != names_.end()) argument = found->second;
  }
  return arguments;
}

Command TortureWorld::command(const Deed& deed, const TortureSite& site) const {
  std::vector<std::string> words;
  std::istringstream verb(deed.verb);
  for (std::string word; verb >> word;) words.push_back(word);
  const auto arguments = placed(deed.arguments);
  words.insert(words.end(), arguments.begin(), arguments.end());
  Command command = torture_command(site, words);
  command.input = deed.input;
  return command;
}

Scene::Scene(const TortureWorld& world, const Deed& deed) : world_(world), deed_(deed) {
  const auto copy = world.copy(deed);
  const TortureSite& site = copy->site();
  before_ = look_at(site.data).contents;
  const std::string counting = world.counting("kill");
  const Ended ended = copy->run_at(counting, 0, world.command(deed, site));
  if (!ended.ok()) throw std::runtime_error(fmt::format("{}: {}", deed.verb, to_string(ended)));
  calls_[counting] = copy->calls();
  after_ = look_at(site.data).contents;
  (void)write_next(site);
  settled_ = look_at(site.data).contents;
  names_ = names_in(site.folder);
}

std::uint64_t Scene::calls(const std::string& mode) {
  const std::string counting = world_.counting(mode);
  if (const auto known = calls_.find(counting); known != calls_.end()) return known->second;
  const auto copy = world_.copy(deed_);
  (void)copy->run_at(counting, 0, world_.command(deed_, copy->site()));
  return calls_[counting] = copy->calls();
}

std::string Scene::wrong_end(const Hit& hit) const {
  constexpr int kFound = 5;
  const Ended& ended = hit.ended;
  if (ended.late) return "it does not end";
  if (deed_.apart && ended.status == kFound && !ended.out.empty()) return {};
  if (ended.signal == SIGKILL && kills(hit.mode)) return {};
  const bool tells_of_child = ended.err.find("was ended by signal 9") != std::string::npos;
  if (deed_.apart && kills(hit.mode) && ended.status == 1 && tells_of_child) return {};
  if (ended.signal != 0) return fmt::format("signal {} ends it", ended.signal);
  if (hit.mode.starts_with("kill")) return "it is not killed";
  if (ended.ok()) return {};
  if (ended.status != 1) return fmt::format("it ends with {}", ended.status);
  if (ended.err.empty()) return "it does not say why it fails";
  if (says_open(ended) && world_.can_find_out(hit.mode)) return "it has not found out";
  if (!ended.out.empty() && deed_.left != Deed::Left::kPart) return "it answers and fails";
  return {};
}

// Right after the command has ended, whatever way.
std::string Scene::wrong_state(const Hit& hit, const Seen& seen) const {
  if (!seen.error.empty()) return faults_of(seen);
  const bool failed = hit.ended.signal == 0 && !hit.ended.ok();
  if (failed && deed_.left != Deed::Left::kPart) {
    if (says_it_stands(hit.ended) && seen.contents == after_) return {};
    if (seen.contents == before_ || says_open(hit.ended)) return {};
    return "it has failed, but " + difference(seen.contents, before_);
  }
  if (deed_.left != Deed::Left::kWhole || seen.contents == after_) return {};
  const bool answered = hit.ended.ok() || !hit.ended.out.empty();
  if (!answered && seen.contents == before_) return {};
  return (answered ? "it has answered: " : "it is half done: ") + difference(seen.contents, after_);
}

// After the next command that writes.
std::string Scene::wrong_later(const Hit& hit, const Seen& ready) const {
  if (!ready.error.empty() || !is_ready(ready.contents)) return faults_of(ready);
  if (const Ended next = write_next(hit.site); !next.ok()) {
    return "the next command fails: " + to_string(next);
  }
  const Seen seen = look_at(hit.site.data);
  if (std::string wrong = wrong_findings(hit.site, seen); !wrong.empty()) return wrong;
  const bool answered = hit.ended.ok() || (hit.ended.signal != 0 && !hit.ended.out.empty());
  if (!answered || seen.contents == settled_) return {};
  return "it has answered: " + difference(seen.contents, settled_);
}

std::string Scene::wrong_again(const Hit& hit) const {
  const Ended ended = run(world_.command(deed_, hit.site));
  const auto& may = deed_.again;
  if (ended.signal != 0 || std::find(may.begin(), may.end(), ended.status) == may.end()) {
    return "run again: " + to_string(ended);
  }
  if (const Ended next = write_next(hit.site); !next.ok()) {
    return "the next command fails: " + to_string(next);
  }
  const Seen seen = look_at(hit.site.data);
  if (std::string wrong = wrong_findings(hit.site, seen); !wrong.empty()) return wrong;
  if (!deed_.once) return {};
  if (seen.contents != settled_) return "run again: " + difference(seen.contents, settled_);
  if (names_in(hit.site.folder) == names_) return {};
  return "run again: " + difference(names_in(hit.site.folder), names_);
}

std::string Scene::wrong(const Hit& hit) const {
  if (std::string wrong = wrong_end(hit); !wrong.empty()) return wrong;
  const Seen seen = look_at(hit.site.data);
  if (std::string wrong = wrong_state(hit, seen); !wrong.empty()) return wrong;
  if (std::string wrong = wrong_later(hit, seen); !wrong.empty()) return wrong;
  return wrong_again(hit);
}

std::string Scene::try_at(const std::string& mode, std::uint64_t call) const {
  const auto copy = world_.copy(deed_);
  const Hit hit{mode, copy->run_at(mode, call, world_.command(deed_, copy->site())), copy->site()};
  // Now and then a run has fewer calls than another one.
  if (copy->calls() < call) return {};
  const std::string wrong = this->wrong(hit);
  if (wrong.empty()) return {};
  return fmt::format(
      "chirp {} {}, {} at call {}: {}\n{}\nAgain: CHIRP_SEED={} CHIRP_TORTURE_AT='{}|{}|{}'",
      deed_.verb, fmt::join(deed_.arguments, " "), mode, call, wrong, to_string(hit.ended),
      world_.seed(), deed_.verb, mode, call);
}

}  // namespace chirp::test
