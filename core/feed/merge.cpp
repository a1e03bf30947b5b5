#include "core/feed/merge.h"

#include <algorithm>
#include <utility>

namespace chirp::feed {
namespace {

constexpr std::uint32_t kBatchMax = 1024;

constexpr bool inside(PostId id, const IdRange& range) {
  return id > range.above && id < range.below;
}

constexpr bool empty(const IdRange& range) {
  return range.below.value <= range.above.value || range.below.value - range.above.value == 1;
}

// The part of `range` with ids of at least `mark`.
constexpr IdRange from_mark(IdRange range, PostId mark) {
  if (mark.value > 0) range.above = std::max(range.above, PostId{mark.value - 1});
  return range;
}

// The part of `range` with ids below `mark`.
constexpr IdRange below_mark(IdRange range, PostId mark) {
  range.below = std::min(range.below, mark);
  return range;
}

WalkPlan over(const WalkPlan& plan, IdRange range) { return {range, plan.direction, plan.batch}; }

// Authors whose posts from `mark` on may be missing from the timeline.
std::vector<UserNumber> pulled_above(const FeedSources& sources, PostId mark) {
  std::vector<UserNumber> authors;
  for (const AuthorMark& author : sources.marks) {
    if (author.push_from > mark) authors.push_back(author.author);
  }
  std::sort(authors.begin(), authors.end());
  return authors;
}

std::int64_t day_of(Time time) {
  return time.ms >= 0 ? time.ms / kDayMs : (time.ms + 1) / kDayMs - 1;
}

}  // namespace

Run Run::timeline(const FeedReader& snapshot, UserNumber viewer, const WalkPlan& plan) {
  Run run(Kind::kTimeline, plan);
  run.snapshot_ = &snapshot;
  run.viewer_ = viewer;
  return run;
}

Run Run::pending(std::span<const Entry> entries, const WalkPlan& plan) {
  Run run(Kind::kPending, plan);
  run.ended_ = true;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(run.fetched_),
               [&](const Entry& entry) { return inside(entry.id, plan.range); });
  if (plan.direction == Direction::kUp) std::reverse(run.fetched_.begin(), run.fetched_.end());
  return run;
}

Run Run::logs(const FeedReader& snapshot, UserNumber viewer, std::vector<UserNumber> authors,
              Source source, const WalkPlan& plan) {
  Run run(Kind::kLogs, plan);
  run.snapshot_ = &snapshot;
  run.viewer_ = viewer;
  run.authors_ = std::move(authors);
  run.source_ = source;
  run.ended_ = run.authors_.empty();
  return run;
}

const Entry* Run::head(PostId given) {
  for (;;) {
    if (position_ == fetched_.size() && !ended_) refill();
    if (position_ == fetched_.size()) return nullptr;
    if (fetched_[position_].id != given) return &fetched_[position_];
    ++position_;
  }
}

Source Run::source_of(const Entry& entry) const {
  switch (kind_) {
    case Kind::kTimeline:
      return entry.origin == Origin::kPushed ? Source::kPushed : Source::kBackfilled;
    case Kind::kPending:
      return Source::kPending;
    case Kind::kLogs:
      break;
  }
  return source_;
}

// Batches grew while this author's posts were fetched, so their size is reset.
void Run::leave_out(UserNumber author) {
  if (std::erase(authors_, author) == 0) return;
  plan_.batch = first_batch_;
  ended_ = ended_ || authors_.empty();
}

void Run::refill() {
  if (sources_ == 0) sources_ = kind_ == Kind::kTimeline ? 1 : authors_.size();
  fetched_ = kind_ == Kind::kTimeline
                 ? snapshot_->timeline_entries(viewer_, plan_.range, plan_.direction, plan_.batch)
                 : snapshot_->author_entries(feed_logs(authors_, viewer_), plan_.range,
                                             plan_.direction, plan_.batch);
  position_ = 0;
  ended_ = fetched_.size() < plan_.batch;
  if (fetched_.empty()) return;
  auto& bound = plan_.direction == Direction::kDown ? plan_.range.below : plan_.range.above;
  bound = fetched_.back().id;
  plan_.batch = std::min(plan_.batch * 2, std::max(plan_.batch, kBatchMax));
}

FeedWalk::FeedWalk(const FeedReader& snapshot, const FeedSources& sources, UserNumber viewer,
                   Timeline timeline, const WalkPlan& plan)
    : snapshot_(snapshot), viewer_(viewer), direction_(plan.direction) {
  if (timeline == Timeline::kIgnore) {
    stretches_.emplace_back();
    stretches_.back().push_back(
        Run::logs(snapshot, viewer, authors_of(sources, viewer), Source::kPulled, plan));
    return;
  }
  const IdRange trusted = from_mark(plan.range, sources.complete_from);
  const IdRange deep = below_mark(plan.range, sources.complete_from);
  if (!empty(trusted)) stretches_.push_back(above_mark(sources, over(plan, trusted)));
  if (!empty(deep)) {
    stretches_.emplace_back();
    stretches_.back().push_back(Run::logs(snapshot, viewer, authors_of(sources, viewer),
                                          Source::kBelowCap, over(plan, deep)));
  }
  if (direction_ == Direction::kUp) std::reverse(stretches_.begin(), stretches_.end());
}

// The runs are in order of preference: if several have an entry, the first is its source.
FeedWalk::Stretch FeedWalk::above_mark(const FeedSources& sources, const WalkPlan& plan) const {
  Stretch stretch;
  stretch.reserve(3);
  stretch.push_back(Run::timeline(snapshot_, viewer_, plan));
  if (!sources.pending.empty()) stretch.push_back(Run::pending(sources.pending, plan));
  std::vector<UserNumber> pulled = pulled_above(sources, sources.complete_from);
  if (!pulled.empty()) {
    stretch.push_back(Run::logs(snapshot_, viewer_, std::move(pulled), Source::kPulled, plan));
  }
  return stretch;
}

std::optional<Candidate> FeedWalk::next() {
  while (current_ < stretches_.size()) {
    const auto candidate = next_of(stretches_[current_]);
    if (!candidate) {
      ++current_;
    } else if (std::ranges::find(left_out_, candidate->entry.author) == left_out_.end()) {
      return candidate;
    }
  }
  return std::nullopt;
}

void FeedWalk::leave_out(UserNumber author) {
  if (std::ranges::find(left_out_, author) != left_out_.end()) return;
  left_out_.push_back(author);
  for (Stretch& stretch : stretches_) {
    for (Run& run : stretch) run.leave_out(author);
  }
}

// The id returned last is skipped by the next call, not by this one, so that an exhausted run
// fetches more only on demand.
std::optional<Candidate> FeedWalk::next_of(Stretch& stretch) {
  Run* first = nullptr;
  const Entry* best = nullptr;
  for (Run& run : stretch) {
    const Entry* head = run.head(given_);
    if (head == nullptr) continue;
    const bool ahead = best == nullptr ||
                       (direction_ == Direction::kDown ? head->id > best->id : head->id < best->id);
    if (!ahead) continue;
    first = &run;
    best = head;
  }
  if (first == nullptr) return std::nullopt;
  given_ = best->id;
  return Candidate{*best, first->source_of(*best)};
}

std::uint64_t FeedWalk::sources() const {
  std::uint64_t total = 0;
  for (const Stretch& stretch : stretches_) {
    for (const Run& run : stretch) total += run.sources();
  }
  return total;
}

FeedWalk::Timeline use_of_timeline(const FeedSources& sources, std::optional<Policy> as_if) {
  const bool saves = sources.has_timeline && sources.state.push_from_all <= sources.complete_from;
  return saves && as_if != Policy::kPull ? FeedWalk::Timeline::kUse : FeedWalk::Timeline::kIgnore;
}

Upkeep upkeep_of(const FeedSources& sources, Time now) {
  if (sources.following.size() > limits::kPullOnlyFollowees) {
    return sources.has_timeline ? Upkeep::kDrop : Upkeep::kNone;
  }
  if (!sources.has_timeline) {
    // While everything is pulled, a timeline would be built but never read.
    return sources.state.push_from_all == kNeverPushed ? Upkeep::kNone : Upkeep::kBuild;
  }
  return day_of(now) > day_of(sources.last_read) ? Upkeep::kNoteRead : Upkeep::kNone;
}

std::vector<UserNumber> authors_of(const FeedSources& sources, UserNumber viewer) {
  std::vector<UserNumber> authors;
  authors.reserve(sources.following.size() + 1);
  const auto at = std::lower_bound(sources.following.begin(), sources.following.end(), viewer);
  authors.insert(authors.end(), sources.following.begin(), at);
  authors.push_back(viewer);
  // Users can't follow themselves, but with a damaged store this avoids a duplicate source.
  const auto rest = at != sources.following.end() && *at == viewer ? at + 1 : at;
  authors.insert(authors.end(), rest, sources.following.end());
  return authors;
}

}  // namespace chirp::feed
