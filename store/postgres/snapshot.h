// A snapshot: a number, and the state of it. The first question brings both along.
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
#include "store/postgres/ahead.h"
#include "store/postgres/log_tail.h"
#include "store/postgres/pulled.h"
#include "store/postgres/reading.h"
#include "store/postgres/state.h"
#include "store/postgres/timelines.h"
#include "store/postgres/turn.h"

namespace chirp::postgres {

// As many rows of a stretch as there are.
inline constexpr std::uint32_t kAllRows = std::numeric_limits<std::uint32_t>::max();

// What a process keeps of the newest state, for all of its snapshots.
struct Remembered {
  LogTail tail;
  PulledMarks pulled;
  // What the state that was read last leads to expect of the next one: it is asked for along with
  // that. Where the state says otherwise it is asked for behind it.
  void expect(const StoredState& state) {
    cap = state.settings.cap;
    has_removals = state.removals != 0;
    has_queue = state.fan_out_queue != 0;
    number = static_cast<std::int64_t>(state.version);
  }
  std::atomic<std::uint32_t> cap{0};  // unknown
  std::atomic<bool> has_removals{true};
  std::atomic<bool> has_queue{true};
  std::atomic<std::int64_t> number{0};  // of a state that was published
};

class Inspector;

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
  friend class Inspector;  // of problems()

  // Asks in one round trip; the first one fixes the number, or one before it where not all is asked
  // of one database.
  void in_round(const std::function<void(Questions&)>& ask, Where where = Where::kAnywhere) const;
  void begin() const;
  // Throws Error{kUnavailable} if what is read from may have been swept.
  void check_age() const;
  void ask_state(Questions& questions) const;
  void ask_going(Questions& questions) const;
  // False if it can't be.
  [[nodiscard]] bool pin() const;
  [[nodiscard]] const StoredState& stored_state() const {
    begin();
    return *state_;
  }
  [[nodiscard]] bool is_going(UserNumber author) const;
  // What is known of the viewer's stored timeline, as it was read first; null for none.
  [[nodiscard]] std::optional<StoredTimeline>& stored(UserNumber viewer) const;
  // Fetches the rest of one.
  void complete(UserNumber viewer, const std::function<void(Questions&)>& along) const;
  [[nodiscard]] bool is_seen(const std::optional<StoredTimeline>& timeline) const;
  // Events from there to the end of the log.
  [[nodiscard]] std::vector<events::Event> events_from(Sequence from) const;
  // What a page starts from, as it comes.
  struct Sources;
  void ask_sources(Questions& questions, UserNumber viewer, Sources& sources) const;
  void ask_of_viewer(Questions& questions, UserNumber viewer, Sources& sources) const;
  // False if what was found is not all that there is.
  [[nodiscard]] bool ask_early(UserNumber viewer, Sources& sources) const;
  void ask_shared(Questions& questions, Sources& sources) const;
  [[nodiscard]] std::vector<feed::AuthorMark> marks_of(const Sources& sources,
                                                       UserNumber viewer) const;
  [[nodiscard]] std::vector<Entry> pending(const FeedSources& sources, UserNumber viewer,
                                           std::span<const FanOutRow> queue) const;

  mutable Reading reading_;
  std::shared_ptr<Remembered> remembered_;
  std::function<std::chrono::steady_clock::time_point()> now_;
  Safeguard without_;    // left out
  std::int64_t reader_;  // of its pin
  mutable std::optional<StoredState> state_;
  mutable std::optional<std::vector<UserNumber>> going_;  // marked as removed, ascending
  mutable std::chrono::steady_clock::time_point kept_{};  // from then on, without a pin
  mutable bool is_lost_ = false;
  mutable bool may_pin_ = true;
  mutable std::map<UserNumber, std::optional<StoredTimeline>> timelines_;
  mutable ReadAhead ahead_;
};

}  // namespace chirp::postgres
