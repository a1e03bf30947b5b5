#include "cli/version.h"

#include <fmt/format.h>

#include "store/data_directory.h"

namespace chirp::cli {

std::string version_text() {
  return fmt::format("chirp {}\nformat {}", CHIRP_VERSION, store::kFormatVersion);
}

}  // namespace chirp::cli
