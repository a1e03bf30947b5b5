#include "store/lmdb/env.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/preflight.h"
#include "store/lmdb/state_copy.h"
#include "store/lmdb/turn.h"
#include "store/lmdb/watchdog.h"
#include "store/own_files.h"
#include "store/room.h"

namespace chirp::lmdb {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kGiB = std::size_t{1} << 30;
constexpr std::size_t kMapSize = 64 * kGiB;
constexpr std::size_t kMapSizeMax = 1024 * kGiB;
constexpr unsigned kReaders = 1022;  // slots: 64 bytes each in lock.mdb
// Processor time of a write transaction. None needs more than a second.
constexpr auto kTurnMax = 60s;
constexpr auto kBusy = std::chrono::milliseconds(limits::kBusyMs);
constexpr std::string_view kOpening = "Opening the engine's store";

// Thrown when the environment must be reopened.
struct Dead {};

// `CHIRP_MAPSIZE` and `CHIRP_MAPSIZE_MAX` (bytes, or with K, M, G) make the map small, for tests of
// its growth.
std::size_t size_from_environment(const char* name, std::size_t otherwise) {
  const char* text = std::getenv(name);
  if (text == nullptr) return otherwise;
  char* end = nullptr;
  const std::size_t value = std::strtoull(text, &end, 10);
  switch (*end) {
    case 'K':
      return value << 10;
    case 'M':
      return value << 20;
    case 'G':
      return value << 30;
    default:
      return value;
  }
}

// Whether not even a page fits; LMDB's error for a failed commit does not say so.
bool is_full(const std::filesystem::path& folder) {
  const auto disk = store::disk_at(folder);
  return disk && disk->free < (1u << 20);
}

// LMDB asserts some of its assumptions and would abort; only damage violates them.
void on_broken_assumption(MDB_env* /*env*/, const char* text) {
  constexpr std::string_view kDamaged =
      "chirp: the engine's store is damaged. Run `chirp doctor`, or restore a backup.\n";
  (void)!::write(STDERR_FILENO, kDamaged.data(), kDamaged.size());
  (void)!::write(STDERR_FILENO, text, std::strlen(text));
  (void)!::write(STDERR_FILENO, "\n", 1);
  ::_exit(1);
}

}  // namespace

std::shared_ptr<Env> Env::open(const std::filesystem::path& folder,
                               const std::filesystem::path& write_lock, OpenMode mode) {
  const auto file = folder / "data.mdb";
  if (mode != OpenMode::kCreate) check_data_file(file);

  std::shared_ptr<Env> env(new Env);
  env->folder_ = folder;
  env->place_ = write_lock.parent_path();
  if (mode != OpenMode::kCreate && !can_lock(folder)) {
    throw Error(ErrorCode::kReadOnly,
                fmt::format("{} can't be locked: check its permissions and file system.",
                            (folder / "lock.mdb").string()));
  }
  env->read_only_ = mode != OpenMode::kCreate &&
                    (::access(folder.c_str(), W_OK) != 0 || ::access(file.c_str(), W_OK) != 0);
  unsigned flags = MDB_NOTLS;
  if (env->read_only_) {
    flags |= MDB_RDONLY;
  } else {
    env->write_lock_ = store::open_own(write_lock, O_RDWR | O_CREAT, store::FileUse::kLock);
    store::settle_own(file, store::FileUse::kData);
  }
  env->flags_ = flags;
  env->gate_ = std::make_unique<Gate>(folder / "lock.mdb");
  env->open_environment(folder, flags);
  if (!env->read_only_) env->clear_dead_readers();
  env->open_tables(mode);
  return env;
}

std::shared_ptr<Env> Env::open_copy(const std::filesystem::path& folder,
                                    const std::filesystem::path& of) {
  check_data_file(folder / "data.mdb");
  std::shared_ptr<Env> env(new Env);
  env->folder_ = of;
  env->read_only_ = true;
  env->open_environment(folder, MDB_NOTLS | MDB_RDONLY | MDB_NOLOCK);
  env->open_tables(OpenMode::kOpen);
  return env;
}

// LMDB waits without a limit for processes that open the environment or take a reader slot.
std::unique_ptr<Gate::Pass> Env::pass() const {
  if (!gate_) return nullptr;
  return std::make_unique<Gate::Pass>(*gate_, store::Deadline(store::machine_clock(), kBusy));
}

void Env::open_environment(const std::filesystem::path& folder, unsigned flags) const {
  const auto opening = pass();
  start(folder, flags);
  int fd = -1;
  if (mdb_env_get_fd(env_, &fd) != MDB_SUCCESS) return;
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  if (gate_) {
    store::check_named(fd, folder / "data.mdb");
    store::check_named(gate_->fd(), folder / "lock.mdb");
  }
}

// The map uses only address space: the file stays as small as its contents. Limits of address space
// (ulimit -v, valgrind) make do with a smaller map.
void Env::start(const std::filesystem::path& folder, unsigned flags) const {
  std::size_t size = size_from_environment("CHIRP_MAPSIZE", kMapSize);
  for (int tries = 0;; ++tries) {
    check_status(mdb_env_create(&env_), kOpening);
    mdb_env_set_assert(env_, on_broken_assumption);
    check_status(mdb_env_set_maxdbs(env_, kTables), kOpening);
    check_status(mdb_env_set_maxreaders(env_, kReaders), kOpening);
    check_status(mdb_env_set_mapsize(env_, size), kOpening);
    const int status = mdb_env_open(env_, folder.c_str(), flags, 0600);
    if (status == MDB_SUCCESS) return;
    mdb_env_close(env_);  // a handle that failed to open can't be used again
    env_ = nullptr;
    if ((status == ENOMEM || status == EINVAL) && size > kGiB) {
      size /= 4;
    } else if ((status == EAGAIN || status == EINVAL) && tries < 8) {
      std::this_thread::sleep_for(2ms);  // another process is just opening or closing it
    } else {
      check_status(status, kOpening);
    }
  }
}

Env::~Env() {
  for (MDB_txn* txn : idle_) mdb_txn_abort(txn);
  if (env_ != nullptr) mdb_env_close(env_);
}

bool Env::is_dead() const {
  if (env_ == nullptr) return true;
  MDB_txn* txn = nullptr;
  const int status = mdb_txn_begin(env_, nullptr, MDB_RDONLY, &txn);
  if (txn != nullptr) mdb_txn_abort(txn);
  return status == MDB_PANIC;
}

void Env::open_anew() const {
  {
    const std::lock_guard guard(idle_mutex_);
    for (MDB_txn* txn : idle_) mdb_txn_abort(txn);
    idle_.clear();
  }
  if (env_ != nullptr) mdb_env_close(std::exchange(env_, nullptr));
  chosen_ = 0;
  open_environment(folder_, flags_);
  try {
    open_tables(OpenMode::kOpen);
  } catch (...) {
    mdb_env_close(std::exchange(env_, nullptr));
    throw;
  }
}

void Env::revive() const {
  const std::unique_lock alone(map_, kBusy);
  if (!alone.owns_lock()) {
    throw Error(ErrorCode::kUnavailable,
                "A write has failed, so the data file has to be opened anew, and somebody reads it "
                "for long. Try again.");
  }
  if (is_dead()) open_anew();  // unless another thread has done so
}

void Env::adopt_size() const {
  const std::unique_lock alone(map_, kBusy);
  if (!alone.owns_lock()) {
    throw Error(ErrorCode::kUnavailable, "The data file's map can't be moved now. Try again.");
  }
  check_status(mdb_env_set_mapsize(env_, 0), "Remapping the data file");
}

// Takes over the size set by another process or, if that did not help before, doubles the map.
void Env::make_room(int tries) {
  MDB_envinfo before{};
  mdb_env_info(env_, &before);
  adopt_size();
  MDB_envinfo now{};
  mdb_env_info(env_, &now);
  if (tries == 0 && now.me_mapsize > before.me_mapsize) return;

  const std::size_t most = size_from_environment("CHIRP_MAPSIZE_MAX", kMapSizeMax);
  const std::size_t size = std::max(before.me_mapsize, now.me_mapsize);
  const std::unique_lock alone(map_, kBusy);
  if (!alone.owns_lock() || size >= most) {
    throw Error(ErrorCode::kStorageFull,
                fmt::format("The engine's store has reached its limit of {} bytes. Remove "
                            "something and run `chirp compact`.",
                            size));
  }
  check_status(mdb_env_set_mapsize(env_, std::min(most, size * 2)), "Growing the data file's map");
}

MDB_txn* Env::begin_read() const {
  if (env_ == nullptr) throw Dead{};
  {
    const std::lock_guard guard(idle_mutex_);
    if (!idle_.empty()) {
      MDB_txn* txn = idle_.back();
      idle_.pop_back();
      if (mdb_txn_renew(txn) == MDB_SUCCESS) return txn;
      mdb_txn_abort(txn);
    }
  }
  const auto slot = pass();
  MDB_txn* txn = nullptr;
  int status = mdb_txn_begin(env_, nullptr, MDB_RDONLY, &txn);
  int dead = 0;
  if (status == MDB_READERS_FULL && mdb_reader_check(env_, &dead) == MDB_SUCCESS && dead > 0) {
    status = mdb_txn_begin(env_, nullptr, MDB_RDONLY, &txn);
  }
  if (status == MDB_MAP_RESIZED) return nullptr;
  if (status == MDB_PANIC) throw Dead{};
  check_status(status, "Reading");
  return txn;
}

void Env::Reader::take() {
  for (;;) {
    open_ = std::shared_lock(env_->map_);
    try {
      raw_ = env_->begin_read();
      if (raw_ != nullptr) break;
      open_.unlock();
      env_->adopt_size();
    } catch (const Dead&) {
      open_.unlock();
      env_->revive();
    }
  }
  try {
    txn_.emplace(env_->handles_of_read(raw_), raw_);
  } catch (...) {
    give_back();
    throw;
  }
}

void Env::write_once(const std::function<void(WriteTxn&)>& body,
                     std::chrono::milliseconds patience) {
  const store::Deadline deadline(store::machine_clock(), patience);
  const auto own = [&] {
    // Threads take turns in the same way as processes.
    const std::unique_lock next(next_writer_, deadline.left());
    return next.owns_lock() ? std::unique_lock(writer_, deadline.left())
                            : std::unique_lock(writer_, std::defer_lock);
  }();
  if (!own.owns_lock()) {
    throw Error(ErrorCode::kUnavailable, "Another writer holds the store for too long. Try again.");
  }
  const WriteTurn turn(write_lock_.fd(), deadline);
  const Watchdog watchdog(kTurnMax);
  const std::shared_lock open(map_);
  MDB_txn* raw = nullptr;
  if (env_ == nullptr) throw Dead{};
  int status = mdb_txn_begin(env_, nullptr, 0, &raw);
  if (status == MDB_MAP_RESIZED) throw MapFull{};  // another process grew the map
  if (status == MDB_PANIC) throw Dead{};
  check_status(status, "Writing");
  try {
    const PairMarks marks = read_pair_marks(Txn(handles_, raw));
    WriteTxn txn(handles_for(marks), raw, marks.built ? Noting::kOn : Noting::kOff);
    body(txn);
  } catch (...) {
    mdb_txn_abort(raw);
    throw;
  }
  status = mdb_txn_commit(raw);  // the handle is gone whatever this returns
  if (status == EIO && is_full(folder_)) status = ENOSPC;
  // LMDB failed to write the page that makes the change valid. It wrote back the previous page, but
  // either may be on the disk.
  if (status != MDB_SUCCESS && is_dead()) {
    throw Error(
        ErrorCode::kUnavailable,
        fmt::format("Committing failed at its last page: {}. Whether the change is stored is "
                    "not known: look before you try again.",
                    mdb_strerror(status)),
        "outcome");
  }
  check_status(status, "Committing");
}

void Env::write(const std::function<void(WriteTxn&)>& body, const WriteOptions& options) {
  if (read_only_) {
    throw Error(ErrorCode::kReadOnly,
                fmt::format("{} can't be written: check its permissions and file system.",
                            folder_.string()));
  }
  for (int tries = 0;; ++tries) {
    try {
      write_once(body, options.patience);
      return;
    } catch (const MapFull&) {
      if (options.before_growing) options.before_growing();
      make_room(tries);
    } catch (const Dead&) {
      revive();
    }
  }
}

}  // namespace chirp::lmdb
