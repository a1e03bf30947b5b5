// A snapshot of a store that is far away: what it is asked is answered by another, and each
// exchange is counted that it would take.
//
// It reads ahead, as such a store does. What a page starts from comes at once, with the newest part
// of the timeline and how the viewer stands to others; with posts come the cards of whoever is
// known to have written them, what is counted of them, the viewer's reactions and reposts, and what
// the walk goes on with.
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
  // How often posts were fetched, but for originals of reposts.
  [[nodiscard]] int windows() const { return windows_; }

  [[nodiscard]] StoreState state() const override;
  [[nodiscard]] std::vector<std::optional<Post>> posts_at(
      std::span<const PostId> ids) const override;
  [[nodiscard]] std::vector<UserCounters> counters(
      std::span<const UserNumber> numbers) const override;
  [[nodiscard]] std::vector<ContentCounters> content_counters(
      std::span<const ContentId> contents) const override;
  [[nodiscard]] std::vector<Bond> bonds(UserNumber viewer,
                                        std::span<const UserNumber> others) const override;
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
  // Logs to be merged from a bound on.
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
  mutable std::vector<UserNumber> authors_;  // of the viewer's feed, the viewer among them
  mutable PostId complete_from_;
  mutable std::map<PostId, UserNumber> written_by_;  // as entries and reposts have said
  mutable std::set<PostId> originals_;               // of the last window's reposts
  mutable std::set<UserNumber> met_;
  mutable std::set<ContentId> contents_;
  mutable std::vector<Logs> next_;   // go along with the next round
  mutable std::vector<Logs> ahead_;  // have gone along with one
};

}  // namespace chirp::test
