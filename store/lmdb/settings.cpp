#include "core/rules/settings.h"

#include <fmt/format.h>

#include "store/lmdb/lmdb_storage.h"

namespace chirp::lmdb {
namespace {

constexpr std::string_view kPrefix = "s.";

}  // namespace

void LmdbStorage::change_settings(const feed::FeedSettings& settings, Time now) {
  decide(now, [&](Rows& rows) { return rules::change_settings(rows, settings); });
}

void LmdbStorage::retire_marks() {
  decide({}, [](Rows& rows) {
    rules::retire_marks(rows);
    return true;
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
