// Uploads in users.db and their bytes below DIR/media: core/ports/media_store.h.
//
// A row is removed in three steps: its idle time becomes 0, so that it can't be used again; the
// bytes are removed, unless another row names them; the row is removed. So a crash between any two
// leaves neither bytes without a row nor a used row without its bytes.
#pragma once

#include <filesystem>

#include "store/media_files.h"
#include "store/sqlite/session.h"
#include "store/users/sql_media_store.h"

namespace chirp::sqlite {

class SqliteMediaStore final : public users::SqlMediaStore {
 public:
  // `connections` and `version` must outlive this; `version` is not used before the first call.
  SqliteMediaStore(Connections& connections, FileVersion& version,
                   const std::filesystem::path& folder)
      : connections_(connections), version_(version), files_(folder) {}

  KeptMedia keep(UserNumber owner, const MediaFacts& facts, std::string_view bytes,
                 std::uint64_t most, Time now) override;
  void restore(const Upload& upload, std::string_view bytes) override;
  [[nodiscard]] std::shared_ptr<const MediaFile> open(const Upload& upload) const override;
  bool touch_all(std::optional<UserNumber> owner, std::span<const MediaId> uploads,
                 Time now) override;
  std::uint64_t remove_idle(std::span<const MediaId> uploads, Time before) override;
  void remove_of(UserNumber owner) override;
  void repair() override;
  // Finishes what a killed process left half done. Does not block.
  void finish_half_done();

 private:
  [[nodiscard]] std::unique_ptr<users::SqlSession> lend() const override;
  [[nodiscard]] std::string damaged_bytes(const Upload& upload) const override;
  [[nodiscard]] std::vector<MediaProblem> orphans() const override;
  // Takes the turn, and finishes what a killed process left half done.
  [[nodiscard]] store::LockFile take_turn(SqliteSession& session) const;
  void finish_half_done(SqliteSession& session) const;
  void remove_doomed(SqliteSession& session) const;
  void remove_some_of(SqliteSession& session, UserNumber owner);
  // Returns the files that no row names.
  [[nodiscard]] std::vector<std::string> unnamed_files(SqliteSession& session) const;

  Connections& connections_;
  FileVersion& version_;
  store::MediaFiles files_;
};

}  // namespace chirp::sqlite
