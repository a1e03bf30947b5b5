#include "core/error.h"

#include <cstdio>
#include <cstdlib>

namespace chirp {

void check(bool holds, const char* rule) noexcept {
  if (holds) return;
  std::fprintf(stderr, "chirp: a rule of chirp's own is broken: %s. Nothing was acknowledged.\n",
               rule);
  std::abort();
}

}  // namespace chirp
