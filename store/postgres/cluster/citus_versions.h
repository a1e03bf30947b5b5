// The one table of known Citus versions, for `init`, `status` and docs/scale-out.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "store/postgres/connection/connection.h"

namespace chirp::postgres {

enum class CitusVerdict : std::uint8_t {
  kGood,
  kPlansGrow,  // citus#8824: each run of a prepared statement adds a plan, up to gigabytes
  kUntried,
  kTooOld
};

struct CitusVersion {
  std::string_view number;
  CitusVerdict verdict;
};
// Returns the known versions, oldest first; any other version is untried or too old.
[[nodiscard]] std::span<const CitusVersion> citus_versions();
// The oldest version that chirp accepts.
inline constexpr std::string_view kCitusLeast = "12.1";

// Returns the verdict on a version such as "12.1.10".
[[nodiscard]] CitusVerdict verdict_on_citus(std::string_view version);
// Returns a sentence for operators; empty for a good version.
[[nodiscard]] std::string remark_on_citus(std::string_view version);
// Returns the table in docs/scale-out.md.
[[nodiscard]] std::string citus_versions_in_markdown();

// Returns the Citus version of a database that has the extension.
[[nodiscard]] std::string citus_version_of(Connection& connection);

}  // namespace chirp::postgres
