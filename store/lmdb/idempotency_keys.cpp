#include "store/lmdb/idempotency_keys.h"

#include <algorithm>
#include <array>

#include <xxhash.h>

namespace chirp::lmdb {
namespace {

using KeyDigest = std::array<char, 16>;

KeyDigest digest_of(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  KeyDigest digest;
  std::memcpy(digest.data(), &canonical, digest.size());
  return digest;
}

struct KeyRow {
  Time since;
  PostId post;
  KeyDigest fingerprint{};
};

KeyRow decode_key_row(Bytes key, Bytes value) {
  RecordReader in(Table::kKeys, key, value);
  KeyRow row;
  row.since = in.time();
  row.post = {in.fixed<std::uint64_t>()};
  const Bytes fingerprint = in.take(row.fingerprint.size());
  std::copy(fingerprint.begin(), fingerprint.end(), row.fingerprint.begin());
  return row;
}

Key<20> row_key(UserNumber user, const KeyDigest& hash) {
  Key<20> k;
  store_big_endian(k.bytes.data(), user.value);
  std::copy(hash.begin(), hash.end(), k.bytes.begin() + 4);
  return k;
}

// Returns the index's key for the row under `key`: the time before it.
Key<28> time_key(Time since, Bytes key) {
  Key<28> k;
  store_big_endian(k.bytes.data(), snowflake::ticks_of(since));
  std::copy(key.begin(), key.end(), k.bytes.begin() + 8);
  return k;
}

Time moment_of(Bytes time_key) {
  return Time{snowflake::kEpochMs + static_cast<std::int64_t>(u64_at(time_key))};
}

// Erases the row from both tables, if it exists.
void erase_key(Batch& batch, Bytes key) {
  const auto value = batch.txn.get(Table::kKeys, key);
  if (!value) return;
  const KeyRow row = decode_key_row(key, *value);
  batch.txn.erase(Table::kKeyTimes, time_key(row.since, key));
  batch.txn.erase(Table::kKeys, key);
}

}  // namespace

std::optional<EarlierRequest> earlier_request(const Txn& txn, const KeyedRequest& request) {
  const auto k = row_key(request.user, digest_of(request.key));
  const auto value = txn.get(Table::kKeys, k);
  if (!value) return std::nullopt;
  const KeyRow row = decode_key_row(k, *value);
  return EarlierRequest{row.since, row.post, row.fingerprint == digest_of(request.canonical)};
}

void put_key(Batch& batch, const KeyedRequest& request, PostId post) {
  const auto k = row_key(request.user, digest_of(request.key));
  erase_key(batch, k);
  const KeyDigest fingerprint = digest_of(request.canonical);
  batch.record.start();
  batch.record.zigzag(batch.turn.now.ms - snowflake::kEpochMs);
  batch.record.fixed(post.value);
  batch.record.raw({fingerprint.data(), fingerprint.size()});
  batch.txn.put(Table::kKeys, k, batch.record.seal(Table::kKeys, k));
  batch.txn.put(Table::kKeyTimes, time_key(batch.turn.now, k), {});
}

std::uint32_t erase_old_keys(Batch& batch, Time before, std::uint32_t limit) {
  std::uint32_t erased = 0;
  for (; erased < limit; ++erased) {
    std::string oldest;
    {
      Cursor cursor(batch.txn, Table::kKeyTimes);
      const auto item = cursor.first();
      if (!item || moment_of(item->key) >= before) break;
      oldest = item->key;
    }
    batch.txn.erase(Table::kKeys, key_of_time(oldest));
    batch.txn.erase_shown(Table::kKeyTimes, oldest);
  }
  return erased;
}

std::uint32_t erase_keys_of(Batch& batch, UserNumber user, std::uint32_t limit) {
  std::uint32_t erased = 0;
  for (; erased < limit; ++erased) {
    std::string found;
    {
      Cursor cursor(batch.txn, Table::kKeys);
      const auto item = cursor.at_or_after(row_key(user, {}));
      if (!item || user_at(item->key) != user) break;
      found = item->key;
    }
    erase_key(batch, found);
  }
  return erased;
}

std::optional<Time> read_oldest_key(const Txn& txn) {
  Cursor cursor(txn, Table::kKeyTimes);
  const auto item = cursor.first();
  if (!item) return std::nullopt;
  return moment_of(item->key);
}

std::string time_key_of(const Item& key_row) {
  return std::string(
      Bytes(time_key(decode_key_row(key_row.key, key_row.value).since, key_row.key)));
}

std::string key_of_time(Bytes time_key) { return std::string(time_key.substr(8)); }

}  // namespace chirp::lmdb
