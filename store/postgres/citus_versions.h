// What is known of versions of Citus: the one table of them, for `init`, `status` and
// docs/scale-out.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "store/postgres/connection.h"

namespace chirp::postgres {

enum class CitusVerdict : std::uint8_t {
  kGood,
  kPlansGrow,  // citus#8824: each run of a prepared statement adds a plan, to gigabytes
  kUntried,
  kTooOld
};

struct CitusVersion {
  std::string_view number;
  CitusVerdict verdict;
};
// Oldest first; others are untried, or too old.
[[nodiscard]] std::span<const CitusVersion> citus_versions();
// The oldest that chirp takes.
inline constexpr std::string_view kCitusLeast = "12.1";

// Of a version such as "12.1.10".
[[nodiscard]] CitusVerdict verdict_on_citus(std::string_view version);
// A sentence for operators; empty for a good version.
[[nodiscard]] std::string remark_on_citus(std::string_view version);
// The table in docs/scale-out.md.
[[nodiscard]] std::string citus_versions_in_markdown();

// Of a database that has the extension.
[[nodiscard]] std::string citus_version_of(Connection& connection);

}  // namespace chirp::postgres
