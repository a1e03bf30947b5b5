#include "store/postgres/cluster/citus_versions.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace chirp::postgres {
namespace {

constexpr std::array kVersions{
    CitusVersion{"12.1.10", CitusVerdict::kGood},
    CitusVersion{"12.1.11", CitusVerdict::kPlansGrow},
    CitusVersion{"12.1.12", CitusVerdict::kPlansGrow},
    CitusVersion{"13.2.1", CitusVerdict::kPlansGrow},
    CitusVersion{"13.2.2", CitusVerdict::kPlansGrow},
    CitusVersion{"14.0.0", CitusVerdict::kPlansGrow},
    CitusVersion{"14.0.1", CitusVerdict::kPlansGrow},
};

// Returns the numbers between the dots; 0 for missing ones.
std::array<int, 3> numbers_of(std::string_view version) {
  std::array<int, 3> numbers{};
  for (int& number : numbers) {
    const auto [end, error] =
        std::from_chars(version.data(), version.data() + version.size(), number);
    version.remove_prefix(static_cast<std::size_t>(end - version.data()));
    if (error != std::errc() || !version.starts_with('.')) break;
    version.remove_prefix(1);
  }
  return numbers;
}

std::string_view told(CitusVerdict verdict) {
  switch (verdict) {
    case CitusVerdict::kGood:
      return "good";
    case CitusVerdict::kPlansGrow:
      return "sessions of other programs grow to gigabytes by prepared statements (citus#8824); "
             "those of chirp do not";
    case CitusVerdict::kUntried:
      return "not tried";
    case CitusVerdict::kTooOld:
      break;
  }
  return "refused: too old";
}

}  // namespace

std::span<const CitusVersion> citus_versions() { return kVersions; }

CitusVerdict verdict_on_citus(std::string_view version) {
  const auto numbers = numbers_of(version);
  if (numbers < numbers_of(kCitusLeast)) return CitusVerdict::kTooOld;
  const auto* const known = std::ranges::find_if(
      kVersions, [&](const CitusVersion& one) { return numbers_of(one.number) == numbers; });
  return known == kVersions.end() ? CitusVerdict::kUntried : known->verdict;
}

std::string remark_on_citus(std::string_view version) {
  switch (verdict_on_citus(version)) {
    case CitusVerdict::kGood:
      return {};
    case CitusVerdict::kPlansGrow:
      return fmt::format(
          "Citus {} keeps a plan for each run of a prepared statement (citus#8824). Sessions of "
          "chirp ask for none, but those of other programs may grow to gigabytes. Use another "
          "version: docs/scale-out.md lists them.",
          version);
    case CitusVerdict::kUntried:
      return fmt::format(
          "Citus {} was not tried with chirp. docs/scale-out.md lists the versions "
          "that were.",
          version);
    case CitusVerdict::kTooOld:
      break;
  }
  return fmt::format("Citus {} is too old: chirp needs {} or later.", version, kCitusLeast);
}

std::string citus_versions_in_markdown() {
  std::string table = "| Citus | |\n| --- | --- |\n";
  table += fmt::format("| before {} | {} |\n", kCitusLeast, told(CitusVerdict::kTooOld));
  for (const CitusVersion& version : kVersions) {
    table += fmt::format("| {} | {} |\n", version.number, told(version.verdict));
  }
  return table + fmt::format("| any other | {} |\n", told(CitusVerdict::kUntried));
}

// Reads "Citus 12.1.10 on x86_64-pc-linux-gnu, compiled by …". The extension's own version lacks
// the last number.
std::string citus_version_of(Connection& connection) {
  const std::string told = connection.run("select citus_version()::text").text(0, 0);
  const std::size_t begin = told.find(' ') + 1;
  return told.substr(begin, told.find(' ', begin) - begin);
}

}  // namespace chirp::postgres
