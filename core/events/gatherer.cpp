#include "core/events/gatherer.h"

#include <algorithm>
#include <utility>

#include "core/ports/reads.h"

namespace chirp::events {
namespace {

// Queued posts looked at in one step.
constexpr std::uint32_t kQueueLook = 4096;

// The followers that a post goes to at once, and whether there are more of them.
struct Audience {
  std::size_t number = 0;  // in the set of deliveries
  UserNumber last;
  bool more = false;
};

// What fan-out knows of one author during one step.
struct AuthorWork {
  feed::AuthorMark mark;
  std::optional<Audience> audience;  // once fetched
};

// Gathers one step.
class Gathering {
 public:
  Gathering(const Snapshot& snapshot, const FanOutBounds& bounds, EstimateSchedule& schedule,
            Time now)
      : snapshot_(snapshot),
        state_(snapshot.state()),
        bounds_(bounds),
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
    step_.to = inbox.next;
    for (const Event& event : inbox.events) {
      deliver(event);
      if (!is_full()) continue;
      step_.to = Sequence{event.sequence.value + 1};
      return;
    }
  }

  // Serves the authors of queued posts in turn, from the one after `turn` on; the last one served.
  [[nodiscard]] UserNumber take_queue(UserNumber turn) {
    if (state_.fan_out_queue == 0 || is_full()) return turn;
    auto rows = reads::fan_out_queue(snapshot_, kQueueLook);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const FanOutRow& a, const FanOutRow& b) { return a.author < b.author; });
    const auto first = std::find_if(rows.begin(), rows.end(),
                                    [&](const FanOutRow& row) { return row.author > turn; });
    std::rotate(rows.begin(), first, rows.end());
    for (std::size_t at = 0; at < rows.size() && !is_full();) {
      std::size_t end = at + 1;
      while (end < rows.size() && rows[end].author == rows[at].author) ++end;
      serve({rows.begin() + static_cast<std::ptrdiff_t>(at),
             rows.begin() + static_cast<std::ptrdiff_t>(end)});
      turn = rows[at].author;
      at = end;
    }
    return turn;
  }

  [[nodiscard]] Gathered finish() && {
    auto& drops = step_.drop_if_inactive;
    std::sort(drops.begin(), drops.end());
    drops.erase(std::unique(drops.begin(), drops.end()), drops.end());
    return {std::move(step_), std::move(deliveries_)};
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
    for (const feed::AuthorMark& mark : marks_of(numbers)) authors_.push_back({mark, {}});
    if (state_.settings.policy == feed::Policy::kCost) weigh_authors();
  }

  // Few authors have a mark: as a rule one scan finds them all.
  [[nodiscard]] std::vector<feed::AuthorMark> marks_of(std::span<const UserNumber> numbers) const {
    const auto limit = static_cast<std::uint32_t>(numbers.size()) + 1;
    const auto all = reads::rows_above<tables::Marks>(snapshot_, {kNobody}, limit);
    std::vector<feed::AuthorMark> marks;
    marks.reserve(numbers.size());
    for (const UserNumber number : numbers) {
      marks.push_back({number});
      if (all.size() == limit) {
        marks.back() = snapshot_.find(tables::Marks::Key{number}).value_or(marks.back());
        continue;
      }
      const auto at = std::lower_bound(
          all.begin(), all.end(), number,
          [](const feed::AuthorMark& mark, UserNumber wanted) { return mark.author < wanted; });
      if (at != all.end() && at->author == number) marks.back() = *at;
    }
    return marks;
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
      const auto mark = weighed(snapshot_, state_, work.mark, counters[i].followers, now_);
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

  // Whether readers find the post in its author's log, delivered or not.
  [[nodiscard]] bool is_pulled(PostId post, const feed::AuthorMark& mark) const {
    return post < std::max(state_.push_from_all, mark.push_from);
  }

  // To the author and the first followers; if there are more, the post is queued for them.
  void deliver(const Event& event) {
    AuthorWork& work = author(event.actor);
    if (is_pulled(event.post, work.mark)) return;
    if (!work.audience) work.audience = fetch_audience(work.mark);
    deliveries_.deliver(event.post, event.actor, work.audience->number);
    if (work.audience->more) {
      step_.queue.push_back({event.sequence, event.post, event.actor, work.audience->last});
    }
  }

  [[nodiscard]] Audience fetch_audience(const feed::AuthorMark& mark) {
    const EdgePage page = reads::followers(snapshot_, mark.author, kNobody, bounds_.chunk);
    std::vector<UserNumber> viewers;
    append(page, viewers);
    drop_if_inactive(mark, viewers);
    Audience audience;
    audience.more = page.more && !viewers.empty();
    if (audience.more) audience.last = viewers.back();
    viewers.push_back(mark.author);
    audience.number = deliveries_.add_audience(std::move(viewers));
    return audience;
  }

  static void append(const EdgePage& page, std::vector<UserNumber>& viewers) {
    viewers.reserve(viewers.size() + page.edges.size() + 1);
    for (const Edge& edge : page.edges) viewers.push_back(edge.other);
  }

  // Authors with many followers push nothing to followers who do not read.
  void drop_if_inactive(const feed::AuthorMark& mark, std::span<const UserNumber> viewers) {
    if (mark.tier == feed::Tier::kRegular) return;
    auto& drops = step_.drop_if_inactive;
    drops.insert(drops.end(), viewers.begin(), viewers.end());
  }

  // The next chunk for the oldest post of one author, and for the later ones that have come as far.
  void serve(std::span<const FanOutRow> rows) {
    const UserNumber author = rows.front().author;
    const auto mark = snapshot_.find(tables::Marks::Key{author}).value_or(feed::AuthorMark{author});
    std::optional<UserNumber> after;
    EdgePage page;
    std::size_t audience = 0;
    for (const FanOutRow& row : rows) {
      if (is_pulled(row.post, mark)) {
        step_.finished.push_back(row.sequence);
        continue;
      }
      if (!after) {
        after = row.done_to;
        page = reads::followers(snapshot_, author, row.done_to, bounds_.chunk);
        audience = add_chunk(mark, page);
      }
      if (row.done_to != *after || is_full()) continue;
      deliveries_.deliver(row.post, author, audience);
      if (page.more && !page.edges.empty()) {
        step_.queue.push_back({row.sequence, row.post, author, page.edges.back().other});
      } else {
        step_.finished.push_back(row.sequence);
      }
    }
  }

  [[nodiscard]] std::size_t add_chunk(const feed::AuthorMark& mark, const EdgePage& page) {
    std::vector<UserNumber> viewers;
    append(page, viewers);
    drop_if_inactive(mark, viewers);
    return deliveries_.add_audience(std::move(viewers));
  }

  const Snapshot& snapshot_;
  StoreState state_;
  const FanOutBounds& bounds_;
  EstimateSchedule& schedule_;
  Time now_;
  FanOutStep step_;
  DeliverySet deliveries_;
  std::vector<AuthorWork> authors_;  // of the step's posts, by number
};

}  // namespace

Gathered::Gathered(FanOutStep step, DeliverySet deliveries)
    : step_(std::move(step)), deliveries_(std::move(deliveries)) {
  deliveries_.sort();
}

std::vector<UserNumber> Gathered::drops_up_to(UserNumber viewer) {
  const auto& all = step_.drop_if_inactive;
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(dropped_);
  const auto end = std::upper_bound(begin, all.end(), viewer);
  dropped_ = static_cast<std::size_t>(end - all.begin());
  return {begin, end};
}

std::optional<FanOutStep> Gathered::next_part(std::size_t count) {
  if (done_) return std::nullopt;
  const std::size_t end = deliveries_.part_end(position_, count);
  FanOutStep part;
  part.from = step_.from;
  part.to = step_.from;
  part.reach = step_.to;
  part.active_since = step_.active_since;
  part.deliveries = deliveries_.part(position_, end);
  position_ = end;
  if (end < deliveries_.size()) {
    part.drop_if_inactive = drops_up_to(part.deliveries.back().viewer);
    return part;
  }
  // Rows and marks go with the last part: until then nothing of the step is said to be done.
  done_ = true;
  part.to = step_.to;
  part.drop_if_inactive = drops_up_to(UserNumber{~std::uint32_t{0}});
  part.queue = std::move(step_.queue);
  part.finished = std::move(step_.finished);
  part.marks = std::move(step_.marks);
  return part;
}

std::optional<Gathered> Gatherer::gather(const Snapshot& snapshot, Time now) {
  Gathering gathering(snapshot, bounds_, schedule_, now);
  if (gathering.idle()) return std::nullopt;
  gathering.take_log(bindings_);
  turn_ = gathering.take_queue(turn_);
  return std::move(gathering).finish();
}

}  // namespace chirp::events
