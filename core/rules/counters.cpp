#include "core/rules/counters.h"

#include "core/model/deltas.h"

namespace chirp::rules {

using namespace tables;
using events::Topic;

void add_counters(Rows& rows, std::span<const CounterDelta> deltas) {
  for (const CounterDelta& delta : deltas) add_counters(rows, delta);
}

void add_counters(Rows& rows, const CounterDelta& delta) {
  const UserCounts::Key key{delta.user};
  const auto stored = rows.find(key);
  // A removed user has no counters; late events about them are ignored.
  if (!stored && !rows.kept(delta.user)) return;
  UserCounters counters = stored.value_or(UserCounters{});
  counters.followers += delta.followers;
  counters.following += delta.following;
  counters.posts += delta.posts;
  rows.put(key, counters);
  if (delta.followers != 0) retier(rows, delta.user, counters.followers);
}

void put_counters(Rows& rows, ContentId content, const ContentCounters& counters) {
  const ContentCounts::Key key{content};
  if (counters == ContentCounters{}) {
    rows.discard(key);
  } else {
    rows.put(key, counters);
  }
}

void add_counters(Rows& rows, std::span<const ContentDelta> deltas) {
  for (const ContentDelta& delta : deltas) add_counters(rows, delta);
}

void add_counters(Rows& rows, const ContentDelta& delta) {
  ContentCounters counters =
      rows.find(ContentCounts::Key{delta.content}).value_or(ContentCounters{});
  counters += delta.change;
  put_counters(rows, delta.content, counters);
}

void add_combined(Rows& rows, std::vector<ContentDelta> deltas) {
  events::combine(deltas);
  add_counters(rows, deltas);
}

feed::AuthorMark mark_of(const Rows& rows, UserNumber author) {
  return rows.find(Marks::Key{author}).value_or(feed::AuthorMark{author, feed::Tier::kRegular, {}});
}

void put_mark(Rows& rows, const feed::AuthorMark& mark) {
  const Marks::Key key{mark.author};
  if (mark.tier == feed::Tier::kRegular && mark.push_from == feed::kAlwaysPushed) {
    rows.discard(key);
  } else {
    rows.put(key, mark);
  }
}

void retier(Rows& rows, UserNumber author, std::int64_t followers) {
  const feed::AuthorMark mark = mark_of(rows, author);
  const StoreState& state = rows.state();
  const feed::Tier tier = feed::next_tier(mark.tier, followers, state.settings);
  if (tier == mark.tier || !rows.kept(author)) return;
  put_mark(rows, feed::with_tier(mark, tier, state.settings.policy, rows.next_id()));
  rows.log(
      {.topic = Topic::kTierChanged, .actor = author, .rows = static_cast<std::uint64_t>(tier)});
}

}  // namespace chirp::rules
