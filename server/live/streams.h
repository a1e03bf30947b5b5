// The open streams, and the messages due on each of them. Everything happens in step(), on one
// thread; the caller passes the time.
//
// Each stream has its own position in the log, so the log is the buffer: a reader gets a limited
// part at a time, and the next when that has drained. Streams at the same position are served
// together. If a step ends early, even by an exception, the next one continues its work.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/storage.h"
#include "core/social/live.h"
#include "server/http/exchange.h"
#include "server/live/event_ids.h"
#include "server/live/open_streams.h"
#include "server/live/watched_posts.h"

namespace chirp::live {

// The position of a stream in the log.
struct LogPlace {
  Sequence next;              // the first event that is not completely processed
  std::uint64_t last_id = 0;  // of the newest message seen
  // The digest of the event before `next`; empty if the log did not have it.
  std::optional<std::uint32_t> digest = {};
};

// Returns the end of the log: existing events will not be sent.
[[nodiscard]] LogPlace place_at_end(const Snapshot& snapshot, const EventDigests& digests);
// Returns the position after the message with this id. Throws Error{kConflict} if the log no longer
// reaches back to it, does not reach it yet, or has another history than the id.
[[nodiscard]] LogPlace place_after(const Snapshot& snapshot, const EventDigests& digests,
                                   const EventId& last);

struct Joining {
  UserNumber viewer;
  LogPlace place;      // where to continue
  Sequence opened_at;  // the end of the log at opening: counts are sent from there on
  std::shared_ptr<http::Outlet> outlet;
  std::function<bool()> still_allowed;
  std::shared_ptr<void> slot;  // held while the stream lives, like the next
  std::shared_ptr<void> line = {};
  std::shared_ptr<const std::atomic<bool>> was_cut = {};  // true once it is no longer allowed
};

enum class StreamEnd : std::uint8_t { kGone, kSlow, kDenied, kLogTrimmed, kLogChanged, kStopped };
inline constexpr std::size_t kStreamEnds = 6;
[[nodiscard]] std::string_view name(StreamEnd end);

// The work done since the last call.
struct StreamTally {
  std::map<std::string_view, std::uint64_t> events;  // sent, by name
  std::array<std::uint64_t, kStreamEnds> ends{};     // indexed by StreamEnd
};

enum class StepResult : std::uint8_t {
  kQuiet,    // until the log grows or time passes
  kWaiting,  // for a reader to drain
  kMore,     // work to do now
};

class Streams {
 public:
  // `storage` and `digests` must outlive this object.
  Streams(const Storage& storage, const EventDigests& digests);

  // Adds a stream, served from the next step on. It starts with a heartbeat with its position.
  void join(Joining joining, std::int64_t now_ms);
  StepResult step(std::int64_t now_ms);
  // Ends all streams.
  void close_all();

  [[nodiscard]] std::size_t size() const { return streams_.size(); }
  [[nodiscard]] StreamTally take_tally();

 private:
  struct Stream {
    StreamNumber number;
    Joining reader;
    LogPlace place;
    std::int64_t heartbeat_at = 0;
    std::int64_t ask_at = 0;
    std::optional<std::int64_t> queued_since;
    std::size_t unsent_events = 0;  // since it was last drained
    std::size_t unsent_bytes = 0;
    bool serving = false;  // its group is being served, and it still has a turn
    CountsQueue counts;
    std::optional<StreamEnd> end;
  };
  using Group = std::vector<Stream*>;  // at the same position

  static void check(Stream& stream, std::int64_t now_ms);
  void beat(Stream& stream, std::int64_t now_ms);
  void note_counts(const Snapshot& snapshot, const StoreState& state);
  void note_count(const social::CountedPost& counted);
  void tell(const Snapshot& snapshot, const StoreState& state);
  std::size_t tell_group(const Snapshot& snapshot, Group& group);
  // The events of a group's turn, and the index of the one being sent.
  struct Telling {
    std::span<const events::Event> events;
    std::size_t at;
  };
  void tell_message(const social::LiveMessage& message, Telling telling,
                    const std::multimap<UserNumber, Stream*>& readers);
  void send_message(Stream& stream, const social::LiveMessage& message, Telling telling,
                    const std::string& block);
  void send_counts(const Snapshot& snapshot, std::int64_t now_ms);
  void send(Stream& stream, std::string_view event, std::string_view bytes);
  static void note_flow(Stream& stream);
  [[nodiscard]] static bool has_turn(Stream& stream);
  [[nodiscard]] bool has_ready();
  void sweep();
  [[nodiscard]] StepResult result();

  const Storage& storage_;
  const EventDigests& digests_;
  std::map<StreamNumber, Stream> streams_;
  std::multimap<UserNumber, StreamNumber> by_viewer_;
  WatchedPosts watched_;
  StreamNumber last_number_{0};
  std::optional<std::uint64_t> version_;  // of the state last read
  Sequence log_end_{0};                   // in that state
  Sequence counted_to_{0};                // the first event whose changes of counts are not noted
  Sequence turn_{0};                      // the position of the group to serve next
  StreamTally tally_;
};

}  // namespace chirp::live
