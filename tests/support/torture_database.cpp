#include "tests/support/torture_database.h"

#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <mutex>
#include <thread>
#include <utility>

#include "core/model/ids.h"
#include "tests/support/cut_line.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

Cut::When moment_of(const std::string& mode) {
  if (mode.find(":before") != std::string::npos) return Cut::When::kBefore;
  return mode.find(":half") != std::string::npos ? Cut::When::kHalf : Cut::When::kAfter;
}

// Something that happens once, or does not.
class Event {
 public:
  void tell() {
    const std::lock_guard guard(mutex_);
    is_told_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock guard(mutex_);
    changed_.wait(guard, [this] { return is_told_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_told_ = false;
};

// Restarts the server at a hit. The end of the command also ends the wait for `hit`.
Ended run_beside_restart(const Command& command, Event& hit, const bool& is_hit) {
  Background program(command);
  Ended ended;
  std::thread waiting([&] {
    ended = program.wait();
    hit.tell();
  });
  hit.wait();
  if (is_hit) {
    own_postgres().stop_at_once();
    own_postgres().start();
  }
  waiting.join();
  return ended;
}

class DatabaseCopy final : public WorldCopy {
 public:
  DatabaseCopy(std::unique_ptr<TempFolder> folder, std::unique_ptr<PostgresDatabase> database)
      : WorldCopy(TortureSite(*folder / "world", store::DataPlace::named(database->url()))),
        folder_(std::move(folder)),
        database_(std::move(database)) {}

  Ended run_at(const std::string& mode, std::uint64_t call, const Command& command) override {
    Event hit;
    bool is_hit = false;
    CutLine line(database_->url(), [&](const Message& message) -> Cut {
      const bool is_next = message.number == call || (message.number > call && mode.back() == '+');
      if (call == 0 || !is_next) return {};
      is_hit = true;
      if (mode.starts_with("stop")) return {moment_of(mode), [&] { hit.tell(); }, true};
      if (mode.starts_with("cut")) return {moment_of(mode)};
      return {moment_of(mode), [program = message.program] { ::kill(program, SIGKILL); }};
    });
    Command through = command;
    for (std::string& argument : through.arguments) {
      if (argument == database_->url()) argument = line.through(database_->url());
    }
    const bool stops = mode.starts_with("stop");
    const Ended ended = stops ? run_beside_restart(through, hit, is_hit) : run(through);
    line.wait_quiet();
    calls_ = line.messages();
    return ended;
  }
  [[nodiscard]] std::uint64_t calls() const override { return calls_; }

 private:
  std::unique_ptr<TempFolder> folder_;
  std::unique_ptr<PostgresDatabase> database_;
  std::uint64_t calls_ = 0;
};

}  // namespace

DatabaseWorld::DatabaseWorld(std::uint64_t seed) : TortureWorld(seed) {
  fs::create_directory(folder());
  make(TortureSite(folder(), store::DataPlace::named(database_.url())));
}

std::unique_ptr<WorldCopy> DatabaseWorld::copy(const Deed& deed) const {
  auto folder = std::make_unique<TempFolder>();
  copy_folder(this->folder(), *folder / "world");
  std::unique_ptr<PostgresDatabase> database;
  if (deed.begins == Deed::Begins::kWithNothing) {
    database = std::make_unique<PostgresDatabase>();
  } else if (deed.begins == Deed::Begins::kEmpty) {
    database = std::make_unique<PostgresDatabase>(snowflake::kMachineDefault);
  } else {
    database = database_.copy();
  }
  return std::make_unique<DatabaseCopy>(std::move(folder), std::move(database));
}

std::string DatabaseWorld::counting(const std::string& /*mode*/) const { return "cut:after"; }

// Where there is a line again, or was one all the time.
bool DatabaseWorld::can_find_out(const std::string& mode) const {
  return !mode.ends_with('+') && !mode.starts_with("stop");
}

}  // namespace chirp::test
