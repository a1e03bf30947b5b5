// Facts about an environment, copies of it, and its read transactions.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "store/lmdb/env.h"
#include "store/lmdb/watchdog.h"
#include "store/lmdb/watched_copy.h"
#include "store/own_files.h"

namespace chirp::lmdb {
namespace {

constexpr MDB_dbi kFreeList = 0;  // LMDB's own table: pages by the transaction that freed them

// Returns the bytes of the file after the last used page, which a failed write left.
std::uint64_t bytes_behind(MDB_env* env, std::uint64_t used) {
  int fd = -1;
  struct stat facts {};
  if (mdb_env_get_fd(env, &fd) != MDB_SUCCESS || ::fstat(fd, &facts) != 0) return 0;
  const auto bytes = static_cast<std::uint64_t>(facts.st_size);
  return bytes - std::min(bytes, used);
}

// LMDB prints a line for each slot: a process, a thread, and a transaction or "-".
int take_reader(const char* line, void* readers) {
  int pid = 0;
  std::size_t thread = 0;
  std::size_t transaction = 0;
  if (std::sscanf(line, "%d %zx %zu", &pid, &thread, &transaction) == 3) {
    static_cast<std::vector<PinnedReader>*>(readers)->push_back({pid, transaction, 0, 0});
  }
  return 0;
}

// Returns the reader of any process with the oldest state.
std::optional<PinnedReader> oldest_of(MDB_env* env) {
  std::vector<PinnedReader> readers;
  mdb_reader_list(env, &take_reader, &readers);
  const auto oldest = std::ranges::min_element(readers, {}, &PinnedReader::transaction);
  return oldest == readers.end() ? std::nullopt : std::optional(*oldest);
}

}  // namespace

std::uint64_t Env::reusable_bytes(std::uint64_t enough) const {
  const MapUse used = use();
  const Reader reader(shared_from_this());
  std::uint64_t bytes = bytes_behind(env_, used.map_bytes_used);
  // Pages that the newest state freed are still in use in the previous one.
  std::uint64_t oldest = reader.txn().id();
  if (const auto other = oldest_of(env_)) oldest = std::min(oldest, other->transaction);
  MDB_stat facts{};
  mdb_env_stat(env_, &facts);
  MDB_cursor* cursor = nullptr;
  check_status(mdb_cursor_open(reader.txn().raw(), kFreeList, &cursor), "Counting free pages");
  const std::unique_ptr<MDB_cursor, void (*)(MDB_cursor*)> closing(cursor, mdb_cursor_close);
  MDB_val key{};
  MDB_val pages{};
  while (bytes < enough &&
         watched([&] { return mdb_cursor_get(cursor, &key, &pages, MDB_NEXT); }) == MDB_SUCCESS) {
    std::size_t freed_by = 0;
    std::size_t count = 0;  // a list begins with its length
    if (key.mv_size != sizeof freed_by || pages.mv_size < sizeof count) break;
    std::memcpy(&freed_by, key.mv_data, sizeof freed_by);
    std::memcpy(&count, pages.mv_data, sizeof count);
    if (freed_by >= oldest) break;
    bytes += count * std::uint64_t{facts.ms_psize};
  }
  return std::min(bytes, enough);
}

namespace {

constexpr std::size_t kIdleReaders = 16;

}  // namespace

Env::Reader::Reader(std::shared_ptr<const Env> env) : env_(std::move(env)) { take(); }

Env::Reader::~Reader() { give_back(); }

void Env::Reader::renew() {
  give_back();
  take();
}

void Env::Reader::give_back() noexcept {
  MDB_txn* const raw = std::exchange(raw_, nullptr);
  if (raw == nullptr) return;
  mdb_txn_reset(raw);
  {
    const std::lock_guard guard(env_->idle_mutex_);
    if (env_->idle_.size() < kIdleReaders) {
      env_->idle_.push_back(raw);
    } else {
      mdb_txn_abort(raw);
    }
  }
  open_.unlock();
}

std::uint64_t Env::version() const {
  const std::shared_lock open(map_);
  MDB_envinfo info{};
  mdb_env_info(env_, &info);
  return info.me_last_txnid;
}

int Env::clear_dead_readers() const {
  const auto slots = pass();
  int dead = 0;
  mdb_reader_check(env_, &dead);
  return dead;
}

std::map<std::string, std::uint64_t> Env::table_bytes() const {
  const Reader reader(shared_from_this());
  std::map<std::string, std::uint64_t> bytes;
  const auto add = [&](const std::string& name, MDB_dbi table) {
    MDB_stat facts{};
    if (watched([&] { return mdb_stat(reader.txn().raw(), table, &facts); }) != MDB_SUCCESS) return;
    bytes[name] += (facts.ms_branch_pages + facts.ms_leaf_pages + facts.ms_overflow_pages) *
                   std::uint64_t{facts.ms_psize};
  };
  for (std::size_t i = 0; i < kTables; ++i) {
    if (is_logical(static_cast<Table>(i))) add(kTableNames[i], handles_[i]);
  }
  for (const TablePair& pair : kPairs) {
    add(kTableNames[static_cast<unsigned>(pair.in_use)],
        handles_[static_cast<unsigned>(pair.spare)]);
  }
  // This table has pages only during a bulk load.
  add("tables", handles_[static_cast<unsigned>(Table::kRebuilt)]);
  add("tables", 1);  // the table of tables; the free list holds no pages in use
  return bytes;
}

std::uint64_t Env::bytes_in_use() const {
  std::uint64_t bytes = 0;
  for (const auto& [table, n] : table_bytes()) bytes += n;
  return bytes;
}

std::uint64_t Env::bytes_freed_after(std::uint64_t transaction) const {
  const Reader reader(shared_from_this());
  MDB_cursor* cursor = nullptr;
  check_status(mdb_cursor_open(reader.txn().raw(), kFreeList, &cursor), "Reading");
  const std::unique_ptr<MDB_cursor, void (*)(MDB_cursor*)> closed(cursor, &mdb_cursor_close);
  std::size_t after = transaction + 1;
  MDB_val key{sizeof after, &after};
  MDB_val value{};
  std::uint64_t pages = 0;
  const auto move = [&](MDB_cursor_op op) {
    return watched([&] { return mdb_cursor_get(cursor, &key, &value, op); }) == MDB_SUCCESS;
  };
  for (bool there = move(MDB_SET_RANGE); there; there = move(MDB_NEXT)) {
    std::size_t count = 0;
    if (value.mv_size >= sizeof count) std::memcpy(&count, value.mv_data, sizeof count);
    pages += count;
  }
  MDB_stat facts{};
  check_status(mdb_env_stat(env_, &facts), "Reading");
  return pages * facts.ms_psize;
}

std::optional<PinnedReader> Env::oldest_reader() const {
  if (is_copy()) return std::nullopt;
  auto oldest = [&] {
    const std::shared_lock open(map_);
    return oldest_of(env_);
  }();
  const std::uint64_t newest = version();
  if (!oldest || oldest->transaction >= newest) return std::nullopt;
  oldest->commits_ago = newest - oldest->transaction;
  oldest->bytes_held = bytes_freed_after(oldest->transaction);
  return oldest;
}

MapUse Env::use() const {
  const std::shared_lock open(map_);
  MDB_envinfo info{};
  MDB_stat facts{};
  mdb_env_info(env_, &info);
  mdb_env_stat(env_, &facts);
  return {(info.me_last_pgno + 1) * std::uint64_t{facts.ms_psize}, info.me_mapsize,
          info.me_numreaders, info.me_maxreaders};
}

void Env::copy_to(const std::filesystem::path& file, const store::Watched& watched) const {
  const store::File copy =
      store::open_own(file, O_WRONLY | O_CREAT | O_EXCL, store::FileUse::kData);
  const std::shared_lock open(map_);
  pass().reset();  // LMDB takes the reader slot next
  int status = MDB_SUCCESS;
  try {
    WatchedCopy look(copy.fd(), watched ? bytes_in_use() : 0, watched);
    status = mdb_env_copyfd2(env_, copy.fd(), MDB_CP_COMPACT);
    look.finish();
  } catch (...) {
    ::unlink(file.c_str());
    throw;
  }
  if (status == MDB_SUCCESS && ::fsync(copy.fd()) != 0) status = errno;
  if (status != MDB_SUCCESS) ::unlink(file.c_str());
  check_status(status, "Copying the engine's store");
}

}  // namespace chirp::lmdb
