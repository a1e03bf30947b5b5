// Rewrites each store in place, by a rename or by SQLite's own transaction, with the same content.
// A crash in between leaves one store with its free space.
#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "store/build_folder.h"
#include "store/data_directory.h"
#include "store/disk_reserve.h"
#include "store/files.h"
#include "store/lmdb/storage.h"
#include "store/own_files.h"
#include "store/parts.h"
#include "store/sqlite/user_directory.h"

namespace chirp::store {
namespace {

namespace fs = std::filesystem;

// A temporary folder in the directory; another compact that died may have left it.
class WorkFolder {
 public:
  explicit WorkFolder(fs::path path) : path_(std::move(path)) {
    remove_tree(path_);
    make_own_folder(path_);
  }
  ~WorkFolder() { remove_tree(path_); }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

 private:
  fs::path path_;
};

void compact_engine(const Layout& layout, const Identity& identity, const Watched& watched) {
  const auto look = [&] {
    if (watched) watched(0, 0);
  };
  const WorkFolder work(layout.compacting());
  const fs::path copy = layout.compacting() / "data.mdb";
  std::map<std::string, std::uint64_t> rows;
  {
    const auto env = lmdb::Env::open(layout.engine(), layout.write_lock(), lmdb::OpenMode::kOpen);
    check_engine(env, identity, layout);
    rows = lmdb::counted_rows(env, look);
    env->copy_to(copy, watched);
  }
  {
    const auto env =
        lmdb::Env::open(layout.compacting(), layout.write_lock(), lmdb::OpenMode::kOpen);
    check_engine(env, identity, layout);
    if (lmdb::counted_rows(env, look) != rows) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("{} lost rows when it was copied. Nothing was changed; run `chirp "
                              "doctor`.",
                              layout.engine_data().string()));
    }
  }
  look();
  take_place(copy, layout.engine_data());
  sync_folder(layout.engine());
}

}  // namespace

Copied compact(const fs::path& path, const Watched& watched) {
  const Layout layout(plain_path(path));
  // Opens it once to check that it exists and that its parts belong together.
  const Identity identity = [&] {
    const auto opened = DataDirectory::open(layout.root);
    // The engine's copy exists next to the old file. SQLite writes its file twice: next to the old
    // one, and into its log.
    const StoreBytes bytes = opened->bytes();
    check_room_for("Compacting", layout.root, std::max(bytes.engine, 2 * bytes.users),
                   reserve_from_environment(), SpaceUse::kKeeps);
    return Identity{kFormatVersion, opened->uuid(), opened->machine()};
  }();
  const LockFile alone = lock_alone(layout, "Compacting");
  compact_engine(layout, identity, watched);
  {
    const auto users = sqlite::open_user_directory(layout.users());
    check_users(*users, identity, layout);
    users->compact(watched);
  }
  Copied copied;
  for (const fs::path& file : {layout.engine_data(), layout.users()}) {
    copied.files += 1;
    copied.bytes += fs::file_size(file);
  }
  return copied;
}

}  // namespace chirp::store
