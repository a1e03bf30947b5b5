#include "core/events/gatherer.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/ports/reads.h"

namespace chirp::events {
namespace {

// Queued posts looked at in one step.
constexpr std::uint32_t kQueueLook = 4096;
// Number of authors whose followers are read at once.
constexpr std::size_t kAuthorsARead = 256;

// The followers that a post is delivered to at once.
struct EagerFollowers {
  std::size_t number = 0;  // index in the set of deliveries
  UserNumber last;
  bool more = false;
};

// The next followers of an author to deliver to.
struct FollowerBlock {
  std::vector<UserNumber> followers;
  bool more = false;
};
struct ChunkStart {
  UserNumber author;
  UserNumber after;
};

// State of one author during one step.
struct AuthorWork {
  feed::AuthorMark mark;
  bool is_pushed = false;                  // not all of the author's posts are pulled
  std::optional<FollowerBlock> first;      // set once fetched
  std::optional<EagerFollowers> audience;  // set at the first delivery to it
  std::optional<std::size_t> alone;        // the audience of private posts, set at the first one
};

// Queued posts of one author, oldest first.
struct QueuedWork {
  feed::AuthorMark mark;
  std::span<const FanOutRow> rows;
};

// Gathers one step.
class Gathering {
 public:
  Gathering(const Snapshot& snapshot, const FanOutBounds& bounds, const ReadRates& rates,
            EstimateSchedule& schedule, Time now)
      : snapshot_(snapshot),
        state_(snapshot.state()),
        bounds_(bounds),
        rates_(rates),
        schedule_(schedule),
        now_(now) {
    step_.from = state_.fan_out;
    step_.to = state_.fan_out;
    step_.active_since = Time{now.ms - state_.settings.active_days * kDayMs};
  }

  [[nodiscard]] bool idle() const {
    return state_.fan_out == state_.log_end && state_.fan_out_queue == 0;
  }

  void take_log(const Bindings& bindings) {
    Inbox inbox = take_in(snapshot_, state_.fan_out, bounds_.events, bindings);
    std::erase_if(inbox.events, [](const Event& event) { return !makes_entry(event.topic); });
    meet_authors(inbox.events);
    fetch_first_chunks(inbox.events);
    step_.to = inbox.next;
    for (const Event& event : inbox.events) {
      deliver(event);
      if (!is_full()) continue;
      step_.to = Sequence{event.sequence.value + 1};
      return;
    }
  }

  // Serves the authors of queued posts in turn, starting after `turn`. Returns the last one served.
  [[nodiscard]] UserNumber take_queue(UserNumber turn) {
    if (state_.fan_out_queue == 0 || is_full()) return turn;
    auto rows = reads::fan_out_queue(snapshot_, kQueueLook);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const FanOutRow& a, const FanOutRow& b) { return a.author < b.author; });
    const auto first = std::find_if(rows.begin(), rows.end(),
                                    [&](const FanOutRow& row) { return row.author > turn; });
    std::rotate(rows.begin(), first, rows.end());
    const auto queued = by_author(rows);
    const auto chunks = next_chunks(queued);
    for (std::size_t i = 0; i < chunks.size() && !is_full(); ++i) {
      serve(queued[i], chunks[i]);
      turn = queued[i].mark.author;
    }
    return turn;
  }

  [[nodiscard]] Gathered finish() && {
    auto& drops = step_.drop_if_inactive;
    std::sort(drops.begin(), drops.end());
    drops.erase(std::unique(drops.begin(), drops.end()), drops.end());
    return {std::move(step_), std::move(deliveries_), std::move(outline_)};
  }

 private:
  [[nodiscard]] bool is_full() const { return deliveries_.size() >= bounds_.deliveries; }

  void meet_authors(std::span<const Event> posts) {
    std::vector<UserNumber> numbers;
    numbers.reserve(posts.size());
    for (const Event& event : posts) numbers.push_back(event.actor);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    authors_.reserve(numbers.size());
    for (const feed::AuthorMark& mark : marks_of(numbers))
      authors_.push_back(
          {.mark = mark, .is_pushed = false, .first = {}, .audience = {}, .alone = {}});
    if (state_.settings.policy == feed::Policy::kCost) weigh_authors();
  }

  [[nodiscard]] std::vector<feed::AuthorMark> marks_of(std::span<const UserNumber> numbers) const {
    std::vector<tables::Marks::Key> keys;
    for (const UserNumber number : numbers) keys.push_back({number});
    const auto found = snapshot_.find_all(std::span<const tables::Marks::Key>(keys));
    std::vector<feed::AuthorMark> marks;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      marks.push_back(found[i].value_or(feed::AuthorMark{numbers[i]}));
    }
    return marks;
  }

  // Stops after the author with whom `enough` followers are found.
  [[nodiscard]] std::vector<FollowerBlock> chunks_of(std::span<const ChunkStart> starts,
                                                     std::uint64_t enough) const {
    std::vector<FollowerBlock> chunks;
    for (std::uint64_t found = 0; !starts.empty() && found < enough;) {
      const auto some = starts.first(std::min(starts.size(), kAuthorsARead));
      found += add_chunks(some, enough - found, chunks);
      starts = starts.subspan(some.size());
    }
    return chunks;
  }
  // Reads once. Returns the number of followers found.
  std::uint64_t add_chunks(std::span<const ChunkStart> starts, std::uint64_t enough,
                           std::vector<FollowerBlock>& chunks) const {
    using tables::Followers;
    std::vector<KeyRange<Followers>> wanted;
    for (const auto& [author, after] : starts) {
      const UserNumber first{std::max(after.value, after.value + 1)};
      wanted.push_back({{author, first}, {author, reads::Greatest{}}});
    }
    std::uint64_t found = 0;
    const TableReader<Followers> table = snapshot_;
    for (const auto& rows : table.ranges(wanted, Direction::kUp, bounds_.chunk + 1, enough)) {
      found += rows.size();
      FollowerBlock& chunk = chunks.emplace_back();
      chunk.more = rows.size() > bounds_.chunk;
      chunk.followers.reserve(rows.size() + 1);  // room for the author
      for (const auto& [key, since] : rows) chunk.followers.push_back(key.follower);
      if (chunk.more) chunk.followers.pop_back();
    }
    return found;
  }

  // Each of these authors has a post, delivered to the whole chunk and to the author. So the step
  // is full before it reaches an author whose chunk was left out.
  void fetch_first_chunks(std::span<const Event> posts) {
    std::vector<ChunkStart> starts;
    for (const Event& event : posts) {
      AuthorWork& work = author(event.actor);
      if (event.privacy == Privacy::kPrivate || work.is_pushed || is_pulled(event.post, work.mark))
        continue;
      work.is_pushed = true;
      starts.push_back({event.actor, kNobody});
    }
    auto chunks = chunks_of(starts, bounds_.deliveries);
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      author(starts[i].author).first = std::move(chunks[i]);
    }
  }

  void weigh_authors() {
    std::vector<UserNumber> due;
    for (const AuthorWork& work : authors_) {
      if (schedule_.take_due(work.mark.author, now_)) due.push_back(work.mark.author);
    }
    if (due.empty()) return;
    const auto counters = snapshot_.counters(due);
    for (std::size_t i = 0; i < due.size(); ++i) {
      AuthorWork& work = author(due[i]);
      const auto mark = weighed(snapshot_, state_, work.mark, counters[i].followers, now_, rates_);
      if (!mark) continue;
      work.mark = *mark;
      step_.marks.push_back(*mark);
    }
  }

  [[nodiscard]] AuthorWork& author(UserNumber number) {
    return *std::lower_bound(
        authors_.begin(), authors_.end(), number,
        [](const AuthorWork& work, UserNumber wanted) { return work.mark.author < wanted; });
  }

  // Whether readers find the post in its author's log, even if it is delivered too.
  [[nodiscard]] bool is_pulled(PostId post, const feed::AuthorMark& mark) const {
    return post < std::max(state_.push_from_all, mark.push_from);
  }

  // Delivers to the author and the first followers; queues the post if there are more.
  void deliver(const Event& event) {
    AuthorWork& work = author(event.actor);
    if (is_pulled(event.post, work.mark)) {
      outline_.fetched.push_back(event.post);
      return;
    }
    if (event.privacy == Privacy::kPrivate) return deliver_to_author(event.post, work);
    if (!work.audience) work.audience = audience_of(work);
    deliveries_.deliver(event.post, event.actor, work.audience->number);
    if (work.audience->more) {
      step_.queue.push_back({event.sequence, event.post, event.actor, work.audience->last});
    } else {
      outline_.finished.push_back(event.post);
    }
  }

  // Only the author's timeline gets a private post, because other readers would have to skip it.
  void deliver_to_author(PostId post, AuthorWork& work) {
    const UserNumber author = work.mark.author;
    if (!work.alone) work.alone = deliveries_.add_audience({author});
    deliveries_.deliver(post, author, *work.alone);
    outline_.finished.push_back(post);
  }

  [[nodiscard]] EagerFollowers audience_of(AuthorWork& work) {
    check(work.first.has_value(), "followers are fetched before something is delivered to them");
    auto& [viewers, more] = *work.first;
    drop_if_inactive(work.mark, viewers);
    EagerFollowers audience;
    audience.more = more;
    if (more) audience.last = viewers.back();
    viewers.push_back(work.mark.author);
    audience.number = deliveries_.add_audience(std::move(viewers));
    return audience;
  }

  // Authors above the regular tier are not delivered to inactive followers.
  void drop_if_inactive(const feed::AuthorMark& mark, std::span<const UserNumber> viewers) {
    if (mark.tier == feed::Tier::kRegular) return;
    auto& drops = step_.drop_if_inactive;
    drops.insert(drops.end(), viewers.begin(), viewers.end());
  }

  // `rows` are sorted by author.
  [[nodiscard]] std::vector<QueuedWork> by_author(std::span<const FanOutRow> rows) const {
    std::vector<UserNumber> authors;
    std::vector<QueuedWork> queued;
    for (std::size_t at = 0; at < rows.size();) {
      std::size_t end = at + 1;
      while (end < rows.size() && rows[end].author == rows[at].author) ++end;
      authors.push_back(rows[at].author);
      queued.push_back({{}, rows.subspan(at, end - at)});
      at = end;
    }
    const auto marks = marks_of(authors);
    for (std::size_t i = 0; i < queued.size(); ++i) queued[i].mark = marks[i];
    return queued;
  }

  // The oldest post that is pushed.
  [[nodiscard]] const FanOutRow* oldest_pushed(const QueuedWork& work) const {
    const auto is_pushed = [&](const FanOutRow& row) { return !is_pulled(row.post, work.mark); };
    const auto found = std::find_if(work.rows.begin(), work.rows.end(), is_pushed);
    return found == work.rows.end() ? nullptr : &*found;
  }

  // The next chunk for the oldest post of each author, until the bound is reached.
  [[nodiscard]] std::vector<FollowerBlock> next_chunks(std::span<const QueuedWork> queued) const {
    std::vector<ChunkStart> starts;
    for (const QueuedWork& work : queued) {
      const FanOutRow* oldest = oldest_pushed(work);
      // If nothing is pushed any more, starts after the last user, so that no follower is found.
      const UserNumber after = oldest != nullptr ? oldest->done_to : UserNumber(reads::Greatest{});
      starts.push_back({work.mark.author, after});
    }
    // A chunk reads one follower more than it delivers to, to see if there are more.
    const std::uint64_t left = bounds_.deliveries - deliveries_.size();
    return chunks_of(starts, left + queued.size());
  }

  // Delivers the oldest post of one author, and later ones that have reached the same follower.
  void serve(const QueuedWork& work, const FollowerBlock& chunk) {
    const FanOutRow* oldest = oldest_pushed(work);
    std::size_t audience = 0;
    if (oldest != nullptr) {
      drop_if_inactive(work.mark, chunk.followers);
      audience = deliveries_.add_audience(chunk.followers);
    }
    for (const FanOutRow& row : work.rows) {
      if (is_pulled(row.post, work.mark)) {
        step_.finished.push_back(row.sequence);
        outline_.fetched.push_back(row.post);
        continue;
      }
      if (row.done_to != oldest->done_to || is_full()) continue;
      deliveries_.deliver(row.post, row.author, audience);
      if (chunk.more) {
        step_.queue.push_back({row.sequence, row.post, row.author, chunk.followers.back()});
      } else {
        step_.finished.push_back(row.sequence);
        outline_.finished.push_back(row.post);
      }
    }
  }

  const Snapshot& snapshot_;
  StoreState state_;
  const FanOutBounds& bounds_;
  const ReadRates& rates_;
  EstimateSchedule& schedule_;
  Time now_;
  FanOutStep step_;
  DeliverySet deliveries_;
  StepOutline outline_;
  std::vector<AuthorWork> authors_;  // authors of the step's posts, sorted by number
};

}  // namespace

std::optional<Gathered> Gatherer::gather(const Snapshot& snapshot, Time now) {
  Gathering gathering(snapshot, bounds_, rates_, schedule_, now);
  if (gathering.idle()) return std::nullopt;
  gathering.take_log(bindings_);
  turn_ = gathering.take_queue(turn_);
  return std::move(gathering).finish();
}

}  // namespace chirp::events
