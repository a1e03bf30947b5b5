// In a directory that can't be written, a reader can't register its state in LMDB's lock file, and
// writers could reuse its pages. So it reads copies, which are verified.
#include <chrono>
#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "store/data_directory.h"
#include "store/database.h"
#include "store/deadline.h"
#include "store/lmdb/state_copy.h"
#include "store/parts.h"
#include "store/private_folder.h"
#include "store/sqlite/private_copy.h"

namespace chirp::store {
namespace {

// Returns copies of one moment: the engine's state was the newest while the users did not change.
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

std::unique_ptr<DataDirectory> DataDirectory::open(const DataPlace& place) {
  return place.is_database() ? open_database(place) : open(place.folder());
}

bool is_made(const DataPlace& place) {
  std::error_code unknown;
  return place.is_database() ? is_made_database(place)
                             : std::filesystem::exists(place.folder(), unknown);
}

}  // namespace chirp::store
