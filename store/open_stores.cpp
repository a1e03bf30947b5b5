// Where a directory can't be written, a reader can't say in LMDB's lock file which state it reads,
// and writers who can would take its pages from under it. So it reads copies, which are checked.
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "store/deadline.h"
#include "store/lmdb/state_copy.h"
#include "store/parts.h"
#include "store/private_folder.h"
#include "store/sqlite/private_copy.h"

namespace chirp::store {
namespace {

// Both of one moment: the engine's copy is a state that was the newest while the users stood still.
Stores copy_stores(const Layout& layout) {
  const Deadline deadline(machine_clock(), std::chrono::milliseconds(limits::kBusyMs));
  std::error_code error;
  const auto engine_bytes = std::filesystem::file_size(layout.engine_data(), error);
  const PrivateFolder folder(sqlite::bytes_to_copy(layout.users()) + (error ? 0 : engine_bytes));
  for (;;) {
    const sqlite::PrivateCopy users(layout.users(), folder.path(), deadline);
    lmdb::copy_state(layout.engine_data(), folder.path() / "data.mdb", deadline);
    if (users.is_current()) {
      return {std::make_unique<sqlite::SqliteUserDirectory>(layout.users(), users),
              lmdb::Env::open_copy(folder.path(), layout.engine())};
    }
    if (deadline.over()) {
      throw Error(ErrorCode::kUnavailable,
                  fmt::format("{} is being written, and what may only be read can't be locked. Try "
                              "again, or have its owner run `chirp backup`.",
                              layout.root.string()));
    }
    std::this_thread::sleep_for(sqlite::kLookAgain);
  }
}

}  // namespace

Stores open_stores(const Layout& layout) {
  if (!lmdb::can_lock(layout.engine())) return copy_stores(layout);
  return {sqlite::open_user_directory(layout.users()),
          lmdb::Env::open(layout.engine(), layout.write_lock(), lmdb::OpenMode::kOpen)};
}

}  // namespace chirp::store
