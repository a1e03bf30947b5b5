#include "core/rules/settings.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/rules/content.h"
#include "core/rules/counters.h"

namespace chirp::rules {

using namespace tables;

namespace {

std::vector<feed::AuthorMark> all_marks(const Rows& rows) {
  std::vector<feed::AuthorMark> marks;
  for (const auto& [key, mark] :
       rows.range(Marks::Key{kNobody}, Marks::Key{kLastUser}, Direction::kUp, kNoLimit)) {
    marks.push_back(mark);
  }
  return marks;
}

// Updates the tiers of users who have a mark or are above a bound.
void retier_some(Rows& rows, const RowPairs<UserCounts>& counted) {
  const feed::FeedSettings& settings = rows.state().settings;
  const auto bound =
      static_cast<std::int64_t>(std::min(settings.influencer_from, settings.celebrity_above));
  std::vector<UserNumber> marked;
  for (const auto& [key, mark] :
       rows.range(Marks::Key{counted.front().first.user}, Marks::Key{counted.back().first.user},
                  Direction::kUp, kNoLimit)) {
    marked.push_back(mark.author);
  }
  for (const auto& [key, counts] : counted) {
    if (counts.followers >= bound || std::ranges::binary_search(marked, key.user)) {
      retier(rows, key.user, counts.followers);
    }
  }
}

const PlainSettings::Key& tiers_due_key() {
  static const PlainSettings::Key kKey{std::string(kTiersDue)};
  return kKey;
}

// Moves the finite marks that `choose` accepts to 0. Returns whether there was any.
template <class Choose>
bool retire(Rows& rows, std::span<const UserNumber> authors, Choose choose) {
  std::vector<Marks::Key> keys;
  for (const UserNumber author : authors) keys.push_back({author});
  bool any = false;
  for (auto& mark : rows.find_all(std::span<const Marks::Key>(keys))) {
    if (!mark || !is_finite(mark->push_from) || !choose(*mark)) continue;
    mark->push_from = feed::kAlwaysPushed;
    put_mark(rows, *mark);
    any = true;
  }
  return any;
}

// An event from a time when the clock was ahead is dropped with its neighbours.
bool is_old(Time moment, Time before, const StoreState& state) {
  return moment < before || state.passed.was_ahead(moment);
}

}  // namespace

bool change_settings(Rows& rows, const feed::FeedSettings& settings) {
  StoreState& state = rows.state();
  const feed::FeedSettings old = state.settings;
  if (old == settings) return false;
  state.settings = settings;
  if (old.policy != settings.policy) {
    state.push_from_all = feed::push_from_all(state.push_from_all, settings.policy, rows.next_id());
    for (const feed::AuthorMark& mark : all_marks(rows)) {
      put_mark(rows, feed::under_policy(mark, settings.policy, rows.next_id()));
    }
  }
  if (old.influencer_from != settings.influencer_from ||
      old.celebrity_above != settings.celebrity_above) {
    note_tiers_due(rows, UserNumber{1});
  }
  return true;
}

std::optional<UserNumber> tiers_due(const RowReader& rows) {
  const auto noted = rows.find(tiers_due_key());
  if (!noted) return std::nullopt;
  UserNumber first{1};
  const char* const end = noted->data() + noted->size();
  const auto [stop, error] = std::from_chars(noted->data(), end, first.value);
  return error == std::errc() && stop == end ? first : UserNumber{1};
}

void note_tiers_due(Rows& rows, UserNumber first) {
  rows.put(tiers_due_key(), std::to_string(first.value));
}

bool settle_tiers(Rows& rows, std::uint32_t users) {
  const auto first = tiers_due(rows);
  if (!first) return false;
  const auto counted =
      rows.range(UserCounts::Key{*first}, UserCounts::Key{kLastUser}, Direction::kUp, users);
  if (!counted.empty()) retier_some(rows, counted);
  if (counted.size() < users || counted.back().first.user == kLastUser) {
    rows.discard(tiers_due_key());
  } else {
    note_tiers_due(rows, UserNumber{counted.back().first.user.value + 1});
  }
  return true;
}

bool retire_covered(Rows& rows, std::span<const UserNumber> authors) {
  const PostId covered = rows.state().push_from_all;
  return retire(rows, authors,
                [&](const feed::AuthorMark& mark) { return mark.push_from <= covered; });
}

void retire_marks(Rows& rows, std::span<const UserNumber> authors) {
  retire(rows, authors, [](const feed::AuthorMark&) { return true; });
  StoreState& state = rows.state();
  if (state.push_from_all != feed::kNeverPushed) state.push_from_all = feed::kAlwaysPushed;
  ++state.generation;
}

std::uint64_t trim_log(Rows& rows, Time before, std::uint32_t limit) {
  StoreState& state = rows.state();
  const Sequence end = std::min({state.fan_out, state.counters, state.notifications, state.trends});
  if (state.log_first >= end || limit == 0) return 0;
  const auto oldest =
      rows.range(Events::Key{state.log_first}, Events::Key{{end.value - 1}}, Direction::kUp, limit);
  std::uint64_t dropped = 0;
  for (const auto& [key, event] : oldest) {
    if (!is_old(event.time, before, state)) break;
    rows.discard(key);
    state.log_first = {key.sequence.value + 1};
    ++dropped;
  }
  return dropped;
}

bool continue_log(Rows& rows, Sequence last) {
  StoreState& state = rows.state();
  if (last < state.log_end) return false;
  for (Sequence at = state.log_first; at < state.log_end; ++at.value) {
    rows.discard(Events::Key{at});
  }
  const Sequence next{last.value + 1};
  state.log_first = state.log_end = next;
  state.fan_out = state.fan_out_reach = next;
  state.counters = state.notifications = state.trends = next;
  return true;
}

MarkResult mark_feed(Rows& rows, UserNumber user, PostId up_to) {
  Readers::Row reader = rows.find(Readers::Key{user}).value_or(Readers::Row{});
  if (!rows.kept(user)) return MarkResult::kNobody;
  if (reader.feed == up_to) return MarkResult::kAlready;
  reader.feed = up_to;
  rows.put(Readers::Key{user}, reader);
  return MarkResult::kMoved;
}

bool mark_notified(Rows& rows, UserNumber user, Sequence up_to) {
  Readers::Row reader = rows.find(Readers::Key{user}).value_or(Readers::Row{});
  if (!rows.kept(user)) return false;
  const Sequence last{rows.state().log_end.value - 1};
  const Sequence read = std::min(up_to, last);
  if (read <= reader.notified) return false;
  reader.notified = read;
  rows.put(Readers::Key{user}, reader);
  return true;
}

}  // namespace chirp::rules
