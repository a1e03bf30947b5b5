#include "store/postgres/schema.h"

namespace chirp::postgres {

std::string users_schema() { return ""; }

}  // namespace chirp::postgres
