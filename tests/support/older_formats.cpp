#include "tests/support/older_formats.h"

#include <fmt/format.h>

#include "store/format_file.h"

namespace chirp::test {

std::vector<std::uint32_t> older_formats() {
  std::vector<std::uint32_t> formats;
  for (std::uint32_t format = 1; format < store::kFormatVersion; ++format) {
    formats.push_back(format);
  }
  return formats;
}

std::filesystem::path kept_folder(std::uint32_t format) {
  return std::filesystem::path(CHIRP_SOURCE_DIR) / fmt::format("testdata/format-{}", format);
}

void copy_older(std::uint32_t format, const std::filesystem::path& to) {
  copy_folder(kept_folder(format) / "data", to);
}

}  // namespace chirp::test
