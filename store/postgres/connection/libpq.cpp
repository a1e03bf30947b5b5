#include "store/postgres/connection/libpq.h"

namespace chirp::postgres {

const Libpq& libpq() {
  static const Libpq kLibrary;
  return kLibrary;
}

}  // namespace chirp::postgres
