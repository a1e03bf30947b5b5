#include "store/postgres/snapshot/snapshot.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/error.h"
#include "core/model/deltas.h"
#include "core/ports/caller.h"
#include "core/ports/reads.h"
#include "store/postgres/cluster/published.h"
#include "store/postgres/commit/sweeping.h"

namespace chirp::postgres {
namespace {

using namespace tables;

constexpr std::string_view kGoing =
    "select usr from removals where born <= $1::int8 and (died is null or died > $1::int8)"
    " order by usr";

Error too_old() {
  return {ErrorCode::kUnavailable,
          "What was read from has grown too old while nothing was asked of it. Try again."};
}

}  // namespace

PostgresSnapshot::PostgresSnapshot(Reading reading, std::shared_ptr<Remembered> remembered,
                                   std::function<std::chrono::steady_clock::time_point()> now,
                                   Safeguard without)
    : reading_(std::move(reading)),
      remembered_(std::move(remembered)),
      now_(std::move(now)),
      without_(without),
      reader_(fresh_number()) {}

// ---------------------------------------------------------------- rounds

// In a single database, what is queried with the number is from the same transaction.
void PostgresSnapshot::ask_state(Questions& questions) const {
  questions.other(kNewest, {}, [this, &questions](const Result& result) {
    state_ = newest_in(result);
    remembered_->expect(*state_);
    questions.see(point_of(*state_));
  });
}

void PostgresSnapshot::ask_going(Questions& questions) const {
  questions.other(kGoing, Params().int8(questions.point().number), [this](const Result& result) {
    going_.emplace();
    for (int row = 0; row < result.rows(); ++row) going_->push_back(user_in(result, row, 0));
  });
}

void PostgresSnapshot::begin() const {
  if (state_) return;
  if (!reading_.has_one()) {
    kept_ = now_();
    state_ = reading_.newest();
  } else {
    in_round([](Questions&) {});
  }
}

// Pins at home, before another query relies on it. A role that can only read has no pin; its
// snapshots live for kSnapshotLives.
bool PostgresSnapshot::pin() const {
  if (!may_pin_) return false;
  try {
    reading_.write(kPin, Params().int8(reader_).int8(static_cast<std::int64_t>(state_->version)));
    return true;
  } catch (const PostgresError& error) {
    may_pin_ = false;
    if (error.code() != ErrorCode::kReadOnly && error.code() != ErrorCode::kNotLetIn) throw;
    return false;
  }
}

// Checked after each answer, because rows may have been swept before it came.
void PostgresSnapshot::check_age() const {
  is_lost_ = now_() - kept_ > kSnapshotLives;
  if (is_lost_) throw too_old();
}

void PostgresSnapshot::in_round(const std::function<void(Questions&)>& ask, Where where) const {
  if (is_lost_) throw too_old();
  if (!reading_.has_one()) begin();
  const auto asked = now_();
  if (!state_) kept_ = asked;
  const bool pins = asked - kept_ > kSnapshotLives / 3 && pin();
  // The RequestVersions must get versions from the same moment as the snapshot's number.
  const std::uint64_t changes = reading_.changes();
  const bool is_seen = !state_ && RequestVersions::current() != nullptr;
  std::uint64_t users_version = 0;
  Questions questions(
      [&](std::span<const GroupQuery> all) {
        return state_ ? reading_.ask(*state_, all, where) : reading_.ask_newest(all);
      },
      reading_.placing(), state_ ? point_of(*state_) : kNewestPoint);
  if (!state_) ask_state(questions);
  if (is_seen) {
    questions.other(kUsersVersion, {}, [&](const Result& result) {
      users_version = static_cast<std::uint64_t>(result.number(0, 0));
    });
  }
  const bool may_go = state_ ? state_->removals != 0 : remembered_->has_removals.load();
  if (!going_ && may_go) ask_going(questions);
  ask(questions);
  questions.ask();
  if (!going_ && state_->removals != 0) {
    ask_going(questions);
    questions.ask();
  }
  if (!going_) going_.emplace();
  check_age();
  if (pins) kept_ = asked;
  // Later reads of this request must not use an older number.
  if (is_seen) reading_.see_in_glance(changes, {state_->version, users_version});
}

bool PostgresSnapshot::is_going(UserNumber author) const {
  if (!going_) in_round([](Questions&) {});
  return std::ranges::binary_search(*going_, author);
}

namespace {

Where where_of(const TableType& type) {
  return type.index == kIndexOf<Readers> ? Where::kAtHome : Where::kAnywhere;
}

}  // namespace

void PostgresSnapshot::find_rows(const TableType& type, std::span<const void* const> keys,
                                 std::span<void* const> found) const {
  if (keys.empty()) return;
  std::vector<AnyRow> asked;
  for (const void* const key : keys) asked.push_back(type.keep(key, nullptr));
  const auto assign = [&](std::size_t i, const AnyRow& row) { type.assign(found[i], row.row); };
  const auto is_known = [&](const AnyRow& key) { return ahead_.find(key) != nullptr; };
  if (ahead_.begun() && std::ranges::all_of(asked, is_known)) {
    for (std::size_t i = 0; i < asked.size(); ++i) assign(i, *ahead_.find(asked[i]));
    return;
  }
  if (type.index == kIndexOf<Events>) begin();
  in_round(
      [&](Questions& questions) {
        questions.rows(type, std::move(asked), [&](const std::vector<AnyRow>& rows) {
          for (std::size_t i = 0; i < rows.size(); ++i) assign(i, rows[i]);
        });
      },
      where_of(type));
}

std::size_t PostgresSnapshot::find_ranges(const TableType& type, std::span<const AnyEnds> wanted,
                                          Direction direction, std::uint32_t limit,
                                          std::uint64_t enough,
                                          std::span<void* const> found) const {
  if (wanted.empty()) return 0;
  std::vector<AnyRange> asked;
  for (const auto& [first, last] : wanted) {
    asked.push_back({type.keep(first, nullptr), type.keep(last, nullptr), limit});
  }
  if (type.index == kIndexOf<Events>) begin();
  std::size_t answered = 0;
  in_round(
      [&](Questions& questions) {
        questions.ranges(type, std::move(asked), direction, enough, [&](const auto& ranges) {
          answered = ranges.size();
          for (std::size_t i = 0; i < answered; ++i) {
            for (const AnyRow& row : ranges[i]) type.append(found[i], row.key, row.row);
          }
        });
      },
      where_of(type));
  return answered;
}

std::vector<events::Event> PostgresSnapshot::events_from(Sequence from) const {
  const StoredState& state = stored_state();
  if (from >= state.log_end) return {};
  auto events = remembered_->tail.find(from, state.log_end);
  const Sequence next{from.value + events.size()};
  if (next >= state.log_end) return events;
  const auto rows =
      range(Events::Key{next}, Events::Key{{state.log_end.value - 1}}, Direction::kUp, kAllRows);
  std::vector<events::Event> fresh;
  for (const auto& [key, event] : rows) fresh.push_back(event);
  remembered_->tail.learn(next, fresh, first_pending(state));
  events.insert(events.end(), fresh.begin(), fresh.end());
  return events;
}

// ---------------------------------------------------------------- content

std::vector<std::optional<Post>> PostgresSnapshot::posts_at(std::span<const PostId> ids) const {
  std::vector<Posts::Key> keys;
  for (const PostId id : ids) keys.push_back({id});
  std::vector<std::optional<Post>> posts;
  if (keys.empty()) return posts;
  in_round([&](Questions& questions) {
    questions.rows<Posts>(keys, [&](auto rows) { posts = std::move(rows); });
    if (ahead_.begun()) ahead_.ask_with_posts(questions, ids, state_->relations != 0);
  });
  for (auto& post : posts) {
    if (post && is_going(post->author)) post.reset();
  }
  ahead_.told_posts(posts);
  return posts;
}

std::vector<UserCounters> PostgresSnapshot::counters(std::span<const UserNumber> numbers) const {
  std::vector<UserCounts::Key> keys;
  for (const UserNumber number : numbers) keys.push_back({number});
  std::map<UserNumber, UserCounters> pending;
  std::vector<CounterDelta> deltas;
  for (const auto& event : events_from(stored_state().counters))
    events::append_user_deltas(event, deltas);
  for (const CounterDelta& delta : deltas) {
    UserCounters& counters = pending[delta.user];
    counters.followers += delta.followers;
    counters.following += delta.following;
    counters.posts += delta.posts;
  }
  std::vector<UserCounters> found;
  for (const auto& row : find_all(keys)) {
    UserCounters counters = row.value_or(UserCounters{});
    if (const auto more = pending.find(numbers[found.size()]); more != pending.end()) {
      counters.followers += more->second.followers;
      counters.following += more->second.following;
      counters.posts += more->second.posts;
    }
    found.push_back(counters);
  }
  return found;
}

std::vector<ContentCounters> PostgresSnapshot::content_counters(
    std::span<const ContentId> contents) const {
  std::vector<ContentCounts::Key> keys;
  for (const ContentId content : contents) keys.push_back({content});
  std::map<ContentId, ContentCounters> pending;
  std::vector<ContentDelta> deltas;
  for (const auto& event : events_from(stored_state().counters)) {
    events::append_content_deltas(event, deltas);
  }
  for (const ContentDelta& delta : deltas) pending[delta.content] += delta.change;
  if (ahead_.begun() && !ahead_.knows_all<ContentCounts>(keys)) {
    in_round([&](Questions& questions) { ahead_.ask_stats(questions, contents); });
  }
  std::vector<ContentCounters> found;
  for (const auto& row : find_all(keys)) {
    ContentCounters counters = row.value_or(ContentCounters{});
    const auto more = pending.find(contents[found.size()]);
    if (more != pending.end()) counters += more->second;
    found.push_back(counters);
  }
  return found;
}

std::vector<ViewerRelation> PostgresSnapshot::bonds(UserNumber viewer,
                                                    std::span<const UserNumber> others) const {
  std::vector<ViewerRelation> bonds(others.size());
  if (others.empty() || stored_state().relations == 0) return bonds;
  BondKeys keys(viewer, others);
  constexpr std::size_t kKinds = BondKeys::kKinds.size();
  const auto take_sets = [&](const auto& is_set) {
    for (std::size_t i = 0; i < bonds.size(); ++i) {
      bonds[i].blocks = is_set(i * kKinds);
      bonds[i].mutes = is_set(i * kKinds + 1);
      bonds[i].reposts_off = is_set(i * kKinds + 2);
    }
  };
  if (ahead_.knows_all<Relations>(keys.sets) && ahead_.knows_all<Related>(keys.blocks)) {
    take_sets([&](std::size_t i) { return ahead_.find<Relations>(keys.sets[i])->row != nullptr; });
    for (std::size_t i = 0; i < bonds.size(); ++i) {
      bonds[i].blocked_by = ahead_.find<Related>(keys.blocks[i])->row != nullptr;
    }
    return bonds;
  }
  in_round([&](Questions& questions) {
    questions.rows<Relations>(keys.sets, [&](const auto& rows) {
      take_sets([&](std::size_t i) { return rows[i].has_value(); });
    });
    questions.rows<Related>(keys.blocks, [&](const auto& rows) {
      for (std::size_t i = 0; i < bonds.size(); ++i) bonds[i].blocked_by = rows[i].has_value();
    });
  });
  return bonds;
}

}  // namespace chirp::postgres
