// The user directory in a SQLite file (store/sqlite/schema.h).
//
// Opening takes about a millisecond for any number of users. If the directory can't be written, the
// file is opened for reading and every change throws Error{kReadOnly}.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "store/sqlite/connections.h"
#include "store/sqlite/file_version.h"
#include "store/sqlite/media_rows.h"
#include "store/sqlite/schema.h"
#include "store/users/sql_user_directory.h"

namespace chirp::sqlite {

class SqliteUserDirectory : public users::SqlUserDirectory {
 public:
  // Use open_user_directory.
  explicit SqliteUserDirectory(const std::filesystem::path& file);
  // Opens a copy of `file` for reading.
  SqliteUserDirectory(const std::filesystem::path& file, const PrivateCopy& copy);

  [[nodiscard]] std::uint64_t count() const override;
  [[nodiscard]] std::optional<std::uint64_t> version() const override { return version_.now(); }
  [[nodiscard]] MediaStore& media() override { return media_; }

  [[nodiscard]] std::vector<std::string> problems() const override;
  void rebuild_indexes() override;

  // ---- for the code that opens the data directory
  [[nodiscard]] const Identity& identity() const { return identity_; }
  // Finishes an upload that a killed process left half done. Does not block.
  void finish_uploads() { media_.finish_half_done(); }
  // After this, each write is followed by a check of `watch`, and respects `reserve`. Both must
  // outlive this object.
  void watch(store::DirectoryWatch* watch, store::DiskReserve* reserve) {
    connections_.watch(watch, reserve);
  }
  // Enables version(), if possible.
  void tell_version();
  // Raises the stored minimum of the engine's number of events, so that stores of different times
  // in one directory are noticed. Does not wait: throws Error{kUnavailable} while another
  // connection writes.
  void note_events(Sequence sequence);
  // Returns the last number given to note_events; the engine's log must reach that far.
  [[nodiscard]] Sequence noted_events() const;
  // Returns the last user number assigned, including removed users; kNobody before the first.
  [[nodiscard]] UserNumber last_number() const;
  // Sets that number, even lower: for a copy that goes with an older copy of the engine.
  void reset_noted_events(Sequence sequence);
  [[nodiscard]] FileAccess access() const { return connections_.access(); }
  // Whether reads use a copy that was made on opening.
  [[nodiscard]] bool is_copy() const { return connections_.is_copy(); }
  // Returns the number of connections to the file that were in use at once.
  [[nodiscard]] unsigned connections() const { return connections_.opened(); }
  // Returns the bytes of the file in use.
  [[nodiscard]] std::uint64_t bytes_in_use() const;
  // Returns the same for each table and index.
  [[nodiscard]] std::map<std::string, std::uint64_t> table_bytes() const;
  // After this, all reads see one state; for a read-only caller on one thread.
  void hold();
  // Makes a consistent copy while others write, in a file that must not exist; syncs only the file.
  void copy_to(const std::filesystem::path& destination);
  // Rewrites the file without free space and without deleted content.
  void compact(const store::Watched& watched = {});

 private:
  SqliteUserDirectory(std::unique_ptr<Connection>&& first, const std::filesystem::path& file);
  SqliteUserDirectory(std::unique_ptr<Connection>&& first, const std::filesystem::path& file,
                      const Identity& identity);
  [[nodiscard]] std::unique_ptr<users::SqlSession> lend(
      users::SqlSession::Work work = users::SqlSession::Work::kFew) const override;
  void check_room(std::size_t added) const override;

  Identity identity_;
  std::filesystem::path file_;
  mutable Connections connections_;  // also used by const calls
  SqliteMediaStore media_;
  // Destroyed before the connections that write: the last of those moves the log into the file.
  mutable FileVersion version_;
};

// Opens the file of a data directory. Throws Error{kCorrupt} if it is missing, damaged or another
// file, {kVersion} for another format version.
[[nodiscard]] std::unique_ptr<SqliteUserDirectory> open_user_directory(
    const std::filesystem::path& file);

// Makes an empty user directory in one file, synced; the caller must sync its folder. Throws
// Error{kConflict} if the file exists. `machine` is for live ids.
void create_user_directory(const std::filesystem::path& file, const Identity& identity);

}  // namespace chirp::sqlite
