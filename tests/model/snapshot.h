// One state of the in-memory store, never changed again.
#pragma once

#include <memory>

#include "core/ports/snapshot.h"
#include "tests/model/state.h"

namespace chirp::model {

class ModelSnapshot : public Snapshot {
 public:
  explicit ModelSnapshot(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  [[nodiscard]] StoreState state() const override { return state_->scalars; }

  [[nodiscard]] std::vector<std::optional<Post>> posts_at(
      std::span<const PostId> ids) const override;
  [[nodiscard]] std::vector<UserCounters> counters(
      std::span<const UserNumber> numbers) const override;
  [[nodiscard]] std::vector<ContentCounters> content_counters(
      std::span<const ContentId> contents) const override;
  [[nodiscard]] std::vector<ViewerRelation> bonds(
      UserNumber viewer, std::span<const UserNumber> others) const override;

  [[nodiscard]] FeedSources feed_sources(UserNumber viewer) const override;
  [[nodiscard]] std::vector<Entry> timeline_entries(UserNumber viewer, IdRange range,
                                                    Direction direction,
                                                    std::uint32_t limit) const override;
  [[nodiscard]] std::vector<Entry> author_entries(const LogsOf& logs, IdRange range,
                                                  Direction direction,
                                                  std::uint32_t limit) const override;

  [[nodiscard]] std::optional<Timeline> timeline(UserNumber viewer) const override;
  [[nodiscard]] std::vector<UserNumber> scan_timelines(UserNumber after,
                                                       std::uint32_t limit) const override;
  [[nodiscard]] std::optional<Time> oldest_key() const override;
  [[nodiscard]] std::vector<std::string_view> traces_of(UserNumber user) const override;
  [[nodiscard]] std::map<std::string, std::uint64_t> table_rows() const override;
  [[nodiscard]] std::vector<std::string> problems() const override { return {}; }

  void find_rows(const TableType& type, std::span<const void* const> keys,
                 std::span<void* const> found) const override {
    model::find_rows(*state_, type, keys, found);
  }
  std::size_t find_ranges(const TableType& type, std::span<const AnyEnds> wanted,
                          Direction direction, std::uint32_t limit, std::uint64_t enough,
                          std::span<void* const> found) const override {
    return model::find_ranges(*state_, type, wanted, direction, limit, enough, found);
  }

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace chirp::model
