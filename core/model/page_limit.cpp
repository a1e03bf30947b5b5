#include "core/model/page_limit.h"

#include <fmt/format.h>

#include "core/error.h"

namespace chirp {

void check_page_limit(std::uint32_t limit, std::uint32_t most, std::string_view items) {
  if (limit >= 1 && limit <= most) return;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("A page takes 1 to {} {}, not {}.", most, items, limit), "limit");
}

}  // namespace chirp
