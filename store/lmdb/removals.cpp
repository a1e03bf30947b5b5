#include "store/lmdb/removals.h"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace chirp::lmdb {
namespace {

bool has_keys_under(const Txn& txn, Table table, Bytes prefix) {
  Cursor cursor(txn, table);
  const auto item = cursor.at_or_after(prefix);
  return item && item->key.starts_with(prefix);
}

// What a finished removal leaves nothing in: tables whose keys begin with the user.
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

std::vector<std::string_view> traces_of(const Txn& txn, UserNumber user) {
  std::vector<std::string_view> traces;
  for (const auto& [table, name] : kOfUser) {
    if (has_keys_under(txn, table, key(user))) traces.push_back(name);
  }
  return traces;
}

}  // namespace chirp::lmdb
