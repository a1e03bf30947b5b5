#include "cli/version.h"

#include <libxml/xmlversion.h>

#include <CLI/Version.hpp>
#include <archive.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <utf8proc.h>
#include <zlib.h>

#include "store/data_directory.h"
#include "store/versions.h"

namespace chirp::cli {

std::string_view program_version() { return CHIRP_VERSION; }

std::string version_text() {
  std::string text = fmt::format("chirp {}\nformat {}\n", program_version(), store::kFormatVersion);
  for (const auto& [library, version] : store::library_versions()) {
    text += fmt::format("{} {}\n", library, version);
  }
  text += fmt::format("fmt {}.{}.{}\n", FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                      FMT_VERSION % 100);
  text += fmt::format("CLI11 {}\nsimdjson {}\nutf8proc {}\nzlib {}\nlibarchive {}\nlibxml2 {}",
                      CLI11_VERSION, SIMDJSON_STRINGIFY(SIMDJSON_VERSION), ::utf8proc_version(),
                      ::zlibVersion(), ARCHIVE_VERSION_ONLY_STRING, LIBXML_DOTTED_VERSION);
  return text;
}

}  // namespace chirp::cli
