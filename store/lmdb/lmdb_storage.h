// The class behind open_storage(). Its methods are in storage.cpp, settle.cpp and
// repair.cpp.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/ports/rows.h"
#include "core/rules/writing.h"
#include "store/disk_reserve.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/storage.h"
#include "store/lmdb/uncounted.h"
#include "store/lock_file.h"

namespace chirp::lmdb {

// The lock of loads that must run alone: bulk loads of edges, and loads of posts that write early
// entries. The lock file names the process that holds it. Takes the lock of the data directory at
// `place`; empty if another process has it.
[[nodiscard]] std::optional<store::LockFile> try_load_lock(const std::filesystem::path& place);

class LmdbStorage final : public rules::DecidingStorage {
 public:
  LmdbStorage(std::shared_ptr<Env> env, std::uint32_t machine, store::DiskReserve* reserve)
      : env_(std::move(env)), machine_(machine), reserve_(reserve) {}

  [[nodiscard]] const std::shared_ptr<Env>& env() const { return env_; }

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override;
  [[nodiscard]] std::uint64_t version() const override { return env_->version(); }

  [[nodiscard]] std::optional<Error> refusal(SpaceUse use) const override;
  bool decide(Time now, Purpose purpose, const Decision& decision) override;
  [[nodiscard]] std::unique_ptr<BulkEdges> bulk_edges(const BulkOptions& options) override;
  [[nodiscard]] bool bulk_pays(std::span<const LoadedEdge> some, std::uint64_t all) const override;
  void settle() override;
  [[nodiscard]] std::shared_ptr<void> early_entries() override;
  [[nodiscard]] bool early_pays() const override;
  [[nodiscard]] std::unique_ptr<Scratch> scratch(std::string_view doing,
                                                 std::size_t memory) override;
  std::uint64_t repair_indexes(Time now) override;

 private:
  friend class EdgeBuild;

  // Runs `body` over a batch in a write transaction. Commits unless `body` returns kNothing.
  enum class Verdict : std::uint8_t { kCommit, kNothing };
  std::uint64_t recount_follows(Time now);
  void settle_follows();
  // Ends the build of a dead process, and empties the spare tables. Returns false if a bulk load is
  // in progress.
  bool settle_pairs();
  void end_build();
  void empty_spare();
  // Sets the mark for rows in spare tables that have none. Returns true if there are any.
  bool mark_spare_rows();
  // Undoes what a load left when it died. The caller must hold the lock of loads.
  void take_back_left();
  bool run(Time now, Purpose purpose, const std::function<Verdict(Batch&)>& body);

  std::shared_ptr<Env> env_;
  std::uint32_t machine_;
  store::DiskReserve* reserve_;  // null: no reserve
  EdgePace edge_pace_;
  std::shared_ptr<Uncounted> uncounted_ = std::make_shared<Uncounted>();
};

}  // namespace chirp::lmdb
