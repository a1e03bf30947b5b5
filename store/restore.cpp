#include <cerrno>

#include <fmt/format.h>

#include "core/error.h"
#include "store/build_folder.h"
#include "store/data_directory.h"
#include "store/files.h"
#include "store/manifest.h"
#include "store/parts.h"

namespace chirp::store {
namespace {

namespace fs = std::filesystem;

// What stands where the backup is to go.
enum class Place : std::uint8_t { kFree, kTaken };

// Takes a data directory for what it is even if it is damaged; refuses to replace anything else.
Place place_at(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) return Place::kFree;
  Place place = Place::kFree;
  fs::directory_iterator at(path, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    place = Place::kTaken;
    if (is_ours(at->path().filename().string())) continue;
    throw Error(ErrorCode::kConflict,
                fmt::format("{} is not chirp's, and restoring would remove it. Move it away first.",
                            at->path().string()));
  }
  if (error) throw_errno("Reading", path, error.value());
  return place;
}

Copied copy_verified(const fs::path& backup, const Manifest& manifest, const Layout& to) {
  make_folder(to.engine());
  Copied copied;
  for (const auto& [file, expected] : manifest.files) {
    std::error_code error;
    if (!fs::is_regular_file(backup / file, error)) {
      throw Error(ErrorCode::kCorrupt, fmt::format("{} is not complete: {} is missing. Choose "
                                                   "another backup.",
                                                   backup.string(), file));
    }
    make_folders((to.root / file).parent_path());
    if (copy_hashed(backup / file, to.root / file) != expected) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("{} is damaged: it is not what was backed up. Choose another backup.",
                              (backup / file).string()));
    }
    copied.files += 1;
    copied.bytes += expected.bytes;
  }
  return copied;
}

}  // namespace

LockFile lock_alone(const Layout& layout, std::string_view doing) {
  if (auto lock = LockFile::try_lock(layout.open_lock(), LockFile::Kind::kExclusive)) {
    return std::move(*lock);
  }
  throw Error(ErrorCode::kUnavailable,
              fmt::format("{} needs {} for itself, and another process has it open. Stop that "
                          "one first.",
                          doing, layout.root.string()));
}

Copied restore_backup(const fs::path& backup, const fs::path& path) {
  const Manifest manifest = read_manifest(backup);
  const Layout target(plain_path(path));
  const Place place = place_at(target.root);
  std::optional<LockFile> alone;
  if (place == Place::kTaken) alone = lock_alone(target, "Restoring");

  BuildFolder build(target.root);
  const Layout layout(build.path());
  Copied copied = copy_verified(backup, manifest, layout);
  lay_out(layout, manifest.identity);
  migrate_parts(layout, manifest.identity);  // a backup may be of an older format
  // It can be opened, so it is sound as far as opening it tells.
  if (const auto opened = DataDirectory::open(layout.root); !opened->users().problems().empty()) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("The users of {} are damaged: {}. Choose another "
                            "backup.",
                            backup.string(), opened->users().problems().front()));
  }
  if (place == Place::kTaken) {
    copied.left_over = build.replace();
  } else {
    build.put_in_place();
  }
  return copied;
}

}  // namespace chirp::store
