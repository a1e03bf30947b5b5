#include "core/error.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

namespace chirp {

bool is_reserve_reached(const Error& error) noexcept {
  return error.code() == ErrorCode::kStorageFull && error.field() == kReserveField;
}

void check_page_limit(std::uint32_t limit, std::uint32_t most, std::string_view items) {
  if (limit >= 1 && limit <= most) return;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("A page takes 1 to {} {}, not {}.", most, items, limit), "limit");
}

void check(bool holds, const char* rule) noexcept {
  if (holds) return;
  std::fprintf(stderr, "chirp: a rule of chirp's own is broken: %s. Nothing was acknowledged.\n",
               rule);
  std::abort();
}

}  // namespace chirp
