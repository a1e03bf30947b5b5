#include "store/build_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "store/files.h"
#include "store/own_files.h"

namespace chirp::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".tmp.XXXXXX";  // as mkdtemp requires

// Removes folders of dead builders of `destination`. A folder without the marker is not chirp's,
// and stays unless it is empty.
void clear_left_over(const fs::path& destination) {
  const std::string name = destination.filename().string();
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(destination.parent_path(), error)) {
    const std::string other = entry.path().filename().string();
    if (other.size() != name.size() + kSuffix.size() || !other.starts_with(name + ".tmp."))
      continue;
    ::rmdir(entry.path().c_str());
    std::error_code ignored;
    const fs::path marker = entry.path() / kUnfinished;
    if (!fs::is_regular_file(fs::symlink_status(marker, ignored))) continue;
    if (::access(marker.c_str(), W_OK) != 0) continue;
    try {
      const auto ours = LockFile::try_lock(marker, LockFile::Kind::kExclusive);
      if (ours) (void)remove_marked(entry.path());
    } catch (const Error&) {
      // It can't be locked, so it is not a builder's.
    }
  }
}

std::vector<fs::path> make_missing(const fs::path& folder) {
  std::vector<fs::path> missing;
  for (fs::path at = folder; !at.empty() && !fs::exists(at); at = at.parent_path()) {
    missing.push_back(at);
    if (at == at.root_path()) break;
  }
  std::vector<fs::path> made;
  try {
    while (!missing.empty()) {
      make_folder(missing.back());
      made.push_back(missing.back());
      missing.pop_back();
    }
  } catch (...) {
    for (std::size_t i = made.size(); i-- > 0;) ::rmdir(made[i].c_str());
    throw;
  }
  return made;
}

}  // namespace

bool remove_marked(const fs::path& folder) noexcept {
  std::error_code error;
  bool left = false;
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    if (at->path().filename() == kUnfinished) continue;
    remove_tree(at->path());
    std::error_code gone;
    left = left || fs::exists(fs::symlink_status(at->path(), gone));
  }
  if (error || left) return false;
  ::unlink((folder / kUnfinished).c_str());
  return ::rmdir(folder.c_str()) == 0;
}

fs::path plain_path(const fs::path& path) {
  std::error_code error;
  fs::path plain = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) throw_errno("Looking for", path, error.value());
  if (!plain.has_filename()) plain = plain.parent_path();
  return plain;
}

void refuse_inside(const fs::path& destination, const fs::path& data) {
  for (fs::path at = destination; at.has_relative_path(); at = at.parent_path()) {
    std::error_code missing;
    if (!fs::equivalent(at.parent_path(), data, missing)) continue;
    throw Error(ErrorCode::kBadInput,
                fmt::format("{} is inside of the data directory {}, where nothing but what chirp "
                            "keeps may stand: a restore would remove it. Choose a place outside.",
                            destination.string(), data.string()));
  }
}

BuildFolder::BuildFolder(fs::path destination) : destination_(std::move(destination)) {
  parents_ = make_missing(destination_.parent_path());
  try {
    clear_left_over(destination_);
    // Retries if another builder took the folder for a leftover before it was marked.
    while (!begin()) {
    }
  } catch (...) {
    clear_up();
    throw;
  }
}

bool BuildFolder::begin() {
  std::string name = destination_.string() + std::string(kSuffix);
  if (::mkdtemp(name.data()) == nullptr) throw_errno("Making", destination_, errno);
  path_ = name;
  try {
    marker_ = LockFile::try_lock(path_ / kUnfinished, LockFile::Kind::kExclusive);
  } catch (const Error&) {
    if (fs::exists(path_)) throw;
  }
  return marker_.has_value();
}

void BuildFolder::clear_up() noexcept {
  if (!path_.empty()) (void)remove_marked(path_);
  for (std::size_t i = parents_.size(); i-- > 0;) ::rmdir(parents_[i].c_str());
}

BuildFolder::~BuildFolder() {
  if (!placed_) clear_up();
}

// Remove the mark last: without it, a leftover would look like the user's own folder.
void BuildFolder::settle() {
  placed_ = true;
  ::unlink((destination_ / kUnfinished).c_str());
}

void BuildFolder::put_in_place() {
  give_tree(path_, destination_);
  sync_tree(path_);
  // rename(2) also replaces an empty folder, but nothing else.
  if (::rename(path_.c_str(), destination_.c_str()) != 0) {
    if (errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR) {
      throw Error(ErrorCode::kConflict,
                  fmt::format("There is something at {} already.", destination_.string()));
    }
    throw_errno("Making", destination_, errno);
  }
  try {
    sync_folder(destination_.parent_path());
    for (const auto& parent : parents_) sync_folder(parent.parent_path());
  } catch (const Error& error) {
    if (::rename(destination_.c_str(), path_.c_str()) == 0) throw;
    settle();
    throw Error(error.code(), fmt::format("{} is in place, but may not outlast a loss of power: {}",
                                          destination_.string(), error.what()));
  }
  settle();
}

std::optional<fs::path> BuildFolder::replace() {
  give_tree(path_, destination_);
  sync_tree(path_);
  // The old folder is marked before it moves, so that it counts as a leftover if this process dies
  // afterwards.
  const auto old_marker =
      LockFile::try_lock(destination_ / kUnfinished, LockFile::Kind::kExclusive);
  const fs::path old = exchange();
  try {
    sync_folder(destination_.parent_path());
  } catch (...) {
    take_back(old);
    throw;
  }
  settle();
  if (remove_marked(old)) return std::nullopt;
  return old;
}

// If the folder may not be durably in place, the operation has failed, and the old folder moves
// back.
void BuildFolder::take_back(const fs::path& old) {
  const char* from = path_.c_str();
  const char* to = destination_.c_str();
  const bool back = old == path_ ? ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0
                                 : ::rename(to, from) == 0 && ::rename(old.c_str(), to) == 0;
  if (back) {
    ::unlink((destination_ / kUnfinished).c_str());
    return;
  }
  settle();
  throw Error(ErrorCode::kIo,
              fmt::format("{} has been replaced, but that may not outlast a loss of power. What "
                          "stood there is at {}.",
                          destination_.string(), old.string()));
}

// Returns the new path of the old folder. Exchanges in one step if the file system can; otherwise
// in two, and a crash in between leaves both folders beside the missing destination.
fs::path BuildFolder::exchange() {
  const char* from = path_.c_str();
  const char* to = destination_.c_str();
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0) return path_;
  if (errno != EINVAL && errno != ENOSYS) throw_errno("Replacing", destination_, errno);
  const fs::path old = path_.string() + ".old";
  move_file(destination_, old);
  if (::rename(from, to) != 0) {
    const int error = errno;
    ::rename(old.c_str(), to);
    throw_errno("Replacing", destination_, error);
  }
  return old;
}

}  // namespace chirp::store
