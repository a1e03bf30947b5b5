#include "cli/load/bulk.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/nearest.h"

namespace chirp::cli {

load::Bulk parse_bulk(const std::string& word) {
  constexpr std::array<Choice<load::Bulk>, 3> kWords{{{"auto", load::Bulk::kAuto},
                                                      {"always", load::Bulk::kAlways},
                                                      {"never", load::Bulk::kNever}}};
  return choice_of("--bulk", kWords, word);
}

load::Bulk bulk_of(const Context& context, const std::string& word) {
  const load::Bulk bulk = parse_bulk(word);
  if (bulk == load::Bulk::kAlways && context.globals().data.is_database()) {
    throw Error(ErrorCode::kInvalidArgument,
                "--bulk always is for data directories: a database has no bulk loads.");
  }
  return bulk;
}

std::string_view words_of(BulkPhase phase) {
  switch (phase) {
    case BulkPhase::kGathering:
      return "sorting";
    case BulkPhase::kFollowing:
      return "building following";
    case BulkPhase::kFollowers:
      return "building followers";
    case BulkPhase::kCounts:
      return "building counts";
    case BulkPhase::kChanges:
      break;
  }
  return "taking in changes";
}

double share_of(const BulkProgress& reach) {
  switch (reach.phase) {
    case BulkPhase::kGathering:
      return 0.35;
    case BulkPhase::kFollowing:
      return 0.35 + 0.25 * reach.share;
    case BulkPhase::kFollowers:
      return 0.6 + 0.25 * reach.share;
    case BulkPhase::kCounts:
      return 0.85 + 0.1 * reach.share;
    case BulkPhase::kChanges:
      break;
  }
  return 0.95 + 0.04 * reach.share;
}

std::string words_of_waiting(std::string_view who) {
  return fmt::format("Waiting for another bulk load to end ({}).",
                     who.empty() ? "of another process" : who);
}

}  // namespace chirp::cli
