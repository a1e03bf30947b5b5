// Uploads in a database, rows and bytes: core/ports/media_store.h.
//
// A row and its bytes are written and removed in one transaction. To avoid deadlocks, locks are
// taken in this order: the turn of users, the owner's row, hashes ascending, rows of uploads by id.
#pragma once

#include "store/postgres/cluster/connections.h"
#include "store/users/sql_media_store.h"

namespace chirp::postgres {

class PostgresMediaStore final : public users::SqlMediaStore {
 public:
  // The connections must outlive this.
  explicit PostgresMediaStore(Connections& connections) : connections_(connections) {}

  KeptMedia keep(UserNumber owner, const MediaFacts& facts, std::string_view bytes,
                 std::uint64_t most, Time now) override;
  void restore(const Upload& upload, std::string_view bytes) override;
  [[nodiscard]] std::shared_ptr<const MediaFile> open(const Upload& upload) const override;
  bool touch_all(std::optional<UserNumber> owner, std::span<const MediaId> uploads,
                 Time now) override;
  std::uint64_t remove_idle(std::span<const MediaId> uploads, Time before) override;
  void remove_of(UserNumber owner) override;
  void repair() override;

 private:
  [[nodiscard]] std::unique_ptr<users::SqlSession> lend() const override;
  [[nodiscard]] std::string damaged_bytes(const Upload& upload) const override;
  [[nodiscard]] std::vector<MediaProblem> orphans() const override;
  // Returns false if the owner has no more uploads.
  bool remove_some_of(UserNumber owner);

  Connections& connections_;
};

}  // namespace chirp::postgres
