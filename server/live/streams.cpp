#include "server/live/streams.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/ports/caller.h"
#include "core/ports/reads.h"
#include "server/limits.h"
#include "server/live/wire.h"

namespace chirp::live {
namespace {

using social::LivePlace;

Error log_conflict(std::string_view what) {
  return {ErrorCode::kConflict,
          fmt::format("The event log {}. Read the feed, and connect without Last-Event-ID.", what)};
}

Sequence before(Sequence next) { return {next.value - 1}; }

}  // namespace

LogPlace place_at_end(const Snapshot& snapshot, const EventDigests& digests) {
  const Sequence next = snapshot.state().log_end;
  return {next, 0, digests.at(snapshot, before(next))};
}

LogPlace place_after(const Snapshot& snapshot, const EventDigests& digests, const EventId& last) {
  const StoreState state = snapshot.state();
  const Sequence seen{last.number / 4};
  if (seen >= state.log_end) throw log_conflict("does not reach up to that id yet");
  const bool seen_whole = last.number % 4 >= static_cast<std::uint64_t>(LivePlace::kNotification);
  const Sequence next{std::max<std::uint64_t>(seen.value + (seen_whole ? 1 : 0), 1)};
  if (next < state.log_first) throw log_conflict("no longer reaches back to that id");
  if (!last.digest) throw log_conflict("can't be compared with an id of this older form");
  const auto digest = digests.at(snapshot, seen);
  if (!digest) throw log_conflict("no longer reaches back to that id");
  if (*digest != *last.digest) throw log_conflict("is not the one that this id belongs to");
  return {next, last.number, digests.at(snapshot, before(next))};
}

std::string_view name(StreamEnd end) {
  static constexpr std::array<std::string_view, kStreamEnds> kNames{
      "gone", "slow", "denied", "log_trimmed", "log_changed", "stopped"};
  return kNames[static_cast<std::size_t>(end)];
}

Streams::Streams(const Storage& storage, const EventDigests& digests)
    : storage_(storage), digests_(digests) {}

void Streams::join(Joining joining, std::int64_t now_ms) {
  if (streams_.empty()) {
    counted_to_ = joining.opened_at;
    version_.reset();
  }
  ++last_number_.value;
  by_viewer_.emplace(joining.viewer, last_number_);
  Stream& stream = streams_[last_number_];
  stream.number = last_number_;
  stream.place = joining.place;
  stream.heartbeat_at = now_ms;
  stream.ask_at = now_ms + limits::kStreamAllowedMs;
  stream.reader = std::move(joining);
}

StepResult Streams::step(std::int64_t now_ms) {
  const RequestVersions glance;  // one check of the store for all streams and their tokens
  for (auto& [number, stream] : streams_) {
    check(stream, now_ms);
    beat(stream, now_ms);
  }
  sweep();
  if (streams_.empty()) return StepResult::kQuiet;
  if (version_ != storage_.version() || has_ready()) {
    const auto snapshot = storage_.snapshot();
    const StoreState state = snapshot->state();
    // Counts come first, so that a post sent now shows the current counts.
    note_counts(*snapshot, state);
    tell(*snapshot, state);
    send_counts(*snapshot, now_ms);
    log_end_ = state.log_end;
    // Notes the version that was read: a store may announce a commit a moment before it shows it.
    version_ = state.version;
    sweep();
  }
  return result();
}

void Streams::close_all() {
  for (auto& [number, stream] : streams_) stream.end = StreamEnd::kStopped;
  sweep();
}

StreamTally Streams::take_tally() { return std::exchange(tally_, {}); }

// ---- one stream

void Streams::note_flow(Stream& stream) {
  switch (stream.reader.outlet->flow()) {
    case http::Outlet::Flow::kGone:
      stream.end =
          stream.reader.was_cut && *stream.reader.was_cut ? StreamEnd::kDenied : StreamEnd::kGone;
      break;
    case http::Outlet::Flow::kDrained:
      stream.queued_since.reset();
      stream.unsent_events = 0;
      stream.unsent_bytes = 0;
      break;
    case http::Outlet::Flow::kQueued:
      break;
  }
}

void Streams::check(Stream& stream, std::int64_t now_ms) {
  stream.queued_since = stream.queued_since.value_or(now_ms);
  note_flow(stream);
  if (stream.end) return;
  if (stream.queued_since && now_ms - *stream.queued_since >= limits::kStreamStallMs) {
    stream.end = StreamEnd::kSlow;
    return;
  }
  if (now_ms < stream.ask_at) return;
  stream.ask_at = now_ms + limits::kStreamAllowedMs;
  if (!is_allowed(stream.reader.still_allowed)) stream.end = StreamEnd::kDenied;
}

void Streams::beat(Stream& stream, std::int64_t now_ms) {
  if (stream.end || now_ms < stream.heartbeat_at) return;
  stream.heartbeat_at = now_ms + limits::kHeartbeatMs;
  const std::uint64_t id = live_id(before(stream.place.next), LivePlace::kEnd);
  const bool moved = id > stream.place.last_id;
  if (moved) stream.place.last_id = id;
  send(stream, "heartbeat",
       heartbeat(moved ? std::optional(event_id_text(id, stream.place.digest.value_or(0)))
                       : std::nullopt));
}

void Streams::send(Stream& stream, std::string_view event, std::string_view bytes) {
  if (!stream.reader.outlet->send(bytes)) {
    const bool gone = stream.reader.outlet->flow() == http::Outlet::Flow::kGone;
    stream.end = gone ? StreamEnd::kGone : StreamEnd::kSlow;
    return;
  }
  ++stream.unsent_events;
  stream.unsent_bytes += bytes.size();
  ++tally_.events[event];
}

// Whether the stream can take more now.
bool Streams::has_turn(Stream& stream) {
  const auto has_room = [&] {
    return stream.unsent_events < limits::kStreamTurnEvents &&
           stream.unsent_bytes < limits::kStreamTurnBytes;
  };
  if (!stream.end && !has_room()) note_flow(stream);
  return !stream.end && has_room();
}

void Streams::sweep() {
  for (auto at = streams_.begin(); at != streams_.end();) {
    const auto number = at->first;
    const Stream& stream = at->second;
    if (!stream.end) {
      ++at;
      continue;
    }
    ++tally_.ends[static_cast<std::size_t>(*stream.end)];
    if (*stream.end != StreamEnd::kGone) stream.reader.outlet->close();
    watched_.forget(number);
    const auto [begin, end] = by_viewer_.equal_range(stream.reader.viewer);
    by_viewer_.erase(
        std::find_if(begin, end, [&](const auto& one) { return one.second == number; }));
    at = streams_.erase(at);
  }
}

bool Streams::has_ready() {
  return std::any_of(streams_.begin(), streams_.end(), [&](auto& one) {
    Stream& stream = one.second;
    return (stream.place.next < log_end_ || !stream.counts.empty()) && has_turn(stream);
  });
}

StepResult Streams::result() {
  StepResult result = counted_to_ < log_end_ ? StepResult::kMore : StepResult::kQuiet;
  for (auto& [number, stream] : streams_) {
    if (stream.place.next >= log_end_) continue;
    if (has_turn(stream)) return StepResult::kMore;
    result = std::max(result, StepResult::kWaiting);
  }
  return result;
}

// ---- counts

void Streams::note_counts(const Snapshot& snapshot, const StoreState& state) {
  std::size_t looked_at = 0;
  counted_to_ = std::min(counted_to_, state.log_end);  // the log may be shorter after a failover
  while (counted_to_ < state.log_end && looked_at < limits::kLiveStepEvents) {
    const auto events = reads::events(snapshot, counted_to_, limits::kLiveChunkEvents);
    if (events.empty()) {
      counted_to_ = state.log_end;
      return;
    }
    for (const events::Event& event : events) {
      if (const auto counted = social::counted_post(event)) note_count(*counted);
    }
    looked_at += events.size();
    counted_to_ = Sequence{events.back().sequence.value + 1};
  }
}

void Streams::note_count(const social::CountedPost& counted) {
  std::vector<StreamNumber> concerned = watched_.streams_of(counted.post);
  const auto [begin, end] = by_viewer_.equal_range(counted.author);
  for (auto at = begin; at != end; ++at) concerned.push_back(at->second);
  for (const StreamNumber number : concerned) {
    Stream& stream = streams_.at(number);
    if (!stream.counts.changed(counted.post)) stream.end = StreamEnd::kSlow;
  }
}

void Streams::send_counts(const Snapshot& snapshot, std::int64_t now_ms) {
  std::vector<std::pair<Stream*, std::vector<PostId>>> due;
  std::vector<PostId> posts;
  for (auto& [number, stream] : streams_) {
    if (stream.counts.empty() || !has_turn(stream)) continue;
    auto taken = stream.counts.take(now_ms, limits::kStreamTurnEvents - stream.unsent_events);
    if (taken.empty()) continue;
    posts.insert(posts.end(), taken.begin(), taken.end());
    due.emplace_back(&stream, std::move(taken));
  }
  if (due.empty()) return;
  std::sort(posts.begin(), posts.end());
  posts.erase(std::unique(posts.begin(), posts.end()), posts.end());
  social::LiveCounts counts(snapshot, posts);
  for (const auto& [stream, taken] : due) {
    for (const social::PostCount& count : counts.seen_by(stream->reader.viewer, taken)) {
      if (!stream->end) send(*stream, kCounts, block_of(count));
    }
  }
}

// ---- the log

void Streams::tell(const Snapshot& snapshot, const StoreState& state) {
  std::map<Sequence, Group> groups;
  for (auto& [number, stream] : streams_) {
    stream.serving = false;
    if (stream.place.next < state.log_first) stream.end = StreamEnd::kLogTrimmed;
    if (stream.place.next > state.log_end) stream.end = StreamEnd::kLogChanged;
    if (stream.place.next >= state.log_end || !has_turn(stream)) continue;
    groups[stream.place.next].push_back(&stream);
  }
  if (groups.empty()) return;
  // Streams at the end of the log always get a turn; those behind it take turns.
  const auto live = std::prev(groups.end());
  std::size_t looked_at = tell_group(snapshot, live->second);
  groups.erase(live);
  while (!groups.empty() && looked_at < limits::kLiveStepEvents) {
    auto next = groups.lower_bound(turn_);
    if (next == groups.end()) next = groups.begin();
    turn_ = Sequence{next->first.value + 1};
    looked_at += tell_group(snapshot, next->second);
    groups.erase(next);
  }
}

// Sends the next part of the log to the streams at one position. Returns the number of events it
// read.
std::size_t Streams::tell_group(const Snapshot& snapshot, Group& group) {
  // Also reads the event before `next`: after a failover, the new server's history may differ.
  const Sequence next = group.front()->place.next;
  const auto read = reads::events(snapshot, std::max(before(next), snapshot.state().log_first),
                                  limits::kLiveChunkEvents + 1);
  const std::size_t known = read.empty() || read.front().sequence >= next ? 0 : 1;
  const auto events = std::span(read).subspan(known);
  if (events.empty()) return 0;
  std::multimap<UserNumber, Stream*> readers;
  for (Stream* stream : group) {
    if (known != 0 && stream->place.digest && *stream->place.digest != digests_.of(read.front())) {
      stream->end = StreamEnd::kLogChanged;
      continue;
    }
    stream->serving = true;
    readers.emplace(stream->reader.viewer, stream);
  }
  std::vector<UserNumber> viewers;
  for (const auto& [viewer, stream] : readers) {
    if (viewers.empty() || viewers.back() != viewer) viewers.push_back(viewer);
  }
  social::LiveBatch batch(snapshot, events, viewers);
  for (std::size_t at = 0; at < events.size(); ++at) {
    for (const social::LiveMessage& message : batch.messages(at)) {
      tell_message(message, {events, at}, readers);
    }
  }
  const std::uint32_t digest = digests_.of(events.back());
  for (Stream* stream : group) {
    if (stream->serving) {
      stream->place.next = Sequence{events.back().sequence.value + 1};
      stream->place.digest = digest;
    }
    stream->serving = false;
  }
  return events.size();
}

void Streams::tell_message(const social::LiveMessage& message, Telling telling,
                           const std::multimap<UserNumber, Stream*>& readers) {
  const std::string block = block_of(message, digests_.of(telling.events[telling.at]));
  for (const UserNumber viewer : message.to) {
    const auto [begin, end] = readers.equal_range(viewer);
    for (auto at = begin; at != end; ++at) send_message(*at->second, message, telling, block);
  }
  const auto* removal = std::get_if<social::LiveRemoval>(&message.what);
  if (removal == nullptr) return;
  // A post that was sent on a stream is withdrawn there, whether or not its reader could still see
  // it.
  for (const StreamNumber number : watched_.streams_of(removal->post)) {
    send_message(streams_.at(number), message, telling, block);
  }
}

void Streams::send_message(Stream& stream, const social::LiveMessage& message, Telling telling,
                           const std::string& block) {
  if (!stream.serving || message.id <= stream.place.last_id) return;
  if (!has_turn(stream)) {
    stream.serving = false;
    stream.place.next = telling.events[telling.at].sequence;
    if (telling.at != 0) stream.place.digest = digests_.of(telling.events[telling.at - 1]);
    return;
  }
  send(stream, name(message), block);
  if (stream.end) return;
  stream.place.last_id = message.id;
  const auto* item = std::get_if<feed::FeedItem>(&message.what);
  if (item == nullptr) return;
  watched_.add(stream.number, item->entry);
  watched_.add(stream.number, item->post->id);
}

}  // namespace chirp::live
