// The engine's store, with its number of events recorded in the user directory. When a directory is
// opened, this mark reveals stores of different times.
//
// The mark lags at most kNoteEvery events behind, and is exact at the end. It is a safeguard, not
// data: a failure to record it does not fail the change.
//
// Each write is followed by a check that the directory is still in its place.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "core/rules/writing.h"
#include "store/directory_watch.h"

namespace chirp::store {

class MarkedStorage final : public rules::DecidingStorage {
 public:
  static constexpr std::uint64_t kNoteEvery = 1000;

  // Records the sequence of the last event.
  using Note = std::function<void(Sequence)>;

  // `noted` is the current mark. `note` is called from any thread, one call at a time. `watch` must
  // outlive this; null for a store that is never written.
  MarkedStorage(std::unique_ptr<Storage> inner, Sequence noted, Note note, DirectoryWatch* watch);
  ~MarkedStorage() override = default;

  // Returns the final value for the mark, if this process has written.
  [[nodiscard]] std::optional<Sequence> unnoted() const;

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override { return inner_->snapshot(); }
  [[nodiscard]] std::uint64_t version() const override { return inner_->version(); }
  [[nodiscard]] std::optional<Error> refusal(SpaceUse use) const override {
    return inner_->refusal(use);
  }
  bool decide(Time now, Purpose purpose, const Decision& decision) override;
  [[nodiscard]] std::unique_ptr<BulkEdges> bulk_edges(const BulkOptions& options) override;
  [[nodiscard]] bool bulk_pays(std::span<const LoadedEdge> some, std::uint64_t all) const override {
    return inner_->bulk_pays(some, all);
  }
  void settle() override;
  [[nodiscard]] std::shared_ptr<void> early_entries() override { return inner_->early_entries(); }
  [[nodiscard]] bool early_pays() const override { return inner_->early_pays(); }
  [[nodiscard]] std::unique_ptr<Scratch> scratch(std::string_view doing,
                                                 std::size_t memory) override {
    return inner_->scratch(doing, memory);
  }
  std::uint64_t repair_indexes(Time now) override;

 private:
  class MarkedBulk;

  // Called after a commit whose last event in the log is `last`.
  void wrote(Sequence last);

  std::unique_ptr<Storage> inner_;
  Note note_;
  DirectoryWatch* watch_;
  std::atomic<std::uint64_t> last_{0};  // the last event written by this process
  std::mutex noting_;
  std::atomic<std::uint64_t> noted_;
};

}  // namespace chirp::store
