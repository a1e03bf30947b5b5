// Free-form settings: rows of the meta table, by a prefix.
#include "store/lmdb/settings.h"

#include <map>

#include <fmt/format.h>

#include "store/lmdb/lmdb_snapshot.h"

namespace chirp::lmdb {

Key<32> setting_key(std::string_view name) {
  return meta_key(fmt::format("{}{}", kSettingPrefix, name));
}

std::uint8_t encode_setting(RecordWriter& out, const std::string& value) {
  out.raw(value);
  return 0;
}

std::string decode_setting(Bytes key, Bytes value) {
  return std::string(RecordReader(Table::kMeta, key, value).rest());
}

std::map<std::string, std::string> LmdbSnapshot::plain_settings() const {
  std::map<std::string, std::string> settings;
  Cursor cursor(txn_, Table::kMeta);
  for (auto item = cursor.at_or_after(setting_key({})); item; item = cursor.next()) {
    if (!item->key.starts_with(kSettingPrefix)) break;
    const Bytes name = item->key.substr(kSettingPrefix.size());
    settings.emplace(name.substr(0, name.find('\0')),
                     RecordReader(Table::kMeta, item->key, item->value).rest());
  }
  return settings;
}

}  // namespace chirp::lmdb
