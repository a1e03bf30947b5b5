#include "store/data_directory.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <mutex>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "store/build_folder.h"
#include "store/directory_watch.h"
#include "store/disk_reserve.h"
#include "store/files.h"
#include "store/lmdb/storage.h"
#include "store/lock_file.h"
#include "store/marked_storage.h"
#include "store/parts.h"
#include "store/server_lock.h"
#include "store/sqlite/user_directory.h"

namespace chirp::store {
namespace {

// Returns a process's command line, its arguments separated by blanks; empty if it can't be read.
std::string command_of(std::int64_t pid) {
  constexpr std::size_t kMost = 80;
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline", std::ios::binary);
  std::string line(kMost, '\0');
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(file.gcount()));
  while (!line.empty() && line.back() == '\0') line.pop_back();
  std::ranges::replace(line, '\0', ' ');
  return line;
}

namespace fs = std::filesystem;

constexpr std::size_t kPathMax = 4'096;

// A directory may be open only once in a process: LMDB does not notice a second time, and loses its
// locks when either is closed.
class OnlyOpening {
 public:
  explicit OnlyOpening(const fs::path& path) {
    struct stat facts {};
    if (::stat(path.c_str(), &facts) != 0) throw_errno("Opening", path, errno);
    place_ = {facts.st_dev, facts.st_ino};
    const std::lock_guard guard(mutex());
    if (!open().insert(place_).second) {
      throw Error(ErrorCode::kInternal,
                  fmt::format("{} is open in this process already.", path.string()));
    }
  }
  ~OnlyOpening() {
    const std::lock_guard guard(mutex());
    open().erase(place_);
  }
  OnlyOpening(const OnlyOpening&) = delete;
  OnlyOpening& operator=(const OnlyOpening&) = delete;

 private:
  using Place = std::pair<dev_t, ino_t>;
  static std::mutex& mutex() {
    static std::mutex mutex;
    return mutex;
  }
  static std::set<Place>& open() {
    static std::set<Place> open;
    return open;
  }
  Place place_;
};

class Consuming final : public DataDirectory::ConsumerRight {
 public:
  explicit Consuming(LockFile lock) : lock_(std::move(lock)) {}

 private:
  LockFile lock_;
};

class Serving final : public DataDirectory::ServerRight {
 public:
  explicit Serving(const Layout& layout) : layout_(layout), lock_(lock_as_server(layout)) {}
  void serves_at(std::string_view address) override { note_address(lock_, layout_, address); }

 private:
  Layout layout_;
  LockFile lock_;
};

// Whether this user may lock the lock files. Another user, who may only read, must not block
// others.
bool may_lock(const Layout& layout) {
  struct stat facts {};
  return ::geteuid() == 0 || ::lstat(layout.open_lock().c_str(), &facts) != 0 ||
         facts.st_uid == ::geteuid();
}

// Returns empty if this user may not lock. Such readers use copies, and check afterwards whether
// the directory was replaced meanwhile.
std::optional<LockFile> lock_shared(const Layout& layout) {
  if (!may_lock(layout)) return std::nullopt;
  if (auto lock = LockFile::lock(layout.open_lock(), LockFile::Kind::kShared)) return lock;
  throw Error(ErrorCode::kUnavailable,
              fmt::format("{} is being restored or compacted by another process. Try again.",
                          layout.root.string()));
}

Identity todays_identity_at(const Layout& layout) {
  const Identity identity = identity_at(layout);
  check_format_version(identity.format_version, layout.root);
  return identity;
}

class OpenDirectory final : public DataDirectory {
 public:
  OpenDirectory(const Layout& layout, const fs::path& given)
      : layout_(layout),
        place_(layout.root),
        only_(layout.root),
        lock_(lock_shared(layout)),
        watch_(std::make_unique<DirectoryWatch>(layout, given)),
        reserve_(layout.root, reserve_from_environment()),
        identity_(todays_identity_at(layout)),  // the identity now, after the lock was taken
        stores_(open_stores(layout_)) {
    if (!lock_) watch_->check();
    check_users(*stores_.users, identity_, layout_);
    check_engine(stores_.engine, identity_, layout_);
    reserve_.count_reusable(
        [this](std::uint64_t enough) { return stores_.engine->reusable_bytes(enough); });
    auto storage = lmdb::open_storage(stores_.engine, &reserve_);
    const Sequence noted = check_ages(*storage);
    if (stores_.engine->is_copy()) watch_ = nullptr;  // nothing will be written
    if (watch_) watch_->note_opened(!stores_.users->is_copy());
    stores_.users->watch(watch_.get(), &reserve_);
    finish_uploads();
    storage_ = std::make_unique<MarkedStorage>(
        std::move(storage), noted, [this](Sequence last) { stores_.users->note_events(last); },
        watch_.get());
  }

  ~OpenDirectory() override {
    try {
      if (const auto last = storage_->unnoted()) stores_.users->note_events(*last);
    } catch (const Error&) {
      // The mark is only a safeguard: acknowledged changes are in the engine's store anyway.
    }
  }

  Storage& storage() override { return *storage_; }
  UserDirectory& users() override { return *stores_.users; }
  const DataPlace& place() const override { return place_; }
  const std::string& uuid() const override { return identity_.uuid; }
  std::uint32_t machine() const override { return identity_.machine; }

  StoreBytes bytes() const override {
    StoreBytes bytes;
    bytes.users = stores_.users->bytes_in_use();
    bytes.engine = stores_.engine->bytes_in_use();
    bytes.media = bytes_below(layout_.media());
    return bytes;
  }

  std::vector<TableBytes> table_bytes() const override {
    std::vector<TableBytes> tables;
    const auto add = [&](const char* store, const auto& bytes) {
      for (const auto& [table, n] : bytes) tables.push_back({store, table, n});
    };
    add("users", stores_.users->table_bytes());
    add("engine", stores_.engine->table_bytes());
    return tables;
  }

  void hold_users() override { stores_.users->hold(); }

  std::unique_ptr<ConsumerRight> try_consumer_right() override {
    if (stores_.engine->read_only()) return nullptr;
    auto lock = LockFile::try_lock(layout_.fan_out_lock(), LockFile::Kind::kExclusive);
    if (!lock) return nullptr;
    return std::make_unique<Consuming>(std::move(*lock));
  }

  bool is_in_the_clear() const override { return false; }

  EngineUse engine_use() const override {
    const lmdb::MapUse use = stores_.engine->use();
    EngineUse told{use.map_bytes_used, use.map_bytes, use.readers_used, use.readers};
    if (const auto reader = stores_.engine->oldest_reader()) {
      told.oldest = OldestReader{reader->pid, command_of(reader->pid), reader->transaction,
                                 reader->commits_ago, reader->bytes_held};
    }
    return told;
  }

  std::unique_ptr<ServerRight> become_server() override {
    return std::make_unique<Serving>(layout_);
  }

  void check_place() override {
    if (watch_) watch_->check();
  }

  void tell_user_version() override { stores_.users->tell_version(); }

  DirectoryStatus status() override {
    DirectoryStatus status;
    status.format = identity_.format_version;
    status.consumers_run = LockFile::is_held(layout_.fan_out_lock());
    if (auto server = server_of(layout_)) status.servers.push_back(std::move(*server));
    const DiskReserve::State reserve = reserve_.state();
    if (reserve.reserve != 0) {
      status.reserve =
          ReserveStatus{reserve.reserve, reserve.free + reserve.reusable, reserve.is_reached};
    }
    return status;
  }

  std::vector<std::string> mark(const std::string& /*name*/) override {
    throw Error(ErrorCode::kInvalidArgument,
                "A mark is for a database. Back a folder up with `chirp backup DEST`.", "mark");
  }

  Copied backup(const fs::path& destination) override {
    return back_up(layout_, identity_, stores_.engine, *stores_.users, destination);
  }

  std::unique_ptr<Storage> copy_engine(const fs::path& folder, const Watched& watched) override {
    const fs::path file = folder / layout_.engine_data().filename();
    stores_.engine->copy_to(file, watched);
    auto copy = lmdb::open_storage(lmdb::Env::open_copy(folder, layout_.engine()));
    fs::remove(file);  // the file is deleted when it is closed, even by a crash
    return copy;
  }

 private:
  // Checks that neither store is older than the other expects: the engine's store must have all
  // events of the users' mark, and the users must include everyone with a card in the engine's
  // store. Returns the events of the users' mark.
  Sequence check_ages(const Storage& engine) {
    // Read the mark first: the engine's store may grow between the two reads, so it is never
    // behind.
    const Sequence noted = stores_.users->noted_events();
    if (const Sequence log_end = engine.snapshot()->state().log_end; noted >= log_end) {
      refuse_ages(fmt::format("users.db has seen event {}, but the engine's log ends before {}",
                              noted.value, log_end.value));
    }
    const UserNumber known = lmdb::highest_number(stores_.engine);
    // A copy of the users stays as it is while the engine's store continues.
    if (stores_.users->is_copy() && !stores_.engine->is_copy() &&
        known > stores_.users->last_number()) {
      stores_.users = sqlite::open_user_directory(layout_.users());
    }
    if (const UserNumber last = stores_.users->last_number(); known > last) {
      refuse_ages(fmt::format("the engine knows user number {}, but users.db ends at {}",
                              known.value, last.value));
    }
    return noted;
  }

  void finish_uploads() {
    try {
      stores_.users->finish_uploads();
    } catch (const Error&) {
      // The next process that puts a file finishes them, or reports why it can't.
    }
  }

  [[noreturn]] void refuse_ages(const std::string& how) const {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("{} holds stores of different times: {}. Restore both from one backup "
                            "with `chirp restore`.",
                            layout_.root.string(), how));
  }

  Layout layout_;
  DataPlace place_;
  OnlyOpening only_;
  std::optional<LockFile> lock_;
  std::unique_ptr<DirectoryWatch> watch_;  // null if nothing will be written
  DiskReserve reserve_;
  Identity identity_;
  Stores stores_;
  std::unique_ptr<MarkedStorage> storage_;
};

}  // namespace

namespace {

[[noreturn]] void refuse_foreign(const fs::path& part, const Layout& layout) {
  throw Error(ErrorCode::kCorrupt,
              fmt::format("{} does not belong to {}: it is of another data directory. Restore a "
                          "backup with `chirp restore`.",
                          part.string(), layout.root.string()));
}

}  // namespace

Identity identity_at(const Layout& layout) {
  if (const auto identity = read_any_format_file(layout.root)) return *identity;
  std::error_code error;
  if (fs::exists(layout.root / "manifest", error)) {
    throw Error(ErrorCode::kIo, fmt::format("{} is a backup. Put it in the place of a data "
                                            "directory with `chirp restore`.",
                                            layout.root.string()));
  }
  if (fs::exists(layout.restored_from(), error)) {
    throw Error(
        ErrorCode::kIo,
        fmt::format("{} is half restored: `chirp restore` was interrupted. Run `chirp --data "
                    "{} restore {}` to finish it.",
                    layout.root.string(), layout.root.string(),
                    read_small_file(layout.restored_from(), kPathMax)));
  }
  throw Error(ErrorCode::kIo,
              fmt::format("There is no chirp directory at {}. Run `chirp init`, or name another "
                          "one with --data.",
                          layout.root.string()));
}

void check_engine(const std::shared_ptr<lmdb::Env>& env, const Identity& identity,
                  const Layout& layout) {
  const lmdb::Identity engine = lmdb::identity_of(env);
  check_format_version(engine.format_version, layout.engine());
  if (engine.uuid != identity.uuid || engine.machine != identity.machine) {
    refuse_foreign(layout.engine(), layout);
  }
}

void check_users(const sqlite::SqliteUserDirectory& users, const Identity& identity,
                 const Layout& layout) {
  const sqlite::Identity& theirs = users.identity();
  if (theirs.uuid != identity.uuid || theirs.machine != identity.machine) {
    refuse_foreign(layout.users(), layout);
  }
}

std::unique_ptr<DataDirectory> DataDirectory::open(const fs::path& path) {
  const Layout layout(plain_path(path));
  (void)todays_identity_at(layout);  // a directory of another format is not changed
  return std::make_unique<OpenDirectory>(layout, path);
}

}  // namespace chirp::store
