// The source id of a user, post or comment record: a number or a word, each with its own flag.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/model/source_key.h"
#include "store/lmdb/record.h"

namespace chirp::lmdb {

// The flags of one table's records.
struct SourceFlags {
  std::uint8_t number;
  std::uint8_t word;

  [[nodiscard]] unsigned of(const std::optional<SourceKey>& source) const {
    if (!source) return 0;
    return source->is_word() ? word : number;
  }
};

inline void put_source(RecordWriter& out, const std::optional<SourceKey>& source) {
  if (!source) return;
  if (source->is_word()) {
    out.text(source->word);
  } else {
    out.fixed(source->number.value);
  }
}

// Throws Error{kCorrupt} for what put_source() never writes: both at once, or a word without a
// letter, which would later count as number 0.
inline std::optional<SourceKey> read_source(RecordReader& in, SourceFlags flags) {
  const bool is_number = (in.flags() & flags.number) != 0;
  const bool is_word = (in.flags() & flags.word) != 0;
  if (is_number && is_word) in.broken();
  if (is_number) return SourceKey(SourceId{in.fixed<std::uint64_t>()});
  if (!is_word) return std::nullopt;
  const Bytes word = in.text();
  if (word.empty()) in.broken();
  return SourceKey(std::string(word));
}

}  // namespace chirp::lmdb
