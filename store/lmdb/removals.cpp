#include "store/lmdb/removals.h"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "store/lmdb/early_entries.h"

namespace chirp::lmdb {
namespace {

bool has_rows_under(const Txn& txn, const StoreState& state, Table table, Bytes prefix) {
  Cursor cursor(txn, table);
  auto item = cursor.at_or_after(prefix);
  while (item && item->key.starts_with(prefix) && is_without_post(txn, state, table, item->key)) {
    item = cursor.next();
  }
  return item && item->key.starts_with(prefix);
}

// Tables that have no rows of a removed user: those whose keys begin with the user.
constexpr std::array<std::pair<Table, std::string_view>, 14> kOfUser{{
    {Table::kAuthorLogs, "posts"},
    {Table::kFollowersLogs, "posts for followers"},
    {Table::kPrivateLogs, "private posts"},
    {Table::kFollowing, "follows"},
    {Table::kFollowers, "followers"},
    {Table::kRelations, "blocks and mutes"},
    {Table::kRelated, "blocks and mutes by others"},
    {Table::kReactionsBy, "reactions"},
    {Table::kCommentsBy, "comments"},
    {Table::kKeys, "idempotency keys"},
    {Table::kNotifications, "notifications"},
    {Table::kTimelines, "timeline"},
    {Table::kMarks, "mark"},
    {Table::kReaders, "reading marks"},
}};

}  // namespace

std::vector<std::string_view> traces_of(const Txn& txn, const StoreState& state, UserNumber user) {
  std::vector<std::string_view> traces;
  for (const auto& [table, name] : kOfUser) {
    if (has_rows_under(txn, state, table, key(user))) traces.push_back(name);
  }
  return traces;
}

}  // namespace chirp::lmdb
