#include "core/rules/writing.h"

#include <algorithm>
#include <type_traits>

#include "core/ports/reads.h"
#include "core/rules/changes.h"
#include "core/rules/loads.h"
#include "core/rules/removals.h"
#include "core/rules/repairs.h"
#include "core/rules/settings.h"
#include "core/rules/steps.h"

namespace chirp::rules {
namespace {

// The rows are scattered; this many take one turn.
constexpr std::size_t kMarksAtOnce = 500;
constexpr std::uint32_t kUsersAtOnce = 1'000;

struct FiniteMarks {
  std::vector<UserNumber> covered;  // covered by P0
  std::vector<UserNumber> others;
};

FiniteMarks finite_marks(const Snapshot& snapshot) {
  constexpr std::uint32_t kAtOnce = 10'000;
  const PostId all = snapshot.state().push_from_all;
  FiniteMarks found;
  for (UserNumber after = kNobody;;) {
    const auto some = reads::rows_above<tables::Marks>(snapshot, {after}, kAtOnce);
    for (const feed::AuthorMark& mark : some) {
      if (!is_finite(mark.push_from)) continue;
      (mark.push_from <= all ? found.covered : found.others).push_back(mark.author);
    }
    if (some.size() < kAtOnce) return found;
    after = some.back().author;
  }
}

bool has_changed(bool did) { return did; }
bool has_changed(std::uint64_t rows) { return rows > 0; }
bool has_changed(const LoadCounts& counts) { return counts.stored > 0; }
bool has_changed(const EdgeResult& result) { return result.counts.stored > 0; }

// Runs a rule in one turn, and returns its result, which says whether it has changed anything. A
// rule without a result always does.
template <class Rule>
auto run(Storage& storage, Time now, Purpose purpose, const Rule& rule) {
  using Result = std::invoke_result_t<Rule, Rows&>;
  if constexpr (std::is_void_v<Result>) {
    storage.decide(now, purpose, [&](Rows& rows) {
      rule(rows);
      return true;
    });
  } else {
    Result result{};
    storage.decide(now, purpose, [&](Rows& rows) {
      result = rule(rows);
      return has_changed(result);
    });
    return result;
  }
}

template <class Rule>
auto load(Storage& storage, Time now, const Rule& rule) {
  return run(storage, now, Purpose::kLoad, rule);
}

template <class Rule>
auto repair(Storage& storage, Time now, const Rule& rule) {
  return run(storage, now, Purpose::kRepair, rule);
}

}  // namespace

std::vector<Outcome> write_by_deciding(Storage& storage, std::span<const Change> changes,
                                       Time now) {
  if (adds(changes)) {
    if (const auto refused = storage.refusal(SpaceUse::kAdds)) throw Error(*refused);
  }
  std::vector<Outcome> outcomes;
  storage.decide(now, Purpose::kChange,
                 [&](Rows& rows) { return apply_all(rows, changes, outcomes); });
  return outcomes;
}

bool remove_traces(Storage& storage, UserNumber user, std::uint32_t limit, Time now) {
  bool gone = false;
  storage.decide(now, Purpose::kRemoval, [&](Rows& rows) {
    gone = remove_traces(rows, user, limit);
    return true;
  });
  return gone;
}

bool remove_post_traces(Storage& storage, std::uint32_t limit, Time now) {
  bool gone = true;
  storage.decide(now, Purpose::kTraces, [&](Rows& rows) {
    const bool any = rows.state().post_removals != 0;
    gone = !any || remove_post_traces(rows, limit);
    return any;
  });
  return gone;
}

void repair_removals(Storage& storage, std::span<const UserNumber> users, Time now) {
  repair(storage, now, [&](Rows& rows) { return take_up_removals(rows, users); });
}

bool commit(Storage& storage, const FanOutStep& step, Time now) {
  return storage.decide(now, Purpose::kFanOut, [&](Rows& rows) { return take(rows, step); });
}

bool commit(Storage& storage, const CounterStep& step, Time now) {
  return storage.decide(now, Purpose::kCounters, [&](Rows& rows) { return take(rows, step); });
}

bool commit(Storage& storage, const NotificationStep& step, Time now) {
  return storage.decide(now, Purpose::kNotifications, [&](Rows& rows) { return take(rows, step); });
}

bool commit(Storage& storage, const TrendStep& step, Time now) {
  return storage.decide(now, Purpose::kTrends, [&](Rows& rows) { return take(rows, step); });
}

bool store(Storage& storage, const BuiltTimeline& built, Replace replace, Time now) {
  return store(storage, {&built, 1}, replace, now).front();
}

std::vector<bool> store(Storage& storage, std::span<const BuiltTimeline> built, Replace replace,
                        Time now) {
  const Purpose purpose = replace == Replace::kKeepValid ? Purpose::kBuild : Purpose::kRebuild;
  std::vector<bool> stored(built.size());
  storage.decide(now, purpose, [&](Rows& rows) {
    for (std::size_t i = 0; i < built.size(); ++i) stored[i] = store(rows, built[i], replace);
    return std::ranges::find(stored, true) != stored.end();
  });
  return stored;
}

void drop_timeline(Storage& storage, UserNumber viewer) {
  storage.decide({}, Purpose::kBuild, [&](Rows& rows) { return rows.erase_timeline(viewer); });
}

void note_read(Storage& storage, UserNumber viewer, Time now) {
  storage.decide(now, Purpose::kRead, [&](Rows& rows) { return note_read(rows, viewer); });
}

bool mark_feed(Storage& storage, UserNumber user, PostId up_to) {
  MarkResult marked{};
  storage.decide({}, Purpose::kChange, [&](Rows& rows) {
    marked = mark_feed(rows, user, up_to);
    return marked == MarkResult::kMoved;
  });
  return marked != MarkResult::kNobody;
}

void mark_feeds(Storage& storage, std::span<const std::pair<UserNumber, PostId>> up_to) {
  constexpr std::size_t kAtOnce = 4'096;
  while (!up_to.empty()) {
    const auto some = up_to.first(std::min(up_to.size(), kAtOnce));
    storage.decide({}, Purpose::kLoad, [&](Rows& rows) {
      bool moved = false;
      for (const auto& [user, id] : some) moved |= mark_feed(rows, user, id) == MarkResult::kMoved;
      return moved;
    });
    up_to = up_to.subspan(some.size());
  }
}

bool mark_notified(Storage& storage, UserNumber user, Sequence up_to) {
  return storage.decide({}, Purpose::kChange,
                        [&](Rows& rows) { return mark_notified(rows, user, up_to); });
}

void put_settings(Storage& storage, const feed::FeedSettings& settings, Time now) {
  storage.decide(now, Purpose::kChange,
                 [&](Rows& rows) { return change_settings(rows, settings); });
}

bool replace_settings(Storage& storage, const feed::FeedSettings& before,
                      const feed::FeedSettings& settings, Time now) {
  bool stood = false;
  storage.decide(now, Purpose::kChange, [&](Rows& rows) {
    stood = rows.state().settings == before;
    return stood && change_settings(rows, settings);
  });
  return stood;
}

bool settle_tiers(Storage& storage, std::uint32_t users, Time now) {
  bool settled = true;
  storage.decide(now, Purpose::kMarks, [&](Rows& rows) {
    const bool any = settle_tiers(rows, users);
    settled = !any || !tiers_due(rows);
    return any;
  });
  return settled;
}

void change_settings(Storage& storage, const feed::FeedSettings& settings, Time now) {
  put_settings(storage, settings, now);
  if (!tiers_due(*storage.snapshot())) return;
  while (!settle_tiers(storage, kUsersAtOnce, now)) continue;
}

void retire_marks(Storage& storage) {
  // A mark set meanwhile stays, because timelines lose nothing by it.
  const FiniteMarks marked = finite_marks(*storage.snapshot());
  std::span<const UserNumber> left = marked.covered;
  while (!left.empty()) {
    const auto some = left.first(std::min(left.size(), kMarksAtOnce));
    left = left.subspan(some.size());
    storage.decide({}, Purpose::kMarks, [&](Rows& rows) { return retire_covered(rows, some); });
  }
  run(storage, {}, Purpose::kMarks, [&](Rows& rows) { retire_marks(rows, marked.others); });
}

void set_plain(Storage& storage, std::string_view key, std::string_view value) {
  run(storage, {}, Purpose::kChange, [&](Rows& rows) {
    rows.put(tables::PlainSettings::Key{std::string(key)}, std::string(value));
  });
}

std::uint64_t trim_log(Storage& storage, Time before, std::uint32_t limit) {
  return run(storage, {}, Purpose::kTrim,
             [&](Rows& rows) { return trim_log(rows, before, limit); });
}

std::uint64_t forget_keys(Storage& storage, Time before, std::uint32_t limit) {
  return run(storage, {}, Purpose::kKeys,
             [&](Rows& rows) { return std::uint64_t{rows.forget_requests(before, limit)}; });
}

void load_cards(Storage& storage, std::span<const AuthorCard> cards, Time now) {
  load(storage, now, [&](Rows& rows) { return load_cards(rows, cards); });
}

EdgeResult load_edges(Storage& storage, std::span<const LoadedEdge> edges, Time now) {
  if (edges.empty()) return {};
  return load(storage, now, [&](Rows& rows) { return load_edges(rows, edges); });
}

LoadCounts load_posts(Storage& storage, std::span<const LoadedPost> posts, Time now) {
  LoadCounts counts;
  storage.decide(now, Purpose::kLoad, [&](Rows& rows) {
    counts = load_posts(rows, posts);
    return counts.stored > 0 || std::ranges::any_of(posts, &LoadedPost::is_early);
  });
  return counts;
}

void put_early_entries(Storage& storage, std::span<const EarlyEntry> entries, Time now) {
  load(storage, now, [&](Rows& rows) { put_early_entries(rows, entries); });
}

void take_back_entries(Storage& storage, std::span<const EarlyEntry> entries, Time now) {
  repair(storage, now, [&](Rows& rows) { take_back_entries(rows, entries); });
}

void end_early_entries(Storage& storage, Time now) {
  storage.decide(now, Purpose::kRepair, [&](Rows& rows) {
    if (rows.state().early_below == PostId{}) return false;
    end_early_entries(rows);
    return true;
  });
}

LoadCounts load_comments(Storage& storage, std::span<const LoadedComment> comments, Time now) {
  return load(storage, now, [&](Rows& rows) { return load_comments(rows, comments); });
}

LoadCounts load_reactions(Storage& storage, std::span<const LoadedReaction> reactions, Time now) {
  return load(storage, now, [&](Rows& rows) { return load_reactions(rows, reactions); });
}

void restore_posts(Storage& storage, std::span<const Post> posts, Time now) {
  load(storage, now, [&](Rows& rows) { return restore_posts(rows, posts); });
}

void restore_edges(Storage& storage, std::span<const RestoredEdge> edges, Time now) {
  load(storage, now, [&](Rows& rows) { return restore_edges(rows, edges); });
}

void restore_reposts_off(Storage& storage, std::span<const LoadedEdge> edges, Time now) {
  load(storage, now, [&](Rows& rows) { return restore_reposts_off(rows, edges); });
}

void restore_comments(Storage& storage, std::span<const Comment> comments, Time now) {
  load(storage, now, [&](Rows& rows) { return restore_comments(rows, comments); });
}

void restore_reactions(Storage& storage, std::span<const RestoredReaction> reactions, Time now) {
  load(storage, now, [&](Rows& rows) { return restore_reactions(rows, reactions); });
}

void restore_relations(Storage& storage, std::span<const RestoredRelation> relations, Time now) {
  load(storage, now, [&](Rows& rows) { return restore_relations(rows, relations); });
}

void repair_counters(Storage& storage, UserNumber user, const UserCounters& actual, Time now) {
  repair(storage, now, [&](Rows& rows) { return repair_counters(rows, user, actual); });
}

void repair_content_counters(Storage& storage, ContentId content, const ContentCounters& actual,
                             Time now) {
  repair(storage, now, [&](Rows& rows) { repair_counters(rows, content, actual); });
}

void repair_logs(Storage& storage, std::span<const Post> posts, Time now) {
  repair(storage, now, [&](Rows& rows) { repair_logs(rows, posts); });
}

void repair_tags(Storage& storage, std::span<const TaggedPost> posts,
                 std::span<const tables::TagPosts::Key> stray, Time now) {
  repair(storage, now, [&](Rows& rows) { repair_tags(rows, posts, stray); });
}

void repair_threads(Storage& storage, std::span<const CommentId> comments, Time now) {
  repair(storage, now, [&](Rows& rows) { repair_threads(rows, comments); });
}

void repair_notifications(Storage& storage, std::span<const events::Notification> wrong,
                          std::span<const events::Notification> missing, Time now) {
  repair(storage, now, [&](Rows& rows) { repair_notifications(rows, wrong, missing); });
}

}  // namespace chirp::rules
