#include "store/postgres/schema.h"

namespace chirp::postgres {

std::string storage_schema() { return ""; }

}  // namespace chirp::postgres
