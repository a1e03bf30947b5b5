// The LMDB environment of a data directory: opened once per process, with safeguards against LMDB's
// pitfalls.
//
// Files are checked before they are opened, so that a truncated file is an error and not a SIGBUS.
// The map is large from the start. When it is full, or another process has grown it, it is remapped
// while no transaction of this process is open. Writers of all processes take turns (turn.h) with a
// deadline, because LMDB's own lock would wait for ever. Safe to call from any thread; a
// transaction belongs to one thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "core/limits.h"
#include "store/lmdb/gate.h"
#include "store/lmdb/txn.h"
#include "store/watched.h"

namespace chirp::lmdb {

struct PairMarks;

enum class OpenMode : std::uint8_t {
  kOpen,
  kCreate,
  kOlder,  // of a format that may lack tables; make_tables() makes them
};

// The use of the map and of the reader slots. A used slot has a reader now or had one before.
struct MapUse {
  std::uint64_t map_bytes_used = 0;
  std::uint64_t map_bytes = 0;
  std::uint64_t readers_used = 0;
  std::uint64_t readers = 0;
};

struct WriteOptions {
  std::chrono::milliseconds patience{limits::kBusyMs};  // for the writers' turn
  // Called before the map grows; what it throws ends the write. May be empty.
  std::function<void()> before_growing = {};
};

// A reader that holds a state, of any process.
struct PinnedReader {
  std::int64_t pid = 0;
  std::uint64_t transaction = 0;  // the transaction of its state
  std::uint64_t commits_ago = 0;
  std::uint64_t bytes_held = 0;  // kept from reuse because of it
};

class Env : public std::enable_shared_from_this<Env> {
 public:
  // `folder` holds data.mdb and lock.mdb. Writers take turns at the file `write_lock`. Opens
  // read-only if the data file can't be written. Throws Error{kCorrupt}, {kIo}, {kStorageFull},
  // {kReadOnly} if not even the lock file can be written (state_copy.h), {kUnavailable} if another
  // process hangs while opening it.
  static std::shared_ptr<Env> open(const std::filesystem::path& folder,
                                   const std::filesystem::path& write_lock, OpenMode mode);
  // Opens a copy in `folder` that no process writes, without locks. The folder may be removed when
  // this returns. `of` is the store's own path, for messages.
  static std::shared_ptr<Env> open_copy(const std::filesystem::path& folder,
                                        const std::filesystem::path& of);
  ~Env();
  Env(const Env&) = delete;
  Env& operator=(const Env&) = delete;

  // One consistent state, while it lives.
  class Reader {
   public:
    explicit Reader(std::shared_ptr<const Env> env);
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    // The transaction stays where it is when it is renewed.
    [[nodiscard]] const Txn& txn() const { return *txn_; }
    // Continues in the newest state. Invalidates all cursors.
    void renew();

   private:
    void take();
    void give_back() noexcept;

    std::shared_ptr<const Env> env_;
    std::shared_lock<std::shared_timed_mutex> open_;
    MDB_txn* raw_ = nullptr;
    std::optional<Txn> txn_;
  };

  // Runs `body` in a write transaction and commits it, durable on return. An exception aborts it.
  // When the map is full it is grown and `body` runs again, so it starts from nothing each time.
  // Throws Error{kUnavailable} if the turn does not come within the patience.
  void write(const std::function<void(WriteTxn&)>& body, const WriteOptions& options = {});

  // Makes the tables that are missing in a store opened with kOlder, within a write().
  void make_tables(const WriteTxn& txn);

  [[nodiscard]] bool read_only() const { return read_only_; }
  // The folder of the write lock, where a store may keep additional files.
  [[nodiscard]] const std::filesystem::path& place() const { return place_; }
  [[nodiscard]] bool is_copy() const { return gate_ == nullptr; }
  // The id of the last committed transaction.
  [[nodiscard]] std::uint64_t version() const;
  // Returns the bytes of the pages in use.
  [[nodiscard]] std::uint64_t bytes_in_use() const;
  // Returns the same for each table.
  [[nodiscard]] std::map<std::string, std::uint64_t> table_bytes() const;
  // Returns the bytes of pages freed by commits after this one. A reader of that state keeps them
  // from reuse.
  [[nodiscard]] std::uint64_t bytes_freed_after(std::uint64_t transaction) const;
  // Returns the reader with the oldest state, unless all hold the newest one.
  [[nodiscard]] std::optional<PinnedReader> oldest_reader() const;
  // Cheap to call.
  [[nodiscard]] MapUse use() const;
  // Returns the bytes of the file that the next write can reuse: free pages that no reader needs,
  // and the space after the last used page. Counts up to `enough`.
  [[nodiscard]] std::uint64_t reusable_bytes(std::uint64_t enough) const;
  // Writes a consistent copy without free pages to a file that must not exist; durable on return.
  // Removes the file if copying fails or `watched` throws.
  void copy_to(const std::filesystem::path& file, const store::Watched& watched = {}) const;
  // Frees the slots of dead readers. Returns their number.
  int clear_dead_readers() const;

 private:
  Env() = default;

  void open_environment(const std::filesystem::path& folder, unsigned flags) const;
  void start(const std::filesystem::path& folder, unsigned flags) const;
  void open_tables(OpenMode mode) const;
  void set_order(MDB_txn* txn) const;
  // After a failed write of its first pages, LMDB refuses everything. Call both functions with the
  // map locked, and open_anew() with an exclusive lock.
  [[nodiscard]] bool is_dead() const;
  void open_anew() const;
  void revive() const;
  void write_once(const std::function<void(WriteTxn&)>& body, std::chrono::milliseconds patience);
  void make_room(int tries);
  void adopt_size() const;
  [[nodiscard]] MDB_txn* begin_read() const;
  void pair_handles() const;
  // Returns the handles for the state that a transaction reads.
  [[nodiscard]] const Handles& handles_for(const PairMarks& marks) const;
  [[nodiscard]] const Handles& handles_of_read(MDB_txn* txn) const;
  [[nodiscard]] std::unique_ptr<Gate::Pass> pass() const;

  std::unique_ptr<Gate> gate_;      // open while LMDB's files are open; none for a copy
  mutable MDB_env* env_ = nullptr;  // null also if reopening failed
  unsigned flags_ = 0;
  std::filesystem::path folder_;
  std::filesystem::path place_;
  bool read_only_ = false;
  store::File write_lock_;
  mutable Handles handles_{};  // by table name
  mutable Handles swapped_{};  // the same with the tables of each pair exchanged
  // The last choice of handles: the transaction's number × 2, plus 1 for swapped_. A state never
  // changes, so one look-up per state is enough.
  mutable std::atomic<std::uint64_t> chosen_{0};
  // Shared lock of every transaction; exclusive while the map moves.
  mutable std::shared_timed_mutex map_;
  mutable std::timed_mutex next_writer_;  // held while waiting for the turn
  mutable std::timed_mutex writer_;
  mutable std::mutex idle_mutex_;
  mutable std::vector<MDB_txn*> idle_;  // reset read transactions, to be renewed
};

}  // namespace chirp::lmdb
