#include "core/error.h"

#include <cstdio>
#include <cstdlib>

namespace chirp {

bool is_reserve_reached(const Error& error) noexcept {
  return error.code() == ErrorCode::kStorageFull && error.field() == kReserveField;
}

void check(bool holds, const char* rule) noexcept {
  if (holds) return;
  std::fprintf(stderr, "chirp: a rule of chirp's own is broken: %s. Nothing was acknowledged.\n",
               rule);
  std::abort();
}

}  // namespace chirp
