// Free-form settings: rows of the meta table, by a prefix.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/lmdb/batch.h"

namespace chirp::lmdb {

inline constexpr std::string_view kSettingPrefix = "s.";
[[nodiscard]] Key<32> setting_key(std::string_view name);
// Appends the payload; returns the flags.
std::uint8_t encode_setting(RecordWriter& out, const std::string& value);
[[nodiscard]] std::string decode_setting(Bytes key, Bytes value);

}  // namespace chirp::lmdb
