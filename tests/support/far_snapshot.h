// A snapshot that simulates a remote store: it passes calls to another snapshot, and counts the
// round trips they would need.
//
// It prefetches like such a store. The first round brings the start of a page, with the newest part
// of the timeline and the viewer's relations. Posts come with the cards of authors known so far,
// their counters, the viewer's reactions and reposts, and the next data of the walk.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "core/ports/snapshot.h"

namespace chirp::test {

class FarSnapshot final : public Snapshot {
 public:
  explicit FarSnapshot(const Snapshot& inner) : inner_(inner) {}

  [[nodiscard]] int rounds() const { return rounds_; }
  // The number of fetches of posts, without originals of reposts.
  [[nodiscard]] int windows() const { return windows_; }

  [[nodiscard]] StoreState state() const override;
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

  void find_rows(const TableType& type, std::span<const void* const> keys,
                 std::span<void* const> found) const override;
  std::size_t find_ranges(const TableType& type, std::span<const AnyEnds> wanted,
                          Direction direction, std::uint32_t limit, std::uint64_t enough,
                          std::span<void* const> found) const override;

 private:
  // Logs to merge from a bound on.
  struct Logs {
    std::vector<UserNumber> authors;
    PostId bound;
    bool operator==(const Logs&) const = default;
  };

  [[nodiscard]] bool is_kept(const TableType& type, const void* key) const;
  void begin_round() const;
  void note(std::span<const Entry> entries) const;

  const Snapshot& inner_;
  mutable int rounds_ = 0;
  mutable int windows_ = 0;
  mutable UserNumber viewer_;
  mutable std::vector<UserNumber> authors_;  // of the viewer's feed, including the viewer
  mutable PostId complete_from_;
  mutable std::map<PostId, UserNumber> written_by_;  // known from entries and reposts
  mutable std::set<PostId> originals_;               // of the reposts in the last window
  mutable std::set<UserNumber> met_;
  mutable std::set<ContentId> contents_;
  mutable std::vector<Logs> next_;   // to fetch with the next round
  mutable std::vector<Logs> ahead_;  // fetched with an earlier round
};

}  // namespace chirp::test
