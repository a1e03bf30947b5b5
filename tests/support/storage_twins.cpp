#include "tests/support/storage_twins.h"

#include <algorithm>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/naive_notices.h"
#include "tests/support/storage_compare.h"
#include "tests/support/storage_contract.h"
#include "tests/support/storage_twins_both.h"
#include "tests/support/weighted.h"

namespace chirp::test {
namespace {

constexpr std::size_t kTrail = 25;

}  // namespace

struct Twins::Action {
  unsigned weight;
  const char* name;
  void (Twins::*run)();
};

const std::vector<Twins::Action>& Twins::actions() {
  static const std::vector<Action> kActions{
      {8, "put_card", &Twins::put_card},
      {40, "write", &Twins::write},
      {3, "burst", &Twins::burst},
      {1, "remove_user", &Twins::remove_user},
      {2, "remove_traces", &Twins::remove_traces},
      {20, "talk", &Twins::talk},
      {3, "remove_post_traces", &Twins::remove_post_traces},
      {12, "gather", &Twins::gather},
      {12, "flush", &Twins::flush},
      {6, "work_queue", &Twins::work_queue},
      {8, "count", &Twins::count},
      {1, "recount", &Twins::recount},
      {8, "walk", &Twins::walk},
      {8, "store", &Twins::store},
      {2, "drop", &Twins::drop},
      {3, "note_read", &Twins::note_read},
      {2, "mark_feed", &Twins::mark_feed},
      {3, "settings", &Twins::settings},
      {1, "retire", &Twins::retire},
      {4, "trim", &Twins::trim},
      {1, "load_cards", &Twins::load_cards},
      {1, "load_edges", &Twins::load_edges},
      {1, "bulk_load", &Twins::bulk_load},
      {2, "load_posts", &Twins::load_posts},
      {1, "early_load", &Twins::early_load},
      {1, "settle", &Twins::settle},
      {2, "load_talk", &Twins::load_talk},
      {1, "restore", &Twins::restore},
      {1, "restore_talk", &Twins::restore_talk},
      {1, "repair", &Twins::repair},
      {4, "clock", &Twins::clock},
  };
  return kActions;
}

Twins::Twins(const StoreKind& model, const StoreKind& other, std::uint64_t seed)
    : random_(seed), model_(model.make()), other_(other.make()), now_(kStart) {
  for (int i = 0; i < 5; ++i) put_card();
  settings();
}

std::vector<std::string> Twins::step() {
  found_.clear();
  act();
  compare();
  return found_;
}

std::vector<std::string> Twins::load_in_bulk() {
  found_.clear();
  trail_.emplace_back("load_in_bulk");
  bulk_load();
  compare();
  return found_;
}

std::vector<std::string> Twins::load_early() {
  found_.clear();
  trail_.emplace_back("load_early");
  early_load();
  compare();
  return found_;
}

void Twins::act() {
  const Action& action =
      drawn_by_weight(actions(), [this](std::uint64_t total) { return below(total); });
  trail_.emplace_back(action.name);
  if (trail_.size() > kTrail) trail_.pop_front();
  (this->*action.run)();
}

void Twins::compare() {
  for (auto& line : differences(model_->storage(), other_->storage(), random_)) {
    found_.push_back(std::move(line));
  }
  for (TestStore* store : {model_.get(), other_.get()}) {
    for (const std::string& breach : breaches(*store->storage().snapshot())) {
      found_.push_back((store == model_.get() ? "model: " : "other: ") + breach);
    }
  }
}

std::string Twins::trail() const {
  std::string text;
  for (const std::string& call : trail_) text += call + ' ';
  return text;
}

void Twins::put_card() {
  const std::vector<Change> changes{PutCard{some_card()}};
  both([&](Storage& store) { return store.write(changes, now_); });
}

void Twins::write() {
  std::vector<Change> changes;
  for (std::uint64_t i = 0; i < 1 + below(4); ++i) changes.push_back(some_change());
  both([&](Storage& store) { return store.write(changes, now_); });
}

// Reactions and comments, in one commit.
void Twins::talk() {
  std::vector<Change> changes;
  for (std::uint64_t i = 0; i < 1 + below(6); ++i) changes.push_back(some_remark());
  both([&](Storage& store) { return store.write(changes, now_); });
}

void Twins::burst() {
  std::vector<Change> changes;
  const UserNumber author = anybody();
  for (std::uint64_t i = 0; i < 5 + below(40); ++i) {
    changes.emplace_back(Publish{one_in(3) ? anybody() : author, "#text"});
  }
  both([&](Storage& store) { return store.write(changes, now_); });
}

void Twins::remove_user() {
  const std::vector<Change> changes{MarkRemoved{anybody()}};
  both([&](Storage& store) { return store.write(changes, now_); });
}

// To the end in both: on the way there each takes its own order.
void Twins::remove_traces() {
  const auto rows = static_cast<std::uint32_t>(1 + below(5));
  for (const UserNumber user : reads::unfinished_removals(*model_->storage().snapshot())) {
    both([&](Storage& store) {
      for (int calls = 0; calls < 1000; ++calls) {
        if (rules::remove_traces(store, user, rows, now_)) return true;
      }
      return false;
    });
  }
}

void Twins::remove_post_traces() {
  const auto rows = static_cast<std::uint32_t>(1 + below(5));
  both([&](Storage& store) {
    for (int calls = 0; calls < 1000; ++calls) {
      if (rules::remove_post_traces(store, rows, now_)) return true;
    }
    return false;
  });
}

void Twins::gather() {
  const auto snapshot = model_->storage().snapshot();
  const StoreState state = snapshot->state();
  if (state.fan_out == state.log_end) return;
  const std::uint64_t events = 1 + below(state.log_end.value - state.fan_out.value);
  FanOutStep step = fan_out_step(*snapshot, Sequence{state.fan_out.value + events});
  for (const auto& event :
       reads::events(*snapshot, step.from, static_cast<std::uint32_t>(events))) {
    if (!events::makes_entry(event.topic) || !one_in(4)) continue;
    std::erase_if(step.deliveries, [&](const Delivery& d) { return d.post == event.post; });
    step.queue.push_back({event.sequence, event.post, event.actor, kNobody});
  }
  for (const UserNumber viewer : snapshot->scan_timelines(kNobody, kAll)) {
    if (one_in(8)) step.drop_if_inactive.push_back(viewer);
  }
  step.active_since = Time{now_.ms - static_cast<std::int64_t>(below(4)) * kDayMs};
  if (one_in(3)) {
    const PostId marks[] = {feed::kAlwaysPushed, feed::kNeverPushed, PostId{5}};
    // Only what is pulled may be pushed from a later id on; nobody goes back to the beginning.
    step.marks.push_back({anybody(), feed::Tier::kRegular, marks[1 + below(2)]});
  }
  step.delivery_ns = static_cast<std::uint32_t>(below(2) * (100 + below(1000)));
  gathered_[below(2)] = step;
}

void Twins::flush() {
  auto& step = gathered_[below(2)];
  if (!step) return;
  if (one_in(3)) {  // a part of it, by viewer; what is left is for later
    FanOutStep part;
    part.from = part.to = step->from;
    part.reach = step->to;
    const UserNumber last = anybody();
    const auto rest = std::find_if(step->deliveries.begin(), step->deliveries.end(),
                                   [&](const Delivery& d) { return d.viewer > last; });
    part.deliveries.assign(step->deliveries.begin(), rest);
    both([&](Storage& store) { return rules::commit(store, part, now_); });
    step->deliveries.erase(step->deliveries.begin(), rest);
    return;
  }
  both([&](Storage& store) { return rules::commit(store, *step, now_); });
  if (!one_in(6)) step.reset();  // else it comes again
}

void Twins::work_queue() {
  const auto snapshot = model_->storage().snapshot();
  const auto queue = reads::fan_out_queue(*snapshot, kAll);
  if (queue.empty()) return;
  FanOutRow row = queue[below(queue.size())];
  FanOutStep step;
  step.from = step.to = snapshot->state().fan_out;
  const EdgePage page = reads::followers(*snapshot, row.author, row.done_to, 2);
  if (row.done_to == kNobody) step.deliveries.push_back({row.author, row.post, row.author});
  for (const Edge& edge : page.edges) {
    step.deliveries.push_back({edge.other, row.post, row.author});
    row.done_to = edge.other;
  }
  std::sort(step.deliveries.begin(), step.deliveries.end(),
            [](const Delivery& a, const Delivery& b) { return a.viewer < b.viewer; });
  if (page.more) {
    step.queue.push_back(row);
  } else {
    step.finished.push_back(row.sequence);
  }
  both([&](Storage& store) { return rules::commit(store, step, now_); });
}

void Twins::count() {
  const auto snapshot = model_->storage().snapshot();
  const StoreState state = snapshot->state();
  const std::uint64_t left = state.log_end.value - state.counters.value;
  if (!counted_ || one_in(2)) {
    counted_ = counter_step(*snapshot, Sequence{state.counters.value + below(left + 1)});
  }
  both([&](Storage& store) { return rules::commit(store, *counted_, now_); });
  const NotificationStep told = naive_notification_step(*snapshot);
  both([&](Storage& store) { return rules::commit(store, told, now_); });
  const TrendStep trends = naive_trend_step(*snapshot, now_);
  both([&](Storage& store) { return rules::commit(store, trends, now_); });
}

// Right counters, repaired, stay right.
void Twins::recount() {
  if (const auto post = some_post()) {
    const ContentId content = content_of(post->id);
    const auto counted = model_->storage().snapshot()->content_counters({&content, 1}).front();
    both([&](Storage& store) { rules::repair_content_counters(store, content, counted, now_); });
  }
  const auto user = somebody_there();
  if (!user) return;
  const UserCounters actual = model_->storage().snapshot()->counters({&*user, 1}).front();
  both([&](Storage& store) { rules::repair_counters(store, *user, actual, now_); });
}

void Twins::walk() {
  const auto user = somebody_there();
  if (!user) return;
  BuiltTimeline built = built_timeline(*model_->storage().snapshot(), *user);
  built.timeline.last_read = past();
  built.source_ns = static_cast<std::uint32_t>(below(2) * (100 + below(1000)));
  walks_.push_back(std::move(built));
}

void Twins::store() {
  if (walks_.empty()) return;
  const auto at = static_cast<std::ptrdiff_t>(below(walks_.size()));
  const BuiltTimeline built = walks_[static_cast<std::size_t>(at)];
  const Replace replace = one_in(3) ? Replace::kAlways : Replace::kKeepValid;
  both([&](Storage& store) { return rules::store(store, built, replace, now_); });
  walks_.erase(walks_.begin() + at);
}

void Twins::drop() {
  const UserNumber user = anybody();
  both([&](Storage& store) { rules::drop_timeline(store, user); });
}

void Twins::note_read() {
  const UserNumber user = anybody();
  both([&](Storage& store) { rules::note_read(store, user, now_); });
}

void Twins::mark_feed() {
  const UserNumber user = anybody();
  const PostId up_to{below(3)};
  both([&](Storage& store) { return rules::mark_feed(store, user, up_to); });
}

void Twins::settings() {
  if (is_bulk_) return;  // tiers by new bounds come in turns then
  constexpr std::uint32_t kCaps[] = {1, 2, 5, 9, 16, 40};
  feed::FeedSettings settings = model_->storage().snapshot()->state().settings;
  settings.cap = kCaps[below(std::size(kCaps))];
  if (!one_in(3)) settings.policy = static_cast<feed::Policy>(below(4));
  settings.influencer_from = 2 + below(2);
  settings.celebrity_above = 3 + below(3);
  both([&](Storage& store) { rules::change_settings(store, settings, now_); });
  const std::string value = std::to_string(below(9));
  both([&](Storage& store) { rules::set_plain(store, "rank.recency", value); });
}

void Twins::retire() {
  both([](Storage& store) { rules::retire_marks(store); });
}

void Twins::trim() {
  const Time before{now_.ms - static_cast<std::int64_t>(below(20))};
  const auto rows = static_cast<std::uint32_t>(1 + below(10));
  both([&](Storage& store) { return rules::trim_log(store, before, rows); });
}

void Twins::repair() {
  both([&](Storage& store) { return store.repair_indexes(now_); });
}

void Twins::clock() {
  constexpr std::int64_t kSteps[] = {0, 1, 1, 2, 50, -1, -30, kDayMs};
  now_.ms += kSteps[below(std::size(kSteps))];
}

}  // namespace chirp::test
