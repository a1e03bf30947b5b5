// The paths in a data directory; store/data_directory.h describes them.
#pragma once

#include <filesystem>
#include <string_view>

namespace chirp::store {

struct Layout {
  explicit Layout(std::filesystem::path where) : root(std::move(where)) {}

  std::filesystem::path root;

  [[nodiscard]] std::filesystem::path users() const { return root / "users.db"; }
  [[nodiscard]] std::filesystem::path engine() const { return root / "engine"; }
  [[nodiscard]] std::filesystem::path engine_data() const { return engine() / "data.mdb"; }
  [[nodiscard]] std::filesystem::path media() const { return root / "media"; }
  [[nodiscard]] std::filesystem::path open_lock() const { return root / "open.lock"; }
  [[nodiscard]] std::filesystem::path write_lock() const { return root / "write.lock"; }
  [[nodiscard]] std::filesystem::path media_lock() const { return root / "media.lock"; }
  [[nodiscard]] std::filesystem::path fan_out_lock() const { return root / "fanout.lock"; }
  [[nodiscard]] std::filesystem::path load_lock() const { return root / "load.lock"; }
  // The folder for data that loads sort.
  [[nodiscard]] std::filesystem::path loading() const { return root / "load.tmp"; }
  [[nodiscard]] std::filesystem::path server_lock() const { return root / "server.lock"; }
  // The folder in which `restore` builds the parts for a mount point. While the parts are moved,
  // its file `from` names the backup.
  [[nodiscard]] std::filesystem::path restoring() const { return root / "restore.tmp"; }
  [[nodiscard]] std::filesystem::path restored_from() const { return restoring() / "from"; }
  // The folder that `compact` writes to, next to the files that it will replace.
  [[nodiscard]] std::filesystem::path compacting() const { return root / "compact.tmp"; }
};

// Whether chirp uses this name in a data directory.
[[nodiscard]] constexpr bool is_ours(std::string_view name) {
  constexpr std::string_view kOurs[] = {
      "chirp.format", "chirp.format.tmp", "users.db",    "users.db-wal", "users.db-shm",
      "engine",       "users.db-journal", "media",       "open.lock",    "write.lock",
      "fanout.lock",  "media.lock",       "server.lock", "compact.tmp",  "restore.tmp",
      ".unfinished",  "load.lock",        "load.tmp"};
  for (const std::string_view ours : kOurs) {
    if (name == ours) return true;
  }
  return false;
}

}  // namespace chirp::store
