#include "store/lmdb/cards.h"
#include "store/lmdb/counters.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/lmdb_snapshot.h"
#include "store/lmdb/posts.h"
#include "store/lmdb/removals.h"
#include "store/lmdb/timelines.h"

namespace chirp::lmdb {
namespace {

// Rows of a table keyed by user, from above `after`, made into what `decode` says.
template <class Decode>
auto scan(const Txn& txn, Table table, UserNumber after, std::uint32_t limit, Decode decode) {
  std::vector<decltype(decode(Item{}))> rows;
  if (after.value == ~0u) return rows;
  Cursor cursor(txn, table);
  for (auto item = cursor.at_or_after(key(UserNumber{after.value + 1}));
       item && rows.size() < limit; item = cursor.next()) {
    rows.push_back(decode(*item));
  }
  return rows;
}

UserNumber number_at(const Item& item) { return user_at(item.key); }

}  // namespace

std::vector<AuthorCard> LmdbSnapshot::scan_cards(UserNumber after, std::uint32_t limit) const {
  return scan(txn_, Table::kCards, after, limit,
              [](const Item& item) { return decode_card(item.key, item.value); });
}

std::vector<Post> LmdbSnapshot::scan_posts(PostId after, std::uint32_t limit) const {
  std::vector<Post> posts;
  if (after == kAboveAllPosts) return posts;
  Cursor cursor(txn_, Table::kPosts);
  for (auto item = cursor.at_or_after(key(PostId{after.value + 1})); item && posts.size() < limit;
       item = cursor.next()) {
    posts.push_back(decode_post(item->key, item->value));
  }
  return posts;
}

std::optional<Timeline> LmdbSnapshot::timeline(UserNumber viewer) const {
  return read_timeline(txn_, viewer);
}

std::vector<UserNumber> LmdbSnapshot::scan_timelines(UserNumber after, std::uint32_t limit) const {
  return scan(txn_, Table::kTimelines, after, limit, number_at);
}

std::vector<std::pair<UserNumber, UserCounters>> LmdbSnapshot::scan_counters(
    UserNumber after, std::uint32_t limit) const {
  return scan(txn_, Table::kCounters, after, limit, [](const Item& item) {
    return std::pair(user_at(item.key), decode_counters(item.key, item.value));
  });
}

std::vector<feed::AuthorMark> LmdbSnapshot::scan_marks(UserNumber after,
                                                       std::uint32_t limit) const {
  return scan(txn_, Table::kMarks, after, limit,
              [](const Item& item) { return decode_mark(item.key, item.value); });
}

std::vector<UserNumber> LmdbSnapshot::unfinished_removals() const {
  return scan(txn_, Table::kRemovals, kNobody, ~std::uint32_t{0}, number_at);
}

std::vector<std::string_view> LmdbSnapshot::traces_of(UserNumber user) const {
  return lmdb::traces_of(txn_, user);
}

std::map<std::string, std::uint64_t> LmdbSnapshot::table_rows() const {
  std::map<std::string, std::uint64_t> rows;
  for (std::size_t i = 0; i < kTables; ++i) {
    rows.emplace(kTableNames[i], txn_.stat(static_cast<Table>(i)).ms_entries);
  }
  rows["follows"] = count_edges(txn_, Table::kFollowing);
  return rows;
}

}  // namespace chirp::lmdb
