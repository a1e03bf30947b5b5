// Facts about an environment, and copying it.
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "store/lmdb/env.h"
#include "store/lmdb/watchdog.h"
#include "store/lmdb/watched_copy.h"
#include "store/own_files.h"

namespace chirp::lmdb {

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
  // Its pages are there only while a bulk load builds.
  add("tables", handles_[static_cast<unsigned>(Table::kRebuilt)]);
  add("tables", 1);  // the table of tables; the free list holds no pages in use
  return bytes;
}

std::uint64_t Env::bytes_in_use() const {
  std::uint64_t bytes = 0;
  for (const auto& [table, n] : table_bytes()) bytes += n;
  return bytes;
}

Use Env::use() const {
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
  pass().reset();  // LMDB takes the slot next
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
