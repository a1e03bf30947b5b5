#include "store/postgres/rows/writes.h"

#include <optional>

#include "store/postgres/rows/packed.h"

namespace chirp::postgres {

// For each statement: its group, whether it delivers, its text, and its parameters, each after a
// flag for null.
std::string Writes::journal() const {
  Packer out;
  for (const auto& [group, writes] : of_groups_) {
    if (group == kHome) continue;
    for (const Write& write : writes) {
      out.varint(group);
      out.varint(write.delivers ? 1 : 0);
      out.text(write.sql);
      out.varint(write.params.values().size());
      for (const auto& value : write.params.values()) {
        out.varint(value ? 1 : 0);
        if (value) out.text(*value);
      }
    }
  }
  return out.bytes();
}

Writes Writes::from_journal(std::string_view bytes) {
  Writes writes;
  Unpacker in(bytes, "a commit's journal");
  while (!in.done()) {
    const auto group = static_cast<Group>(in.varint());
    const bool delivers = in.varint() != 0;
    const std::string_view sql = in.text();
    Params params;
    for (std::uint64_t left = in.varint(); left != 0; --left) {
      if (in.varint() == 0) {
        params.null();
      } else {
        params.bytes(in.text());
      }
    }
    writes.add(group, sql, std::move(params), delivers);
  }
  return writes;
}

}  // namespace chirp::postgres
