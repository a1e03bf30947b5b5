#include "store/postgres/rows/packed.h"

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::postgres {

std::uint64_t Unpacker::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return value;
  }
  broken();
}

std::string_view Unpacker::text() {
  const std::uint64_t size = varint();
  if (size > rest_.size()) broken();
  const std::string_view text = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return text;
}

void Unpacker::broken() const {
  throw Error(ErrorCode::kCorrupt,
              fmt::format("What the database holds of {} makes no sense. Run `chirp doctor`, or "
                          "restore a backup.",
                          what_));
}

}  // namespace chirp::postgres
