// The engine's store with a mark kept beside it: how many events it has, noted in the user
// directory, so that a directory whose stores are of different times is noticed when it is opened.
//
// The mark follows at the latest kNoteEvery events behind, and at the end. It is a guard and no
// record: a failure to note it is no failure of the change that was made.
//
// Each write is followed by a look whether the directory is still in its place.
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

  // The last event there is.
  using Note = std::function<void(Sequence)>;

  // `noted` is where the mark stands. `note` is called from any thread, one at a time. `watch`
  // outlives this; null for what is never written.
  MarkedStorage(std::unique_ptr<Storage> inner, Sequence noted, Note note, DirectoryWatch* watch);
  ~MarkedStorage() override = default;

  // Where the mark has to move to, if this process has written; for the end.
  [[nodiscard]] std::optional<Sequence> unnoted() const;

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override { return inner_->snapshot(); }
  [[nodiscard]] std::uint64_t version() const override { return inner_->version(); }
  bool decide(Time now, Purpose purpose, const Decision& decision) override;
  void settle_counts() override;
  std::uint64_t repair_indexes(Time now) override;

 private:
  // After a commit that left the log with this as its last event.
  void wrote(Sequence last);

  std::unique_ptr<Storage> inner_;
  Note note_;
  DirectoryWatch* watch_;
  std::atomic<std::uint64_t> last_{0};  // the last event that this process has written
  std::mutex noting_;
  std::atomic<std::uint64_t> noted_;
};

}  // namespace chirp::store
