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
#include <span>
#include <vector>

#include "core/ports/forwarding_storage.h"
#include "core/rules/writing.h"
#include "store/directory_watch.h"

namespace chirp::store {

class MarkedStorage final : public ForwardingStorage {
 public:
  static constexpr std::uint64_t kNoteEvery = 1000;

  // Records the sequence of the last event.
  using Note = std::function<void(Sequence)>;

  // `noted` is the current mark. `note` is called from any thread, one call at a time. `watch` must
  // outlive this; null for a store that is never written.
  MarkedStorage(std::unique_ptr<Storage> inner, Sequence noted, Note note, DirectoryWatch* watch);

  // Returns the final value for the mark, if this process has written.
  [[nodiscard]] std::optional<Sequence> unnoted() const;

  std::vector<Outcome> write(std::span<const Change> changes, Time now) override {
    return rules::write_by_deciding(*this, changes, now);
  }
  bool decide(Time now, Purpose purpose, const Decision& decision) override;
  [[nodiscard]] std::unique_ptr<BulkEdges> bulk_edges(const BulkOptions& options) override;
  void settle() override;
  std::uint64_t repair_indexes(Time now) override;

 private:
  class MarkedBulk;

  // Called after a commit whose last event in the log is `last`.
  void wrote(Sequence last);

  std::unique_ptr<Storage> owned_;
  Note note_;
  DirectoryWatch* watch_;
  std::atomic<std::uint64_t> last_{0};  // the last event written by this process
  std::mutex noting_;
  std::atomic<std::uint64_t> noted_;
};

}  // namespace chirp::store
