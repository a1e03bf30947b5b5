#include "core/lab/stage.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::lab {
namespace {

constexpr std::uint32_t kRemovedAtOnce = 1'000;
constexpr std::uint32_t kTimelinesAtOnce = 500;
constexpr std::uint32_t kDroppedAtOnce = 5'000;
constexpr std::uint64_t kNobodysFollowers = 1'000'000'000;

// Removes the rows of a table with ids from `first` on, with the same changes as users.
template <class Table, class Removal>
void remove_from(Storage& storage, const Clock& clock, std::uint64_t first) {
  for (;;) {
    std::vector<Change> changes;
    const typename Table::Key from{{first}};
    const auto last = reads::greatest<typename Table::Key>();
    const auto rows = storage.snapshot()->range(from, last, Direction::kUp, kRemovedAtOnce);
    if (rows.empty()) return;
    for (const auto& [key, row] : rows) changes.emplace_back(Removal{key.id});
    (void)storage.write(changes, clock.now());
    first = rows.back().first.id.value + 1;
  }
}

void drop_all_timelines(Storage& storage, const Clock& clock) {
  for (;;) {
    const auto viewers = storage.snapshot()->scan_timelines(kNobody, kDroppedAtOnce);
    if (viewers.empty()) return;
    (void)storage.decide(clock.now(), Purpose::kRebuild, [&](Rows& rows) {
      for (const UserNumber viewer : viewers) rows.erase_timeline(viewer);
      return true;
    });
  }
}

void mint_from(Storage& storage, const Clock& clock, Time from) {
  const PostId floor{snowflake::floor_of(from)};
  (void)storage.decide(clock.now(), Purpose::kRepair, [&](Rows& rows) {
    if (rows.state().last_id <= floor) return false;
    rows.state().last_id = floor;
    ++rows.state().unlogged;
    return true;
  });
}

}  // namespace

void clear_from(Storage& storage, const Clock& clock, Time from) {
  const std::uint64_t first = snowflake::floor_of(from);
  drop_all_timelines(storage, clock);  // before anything could be delivered
  remove_from<tables::Posts, RemovePost>(storage, clock, first);
  events::drain(storage, clock);  // also removes the comments below those posts
  remove_from<tables::Comments, RemoveComment>(storage, clock, first);
  feed::FeedSettings settings = storage.snapshot()->state().settings;
  settings.policy = feed::Policy::kPull;
  // Hysteresis would keep an author's tier under another policy, so the bounds are raised first.
  settings.influencer_from = kNobodysFollowers;
  settings.celebrity_above = kNobodysFollowers;
  settle_policy(storage, clock, settings);
  mint_from(storage, clock, from);
}

void settle_policy(Storage& storage, const Clock& clock, const feed::FeedSettings& settings) {
  rules::change_settings(storage, settings, clock.now());
  events::drain(storage, clock);
}

std::uint64_t build_timelines(Storage& storage, const Clock& clock, const ReadModel& model,
                              const std::function<void(std::uint64_t users)>& done) {
  std::uint64_t stored = 0;
  const std::int64_t active_ms = storage.snapshot()->state().settings.active_days * kDayMs;
  const Time since{clock.now().ms - active_ms};
  for (UserNumber after = kNobody;;) {
    std::vector<BuiltTimeline> built;
    {
      const auto snapshot = storage.snapshot();
      const auto cards = reads::rows_above<tables::Cards>(*snapshot, {after}, kTimelinesAtOnce);
      if (cards.empty()) return stored;
      after = cards.back().number;
      done(cards.size());
      for (const AuthorCard& card : cards) {
        const Time last_read = model.last_read_before(card.number, clock.now());
        if (card.presence != Presence::kPresent || last_read < since) continue;
        auto timeline = feed::build_timeline(*snapshot, card.number, clock);
        if (!timeline) continue;
        timeline->timeline.last_read = last_read;
        built.push_back(std::move(*timeline));
      }
    }
    const auto of_these = rules::store(storage, built, Replace::kAlways, clock.now());
    stored += static_cast<std::uint64_t>(std::ranges::count(of_these, true));
  }
}

}  // namespace chirp::lab
