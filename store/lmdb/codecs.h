// The key and value bytes of each table's rows (core/ports/tables.h). Tables with another packing
// (edges in chunks, hashtags one per row) are in store/lmdb/table_rows.h.
#pragma once

#include "store/lmdb/batch.h"
#include "store/lmdb/records.h"

namespace chirp::lmdb {

// ---- keys: the fields of a table's key, concatenated

template <class T>
struct KeyFields {
  static auto key(const typename T::Key& k) {
    return with_fields(k, [](const auto&... fields) { return lmdb::key(fields...); });
  }
  static typename T::Key key_of(Bytes bytes) {
    typename T::Key k;
    std::size_t at = 0;
    const auto read = [&]<class Field>(Field& field) {
      using Number = decltype(number_of(field));
      const auto number = load_big_endian<Number>(reach(bytes, at, sizeof(Number)));
      if constexpr (std::is_enum_v<Field>) {
        field = static_cast<Field>(number);
      } else {
        field = Field{number};
      }
      at += sizeof(Number);
    };
    with_fields(k, [&](auto&... fields) { (read(fields), ...); });
    return k;
  }
};

// ---- values

// Where rows are inserted. kAtEnd: mostly after all others, so pages are filled completely.
// kInOrder: anywhere, but a batch puts many rows in key order.
enum class Growth : std::uint8_t { kAnywhere, kAtEnd, kInOrder };
template <Growth growth>
void put_bytes(Batch& batch, Table table, Bytes key, Bytes value) {
  if constexpr (growth == Growth::kAtEnd) {
    batch.txn.append(table, key, value);
  } else if constexpr (growth == Growth::kInOrder) {
    batch.walk(table).put(key, value);
  } else {
    batch.txn.put(table, key, value);
  }
}

// For tables whose values are empty.
template <Table table, Growth growth = Growth::kAnywhere>
struct KeyOnly {
  static constexpr Table kTable = table;
  static tables::EmptyRow row(Bytes /*key*/, Bytes /*value*/) { return {}; }
  static void put(Batch& batch, Bytes key, const tables::EmptyRow& /*row*/) {
    put_bytes<growth>(batch, table, key, {});
  }
};

// For tables whose values are ids.
template <Table table, class Id, Growth growth = Growth::kAnywhere>
struct ToId {
  static constexpr Table kTable = table;
  static Id row(Bytes /*key*/, Bytes value) {
    using Number = decltype(Id::value);
    return {load_big_endian<Number>(reach(value, 0, sizeof(Number)))};
  }
  static void put(Batch& batch, Bytes key, Id row) {
    put_bytes<growth>(batch, table, key, lmdb::key(row));
  }
};

// For tables of records.
template <Table table, auto encode, auto decode, Growth growth = Growth::kAnywhere>
struct Record {
  static constexpr Table kTable = table;
  static auto row(Bytes key, Bytes value) { return decode(key, value); }
  template <class Row>
  static void put(Batch& batch, Bytes key, const Row& row) {
    batch.record.start();
    const std::uint8_t flags = encode(batch.record, row);
    put_bytes<growth>(batch, table, key, batch.record.seal(table, key, flags));
  }
};

// ---- the tables

template <class T>
struct Values;
template <>
struct Values<tables::Cards> : Record<Table::kCards, encode_card, decode_card, Growth::kInOrder> {};
template <>
struct Values<tables::UserIds> : ToId<Table::kUserIds, UserNumber, Growth::kInOrder> {};
template <>
struct Values<tables::UserSources> : ToId<Table::kUserSources, UserNumber, Growth::kInOrder> {};
template <>
struct Values<tables::Posts> : Record<Table::kPosts, encode_post, decode_post, Growth::kAtEnd> {};
template <>
struct Values<tables::AuthorLogs> : KeyOnly<Table::kAuthorLogs, Growth::kInOrder> {};
template <>
struct Values<tables::FollowersLogs> : KeyOnly<Table::kFollowersLogs, Growth::kInOrder> {};
template <>
struct Values<tables::PrivateLogs> : KeyOnly<Table::kPrivateLogs, Growth::kInOrder> {};
template <>
struct Values<tables::PostSources> : ToId<Table::kPostSources, ContentId, Growth::kAtEnd> {};
template <>
struct Values<tables::MediaUses> : KeyOnly<Table::kMediaUses> {};
template <>
struct Values<tables::RepostsOf> : ToId<Table::kReposts, PostId> {};
template <>
struct Values<tables::Relations> : Record<Table::kRelations, encode_since, decode_since> {};
template <>
struct Values<tables::Related> : KeyOnly<Table::kRelated> {};
template <>
struct Values<tables::Reactions> : Record<Table::kReactions, encode_reaction, decode_reaction> {};
template <>
struct Values<tables::ReactionsBy> : ToId<Table::kReactionsBy, UserNumber> {};
template <>
struct Values<tables::Comments>
    : Record<Table::kComments, encode_comment, decode_comment, Growth::kAtEnd> {};
template <>
struct Values<tables::Threads> : KeyOnly<Table::kThreads> {};
template <>
struct Values<tables::HiddenThreads> : KeyOnly<Table::kHiddenThreads> {};
template <>
struct Values<tables::CommentsBy> : ToId<Table::kCommentsBy, UserNumber> {};
template <>
struct Values<tables::UserCounts>
    : Record<Table::kCounters, encode_counters, decode_counters, Growth::kInOrder> {};
template <>
struct Values<tables::ContentCounts>
    : Record<Table::kContentCounters, encode_content_counters, decode_content_counters> {};
template <>
struct Values<tables::Marks> : Record<Table::kMarks, encode_mark, decode_mark> {};
template <>
struct Values<tables::Notifications>
    : Record<Table::kNotifications, encode_notification, decode_notification> {};
template <>
struct Values<tables::Readers> : Record<Table::kReaders, encode_reader, decode_reader> {};
template <>
struct Values<tables::FanOutQueue>
    : Record<Table::kFanOutQueue, encode_fan_out_row, decode_fan_out_row> {};
template <>
struct Values<tables::Removals> : KeyOnly<Table::kRemovals> {};
template <>
struct Values<tables::PostRemovals> : KeyOnly<Table::kPostRemovals> {};
template <>
struct Values<tables::PlainSettings> : Record<Table::kMeta, encode_setting, decode_setting> {};
template <>
struct Values<tables::Events> : Record<Table::kEvents, encode_event, decode_event> {};

template <>
struct Values<tables::UserWords> : ToId<Table::kUserWords, UserNumber, Growth::kInOrder> {};
template <>
struct Values<tables::PostWords> : ToId<Table::kPostWords, ContentId> {};
template <>
struct Values<tables::TagPosts> : ToId<Table::kTagPosts, UserNumber> {};

template <class T>
struct Codec : KeyFields<T>, Values<T> {};

// Words are keys unchanged. LMDB allows no empty key, so the lowest key is a zero byte.
template <class T>
struct WordCodec : Values<T> {
  static std::string key(const typename T::Key& k) {
    return k.word.empty() ? std::string(1, '\0') : k.word;
  }
  static typename T::Key key_of(Bytes bytes) { return {std::string(bytes)}; }
};
template <>
struct Codec<tables::UserWords> : WordCodec<tables::UserWords> {};
template <>
struct Codec<tables::PostWords> : WordCodec<tables::PostWords> {};

// A hashtag (without zeros), then a zero and the post.
template <>
struct Codec<tables::TagPosts> : Values<tables::TagPosts> {
  static constexpr std::size_t kPostBytes = sizeof(PostId::value);
  static std::string key(const tables::TagPosts::Key& k) {
    const auto post = lmdb::key(k.post);
    return k.tag + std::string(1, '\0') + std::string(Bytes(post));
  }
  static tables::TagPosts::Key key_of(Bytes bytes) {
    (void)reach(bytes, 0, kPostBytes + 1);
    const std::size_t end = bytes.size() - kPostBytes;
    return {std::string(bytes.substr(0, end - 1)), PostId{u64_at(bytes, end)}};
  }
};

// Free-form settings are rows of the meta table with a prefix.
template <>
struct Codec<tables::PlainSettings> : Values<tables::PlainSettings> {
  static constexpr std::string_view kPrefix = "s.";
  static auto key(const tables::PlainSettings::Key& k) {
    return meta_key(std::string(kPrefix) + k.name);
  }
  static tables::PlainSettings::Key key_of(Bytes k) {
    const Bytes name = k.substr(kPrefix.size());
    return {std::string(name.substr(0, name.find('\0')))};
  }
};

}  // namespace chirp::lmdb
