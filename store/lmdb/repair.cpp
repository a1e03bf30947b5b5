// Puts right what can be told from the records: indexes, the reverse direction of edges, counts.
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/counters.h"
#include "store/lmdb/idempotency_keys.h"
#include "store/lmdb/inspect_content.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/mending.h"
#include "store/lmdb/rows.h"
#include "store/lmdb/table_rows.h"

namespace chirp::lmdb {
namespace {

void look_at_card(const Txn& txn, const Item& item, Fixes& fixes) {
  const AuthorCard card = decode_card(item.key, item.value);
  want(txn, Table::kUserIds, key(card.id), key(card.number), fixes);
  if (card.source) want(txn, Table::kUserSources, key(*card.source), key(card.number), fixes);
}

bool is_user_id(const Txn& txn, const Item& item) {
  const auto card = find_row<tables::Cards>(txn, {user_at(item.value)});
  return card && card->id.value == u64_at(item.key);
}

bool is_user_source(const Txn& txn, const Item& item) {
  const auto card = find_row<tables::Cards>(txn, {user_at(item.value)});
  return card && card->source && card->source->value == u64_at(item.key);
}

void look_at_post(const Txn& txn, const Item& item, Fixes& fixes) {
  const Post post = decode_post(item.key, item.value);
  want(txn, Table::kAuthorLogs, key(post.author, post.id), {}, fixes);
  if (post.source) want(txn, Table::kPostSources, key(*post.source), key(post.id), fixes);
  if (post.original != kBelowAllPosts) {
    want(txn, Table::kReposts, key(post.original, post.author), key(post.id), fixes);
  }
  for (const Medium& medium : post.media) {
    if (medium.upload == MediaId{}) continue;
    want(txn, Table::kMediaUses, media_use(medium.upload, post.id), {}, fixes);
  }
}

bool is_logged(const Txn& txn, const Item& item) {
  const auto post = find_row<tables::Posts>(txn, {{u64_at(item.key, 4)}});
  return post && post->author == user_at(item.key);
}

bool is_post_source(const Txn& txn, const Item& item) {
  const auto post = find_row<tables::Posts>(txn, {{u64_at(item.value)}});
  if (post) return post->source && post->source->value == u64_at(item.key);
  const auto comment = find_row<tables::Comments>(txn, {{u64_at(item.value)}});
  return comment && comment->source && comment->source->value == u64_at(item.key);
}

bool is_media_use(const Txn& txn, const Item& item) {
  const auto post = find_row<tables::Posts>(txn, {{u64_at(item.key, 8)}});
  const Medium medium{MediaId{u64_at(item.key)}, {}};
  return post && std::find(post->media.begin(), post->media.end(), medium) != post->media.end();
}

bool is_repost(const Txn& txn, const Item& item) {
  const auto post = find_row<tables::Posts>(txn, {{u64_at(item.value)}});
  return post && post->original.value == u64_at(item.key) && post->author == user_at(item.key, 8);
}

void look_at_mark(const Txn& txn, const Item& item, Fixes& fixes) {
  const feed::AuthorMark mark = decode_mark(item.key, item.value);
  if (mark.push_from == feed::kAlwaysPushed) return;
  want(txn, Table::kPulled, key(mark.author), key(mark.push_from), fixes);
}

bool is_pulled(const Txn& txn, const Item& item) {
  const auto mark = find_row<tables::Marks>(txn, {user_at(item.key)});
  return mark && mark->push_from != feed::kAlwaysPushed;
}

// The row of the one table of relations that a row of the other stands for.
Key<12> turned(Bytes k) { return key(user_at(k, 8), user_at(k, 4).value, user_at(k)); }

// A key that is not in the index would never be forgotten.
void look_at_key(const Txn& txn, const Item& item, Fixes& fixes) {
  want_some(txn, Table::kKeyTimes, time_key_of(item), {}, fixes);
}

bool is_key_time(const Txn& txn, const Item& item) {
  const std::string k = key_of_time(item.key);
  const auto row = txn.get(Table::kKeys, k);
  return row && time_key_of({k, *row}) == item.key;
}

// A row that can't be read goes: what it said is written again from the log and the posts.
MendingStep weed_unreadable(Table table, std::function<void(const Item&)> read) {
  return weed(table, [read = std::move(read)](const Txn&, const Item& item) {
    try {
      read(item);
      return true;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kCorrupt) throw;
      return false;
    }
  });
}

// An edge that one direction alone has is had by both afterwards: nobody loses a follow.
MendingStep mend_edges(Table from, Table to) {
  return [from, to](Batch& batch, const std::string& after) {
    std::vector<std::pair<UserNumber, Edge>> missing;  // to be added to the other direction
    Mended mended;
    mended.reached = visit_some(batch.txn, from, after, [&](const Item& item) {
      const UserNumber user = user_at(item.key);
      const std::vector<Edge> edges = decode_chunk(from, item);
      for (const Edge& edge : edges) {
        if (!read_edge(batch.txn, to, edge.other, user)) {
          missing.push_back({edge.other, Edge{user, edge.since}});
        }
      }
      return std::max<std::size_t>(edges.size(), 1);
    });
    std::stable_sort(missing.begin(), missing.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    EdgeMerger merger(batch, to);
    for (const auto& [user, edge] : missing) merger.add(user, {&edge, 1});
    mended.rows = missing.size();
    return mended;
  };
}

// Says how many notifications a reader has. The number of rows written.
std::uint64_t put_count(Batch& batch, UserNumber user, std::uint64_t count) {
  Reader reader = row_or_zeros<tables::Readers>(batch.txn, {user});
  if (reader.notifications == count) return 0;
  reader.notifications = count;
  rows_of(batch)->put(tables::Readers::Key{user}, reader);
  return 1;
}

// All notifications of a user in one step; their number is bounded.
Mended count_notifications(Batch& batch, const std::string& after) {
  std::vector<std::pair<UserNumber, std::uint64_t>> counts;
  Mended mended;
  {
    Cursor cursor(batch.txn, Table::kNotifications);
    auto item = first_above(cursor, after);
    for (std::size_t seen = 0; item && seen < kMendedRows;) {
      const UserNumber user = user_at(item->key);
      std::uint64_t count = 0;
      for (; item && user_at(item->key) == user; item = cursor.next()) {
        mended.reached = item->key;
        ++count;
      }
      counts.emplace_back(user, count);
      seen += count;
    }
    if (!item) mended.reached.reset();
  }
  for (const auto& [user, count] : counts) mended.rows += put_count(batch, user, count);
  return mended;
}

// Readers that nothing is kept for.
Mended count_none(Batch& batch, const std::string& after) {
  std::vector<UserNumber> none;
  Mended mended;
  Cursor told(batch.txn, Table::kNotifications);
  mended.reached = visit_some(batch.txn, Table::kReaders, after, [&](const Item& item) {
    const UserNumber user = user_at(item.key);
    const auto first = told.at_or_after(key(user, Sequence{}));
    if (!first || user_at(first->key) != user) none.push_back(user);
    return std::size_t{1};
  });
  for (const UserNumber user : none) mended.rows += put_count(batch, user, 0);
  return mended;
}

// Marks that the policy in force cannot have left go where it puts them, as at a change of policy.
Mended settle_marks(Batch& batch, const std::string& /*after*/) {
  const feed::Policy policy = batch.state.settings.policy;
  Mended mended;
  const PostId all = feed::push_from_all(batch.state.push_from_all, policy, batch.next_id());
  if (all != batch.state.push_from_all) {
    batch.state.push_from_all = all;
    ++mended.rows;
  }
  const auto rows = rows_of(batch);
  for (const feed::AuthorMark& mark :
       reads::rows_above<tables::Marks>(*rows, {kNobody}, ~std::uint32_t{0})) {
    const feed::AuthorMark due = feed::under_policy(mark, policy, batch.next_id());
    if (due == mark) continue;
    rules::put_mark(*rows, due);
    ++mended.rows;
  }
  return mended;
}

// What the state says of tables, from the tables. True if something else was said.
bool count_tables(Batch& batch) {
  bool changed = false;
  for (const auto& [said, table] : {std::pair(&batch.state.removals, Table::kRemovals),
                                    std::pair(&batch.state.pulled, Table::kPulled),
                                    std::pair(&batch.state.relations, Table::kRelations),
                                    std::pair(&batch.state.post_removals, Table::kPostRemovals),
                                    std::pair(&batch.state.fan_out_queue, Table::kFanOutQueue)}) {
    const std::uint64_t rows = batch.txn.stat(table).ms_entries;
    changed = changed || *said != rows;
    *said = rows;
  }
  return changed;
}

std::vector<MendingStep> steps() {
  std::vector<MendingStep> all{
      mend_by(Table::kCards, look_at_card),
      weed(Table::kUserIds, is_user_id),
      weed(Table::kUserSources, is_user_source),
      mend_by(Table::kPosts, look_at_post),
      weed(Table::kAuthorLogs, is_logged),
      weed(Table::kPostSources, is_post_source),
      weed(Table::kMediaUses, is_media_use),
      weed(Table::kReposts, is_repost),
      mend_edges(Table::kFollowing, Table::kFollowers),
      mend_edges(Table::kFollowers, Table::kFollowing),
      mend_by(Table::kMarks, look_at_mark),
      weed(Table::kPulled, is_pulled),
      mend_by(Table::kRelations,
              [](const Txn& txn, const Item& item, Fixes& fixes) {
                want_some(txn, Table::kRelated, turned(item.key), {}, fixes);
              }),
      weed(Table::kRelated,
           [](const Txn& txn, const Item& item) {
             return txn.get(Table::kRelations, turned(item.key)).has_value();
           }),
      mend_by(Table::kKeys, look_at_key),
      weed(Table::kKeyTimes, is_key_time),
      weed_unreadable(Table::kNotifications,
                      [](const Item& item) { (void)decode_notification(item.key, item.value); }),
      weed_unreadable(Table::kTagUses, check_tag_use),
      count_notifications,
      count_none,
  };
  std::ranges::move(content_steps(), std::back_inserter(all));
  all.emplace_back(settle_marks);
  return all;
}

}  // namespace

std::uint64_t LmdbStorage::repair_indexes(Time now) {
  std::uint64_t rows = 0;
  for (const MendingStep& step : steps()) {
    std::optional<std::string> reached = std::string();
    while (reached) {
      Mended mended;
      run(now, [&](Batch& batch) {
        mended = step(batch, *reached);
        const bool miscounted = count_tables(batch);
        // Timelines may have been built from what was wrong.
        if (mended.rows > 0) ++batch.state.generation;
        return mended.rows > 0 || miscounted ? Verdict::kCommit : Verdict::kNothing;
      });
      rows += mended.rows;
      reached = std::move(mended.reached);
    }
  }
  return rows;
}

}  // namespace chirp::lmdb
