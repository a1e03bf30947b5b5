#include "tests/support/storm.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "tests/support/data_directories.h"
#include "tests/support/pictures.h"
#include "tests/support/torture_world.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kCallsMost = 90;  // at one of which a command is killed
constexpr std::size_t kFaultsTold = 40;

// The directory was busy, or being compacted: nothing was done.
bool says_busy(const Ended& ended) {
  return ended.status == 1 && (ended.err.find("ry again") != std::string::npos ||
                               ended.err.find("busy") != std::string::npos);
}

}  // namespace

Storm::Storm(std::uint64_t seed, std::size_t shells) : seed_(seed), random_(seed) {
  const std::vector<std::string> shared{"c0", "c1", "c2", "c3"};
  tokens_ = make_served_directory(data().string(), shared);
  for (const std::string& name : shared) {
    oracle_.people[name] = {Truth::kThere, {name}};
  }
  write_file(outside_ / "picture.png", png());
  for (std::size_t i = 0; i < shells; ++i) {
    Shell shell;
    shell.number = i;
    shell.random.seed(seed * 1'000'003 + i);
    shell.faults = std::make_unique<Faults>(data());
    shells_.push_back(std::move(shell));
  }
  crowd_ = std::make_unique<Crowd>(shells);
}

void Storm::fault(const std::string& what) {
  if (faults_.size() < kFaultsTold) faults_.push_back(what);
}

// CHIRP_STORM_LOG names a file for what was done and how it ended, to see what led to a fault.
void Storm::log(const std::string& line) {
  if (const char* path = std::getenv("CHIRP_STORM_LOG")) {
    std::ofstream(path, std::ios::app) << line << '\n';
  }
}

void Storm::start(Shell& shell) {
  shell.task = shell.next ? std::move(shell.next) : choose(shell);
  shell.next.reset();
  ++counts_[shell.task->arguments[0]];
  Command command = chirp_command(data().string(), shell.task->arguments);
  shell.killed = shell.random() % 10 == 0;
  if (shell.killed) {
    command = shell.faults->at(1 + shell.random() % kCallsMost, "kill", std::move(command));
  }
  crowd_->start(shell.number, command);
}

void Storm::end(Shell& shell, const Ended& ended) {
  const Task task = *std::move(shell.task);
  shell.task.reset();
  Word word = Word::kDone;
  const auto tell = [&](const std::string& what) {
    fault(fmt::format("shell {}: chirp {}: {}: {}", shell.number, fmt::join(task.arguments, " "),
                      what, to_string(ended)));
  };
  if (ended.signal != 0) {
    ++counts_["killed"];
    if (!shell.killed || ended.signal != SIGKILL) tell("a signal ends it");
    word = ended.out.empty() ? Word::kCut : Word::kDone;
  } else if (says_busy(ended)) {
    ++counts_["busy"];
    word = task.whole ? Word::kFailed : Word::kCut;
  } else if (std::find(task.may.begin(), task.may.end(), ended.status) == task.may.end()) {
    tell("it may not end so");
    word = Word::kCut;
  } else if (ended.status != 0) {
    word = Word::kFailed;
  }
  if (ended.late) tell("it does not end");
  log(fmt::format("{} chirp {} -> status {} signal {}: {}", shell.number,
                  fmt::join(task.arguments, " "), ended.status, ended.signal,
                  ended.out.substr(0, ended.out.find('\n'))));
  task.told(word, ended);
  const bool cut = ended.status == -1 || says_busy(ended);
  if (!task.again || word == Word::kDone || !cut) return;
  shell.next = task;
  if (word == Word::kCut && !task.may_then.empty()) shell.next->may = task.may_then;
}

void Storm::kill_somebody() {
  Shell& shell = shells_[random_() % shells_.size()];
  if (crowd_->is_free(shell.number)) return;
  shell.killed = true;
  crowd_->kill(shell.number);
}

void Storm::serve() {
  server_.reset();
  server_ = std::make_unique<ServerProcess>(data().string());
  asker_ = std::make_unique<Asker>(server_->port());
}

void Storm::ask_server() {
  if (random_() % 60 == 0) {
    (void)server_->end(SIGKILL);
    ++counts_["servers killed"];
    serve();
  }
  const std::size_t who = random_() % tokens_.size();
  ++counts_["requests"];
  if (random_() % 2 == 0) {
    const Told told = asker_->ask({"GET", "/v1/feed", {}, tokens_[who]});
    if (told.status != 200 && told.status != 503) {
      fault(fmt::format("the server answers a feed with {}: {}", told.status, told.body));
    }
    return;
  }
  const std::string text = fmt::format("w-{}", counts_["requests"]);
  const Told told =
      asker_->ask({"POST", "/v1/posts", fmt::format(R"({{"content":"{}"}})", text), tokens_[who]});
  auto& post = oracle_.posts[text];
  post.author = fmt::format("c{}", who);
  oracle_.make(post.truth, told.ok()            ? Word::kDone
                           : told.status == 503 ? Word::kFailed
                                                : Word::kCut);
  if (!told.ok() && told.status != 503) {
    fault(fmt::format("the server answers a post with {}: {}", told.status, told.body));
  }
}

void Storm::rage(std::uint64_t commands, const std::function<bool()>& over) {
  serve();
  std::uint64_t begun = 0;
  const auto go_on = [&] { return begun < commands && !over() && faults_.size() < kFaultsTold; };
  for (;;) {
    for (Shell& shell : shells_) {
      if (!crowd_->is_free(shell.number) || (!go_on() && !shell.next)) continue;
      ++begun;
      start(shell);
    }
    const auto done = crowd_->wait();
    if (!done) break;
    end(shells_[done->place], done->ended);
    if (!go_on()) continue;
    if (random_() % 20 == 0) kill_somebody();
    if (random_() % 4 == 0) ask_server();
  }
  settle();
}

void Storm::must(const std::vector<std::string>& arguments, const fs::path& data) {
  const Ended ended = run(chirp_command(data.string(), arguments));
  if (ended.ok()) return;
  fault(fmt::format("in the end, chirp {}: {}", fmt::join(arguments, " "), to_string(ended)));
}

void Storm::settle() {
  const Ended ended = server_->end(SIGTERM);
  if (!ended.ok()) fault("the server ends badly: " + to_string(ended));
  server_.reset();
  must({"config", "set", "auth.bcrypt_cost", "4"}, data());
}

void Storm::examine_backup(const Backup& backup) {
  const TempFolder folder;
  const fs::path restored = folder / "chirp";
  must({"restore", backup.path.string()}, restored);
  if (!fs::exists(restored)) return;
  must({"config", "set", "auth.bcrypt_cost", "4"}, restored);
  must({"doctor"}, restored);
  for (const auto& wrong : oracle_.missing_in(restored, backup.posts)) fault(wrong);
}

std::vector<std::string> Storm::verdict() {
  must({"doctor"}, data());
  must({"feed", "verify", "--all"}, data());
  for (const std::string& wrong : oracle_.faults_in(data())) fault(wrong);
  for (const Backup& backup : backups_) examine_backup(backup);
  return faults_;
}

std::string Storm::summary() const {
  std::string text = fmt::format("storm, seed {}:", seed_);
  for (const auto& [what, count] : counts_) text += fmt::format(" {} {},", what, count);
  return text + fmt::format(" {} backups examined, {} faults", backups_.size(), faults_.size());
}

}  // namespace chirp::test
