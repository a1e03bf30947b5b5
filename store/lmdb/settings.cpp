#include <algorithm>

#include <fmt/format.h>

#include "store/lmdb/counters.h"
#include "store/lmdb/lmdb_storage.h"

namespace chirp::lmdb {
namespace {

constexpr std::string_view kPrefix = "s.";

// Users whose tier may be another under the new bounds: who has one, and who is above a bound.
std::vector<std::pair<UserNumber, std::int64_t>> tier_candidates(const Txn& txn,
                                                                 const StoredState& state) {
  std::vector<std::pair<UserNumber, std::int64_t>> users;
  Cursor cursor(txn, Table::kCounters);
  const auto bound = static_cast<std::int64_t>(
      std::min(state.settings.influencer_from, state.settings.celebrity_above));
  for (auto item = cursor.first(); item; item = cursor.next()) {
    const UserNumber user = user_at(item->key);
    const std::int64_t followers = decode_counters(item->key, item->value).followers;
    if (followers >= bound || txn.get(Table::kMarks, key(user))) {
      users.emplace_back(user, followers);
    }
  }
  return users;
}

}  // namespace

void LmdbStorage::change_settings(const feed::FeedSettings& settings, Time now) {
  run(now, [&](Batch& batch) {
    const feed::FeedSettings old = batch.state.settings;
    if (old == settings) return Verdict::kNothing;
    batch.state.settings = settings;
    if (old.policy != settings.policy) {
      batch.state.push_from_all =
          feed::push_from_all(batch.state.push_from_all, settings.policy, batch.next_id());
      for (const feed::AuthorMark& mark : all_marks(batch.txn)) {
        put_mark(batch, feed::under_policy(mark, settings.policy, batch.next_id()));
      }
    }
    if (old.influencer_from != settings.influencer_from ||
        old.celebrity_above != settings.celebrity_above) {
      for (const auto& [user, followers] : tier_candidates(batch.txn, batch.state)) {
        retier(batch, user, followers);
      }
    }
    return Verdict::kCommit;
  });
}

void LmdbStorage::retire_marks() {
  run({}, [&](Batch& batch) {
    for (feed::AuthorMark mark : all_marks(batch.txn)) {
      if (mark.push_from == feed::kNeverPushed || mark.push_from == feed::kAlwaysPushed) continue;
      mark.push_from = feed::kAlwaysPushed;
      put_mark(batch, mark);
    }
    if (batch.state.push_from_all != feed::kNeverPushed) {
      batch.state.push_from_all = feed::kAlwaysPushed;
    }
    ++batch.state.generation;
    return Verdict::kCommit;
  });
}

std::map<std::string, std::string> LmdbStorage::plain_settings() const {
  std::map<std::string, std::string> settings;
  const Env::Reader reader(env_);
  Cursor cursor(reader.txn(), Table::kMeta);
  for (auto item = cursor.at_or_after(meta_key(kPrefix)); item; item = cursor.next()) {
    if (!item->key.starts_with(kPrefix)) break;
    const Bytes name = item->key.substr(kPrefix.size());
    settings.emplace(name.substr(0, name.find('\0')),
                     RecordReader(Table::kMeta, item->key, item->value).rest());
  }
  return settings;
}

void LmdbStorage::set_plain(std::string_view name, std::string_view value) {
  run({}, [&](Batch& batch) {
    const auto k = meta_key(fmt::format("{}{}", kPrefix, name));
    batch.record.start();
    batch.record.raw(value);
    batch.txn.put(Table::kMeta, k, batch.record.seal(Table::kMeta, k));
    return Verdict::kCommit;
  });
}

}  // namespace chirp::lmdb
