#include "store/lmdb/indexes.h"

#include <algorithm>
#include <set>

#include "store/lmdb/batch.h"
#include "store/lmdb/idempotency_keys.h"
#include "store/lmdb/joined.h"
#include "store/lmdb/table_rows.h"

namespace chirp::lmdb {

void WantedRows::row(const Txn& txn, Table table, Bytes key, Bytes value) {
  ++rows_[static_cast<std::size_t>(table)];
  const auto there = txn.get(table, key);
  if (!there || *there != value) put(table, key, value);
}

void WantedRows::some(const Txn& txn, Table table, Bytes key, Bytes value) {
  if (lacks(txn, table, key)) put(table, key, value);
}

bool WantedRows::lacks(const Txn& txn, Table table, Bytes key) {
  ++rows_[static_cast<std::size_t>(table)];
  return !txn.get(table, key);
}

void WantedRows::put(Table table, Bytes key, Bytes value) {
  fixes_.push_back({table, std::string(key), std::string(value)});
}

void WantedRows::none(Table table, Bytes key) {
  fixes_.push_back({table, std::string(key), std::nullopt});
}

namespace {

void look_at_card(const Txn& txn, const Item& item, WantedRows& wanted) {
  const AuthorCard card = decode_card(item.key, item.value);
  wanted.row(txn, Table::kUserIds, key(card.id), key(card.number));
  if (!card.source) return;
  if (card.source->is_word()) {
    wanted.row(txn, Table::kUserWords, card.source->word, key(card.number));
  } else {
    wanted.row(txn, Table::kUserSources, key(card.source->number), key(card.number));
  }
}

// Returns the source id for a row of one of the tables by number.
SourceKey number_at(Bytes key) { return SourceId{u64_at(key)}; }
SourceKey word_at(Bytes key) { return SourceKey(std::string(key)); }

bool is_user_id(const Txn& txn, const Item& item) {
  const auto card = find_row<tables::Cards>(txn, {user_at(item.value)});
  return card && card->id.value == u64_at(item.key);
}

template <SourceKey (*source_at)(Bytes)>
bool is_user_source(const Txn& txn, const Item& item) {
  const auto card = find_row<tables::Cards>(txn, {user_at(item.value)});
  return card && card->source == source_at(item.key);
}

void look_at_post(const Txn& txn, const Item& item, WantedRows& wanted) {
  const Post post = decode_post(item.key, item.value);
  wanted.row(txn, log_of(post.privacy), key(post.author, post.id), {});
  if (post.source && post.source->is_word()) {
    wanted.row(txn, Table::kPostWords, post.source->word, key(post.id));
  } else if (post.source) {
    wanted.row(txn, Table::kPostSources, key(post.source->number), key(post.id));
  }
  if (post.original != kBelowAllPosts) {
    wanted.row(txn, Table::kReposts, key(post.original, post.author), key(post.id));
  }
  std::set<MediaId> uploads;  // a post may name the same upload twice
  for (const Medium& medium : post.media) {
    if (medium.upload == MediaId{} || !uploads.insert(medium.upload).second) continue;
    wanted.row(txn, Table::kMediaUses, key(medium.upload, post.id), {});
  }
}

template <Privacy level>
bool is_logged(const Txn& txn, const Item& item) {
  const PostId id{u64_at(item.key, 4)};
  const auto post = find_row<tables::Posts>(txn, {id});
  if (post && post->author == user_at(item.key) && post->privacy == level) return true;
  // The holder of the lock of loads takes early entries back.
  return level == Privacy::kPublic && read_state(txn).may_be_early(id);
}

template <SourceKey (*source_at)(Bytes)>
bool is_post_source(const Txn& txn, const Item& item) {
  const auto post = find_row<tables::Posts>(txn, {{u64_at(item.value)}});
  if (post) return post->source == source_at(item.key);
  const auto comment = find_row<tables::Comments>(txn, {{u64_at(item.value)}});
  return comment && comment->source == source_at(item.key);
}

bool is_media_use(const Txn& txn, const Item& item) {
  const auto post = find_row<tables::Posts>(txn, {{u64_at(item.key, 8)}});
  const MediaId upload{u64_at(item.key)};
  return post && std::ranges::count(post->media, upload, &Medium::upload) != 0;
}

bool is_repost(const Txn& txn, const Item& item) {
  const auto post = find_row<tables::Posts>(txn, {{u64_at(item.value)}});
  return post && post->original.value == u64_at(item.key) && post->author == user_at(item.key, 8);
}

void look_at_mark(const Txn& txn, const Item& item, WantedRows& wanted) {
  const feed::AuthorMark mark = decode_mark(item.key, item.value);
  if (mark.push_from == feed::kAlwaysPushed) return;
  wanted.row(txn, Table::kPulled, key(mark.author), key(mark.push_from));
}

bool is_pulled(const Txn& txn, const Item& item) {
  const auto mark = find_row<tables::Marks>(txn, {user_at(item.key)});
  return mark && mark->push_from != feed::kAlwaysPushed;
}

// Returns the key of the same relation in the other table of relations.
Key<12> turned(Bytes k) { return key(user_at(k, 8), user_at(k, 4).value, user_at(k)); }

// A key missing in the index would never expire.
void look_at_key(const Txn& txn, const Item& item, WantedRows& wanted) {
  wanted.some(txn, Table::kKeyTimes, time_key_of(item), {});
}

bool is_key_time(const Txn& txn, const Item& item) {
  const std::string k = key_of_time(item.key);
  const auto row = txn.get(Table::kKeys, k);
  return row && time_key_of({k, *row}) == item.key;
}

// Returns the author of a post or comment; kNobody if it is gone.
UserNumber author_of(const Txn& txn, ContentId content) {
  if (const auto post = find_row<tables::Posts>(txn, {{content.value}})) return post->author;
  const auto comment = find_row<tables::Comments>(txn, {{content.value}});
  return comment ? comment->author : kNobody;
}

void look_at_reaction(const Txn& txn, const Item& item, WantedRows& wanted) {
  const ContentId content{u64_at(item.key)};
  const auto k = key(decode_reaction(item.key, item.value).user, content);
  if (wanted.lacks(txn, Table::kReactionsBy, k)) {
    wanted.put(Table::kReactionsBy, k, key(author_of(txn, content)));
  }
}

bool is_reaction_by(const Txn& txn, const Item& item) {
  return txn.get(Table::kReactions, key(ContentId{u64_at(item.key, 4)}, user_at(item.key)))
      .has_value();
}

void look_at_comment(const Txn& txn, const Item& item, WantedRows& wanted) {
  const Comment comment = decode_comment(item.key, item.value);
  const auto place = key(comment.post, comment.parent, comment.id);
  const bool is_hidden = txn.get(Table::kHiddenThreads, place).has_value();
  wanted.some(txn, is_hidden ? Table::kHiddenThreads : Table::kThreads, place, {});
  if (comment.source && comment.source->is_word()) {
    wanted.some(txn, Table::kPostWords, comment.source->word, key(comment.id));
  } else if (comment.source) {
    wanted.some(txn, Table::kPostSources, key(comment.source->number), key(comment.id));
  }
  const auto by = key(comment.author, comment.id);
  if (comment.state == CommentState::kThere && wanted.lacks(txn, Table::kCommentsBy, by)) {
    wanted.put(Table::kCommentsBy, by, key(author_of(txn, content_of(comment.post))));
  }
}

bool is_in_thread(const Txn& txn, const Item& item) {
  const auto comment = find_row<tables::Comments>(txn, {{u64_at(item.key, 16)}});
  return comment && comment->post.value == u64_at(item.key) &&
         comment->parent.value == u64_at(item.key, 8);
}

bool is_comment_by(const Txn& txn, const Item& item) {
  const auto comment = find_row<tables::Comments>(txn, {{u64_at(item.key, 4)}});
  return comment && comment->state == CommentState::kThere && comment->author == user_at(item.key);
}

void look_at_relation(const Txn& txn, const Item& item, WantedRows& wanted) {
  (void)decode_since(item.key, item.value);
  wanted.some(txn, Table::kRelated, turned(item.key), {});
}

bool is_related(const Txn& txn, const Item& item) {
  return txn.get(Table::kRelations, turned(item.key)).has_value();
}

// Erases rows of an index without a record.
IndexCheck weed(Table table, bool (*is_sound)(const Txn&, const Item&)) {
  return {table,
          [table, is_sound](const Txn& txn, const Item& item, WantedRows& wanted) {
            if (!is_sound(txn, item)) wanted.none(table, item.key);
          },
          true};
}

}  // namespace

const std::vector<IndexCheck>& index_checks() {
  static const std::vector<IndexCheck> all{
      {Table::kCards, look_at_card},
      weed(Table::kUserIds, is_user_id),
      weed(Table::kUserSources, is_user_source<number_at>),
      weed(Table::kUserWords, is_user_source<word_at>),
      {Table::kPosts, look_at_post},
      {Table::kReactions, look_at_reaction},
      {Table::kComments, look_at_comment},
      weed(log_of(Privacy::kPublic), is_logged<Privacy::kPublic>),
      weed(log_of(Privacy::kFollowers), is_logged<Privacy::kFollowers>),
      weed(log_of(Privacy::kPrivate), is_logged<Privacy::kPrivate>),
      weed(Table::kPostSources, is_post_source<number_at>),
      weed(Table::kPostWords, is_post_source<word_at>),
      weed(Table::kMediaUses, is_media_use),
      weed(Table::kReposts, is_repost),
      weed(Table::kReactionsBy, is_reaction_by),
      weed(Table::kThreads, is_in_thread),
      weed(Table::kHiddenThreads, is_in_thread),
      weed(Table::kCommentsBy, is_comment_by),
      {Table::kMarks, look_at_mark},
      weed(Table::kPulled, is_pulled),
      {Table::kRelations, look_at_relation},
      weed(Table::kRelated, is_related),
      {Table::kKeys, look_at_key},
      weed(Table::kKeyTimes, is_key_time),
  };
  return all;
}

std::array<SaidRows, 5> said_rows(StoredState& state) {
  return {{{&state.removals, Table::kRemovals},
           {&state.pulled, Table::kPulled},
           {&state.relations, Table::kRelations},
           {&state.post_removals, Table::kPostRemovals},
           {&state.fan_out_queue, Table::kFanOutQueue}}};
}

}  // namespace chirp::lmdb
