#include "tests/support/written_world.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/limits.h"
#include "core/rules/writing.h"
#include "tests/support/naive_notices.h"
#include "tests/support/naive_world.h"
#include "tests/support/storage_contract.h"
#include "tests/support/weighted.h"

namespace chirp::test {
namespace {

constexpr std::size_t kTrail = 60;
constexpr int kStepsMax = 1000;  // of a removal

template <class... Kinds>
bool is_one_of(const Change& change) {
  return (std::holds_alternative<Kinds>(change) || ...);
}

// An outcome with what changes.h promises of it, by the kind of change.
Outcome promised(const Change& change, const Outcome& outcome) {
  Outcome kept{outcome.result};
  if (outcome.result != Result::kDone && outcome.result != Result::kAlready) return kept;
  const bool done = outcome.result == Result::kDone;
  const bool talk =
      is_one_of<React, Unreact, AddComment, RemoveComment, LikeComment, UnlikeComment>(change);
  if (talk || is_one_of<Publish, Repost>(change) || (done && is_one_of<Unrepost>(change))) {
    kept.post = outcome.post;
  }
  if (talk || is_one_of<RemovePost, Repost>(change)) kept.author = outcome.author;
  if (is_one_of<Publish, AddComment, Follow, Repost, React, LikeComment>(change)) {
    kept.time = outcome.time;
  }
  if (is_one_of<AddComment>(change)) kept.comment = outcome.comment;
  if (is_one_of<React, Unreact>(change)) kept.before = outcome.before;
  return kept;
}

std::string text_of(const Outcome& outcome) {
  return fmt::format("{{result {} post {} author {} time {} comment {} before {}}}",
                     static_cast<int>(outcome.result), outcome.post.value, outcome.author.value,
                     outcome.time.ms, outcome.comment.value,
                     outcome.before ? static_cast<int>(*outcome.before) : 0);
}

}  // namespace

struct WrittenWorld::Action {
  unsigned weight;
  const char* name;
  void (WrittenWorld::*run)();
};

const std::vector<WrittenWorld::Action>& WrittenWorld::actions() {
  static const std::vector<Action> kActions{
      {10, "put_card", &WrittenWorld::put_card},
      {30, "post", &WrittenWorld::post},
      {24, "relate", &WrittenWorld::relate},
      {40, "talk", &WrittenWorld::talk},
      {3, "remove_user", &WrittenWorld::remove_user},
      {3, "remove_traces", &WrittenWorld::remove_traces},
      {4, "remove_post_traces", &WrittenWorld::remove_post_traces},
      {10, "count", &WrittenWorld::count},
      {3, "tell", &WrittenWorld::tell},
      {4, "trend", &WrittenWorld::trend},
      {4, "fan_out", &WrittenWorld::fan_out},
      {3, "read", &WrittenWorld::read},
      {3, "forget", &WrittenWorld::forget},
      {4, "settings", &WrittenWorld::settings},
      {1, "retire", &WrittenWorld::retire},
      {3, "trim", &WrittenWorld::trim},
      {2, "load_cards", &WrittenWorld::load_cards},
      {6, "load_edges", &WrittenWorld::load_edges},
      {4, "load_posts", &WrittenWorld::load_posts},
      {4, "load_comments", &WrittenWorld::load_comments},
      {3, "load_reactions", &WrittenWorld::load_reactions},
      {2, "restore_posts", &WrittenWorld::restore_posts},
      {2, "restore_edges", &WrittenWorld::restore_edges},
      {2, "restore_comments", &WrittenWorld::restore_comments},
      {2, "restore_reactions", &WrittenWorld::restore_reactions},
      {2, "restore_relations", &WrittenWorld::restore_relations},
      {8, "clock", &WrittenWorld::clock},
  };
  return kActions;
}

WrittenWorld::WrittenWorld(const StoreKind& kind, std::uint64_t seed)
    : random_(seed),
      store_(kind.make()),
      storage_(store_->storage()),
      world_(storage_.snapshot()->state()),
      now_(kStart) {
  world_.settings.influencer_from = 3;
  world_.settings.celebrity_above = 5;
  rules::change_settings(storage_, world_.settings, now_);
  for (int i = 0; i < 16; ++i) put_card();
}

std::vector<std::string> WrittenWorld::step() {
  const Action& action =
      drawn_by_weight(actions(), [this](std::uint64_t total) { return below(total); });
  trail_.emplace_back(action.name);
  while (trail_.size() > kTrail) trail_.pop_front();
  (this->*action.run)();
  for (auto& line : differences(world_, storage_)) found_.push_back(std::move(line));
  return std::exchange(found_, {});
}

std::string WrittenWorld::trail() const {
  std::string text;
  for (const std::string& call : trail_) text += call + ' ';
  return text;
}

void WrittenWorld::expect(bool same, std::string what) {
  if (!same) found_.push_back(std::move(what));
}

// Checks states that the oracle skips, and what it leaves to others: timelines hold what they must,
// and counters are what they count. Notifications have other bounds here than in the oracle.
void WrittenWorld::check_breaches() {
  const auto snapshot = storage_.snapshot();
  const auto of_notices = notice_breaches(*snapshot);
  for (std::string& breach : breaches(*snapshot)) {
    if (std::find(of_notices.begin(), of_notices.end(), breach) == of_notices.end()) {
      found_.push_back(std::move(breach));
    }
  }
}

// ---- changes

void WrittenWorld::write(const std::vector<Change>& changes) {
  const auto wanted = world_.write(changes, now_);
  const auto is = storage_.write(changes, now_);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const std::string a = i < is.size() ? text_of(promised(changes[i], is[i])) : "nothing";
    const std::string b = text_of(promised(changes[i], wanted[i]));
    trail_.push_back(
        fmt::format("[{}: {}]", changes[i].index(), static_cast<int>(wanted[i].result)));
    expect(a == b, fmt::format("change of kind {}: {}, not {}", changes[i].index(), a, b));
    if (std::holds_alternative<Publish>(changes[i])) published_.push_back(wanted[i].post);
  }
}

void WrittenWorld::put_card() { write({PutCard{some_card(Comes::kAlone)}}); }

void WrittenWorld::post() {
  std::vector<Change> changes;
  for (std::uint64_t i = 0; i < 1 + below(4); ++i) changes.push_back(some_post_change());
  write(changes);
}

void WrittenWorld::relate() {
  std::vector<Change> changes;
  for (std::uint64_t i = 0; i < 1 + below(5); ++i) changes.push_back(some_relation_change());
  write(changes);
}

void WrittenWorld::talk() {
  std::vector<Change> changes;
  for (std::uint64_t i = 0; i < 1 + below(5); ++i) changes.push_back(some_remark());
  write(changes);
}

// Alone, and twice at times.
void WrittenWorld::remove_user() {
  const UserNumber user = anybody();
  write(std::vector<Change>(1 + below(2), MarkRemoved{user}));
}

// ---- removals, in steps of any size

template <class Step>
void WrittenWorld::finish(Step step) {
  for (int calls = 0; calls < kStepsMax; ++calls) {
    const bool done = step();
    check_breaches();
    if (done) return;
  }
  found_.emplace_back("a removal without an end");
}

void WrittenWorld::remove_traces() {
  const auto rows = static_cast<std::uint32_t>(1 + below(6));
  const auto leaving = world_.leaving;
  for (const UserNumber user : leaving) {
    world_.finish_removal(user, now_);
    finish([&] { return rules::remove_traces(storage_, user, rows, now_); });
  }
}

void WrittenWorld::remove_post_traces() {
  const auto rows = static_cast<std::uint32_t>(1 + below(6));
  world_.finish_post_removals(now_);
  finish([&] { return rules::remove_post_traces(storage_, rows, now_); });
}

// ---- consumers

void WrittenWorld::count() {
  const std::uint64_t left = world_.log_end.value - world_.counters.value;
  const CounterStep step = world_.next_counts(Sequence{world_.counters.value + below(left + 1)});
  expect(rules::commit(storage_, step, now_), "a step of counters is refused");
  world_.commit(step, now_);
  CounterStep late = step;
  late.from = Sequence{step.from.value + 1};
  if (late.from != world_.counters)
    expect(!rules::commit(storage_, late, now_), "a late step is taken");
}

void WrittenWorld::tell() {
  NotificationStep step = naive_notification_step(*storage_.snapshot());
  step.keep = static_cast<std::uint32_t>(1 + below(6));
  expect(rules::commit(storage_, step, now_), "a step of notifications is refused");
  world_.commit(step, now_);
}

void WrittenWorld::trend() {
  TrendStep step = naive_trend_step(*storage_.snapshot(), now_);
  if (one_in(2)) step.since = past();
  step.drop = static_cast<std::uint32_t>(below(5));
  expect(rules::commit(storage_, step, now_), "a step of trends is refused");
  world_.commit(step, now_);
}

void WrittenWorld::fan_out() {
  const auto snapshot = storage_.snapshot();
  const std::uint64_t left = world_.log_end.value - world_.fan_out.value;
  FanOutStep step = fan_out_step(*snapshot, Sequence{world_.fan_out.value + below(left + 1)});
  if (one_in(2)) {
    step.marks.push_back(
        {anybody(), feed::Tier::kRegular, one_in(2) ? feed::kNeverPushed : PostId{5}});
  }
  const bool due = world_.commit(step, now_);
  expect(rules::commit(storage_, step, now_) == due, "a step of fan-out is taken if it is due");
  check_breaches();
}

// ---- what readers and clients leave

void WrittenWorld::read() {
  const UserNumber user = anybody();
  const PostId up_to{below(3)};
  expect(rules::mark_feed(storage_, user, up_to) == world_.mark_feed(user, up_to),
         "marking the feed");
  const Sequence event{below(world_.log_end.value + 3)};
  expect(rules::mark_notified(storage_, user, event) == world_.mark_notified(user, event),
         "marking notifications");
}

// A bound between two keys of one time would leave it open which of them goes.
void WrittenWorld::forget() {
  const Time before{now_.ms - (one_in(2) ? limits::kKeyKeptMs : 0)};
  std::vector<Time> times;
  for (const auto& [key, use] : world_.keys) times.push_back(use.first);
  std::sort(times.begin(), times.end());
  auto rows = static_cast<std::uint32_t>(1 + below(3));
  while (rows < times.size() && times[rows] == times[rows - 1]) ++rows;
  expect(rules::forget_keys(storage_, before, rows) == world_.forget_keys(before, rows),
         "forgetting keys");
}

void WrittenWorld::settings() {
  feed::FeedSettings wanted = world_.settings;
  wanted.cap = static_cast<std::uint32_t>(1 + below(20));
  if (one_in(2)) wanted.policy = static_cast<feed::Policy>(below(4));
  // From a bound of 5 on, falling is more than rising backwards.
  constexpr std::uint64_t kBounds[] = {1, 2, 3, 5, 5, 6};
  if (one_in(2)) wanted.influencer_from = kBounds[below(std::size(kBounds))];
  if (one_in(2) || wanted.celebrity_above < wanted.influencer_from) {
    wanted.celebrity_above = wanted.influencer_from + below(4);
  }
  rules::change_settings(storage_, wanted, now_);
  world_.change_settings(wanted, now_);
}

void WrittenWorld::retire() {
  rules::retire_marks(storage_);
  world_.retire_marks();
}

void WrittenWorld::trim() {
  const Time before = past();
  const auto rows = static_cast<std::uint32_t>(1 + below(20));
  expect(rules::trim_log(storage_, before, rows) == world_.trim_log(before, rows),
         "trimming the log");
}

void WrittenWorld::clock() {
  constexpr std::int64_t kSteps[] = {
      0, 1, 1, 2, 50, -1, -30, kHourMs, kDayMs, limits::kKeyKeptMs - 1, 3 * kDayMs, -3 * kDayMs};
  now_.ms += kSteps[below(std::size(kSteps))];
}

}  // namespace chirp::test
