// Uploads in users.db and their bytes below DIR/media: core/ports/media_store.h.
//
// A row is removed in three steps: its idle time becomes 0, so that it can't be used again; the
// bytes are removed, unless another row names them; the row is removed. So a crash between any two
// leaves neither bytes without a row nor a used row without its bytes.
#pragma once

#include <filesystem>

#include "core/ports/media_store.h"
#include "store/media_files.h"
#include "store/sqlite/connections.h"
#include "store/sqlite/file_version.h"

namespace chirp::sqlite {

class SqliteMediaStore final : public MediaStore {
 public:
  // `connections` and `version` must outlive this; `version` is not used before the first call.
  SqliteMediaStore(Connections& connections, FileVersion& version,
                   const std::filesystem::path& folder)
      : connections_(connections), version_(version), files_(folder) {}

  KeptMedia keep(UserNumber owner, const MediaFacts& facts, std::string_view bytes,
                 std::uint64_t most, Time now) override;
  void restore(const Upload& upload, std::string_view bytes) override;
  [[nodiscard]] std::optional<Upload> find(MediaId id) const override;
  [[nodiscard]] std::shared_ptr<const MediaFile> open(const Upload& upload) const override;
  [[nodiscard]] std::vector<Upload> scan(MediaId after, std::uint32_t limit) const override;
  bool touch_all(std::optional<UserNumber> owner, std::span<const MediaId> uploads,
                 Time now) override;
  [[nodiscard]] std::vector<MediaId> idle(Time before, std::uint32_t limit) const override;
  std::uint64_t remove_idle(std::span<const MediaId> uploads, Time before) override;
  void remove_of(UserNumber owner) override;
  bool begin_sweep(Time now, Time since) override;
  [[nodiscard]] std::vector<MediaProblem> problems() const override;
  void repair() override;
  // Finishes what a killed process left half done. Does not block.
  void finish_half_done();

 private:
  // Takes the turn, and finishes what a killed process left half done.
  [[nodiscard]] store::LockFile take_turn(Connection& connection) const;
  void finish_half_done(Connection& connection) const;
  void remove_doomed(Connection& connection) const;
  void remove_some_of(Connection& connection, UserNumber owner);
  // Returns files that no row names.
  [[nodiscard]] std::vector<std::string> orphans(Connection& connection) const;

  Connections& connections_;
  FileVersion& version_;
  store::MediaFiles files_;
};

}  // namespace chirp::sqlite
