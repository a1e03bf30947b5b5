// A snapshot: a commit number and the state of that commit. The first query fetches both.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ports/snapshot.h"
#include "store/postgres/commit/turn.h"
#include "store/postgres/rows/pulled.h"
#include "store/postgres/rows/state.h"
#include "store/postgres/rows/timelines.h"
#include "store/postgres/snapshot/ahead.h"
#include "store/postgres/snapshot/log_tail.h"
#include "store/postgres/snapshot/reading.h"

namespace chirp::postgres {

// No limit on the rows of a range.
inline constexpr std::uint32_t kAllRows = std::numeric_limits<std::uint32_t>::max();

// Caches of the newest state, shared by all snapshots of a process.
struct Remembered {
  LogTail tail;
  PulledMarks pulled;
  // Expectations for the next state, from the state read last: what they predict is queried along
  // with the state. If the state differs, the rest is queried afterwards.
  void expect(const StoredState& state) {
    cap = state.settings.cap;
    has_removals = state.removals != 0;
    has_queue = state.fan_out_queue != 0;
    number = static_cast<std::int64_t>(state.version);
  }
  std::atomic<std::uint32_t> cap{0};  // 0: unknown
  std::atomic<bool> has_removals{true};
  std::atomic<bool> has_queue{true};
  std::atomic<std::int64_t> number{0};  // of a published state
};

class DatabaseInspector;

class PostgresSnapshot final : public Snapshot {
 public:
  PostgresSnapshot(Reading reading, std::shared_ptr<Remembered> remembered,
                   std::function<std::chrono::steady_clock::time_point()> now,
                   Safeguard without = Safeguard::kNone);

  [[nodiscard]] StoreState state() const override { return stored_state(); }

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
  friend class DatabaseInspector;  // for problems()

  // Sends the queries in one round trip. The first call fixes the number, with an extra round trip
  // before it unless a single database answers everything.
  void in_round(const std::function<void(Questions&)>& ask, Where where = Where::kAnywhere) const;
  void begin() const;
  // Throws Error{kUnavailable} if rows of this state may have been swept.
  void check_age() const;
  void ask_state(Questions& questions) const;
  void ask_going(Questions& questions) const;
  // Returns false if the server does not allow it.
  [[nodiscard]] bool pin() const;
  [[nodiscard]] const StoredState& stored_state() const {
    begin();
    return *state_;
  }
  [[nodiscard]] bool is_going(UserNumber author) const;
  // The viewer's stored timeline as first read, or empty.
  [[nodiscard]] std::optional<StoredTimeline>& stored(UserNumber viewer) const;
  // Fetches the rest of a timeline.
  void complete(UserNumber viewer, const std::function<void(Questions&)>& along) const;
  [[nodiscard]] bool is_seen(const std::optional<StoredTimeline>& timeline) const;
  // Events from `from` to the end of the log.
  [[nodiscard]] std::vector<events::Event> events_from(Sequence from) const;
  // The sources of a page, collected as results arrive.
  struct Sources;
  void ask_sources(Questions& questions, UserNumber viewer, Sources& sources) const;
  void ask_of_viewer(Questions& questions, UserNumber viewer, Sources& sources) const;
  // Returns false if the result is incomplete.
  [[nodiscard]] bool ask_early(UserNumber viewer, Sources& sources) const;
  void ask_shared(Questions& questions, Sources& sources) const;
  [[nodiscard]] std::vector<feed::AuthorMark> marks_of(const Sources& sources,
                                                       UserNumber viewer) const;
  [[nodiscard]] std::vector<Entry> pending(const FeedSources& sources, UserNumber viewer,
                                           std::span<const FanOutRow> queue) const;

  mutable Reading reading_;
  std::shared_ptr<Remembered> remembered_;
  std::function<std::chrono::steady_clock::time_point()> now_;
  Safeguard without_;    // the safeguard to leave out
  std::int64_t reader_;  // key of its pin
  mutable std::optional<StoredState> state_;
  mutable std::optional<std::vector<UserNumber>> going_;  // users marked as removed, ascending
  mutable std::chrono::steady_clock::time_point kept_{};  // begun, or last pinned
  mutable bool is_lost_ = false;
  mutable bool may_pin_ = true;
  mutable std::map<UserNumber, std::optional<StoredTimeline>> timelines_;
  mutable ReadAhead ahead_;
};

}  // namespace chirp::postgres
