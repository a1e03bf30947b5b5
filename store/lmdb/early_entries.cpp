#include "store/lmdb/early_entries.h"

#include <string>
#include <vector>

#include "core/rules/writing.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/records.h"

namespace chirp::lmdb {
namespace {

// If logs and counters have this many pages (16 MiB) or more, a transaction of 2,048 posts in the
// order of time mostly adds one entry to a page.
constexpr std::size_t kPagesFrom = 4'096;
constexpr std::size_t kLookedAtOnce = 65'536;
constexpr std::size_t kTakenBackAtOnce = 2'048;

// Adds the entries without a post among the next ones above the key `after`. Returns the last key
// seen; empty at the end.
std::string look_on(const Txn& txn, const StoreState& state, const std::string& after,
                    std::vector<EarlyEntry>& found) {
  Cursor cursor(txn, Table::kAuthorLogs);
  auto item = after.empty() ? cursor.first() : cursor.at_or_after(after);
  if (item && item->key == after) item = cursor.next();
  std::string last;
  for (std::size_t seen = 0; item && seen < kLookedAtOnce && found.size() < kTakenBackAtOnce;
       ++seen, item = cursor.next()) {
    last.assign(item->key);
    if (!is_without_post(txn, state, Table::kAuthorLogs, item->key)) continue;
    found.push_back({user_at(item->key), {u64_at(item->key, 4)}});
  }
  return last;
}

}  // namespace

bool is_without_post(const Txn& txn, const StoreState& state, UserNumber author, PostId id) {
  if (!state.may_be_early(id)) return false;
  const auto k = key(id);
  const auto record = txn.get(Table::kPosts, k);
  if (!record) return true;
  // Another load may have given the id to a post of another author, or to one that is not public.
  const Post post = decode_post(k, *record);
  return post.author != author || post.privacy != Privacy::kPublic;
}

std::int64_t entries_without_post(const Txn& txn, const StoreState& state, UserNumber author) {
  if (state.early_below == PostId{}) return 0;
  std::int64_t count = 0;
  Cursor cursor(txn, Table::kAuthorLogs);
  const auto end = key(author, state.early_below);
  for (auto item = cursor.at_or_after(key(author, state.early_from));
       item && item->key < Bytes(end); item = cursor.next()) {
    if (is_without_post(txn, state, author, {u64_at(item->key, 4)})) ++count;
  }
  return count;
}

std::shared_ptr<void> LmdbStorage::early_entries() {
  if (env_->read_only()) return nullptr;
  auto lock = try_load_lock(env_->place());
  if (!lock) return nullptr;
  take_back_left();
  return std::make_shared<store::LockFile>(*std::move(lock));
}

bool LmdbStorage::early_pays() const {
  const Env::Reader reader(env_);
  return reader.txn().stat(Table::kAuthorLogs).ms_leaf_pages +
             reader.txn().stat(Table::kCounters).ms_leaf_pages >=
         kPagesFrom;
}

void LmdbStorage::take_back_left() {
  std::string after;
  do {
    std::vector<EarlyEntry> left;
    {
      const Env::Reader reader(env_);
      const StoredState state = read_state(reader.txn());
      if (state.early_below == PostId{}) return;
      after = look_on(reader.txn(), state, after, left);
    }
    if (!left.empty()) rules::take_back_entries(*this, left, {});
  } while (!after.empty());
  rules::end_early_entries(*this, {});
}

}  // namespace chirp::lmdb
