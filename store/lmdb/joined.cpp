#include "store/lmdb/joined.h"

#include <algorithm>
#include <array>
#include <utility>

#include "store/lmdb/early_entries.h"
#include "store/lmdb/table_rows.h"

namespace chirp::lmdb {
namespace {

// Walks one log of an author from a bound on, one entry at a time, with a cursor it shares.
class LogHead {
 public:
  LogHead(Cursor& cursor, Privacy level, UserNumber author, IdRange range)
      : cursor_(&cursor), level_(level), author_(author), range_(range) {}

  // Moves to the next entry; returns false at the end.
  bool advance(Direction direction) {
    Cursor& cursor = *cursor_;
    if (direction == Direction::kDown) {
      const auto item = cursor.before(key(author_, range_.below));
      if (!holds(item)) return false;
      id_ = {u64_at(item->key, 4)};
      range_.below = id_;
      return id_ > range_.above;
    }
    if (range_.above == kAboveAllPosts) return false;
    const auto item = cursor.at_or_after(key(author_, PostId{range_.above.value + 1}));
    if (!holds(item)) return false;
    id_ = {u64_at(item->key, 4)};
    range_.above = id_;
    return id_ < range_.below;
  }
  [[nodiscard]] Entry entry() const { return {id_, author_, Origin::kPushed}; }
  [[nodiscard]] PostId id() const { return id_; }
  [[nodiscard]] UserNumber author() const { return author_; }
  [[nodiscard]] Privacy level() const { return level_; }

 private:
  [[nodiscard]] bool holds(const std::optional<Item>& item) const {
    return item && user_at(item->key) == author_;
  }

  Cursor* cursor_;
  Privacy level_;
  UserNumber author_;
  IdRange range_;
  PostId id_;
};

// Calls `visit` for each of `authors` (ascending) that has rows in the table. Needs one search per
// such author and one more.
template <class Visit>
void for_each_listed(Cursor& cursor, std::span<const UserNumber> authors, Visit visit) {
  while (!authors.empty()) {
    const auto item = cursor.at_or_after(key(authors.front()));
    if (!item) return;
    const UserNumber listed = user_at(item->key);
    const auto at = std::ranges::lower_bound(authors, listed);
    authors = authors.subspan(static_cast<std::size_t>(at - authors.begin()));
    if (authors.empty() || authors.front() != listed) continue;
    visit(listed);
    authors = authors.subspan(1);
  }
}

// Whether a table has rows of the user.
bool has_rows(const Txn& txn, Table table, UserNumber user) {
  Cursor cursor(txn, table);
  const auto item = cursor.at_or_after(key(user));
  return item && user_at(item->key) == user;
}

}  // namespace

bool is_kept(const Txn& txn, UserNumber number) {
  const auto k = key(number);
  const auto value = txn.get(Table::kCards, k);
  return value && presence_of(Item{k, *value}) != Presence::kRemoved;
}

Table log_of(Privacy level) {
  switch (level) {
    case Privacy::kFollowers:
      return Table::kFollowersLogs;
    case Privacy::kPrivate:
      return Table::kPrivateLogs;
    case Privacy::kPublic:
      break;
  }
  return Table::kAuthorLogs;
}

std::vector<Entry> merged_logs(const Txn& txn, const StoreState& state, const LogsOf& logs,
                               IdRange range, Direction direction, std::uint32_t limit) {
  const auto advance = [&](LogHead& head) {
    do {
      if (!head.advance(direction)) return false;
    } while (head.level() == Privacy::kPublic &&
             is_without_post(txn, state, head.author(), head.id()));
    return true;
  };
  std::array cursors{Cursor(txn, log_of(Privacy::kPublic)),
                     Cursor(txn, log_of(Privacy::kFollowers)),
                     Cursor(txn, log_of(Privacy::kPrivate))};
  std::vector<LogHead> heads;
  heads.reserve(logs.authors.size());
  const auto add = [&](Privacy level, UserNumber author) {
    if (!logs.has(author, level)) return;
    LogHead head(cursors[static_cast<std::size_t>(level)], level, author, range);
    if (advance(head)) heads.push_back(head);
  };
  for (const UserNumber author : logs.authors) add(Privacy::kPublic, author);
  // Few authors have posts of the other levels, so each step skips to the next one who does.
  for (const Privacy level : {Privacy::kFollowers, Privacy::kPrivate}) {
    if (!logs.levels.has(level)) {
      if (std::ranges::binary_search(logs.authors, logs.owner)) add(level, logs.owner);
      continue;
    }
    for_each_listed(cursors[static_cast<std::size_t>(level)], logs.authors,
                    [&](UserNumber author) { add(level, author); });
  }
  const auto later = [&](const LogHead& a, const LogHead& b) {
    return direction == Direction::kDown ? a.id() < b.id() : a.id() > b.id();
  };
  std::make_heap(heads.begin(), heads.end(), later);
  std::vector<Entry> entries;
  while (!heads.empty() && entries.size() < limit) {
    std::pop_heap(heads.begin(), heads.end(), later);
    entries.push_back(heads.back().entry());
    if (advance(heads.back())) {
      std::push_heap(heads.begin(), heads.end(), later);
    } else {
      heads.pop_back();
    }
  }
  return entries;
}

std::vector<UserCounters> read_counters(const Txn& txn, const StoreState& state,
                                        Uncounted& uncounted, std::span<const UserNumber> numbers) {
  std::vector<UserCounters> counters;
  counters.reserve(numbers.size());
  for (const UserNumber number : numbers) {
    const auto stored = find_row<tables::UserCounts>(txn, {number});
    counters.push_back(stored.value_or(UserCounters{}));
    // A removed user has no row, and entries may remain.
    if (stored) counters.back().posts -= entries_without_post(txn, state, number);
  }
  uncounted.add(txn, state, numbers, counters);
  return counters;
}

std::vector<ContentCounters> read_content_counters(const Txn& txn, const StoreState& state,
                                                   Uncounted& uncounted,
                                                   std::span<const ContentId> contents) {
  std::vector<ContentCounters> counters;
  counters.reserve(contents.size());
  for (const ContentId content : contents) {
    counters.push_back(row_or_zeros<tables::ContentCounts>(txn, {content}));
  }
  uncounted.add(txn, state, contents, counters);
  return counters;
}

std::vector<ViewerRelation> read_bonds(const Txn& txn, const StoreState& state, UserNumber viewer,
                                       std::span<const UserNumber> others) {
  std::vector<ViewerRelation> bonds(others.size());
  if (state.relations == 0) return bonds;
  // Most users have no relations in either direction.
  const bool sets = has_rows(txn, Table::kRelations, viewer);
  const bool is_set = has_rows(txn, Table::kRelated, viewer);
  if (!sets && !is_set) return bonds;
  const auto has = [&](Table table, Relation relation, UserNumber other) {
    return txn.get(table, key(viewer, relation, other)).has_value();
  };
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (sets) {
      bonds[i].blocks = has(Table::kRelations, Relation::kBlock, others[i]);
      bonds[i].mutes = has(Table::kRelations, Relation::kMute, others[i]);
      bonds[i].reposts_off = has(Table::kRelations, Relation::kRepostsOff, others[i]);
    }
    if (is_set) bonds[i].blocked_by = has(Table::kRelated, Relation::kBlock, others[i]);
  }
  return bonds;
}

std::vector<feed::AuthorMark> read_pulled(const Txn& txn, std::span<const UserNumber> authors) {
  std::vector<feed::AuthorMark> marks;
  Cursor cursor(txn, Table::kPulled);
  for_each_listed(cursor, authors, [&](UserNumber marked) {
    if (auto mark = find_row<tables::Marks>(txn, {marked})) marks.push_back(*mark);
  });
  return marks;
}

}  // namespace chirp::lmdb
