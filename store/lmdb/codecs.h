// How the rows of each table (core/ports/tables.h) lie in LMDB: the key's bytes, and the value's.
// What is packed otherwise (edges in chunks, hashtags a row each) is in store/lmdb/rows.cpp.
#pragma once

#include "core/ports/tables.h"
#include "store/lmdb/cards.h"
#include "store/lmdb/comments.h"
#include "store/lmdb/content_counters.h"
#include "store/lmdb/counters.h"
#include "store/lmdb/log.h"
#include "store/lmdb/notifications.h"
#include "store/lmdb/posts.h"
#include "store/lmdb/reactions.h"
#include "store/lmdb/readers.h"
#include "store/lmdb/relations.h"
#include "store/lmdb/settings.h"

namespace chirp::lmdb {

template <class T>
struct Codec;

// A value that is no record: nothing, or a number.
inline Bytes bytes_of(const tables::Nothing& /*row*/) { return {}; }

// Of tables whose rows say nothing besides their keys.
struct KeyOnly {
  static tables::Nothing row(Bytes /*key*/, Bytes /*value*/) { return {}; }
  static void put(Batch& batch, Table table, Bytes key, const tables::Nothing& /*row*/) {
    batch.txn.put(table, key, {});
  }
};
// Of tables that lead from one number to another.
struct ToUser {
  static UserNumber row(Bytes /*key*/, Bytes value) { return user_at(value); }
  static void put(Batch& batch, Table table, Bytes key, UserNumber row) {
    batch.txn.put(table, key, lmdb::key(row));
  }
};
// Of tables of records: `encode` writes the payload and says the flags.
template <auto encode, auto decode>
struct Record {
  static auto row(Bytes key, Bytes value) { return decode(key, value); }
  template <class Row>
  static void put(Batch& batch, Table table, Bytes key, const Row& row) {
    batch.record.start();
    const std::uint8_t flags = encode(batch.record, row);
    batch.txn.put(table, key, batch.record.seal(table, key, flags));
  }
};
// The same of tables that mostly grow at their ends: it fills pages to the brim.
template <auto encode, auto decode>
struct Appended {
  static auto row(Bytes key, Bytes value) { return decode(key, value); }
  template <class Row>
  static void put(Batch& batch, Table table, Bytes key, const Row& row) {
    batch.record.start();
    const std::uint8_t flags = encode(batch.record, row);
    batch.txn.append(table, key, batch.record.seal(table, key, flags));
  }
};

template <>
struct Codec<tables::Cards> : Record<encode_card, decode_card> {
  static constexpr Table kTable = Table::kCards;
  static auto key(const tables::Cards::Key& k) { return lmdb::key(k.user); }
  static tables::Cards::Key key_of(Bytes k) { return {user_at(k)}; }
};
template <>
struct Codec<tables::UserIds> : ToUser {
  static constexpr Table kTable = Table::kUserIds;
  static auto key(const tables::UserIds::Key& k) { return lmdb::key(k.id); }
  static tables::UserIds::Key key_of(Bytes k) { return {{u64_at(k)}}; }
};
template <>
struct Codec<tables::UserSources> : ToUser {
  static constexpr Table kTable = Table::kUserSources;
  static auto key(const tables::UserSources::Key& k) { return lmdb::key(k.source); }
  static tables::UserSources::Key key_of(Bytes k) { return {{u64_at(k)}}; }
};
template <>
struct Codec<tables::Posts> : Appended<encode_post, decode_post> {
  static constexpr Table kTable = Table::kPosts;
  static auto key(const tables::Posts::Key& k) { return lmdb::key(k.id); }
  static tables::Posts::Key key_of(Bytes k) { return {{u64_at(k)}}; }
};
template <>
struct Codec<tables::AuthorLogs> : KeyOnly {
  static constexpr Table kTable = Table::kAuthorLogs;
  static auto key(const tables::AuthorLogs::Key& k) { return lmdb::key(k.author, k.id); }
  static tables::AuthorLogs::Key key_of(Bytes k) { return {user_at(k), {u64_at(k, 4)}}; }
};
template <>
struct Codec<tables::PostSources> {
  static constexpr Table kTable = Table::kPostSources;
  static auto key(const tables::PostSources::Key& k) { return lmdb::key(k.source); }
  static tables::PostSources::Key key_of(Bytes k) { return {{u64_at(k)}}; }
  static ContentId row(Bytes /*key*/, Bytes value) { return {u64_at(value)}; }
  static void put(Batch& batch, Table table, Bytes k, ContentId row) {
    batch.txn.append(table, k, lmdb::key(row));
  }
};
template <>
struct Codec<tables::MediaUses> : KeyOnly {
  static constexpr Table kTable = Table::kMediaUses;
  static auto key(const tables::MediaUses::Key& k) { return media_use(k.upload, k.post); }
  static tables::MediaUses::Key key_of(Bytes k) { return {{u64_at(k)}, {u64_at(k, 8)}}; }
};
template <>
struct Codec<tables::RepostsOf> {
  static constexpr Table kTable = Table::kReposts;
  static auto key(const tables::RepostsOf::Key& k) { return lmdb::key(k.original, k.user); }
  static tables::RepostsOf::Key key_of(Bytes k) { return {{u64_at(k)}, user_at(k, 8)}; }
  static PostId row(Bytes /*key*/, Bytes value) { return {u64_at(value)}; }
  static void put(Batch& batch, Table table, Bytes k, PostId row) {
    batch.txn.put(table, k, lmdb::key(row));
  }
};
template <>
struct Codec<tables::Relations> : Record<encode_since, decode_since> {
  static constexpr Table kTable = Table::kRelations;
  static auto key(const tables::Relations::Key& k) {
    return lmdb::key(k.user, kind_of(k.relation), k.other);
  }
  static tables::Relations::Key key_of(Bytes k) {
    return {user_at(k), relation_at(k), user_at(k, 8)};
  }
};
template <>
struct Codec<tables::Related> : KeyOnly {
  static constexpr Table kTable = Table::kRelated;
  static auto key(const tables::Related::Key& k) {
    return lmdb::key(k.other, kind_of(k.relation), k.user);
  }
  static tables::Related::Key key_of(Bytes k) {
    return {user_at(k), relation_at(k), user_at(k, 8)};
  }
};
template <>
struct Codec<tables::Reactions> : Record<encode_reaction, decode_reaction> {
  static constexpr Table kTable = Table::kReactions;
  static auto key(const tables::Reactions::Key& k) { return lmdb::key(k.content, k.user); }
  static tables::Reactions::Key key_of(Bytes k) { return {{u64_at(k)}, user_at(k, 8)}; }
};
template <>
struct Codec<tables::ReactionsBy> : ToUser {
  static constexpr Table kTable = Table::kReactionsBy;
  static auto key(const tables::ReactionsBy::Key& k) { return lmdb::key(k.user, k.content); }
  static tables::ReactionsBy::Key key_of(Bytes k) { return {user_at(k), {u64_at(k, 4)}}; }
};
template <>
struct Codec<tables::Comments> : Appended<encode_comment, decode_comment> {
  static constexpr Table kTable = Table::kComments;
  static auto key(const tables::Comments::Key& k) { return lmdb::key(k.id); }
  static tables::Comments::Key key_of(Bytes k) { return {{u64_at(k)}}; }
};
template <>
struct Codec<tables::Threads> : KeyOnly {
  static constexpr Table kTable = Table::kThreads;
  static auto key(const tables::Threads::Key& k) { return lmdb::key(k.post, k.parent, k.comment); }
  static tables::Threads::Key key_of(Bytes k) {
    return {{u64_at(k)}, {u64_at(k, 8)}, {u64_at(k, 16)}};
  }
};
template <>
struct Codec<tables::CommentsBy> : ToUser {
  static constexpr Table kTable = Table::kCommentsBy;
  static auto key(const tables::CommentsBy::Key& k) { return lmdb::key(k.user, k.comment); }
  static tables::CommentsBy::Key key_of(Bytes k) { return {user_at(k), {u64_at(k, 4)}}; }
};
template <>
struct Codec<tables::UserCounts> : Record<encode_counters, decode_counters> {
  static constexpr Table kTable = Table::kCounters;
  static auto key(const tables::UserCounts::Key& k) { return lmdb::key(k.user); }
  static tables::UserCounts::Key key_of(Bytes k) { return {user_at(k)}; }
};
template <>
struct Codec<tables::ContentCounts> : Record<encode_content_counters, decode_content_counters> {
  static constexpr Table kTable = Table::kContentCounters;
  static auto key(const tables::ContentCounts::Key& k) { return lmdb::key(k.content); }
  static tables::ContentCounts::Key key_of(Bytes k) { return {{u64_at(k)}}; }
};
template <>
struct Codec<tables::Marks> : Record<encode_mark, decode_mark> {
  static constexpr Table kTable = Table::kMarks;
  static auto key(const tables::Marks::Key& k) { return lmdb::key(k.author); }
  static tables::Marks::Key key_of(Bytes k) { return {user_at(k)}; }
};
template <>
struct Codec<tables::Notifications> : Record<encode_notification, decode_notification> {
  static constexpr Table kTable = Table::kNotifications;
  static auto key(const tables::Notifications::Key& k) { return lmdb::key(k.user, k.sequence); }
  static tables::Notifications::Key key_of(Bytes k) { return {user_at(k), {u64_at(k, 4)}}; }
};
template <>
struct Codec<tables::Readers> : Record<encode_reader, decode_reader> {
  static constexpr Table kTable = Table::kReaders;
  static auto key(const tables::Readers::Key& k) { return lmdb::key(k.user); }
  static tables::Readers::Key key_of(Bytes k) { return {user_at(k)}; }
};
template <>
struct Codec<tables::FanOutQueue> : Record<encode_fan_out_row, decode_fan_out_row> {
  static constexpr Table kTable = Table::kFanOutQueue;
  static auto key(const tables::FanOutQueue::Key& k) { return lmdb::key(k.sequence); }
  static tables::FanOutQueue::Key key_of(Bytes k) { return {{u64_at(k)}}; }
};
template <>
struct Codec<tables::Removals> : KeyOnly {
  static constexpr Table kTable = Table::kRemovals;
  static auto key(const tables::Removals::Key& k) { return lmdb::key(k.user); }
  static tables::Removals::Key key_of(Bytes k) { return {user_at(k)}; }
};
template <>
struct Codec<tables::PostRemovals> : KeyOnly {
  static constexpr Table kTable = Table::kPostRemovals;
  static auto key(const tables::PostRemovals::Key& k) { return lmdb::key(k.content); }
  static tables::PostRemovals::Key key_of(Bytes k) { return {{u64_at(k)}}; }
};
template <>
struct Codec<tables::PlainSettings> : Record<encode_setting, decode_setting> {
  static constexpr Table kTable = Table::kMeta;
  static auto key(const tables::PlainSettings::Key& k) { return setting_key(k.name); }
  static tables::PlainSettings::Key key_of(Bytes k) {
    const Bytes name = k.substr(kSettingPrefix.size());
    return {std::string(name.substr(0, name.find('\0')))};
  }
};
template <>
struct Codec<tables::Events> : Record<encode_event, decode_event> {
  static constexpr Table kTable = Table::kEvents;
  static auto key(const tables::Events::Key& k) { return lmdb::key(k.sequence); }
  static tables::Events::Key key_of(Bytes k) { return {{u64_at(k)}}; }
};

}  // namespace chirp::lmdb
