// The class behind LmdbStorage::snapshot(). Its methods are in snapshot.cpp; problems() is in
// problems.cpp.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/ports/snapshot.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/env.h"
#include "store/lmdb/table_rows.h"
#include "store/lmdb/uncounted.h"

namespace chirp::lmdb {

class LmdbSnapshot final : public Snapshot {
 public:
  LmdbSnapshot(std::shared_ptr<const Env> env, std::shared_ptr<Uncounted> uncounted);

  [[nodiscard]] StoreState state() const override { return state_; }

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
  [[nodiscard]] std::vector<std::string> problems() const override;
  [[nodiscard]] std::vector<std::string> problems_on(Walk& walk) override;
  bool renew() override;
  [[nodiscard]] std::uint64_t held_back() const override;

  void find_rows(const TableType& type, std::span<const void* const> keys,
                 std::span<void* const> found) const override {
    lmdb::find_rows(txn_, state_, nullptr, type, keys, found);
  }
  std::size_t find_ranges(const TableType& type, std::span<const AnyEnds> wanted,
                          Direction direction, std::uint32_t limit, std::uint64_t enough,
                          std::span<void* const> found) const override {
    return lmdb::find_ranges(txn_, state_, type, wanted, direction, limit, enough, found);
  }

 private:
  // Whether the author is being removed: then readers see nothing of theirs.
  [[nodiscard]] bool is_going(UserNumber author) const;

  void read_state_now();

  std::shared_ptr<const Env> env_;
  Env::Reader reader_;
  const Txn& txn_;
  StoredState state_;
  std::shared_ptr<Uncounted> uncounted_;
  std::vector<UserNumber> going_;  // ascending; nearly always empty
};

}  // namespace chirp::lmdb
