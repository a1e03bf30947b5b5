// Puts right what can be told from the records: indexes, the reverse direction of edges, counts.
#include <algorithm>
#include <map>

#include "core/error.h"
#include "store/lmdb/cards.h"
#include "store/lmdb/comments.h"
#include "store/lmdb/content_counters.h"
#include "store/lmdb/counters.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/inspect_content.h"
#include "store/lmdb/keys.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/notifications.h"
#include "store/lmdb/posts.h"
#include "store/lmdb/tags.h"

namespace chirp::lmdb {
namespace {

// Writes an index row where it is missing or wrong. Returns how many were put right.
std::uint64_t mend(Batch& batch, Table table, Bytes k, Bytes value) {
  const auto there = batch.txn.get(table, k);
  if (there && *there == value) return 0;
  batch.txn.put(table, k, value);
  return 1;
}

// Takes away rows whose record `is_sound` does not find. Returns how many.
template <class IsSound>
std::uint64_t weed(Batch& batch, Table table, IsSound is_sound) {
  std::vector<std::string> orphans;
  Cursor cursor(batch.txn, table);
  for (auto item = cursor.first(); item; item = cursor.next()) {
    if (!is_sound(*item)) orphans.emplace_back(item->key);
  }
  for (const std::string& k : orphans) batch.txn.erase(table, k);
  return orphans.size();
}

std::uint64_t mend_users(Batch& batch) {
  std::vector<AuthorCard> cards;
  Cursor cursor(batch.txn, Table::kCards);
  for (auto item = cursor.first(); item; item = cursor.next()) {
    cards.push_back(decode_card(item->key, item->value));
  }
  std::uint64_t mended = 0;
  for (const AuthorCard& card : cards) {
    mended += mend(batch, Table::kUserIds, key(card.id), key(card.number));
    if (card.source)
      mended += mend(batch, Table::kUserSources, key(*card.source), key(card.number));
  }
  mended += weed(batch, Table::kUserIds, [&](const Item& item) {
    const auto card = read_card(batch.txn, user_at(item.value));
    return card && card->id.value == u64_at(item.key);
  });
  mended += weed(batch, Table::kUserSources, [&](const Item& item) {
    const auto card = read_card(batch.txn, user_at(item.value));
    return card && card->source && card->source->value == u64_at(item.key);
  });
  batch.state.removals = batch.txn.stat(Table::kRemovals).ms_entries;
  return mended;
}

std::uint64_t mend_posts(Batch& batch) {
  struct Row {
    PostId id;
    UserNumber author;
    std::optional<SourceId> source;
    PostId original;
    std::vector<Medium> media;
  };
  std::vector<Row> rows;
  Cursor cursor(batch.txn, Table::kPosts);
  for (auto item = cursor.first(); item; item = cursor.next()) {
    const Post post = decode_post(item->key, item->value);
    rows.push_back({post.id, post.author, post.source, post.original, post.media});
  }
  std::uint64_t mended = 0;
  for (const Row& row : rows) {
    mended += mend(batch, Table::kAuthorLogs, key(row.author, row.id), {});
    if (row.source) mended += mend(batch, Table::kPostSources, key(*row.source), key(row.id));
    if (row.original != kBelowAllPosts) {
      mended += mend(batch, Table::kReposts, key(row.original, row.author), key(row.id));
    }
    for (const Medium& medium : row.media) {
      if (medium.upload == MediaId{}) continue;
      mended += mend(batch, Table::kMediaUses, media_use(medium.upload, row.id), {});
    }
  }
  mended += weed(batch, Table::kAuthorLogs, [&](const Item& item) {
    const Entry entry{PostId{u64_at(item.key, 4)}, user_at(item.key), Origin::kPushed};
    return read_post(batch.txn, entry).has_value();
  });
  mended += weed(batch, Table::kPostSources, [&](const Item& item) {
    const auto post = read_post(batch.txn, PostId{u64_at(item.value)});
    if (post) return post->source && post->source->value == u64_at(item.key);
    const auto comment = read_comment(batch.txn, CommentId{u64_at(item.value)});
    return comment && comment->source && comment->source->value == u64_at(item.key);
  });
  mended += weed(batch, Table::kMediaUses, [&](const Item& item) {
    const auto post = read_post(batch.txn, PostId{u64_at(item.key, 8)});
    const Medium medium{MediaId{u64_at(item.key)}, {}};
    return post && std::find(post->media.begin(), post->media.end(), medium) != post->media.end();
  });
  mended += weed(batch, Table::kReposts, [&](const Item& item) {
    const auto post = read_post(batch.txn, PostId{u64_at(item.value)});
    return post && post->original.value == u64_at(item.key) && post->author == user_at(item.key, 8);
  });
  return mended;
}

// An edge that one direction alone has is had by both afterwards: nobody loses a follow.
std::uint64_t mend_edges(Batch& batch) {
  std::uint64_t mended = 0;
  for (const auto& [from, to] : {std::pair(Table::kFollowing, Table::kFollowers),
                                 std::pair(Table::kFollowers, Table::kFollowing)}) {
    std::vector<std::pair<UserNumber, Edge>> missing;  // to be added to the other direction
    Cursor cursor(batch.txn, from);
    for (auto item = cursor.first(); item; item = cursor.next()) {
      const UserNumber user = user_at(item->key);
      for (const Edge& edge : decode_chunk(from, *item)) {
        if (!read_edge(batch.txn, to, edge.other, user)) {
          missing.push_back({edge.other, Edge{user, edge.since}});
        }
      }
    }
    EdgeMerger merger(batch, to);
    for (const auto& [user, edge] : missing) merger.add(user, {&edge, 1});
    mended += missing.size();
  }
  return mended;
}

std::uint64_t mend_marks(Batch& batch) {
  std::uint64_t mended = 0;
  for (const feed::AuthorMark& mark : all_marks(batch.txn)) {
    if (mark.push_from != feed::kAlwaysPushed) {
      mended += mend(batch, Table::kPulled, key(mark.author), key(mark.push_from));
    }
  }
  mended += weed(batch, Table::kPulled, [&](const Item& item) {
    const auto mark = read_mark(batch.txn, user_at(item.key));
    return mark && mark->push_from != feed::kAlwaysPushed;
  });
  batch.state.pulled = batch.txn.stat(Table::kPulled).ms_entries;
  return mended;
}

std::uint64_t mend_relations(Batch& batch) {
  std::uint64_t mended = 0;
  const auto turned = [](Bytes k) { return key(user_at(k, 8), user_at(k, 4).value, user_at(k)); };
  std::vector<Key<12>> missing;
  Cursor cursor(batch.txn, Table::kRelations);
  for (auto item = cursor.first(); item; item = cursor.next()) {
    if (!batch.txn.get(Table::kRelated, turned(item->key))) missing.push_back(turned(item->key));
  }
  for (const auto& k : missing) mended += mend(batch, Table::kRelated, k, {});
  mended += weed(batch, Table::kRelated, [&](const Item& item) {
    return batch.txn.get(Table::kRelations, turned(item.key)).has_value();
  });
  batch.state.relations = batch.txn.stat(Table::kRelations).ms_entries;
  return mended;
}

// Marks that the policy in force cannot have left go where it puts them, as at a change of policy.
std::uint64_t settle_marks(Batch& batch) {
  const feed::Policy policy = batch.state.settings.policy;
  std::uint64_t settled = 0;
  const PostId all = feed::push_from_all(batch.state.push_from_all, policy, batch.next_id());
  if (all != batch.state.push_from_all) {
    batch.state.push_from_all = all;
    ++settled;
  }
  for (const feed::AuthorMark& mark : all_marks(batch.txn)) {
    const feed::AuthorMark due = feed::under_policy(mark, policy, batch.next_id());
    if (due == mark) continue;
    put_mark(batch, due);
    ++settled;
  }
  return settled;
}

// A key that is not in the index would never be forgotten.
std::uint64_t mend_keys(Batch& batch) {
  std::vector<std::string> missing;
  Cursor cursor(batch.txn, Table::kKeys);
  for (auto item = cursor.first(); item; item = cursor.next()) {
    std::string wanted = time_key_of(*item);
    if (!batch.txn.get(Table::kKeyTimes, wanted)) missing.push_back(std::move(wanted));
  }
  for (const std::string& k : missing) batch.txn.put(Table::kKeyTimes, k, {});
  return missing.size() + weed(batch, Table::kKeyTimes, [&](const Item& item) {
           const std::string k = key_of_time(item.key);
           const auto row = batch.txn.get(Table::kKeys, k);
           return row && time_key_of({k, *row}) == item.key;
         });
}

// A row that can't be read goes: what it said is written again from the log and the posts.
template <class Read>
std::uint64_t weed_unreadable(Batch& batch, Table table, Read read) {
  return weed(batch, table, [&](const Item& item) {
    try {
      read(item);
      return true;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kCorrupt) throw;
      return false;
    }
  });
}

std::uint64_t weed_notices(Batch& batch) {
  return weed_unreadable(
             batch, Table::kNotifications,
             [](const Item& item) { (void)decode_notification(item.key, item.value); }) +
         weed_unreadable(batch, Table::kTagUses, check_tag_use);
}

std::uint64_t mend_readers(Batch& batch) {
  std::map<UserNumber, std::uint64_t> counts;
  {
    Cursor rows(batch.txn, Table::kNotifications);
    for (auto item = rows.first(); item; item = rows.next()) ++counts[user_at(item->key)];
    Cursor readers(batch.txn, Table::kReaders);
    for (auto item = readers.first(); item; item = readers.next()) counts[user_at(item->key)] += 0;
  }
  std::uint64_t mended = 0;
  for (const auto& [user, count] : counts) {
    Reader reader = read_reader(batch.txn, user);
    if (reader.notifications == count) continue;
    reader.notifications = count;
    put_reader(batch, user, reader);
    ++mended;
  }
  return mended;
}

}  // namespace

void LmdbStorage::repair_counters(UserNumber user, const UserCounters& actual, Time now) {
  run(now, [&](Batch& batch) {
    UserCounters pending;
    add_pending(batch.txn, batch.state, {&user, 1}, {&pending, 1});
    const UserCounters stored{actual.followers - pending.followers,
                              actual.following - pending.following, actual.posts - pending.posts};
    put_counters(batch, user, stored);
    retier(batch, user, stored.followers);
    return Verdict::kCommit;
  });
}

void LmdbStorage::repair_content_counters(ContentId content, const ContentCounters& actual,
                                          Time now) {
  run(now, [&](Batch& batch) {
    ContentCounters stored = read_content_counters(batch.txn, content);
    stored += actual;
    stored -= read_content_counters(batch.txn, batch.state, {&content, 1}).front();
    put_content_counters(batch, content, stored);
    return Verdict::kCommit;
  });
}

std::uint64_t LmdbStorage::repair_indexes(Time now) {
  std::uint64_t mended = 0;
  run(now, [&](Batch& batch) {
    mended = mend_users(batch) + mend_posts(batch) + mend_edges(batch) + mend_marks(batch) +
             mend_relations(batch) + mend_keys(batch) + weed_notices(batch) + mend_readers(batch) +
             mend_content(batch);
    mended += settle_marks(batch);
    batch.state.fan_out_queue = batch.txn.stat(Table::kFanOutQueue).ms_entries;
    // Timelines may have been built from what was wrong.
    if (mended > 0) ++batch.state.generation;
    return Verdict::kCommit;
  });
  return mended;
}

}  // namespace chirp::lmdb
