// Free-form settings: rows of the meta table, by a prefix.
#include "store/lmdb/settings.h"

#include <fmt/format.h>

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

}  // namespace chirp::lmdb
