#include "core/hot/hot_set.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/deltas.h"
#include "core/ports/reads.h"

namespace chirp::hot {
namespace {

using events::Event;
using events::Topic;

// A repost, its original, and what the reader says of that are found one after the other.
constexpr int kRoundsMax = 4;
// A longer tail of the log is not followed: what is held is soon read again.
constexpr std::uint64_t kTailMax = 65'536;
// So many arrivals are known that most readers come again while theirs still are.
constexpr std::size_t kArrivalsMax = std::size_t{1} << 20;
constexpr std::size_t kArrivalsShare = 16;  // of the bound, one in so many bytes

std::size_t arrivals_in(std::size_t bytes) {
  return std::min(kArrivalsMax, bytes / kArrivalsShare / Arrivals::kBytesEach);
}

// Other requests are refused, or read by who does it.
bool is_plain(const feed::PageRequest& request) {
  const bool both = request.before && request.after;
  return !both && request.limit >= 1 && request.limit <= limits::kPostPageMax;
}

// A reader who starts at the top probably reads the top again.
std::size_t wanted_at_first(const feed::PageRequest& request) {
  if (request.before || request.after) return 0;
  return request.limit + 1 + request.limit / 8;
}

// What has happened since `from`; empty if the log does not say all of it, or too much.
std::optional<std::vector<Event>> tail_of(const Snapshot& snapshot, const StoreState& state,
                                          Sequence from) {
  if (from < state.log_first || from > state.log_end) return std::nullopt;
  const std::uint64_t count = state.log_end.value - from.value;
  if (count > kTailMax) return std::nullopt;
  if (count == 0) return std::vector<Event>();
  try {
    auto events = reads::events(snapshot, from, static_cast<std::uint32_t>(count));
    if (events.size() == count) return events;
  } catch (const Error& error) {
    // A page that needs no damaged event is shown all the same.
    if (error.code() != ErrorCode::kCorrupt) throw;
  }
  return std::nullopt;
}

// A load of posts alone has a generation of its own, and says what it concerns.
std::uint64_t generations_told(std::span<const Event> events) {
  return static_cast<std::uint64_t>(std::ranges::count_if(events, [](const Event& event) {
    return event.topic == Topic::kLoadBatch && event.post != PostId{};
  }));
}

// Tells the window of the event's actor; false if the post has to stand in it and does not.
bool changes_deeds(Window& window, const Event& event) {
  switch (event.topic) {
    case Topic::kReactionSet:
    case Topic::kReactionRemoved:
      return event.comment != kNoComment ||
             window.react(event.post,
                          event.topic == Topic::kReactionSet ? event.reaction : std::nullopt);
    case Topic::kRepostCreated:
      return window.repost(event.original, true);
    case Topic::kRepostRemoved:
      // A window in which the original did not stand went when it was reposted.
      (void)window.repost(event.original, false);
      return true;
    default:
      return true;
  }
}

}  // namespace

class HotSet::All {
 public:
  explicit All(HotSet& set) : set_(set) {
    for (Shard& shard : set_.shards_) shard.mutex.lock();
  }
  ~All() {
    for (Shard& shard : set_.shards_) shard.mutex.unlock();
  }
  All(const All&) = delete;
  All& operator=(const All&) = delete;

 private:
  HotSet& set_;
};

HotSet::HotSet(const Storage& storage, const Clock& clock, std::size_t bytes,
               const feed::PostSerializer* printer)
    : storage_(storage),
      clock_(clock),
      bytes_max_(bytes),
      arrivals_bytes_(arrivals_in(bytes) * Arrivals::kBytesEach),
      library_(printer),
      arrivals_(arrivals_in(bytes)) {}

HotSet::Key HotSet::key_of(const feed::PageRequest& request) {
  return {request.viewer, request.as_if == feed::Policy::kPull};
}

Sequence HotSet::taken_in(const StoreState& state) const {
  return state.fan_out_queue == 0 ? state.fan_out : Sequence{0};
}

// ---------------------------------------------------------------- pages

feed::Page HotSet::page(const feed::PageRequest& request) {
  if (is_plain(request)) {
    const std::int64_t start = clock_.steady_ns();
    // Whatever was written before this page was asked for is in this version.
    auto held = look_up(request, storage_.version(), {});
    if (held && held->page) {
      held->page->cost.micros = static_cast<std::uint64_t>(clock_.steady_ns() - start) / 1000;
      return std::move(*held->page);
    }
  }
  return page(*storage_.snapshot(), request);
}

std::optional<feed::Page> HotSet::held_page(const feed::PageRequest& request) {
  if (!is_plain(request)) return std::nullopt;
  const std::int64_t start = clock_.steady_ns();
  Shard& shard = shard_of(request.viewer);
  // While the set moves on, its locks are held for as long as that takes.
  const std::unique_lock lock(shard.mutex, std::try_to_lock);
  if (!lock.owns_lock() || state_.version != storage_.version()) return std::nullopt;
  auto held = look_up(shard, request, {});
  if (!held.page) return std::nullopt;
  held.page->cost.micros = static_cast<std::uint64_t>(clock_.steady_ns() - start) / 1000;
  return std::move(held.page);
}

feed::Page HotSet::page(const Snapshot& snapshot, const feed::PageRequest& request) {
  if (is_plain(request)) {
    const StoreState state = snapshot.state();
    advance(snapshot, state);
    std::size_t wanted = 0;
    Brought brought;
    for (int round = 0; round < kRoundsMax; ++round) {
      auto held = look_up(request, state.version, brought);
      if (held && held->page) {
        if (round > 0) make_room();
        return std::move(*held->page);
      }
      wanted = held ? held->wanted : 0;
      if (!held || !held->lacking.any()) break;
      brought.add(snapshot, request.viewer, held->lacking);
    }
    if (wanted != 0) return filled_page(snapshot, state, request, wanted);
  }
  ++from_store_;
  return feed::hydrated_page(snapshot, request, clock_);
}

std::optional<HotSet::Held> HotSet::look_up(const feed::PageRequest& request, std::uint64_t version,
                                            const Brought& brought) {
  Shard& shard = shard_of(request.viewer);
  const std::lock_guard lock(shard.mutex);
  if (state_.version != version) return std::nullopt;
  for (const PostHold& post : brought.posts) (void)library_.keep(post);
  for (const CardHold& card : brought.cards) (void)library_.keep(card);
  return look_up(shard, request, brought);
}

HotSet::Held HotSet::look_up(Shard& shard, const feed::PageRequest& request,
                             const Brought& brought) {
  const Key key = key_of(request);
  const auto* const found = shard.windows.find(key);
  if (found == nullptr) return {std::nullopt, wanted_at_first(request)};
  Window& window = **found;
  if (window.position() != state_.log_end) {
    Lacking lacking;
    const auto taken = arrivals_.reach(window.position())
                           ? window.take_in(arrivals_, state_.log_end, library_, brought, lacking)
                           : Window::Taken::kUseless;
    if (taken == Window::Taken::kLacking) {
      return {std::nullopt, wanted_at_first(request), std::move(lacking)};
    }
    const std::size_t before = shard.windows.bytes();
    if (taken == Window::Taken::kAll) {
      shard.windows.charge(key, window.bytes());
    } else {
      shard.windows.erase(key);
    }
    window_bytes_ += shard.windows.bytes() - before;
    if (taken == Window::Taken::kUseless) return {std::nullopt, wanted_at_first(request)};
  }
  if (request.explain == feed::Explain::kYes && !window.explains(state_)) {
    return {std::nullopt, wanted_at_first(request)};
  }
  auto page = window.page(request, From::kMemory, taken_in(state_));
  if (!page) return {std::nullopt, window.wanted_for(request)};
  page->generated_at = clock_.now();
  page->upkeep = window.upkeep(page->generated_at);
  page->cost.from_memory = brought.empty();
  ++(page->cost.from_memory ? from_memory_ : from_store_);
  return {std::move(page), 0};
}

// A window of the snapshot's own, made without any lock: what the store has may take its time.
feed::Page HotSet::filled_page(const Snapshot& snapshot, const StoreState& state,
                               const feed::PageRequest& request, std::size_t wanted) {
  ++from_store_;
  const std::int64_t start = clock_.steady_ns();
  const Time now = clock_.now();
  auto window = std::make_unique<Window>(snapshot, request.viewer, request.as_if, wanted, now);
  auto page = window->page(request, From::kStore, taken_in(state));
  if (!page) return feed::hydrated_page(snapshot, request, clock_);
  page->generated_at = now;
  page->warm = window->warm();
  page->upkeep = window->upkeep(now);
  keep(request, std::move(window), state.version);
  make_room();
  page->cost.micros = static_cast<std::uint64_t>(clock_.steady_ns() - start) / 1000;
  return std::move(*page);
}

void HotSet::keep(const feed::PageRequest& request, std::unique_ptr<Window> window,
                  std::uint64_t version) {
  Shard& shard = shard_of(request.viewer);
  const std::lock_guard lock(shard.mutex);
  if (state_.version != version) return;
  window->share(library_);
  const std::size_t before = shard.windows.bytes();
  const std::size_t bytes = window->bytes();
  shard.windows.put(key_of(request), std::move(window), bytes);
  window_bytes_ += shard.windows.bytes() - before;
}

// ---------------------------------------------------------------- moving on

void HotSet::advance(const Snapshot& snapshot, const StoreState& state) {
  for (;;) {
    Sequence from;
    {
      const std::lock_guard lock(shards_.front().mutex);
      if (state_.version >= state.version) return;
      from = state_.log_end;
    }
    const auto tail = tail_of(snapshot, state, from);
    Dropped dropped;  // freed when the locks are open again
    const All all(*this);
    if (state_.version >= state.version) return;
    if (state_.log_end != from) continue;  // another thread was quicker, and not as far
    const bool told = tail && state_.generation + generations_told(*tail) == state.generation &&
                      state_.unlogged == state.unlogged && state_.version != 0;
    state_ = state;
    if (told) apply_all(*tail, snapshot);
    if (!told) drop_all();
    dropped = std::exchange(dropped_, {});
    return;
  }
}

void HotSet::drop_all() {
  for (Shard& shard : shards_) {
    if (shard.windows.size() == 0) continue;
    dropped_.windows.push_back(std::exchange(shard.windows, {}));
  }
  window_bytes_ = 0;
  if (library_.records() != 0) dropped_.records = library_.take_all();
  arrivals_.clear(state_.log_end);
}

// What fails half-way leaves nothing that is half-way.
void HotSet::apply_all(std::span<const Event> events, const Snapshot& snapshot) {
  try {
    for (const Event& event : events) apply(event, snapshot);
  } catch (const Error&) {
    drop_all();  // a card that can't be read concerns the pages that show it
  } catch (...) {
    drop_all();
    throw;
  }
}

void HotSet::apply(const Event& event, const Snapshot& snapshot) {
  std::vector<ContentDelta> counted;
  events::append_content_deltas(event, counted);
  for (const ContentDelta& delta : counted) library_.count({delta.content.value}, delta.change);
  switch (event.topic) {
    case Topic::kPostCreated:
      return arrivals_.add(event.sequence, event.post, event.actor, event.privacy);
    case Topic::kRepostCreated:
      arrivals_.add(event.sequence, event.post, event.actor, event.privacy);
      return change_deeds(event);
    case Topic::kPostRemoved:
      arrivals_.remove(event.post, event.actor);
      return library_.remove(event.post);
    case Topic::kRepostRemoved:
      arrivals_.remove(event.post, event.actor);
      library_.remove(event.post);
      return change_deeds(event);
    case Topic::kUserEdited:
      if (!library_.has(event.actor)) return;
      if (auto card = reads::cards(snapshot, {&event.actor, 1}).front()) {
        library_.replace(std::move(*card));
      }
      return;
    case Topic::kReactionSet:
    case Topic::kReactionRemoved:
      return change_deeds(event);
    case Topic::kBlockAdded:
    case Topic::kBlockRemoved:
    case Topic::kMuteAdded:
    case Topic::kMuteRemoved:
      let_go(event.other);
      return let_go(event.actor);
    case Topic::kUserCreated:
    case Topic::kFollowAdded:
    case Topic::kFollowRemoved:
    case Topic::kFollowSwitched:
      return let_go(event.actor);
    case Topic::kTierChanged:
    case Topic::kCommentCreated:
    case Topic::kCommentRemoved:
    case Topic::kMentionCreated:
      return;
    case Topic::kUserRemoved:
    case Topic::kUserSuspended:
    case Topic::kUserUnsuspended:
      break;
    case Topic::kLoadBatch:
      if (event.post == PostId{}) break;
      return arrivals_.add_load(event.sequence, event.post);
  }
  drop_all();
}

void HotSet::let_go(UserNumber reader) {
  Shard& shard = shard_of(reader);
  const std::size_t before = shard.windows.bytes();
  shard.windows.erase({reader, false});
  shard.windows.erase({reader, true});
  window_bytes_ += shard.windows.bytes() - before;
}

// What its actor did with a post, in the windows of theirs. One in which the post does not stand
// may yet take it in as one that its reader did nothing with, so it goes.
void HotSet::change_deeds(const Event& event) {
  for (const bool pulled : {false, true}) {
    const auto* const held = shard_of(event.actor).windows.find({event.actor, pulled});
    if (held != nullptr && !changes_deeds(**held, event)) return let_go(event.actor);
  }
}

// ---------------------------------------------------------------- room

// Posts that no window shows give way first: a window costs a walk to fill again, and a post one
// look.
void HotSet::make_room() {
  constexpr std::size_t kWindowsAtOnce = 4;
  constexpr std::size_t kRecordsAtOnce = 64;
  constexpr std::size_t kStepsMax = 4096;
  std::size_t swept = 0;  // records, since the last window went
  for (std::size_t i = 0; i < kStepsMax && use().bytes > bytes_max_; ++i) {
    if (library_.forget_left(kRecordsAtOnce)) continue;
    // Twice over the records is enough: what is left is on pages that are being shown.
    if (window_bytes_ != 0) swept = 0;
    if (swept > 2 * library_.records()) return;
    swept += kRecordsAtOnce;
    Shard& shard = shards_[hand_++ % shards_.size()];
    {
      const std::lock_guard lock(shard.mutex);
      const std::size_t before = shard.windows.bytes();
      for (std::size_t j = 0; j < kWindowsAtOnce; ++j) {
        shard.windows.step([](const auto&) { return true; });
      }
      window_bytes_ += shard.windows.bytes() - before;
    }
    library_.sweep(kRecordsAtOnce);
  }
}

Use HotSet::use() const {
  return {window_bytes_ + library_.bytes() + arrivals_bytes_, from_memory_, from_store_};
}

}  // namespace chirp::hot
