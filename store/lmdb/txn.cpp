#include "store/lmdb/txn.h"

#include <cerrno>

#include <fmt/format.h>

#include "core/error.h"
#include "store/lmdb/record.h"
#include "store/lmdb/watchdog.h"
#include "store/room.h"

namespace chirp::lmdb {
namespace {

MDB_val value_of(Bytes bytes) { return {bytes.size(), const_cast<char*>(bytes.data())}; }
Bytes bytes_of(const MDB_val& value) {
  return {static_cast<const char*>(value.mv_data), value.mv_size};
}

}  // namespace

void check_status(int status, std::string_view doing) {
  const auto fail = [&](ErrorCode code, std::string_view advice) {
    throw Error(code, fmt::format("{} failed: {}. {}", doing, mdb_strerror(status), advice));
  };
  switch (status) {
    case MDB_SUCCESS:
      return;
    case MDB_MAP_FULL:
      throw MapFull{};
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      fail(ErrorCode::kStorageFull, store::room_advice(status));
      break;
    case EROFS:
    case EACCES:
    case EPERM:
      fail(ErrorCode::kReadOnly, "The data directory can't be written.");
      break;
    case EIO:
      fail(ErrorCode::kIo, "The disk may be full or broken.");
      break;
    case MDB_PANIC:
      fail(ErrorCode::kIo, "A write to the disk has failed before. Try again.");
      break;
    case EMFILE:
      fail(ErrorCode::kIo, store::limit_advice(status));
      break;
    case ENFILE:
      fail(ErrorCode::kIo, "Too many files are open on this machine: raise fs.file-max.");
      break;
    case ENOMEM: {
      const std::string advice = store::limit_advice(status);
      fail(ErrorCode::kUnavailable,
           advice.empty() ? "Too little memory or address space." : advice);
      break;
    }
    case MDB_READERS_FULL:
      fail(ErrorCode::kUnavailable, "Too many readers; try again.");
      break;
    case MDB_VERSION_MISMATCH:
      fail(ErrorCode::kVersion, "The data files are of another LMDB version.");
      break;
    case MDB_INVALID:
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_CURSOR_FULL:
    case MDB_PAGE_FULL:
    case MDB_INCOMPATIBLE:
    case MDB_BAD_TXN:  // after one of the others ended the transaction
      fail(ErrorCode::kCorrupt, "The data files are damaged; restore a backup.");
      break;
    default:
      fail(ErrorCode::kInternal, "This is a fault of chirp's own.");
      break;
  }
}

std::optional<Bytes> Txn::get(Table table, Bytes key) const {
  MDB_val k = value_of(key);
  MDB_val v{};
  const int status = watched([&] { return mdb_get(txn_, handle(table), &k, &v); });
  if (status == MDB_NOTFOUND) return std::nullopt;
  check_status(status, "Reading");
  return bytes_of(v);
}

MDB_stat Txn::stat(Table table) const {
  MDB_stat facts{};
  check_status(watched([&] { return mdb_stat(txn_, handle(table), &facts); }), "Reading");
  return facts;
}

// Changes of edges are noted by user and table: a row of edges or counters, a removal, a block.
void Txn::note(Table table, Bytes key) const {
  const auto noted = [&](Bytes bytes) {
    MDB_val k = value_of(bytes);
    MDB_val nothing{0, nullptr};
    check_status(watched([&] { return mdb_put(txn_, handle(Table::kRebuilt), &k, &nothing, 0); }),
                 "Writing");
  };
  const auto number = static_cast<std::uint32_t>(table);
  switch (table) {
    case Table::kCards:
      // Only an erased card matters, like a removal; see WriteTxn::erase().
      return noted(lmdb::key(user_at(key), static_cast<std::uint32_t>(Table::kRemovals)));
    case Table::kFollowing:
    case Table::kFollowers:
    case Table::kCounters:
    case Table::kRemovals:
      return noted(lmdb::key(user_at(key), number));
    case Table::kRelations:
      if (load_big_endian<std::uint32_t>(reach(key, 4, 4)) != number_of(Relation::kBlock)) return;
      return noted(lmdb::key(user_at(key), number, user_at(key, 8)));
    default:
      return;
  }
}

void WriteTxn::put(Table table, Bytes key, Bytes value) {
  if (table != Table::kCards) note_change(table, key);
  MDB_val k = value_of(key);
  MDB_val v = value_of(value);
  check_status(watched([&] { return mdb_put(txn_, handle(table), &k, &v, 0); }), "Writing");
}

void WriteTxn::append(Table table, Bytes key, Bytes value) {
  if (table != Table::kCards) note_change(table, key);
  MDB_val k = value_of(key);
  MDB_val v = value_of(value);
  const int status = watched([&] { return mdb_put(txn_, handle(table), &k, &v, MDB_APPEND); });
  if (status == MDB_KEYEXIST) return put(table, key, value);
  check_status(status, "Writing");
}

bool WriteTxn::erase(Table table, Bytes key) {
  note_change(table, key);
  MDB_val k = value_of(key);
  const int status = watched([&] { return mdb_del(txn_, handle(table), &k, nullptr); });
  if (status == MDB_NOTFOUND) return false;
  check_status(status, "Writing");
  return true;
}

void WriteTxn::erase_shown(Table table, Bytes key) {
  if (!erase(table, key)) throw_corrupt(table, key, "it is not in its place");
}

void WriteTxn::erase_all(Table table) {
  check_status(watched([&] { return mdb_drop(txn_, handle(table), 0); }), "Writing");
}

Cursor::Cursor(const Txn& txn, Table table) : txn_(txn), table_(table) {
  check_status(watched([&] { return mdb_cursor_open(txn.raw(), txn.handle(table), &cursor_); }),
               "Reading");
}

std::optional<Item> Cursor::move(Bytes key, MDB_cursor_op op) {
  MDB_val k = value_of(key);
  MDB_val v{};
  const int status = watched([&] { return mdb_cursor_get(cursor_, &k, &v, op); });
  if (status == MDB_NOTFOUND) return std::nullopt;
  check_status(status, "Reading");
  const Item item{bytes_of(k), bytes_of(v)};
  const bool misplaced = op == MDB_NEXT        ? item.key <= last_
                         : op == MDB_PREV      ? item.key >= last_
                         : op == MDB_SET_RANGE ? item.key < key
                                               : false;
  if (misplaced) throw_corrupt(table_, item.key, "it is not in its place");
  last_.assign(item.key);
  return item;
}

std::optional<Item> Cursor::at_or_before(Bytes key) {
  const auto item = at_or_after(key);
  return item && item->key == key ? item : below(key, item);
}

// If keys decrease from one page to the next, a search may miss rows. Then a loop that asks for the
// row below the last one would get the same rows forever.
std::optional<Item> Cursor::below(Bytes key, const std::optional<Item>& at_or_after) {
  const auto item = at_or_after ? previous() : last();
  if (item && item->key >= key) throw_corrupt(table_, item->key, "it is not in its place");
  return item;
}

void Cursor::put(Bytes key, Bytes value) {
  if (table_ != Table::kCards) txn_.note_change(table_, key);
  MDB_val k = value_of(key);
  MDB_val v = value_of(value);
  check_status(watched([&] { return mdb_cursor_put(cursor_, &k, &v, 0); }), "Writing");
}

}  // namespace chirp::lmdb
