#include "cli/load/import_follows.h"

#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/load/background.h"

namespace chirp::cli {
namespace {

// Edges of a bulk load, which take 16 bytes with their times.
constexpr std::size_t kSortedAtOnce = std::size_t{2} << 20;

BulkOptions with_times(BulkOptions options) {
  options.sorted_at_once = kSortedAtOnce;
  return options;
}

}  // namespace

ImportFollows::ImportFollows(Engine& engine, ImportReader& reader, const ImportCheck& check,
                             const ImportNumbers& numbers, load::Turns& turns, load::Bulk bulk,
                             BulkOptions options)
    : reader_(reader),
      check_(check),
      numbers_(numbers),
      turns_(turns),
      edges_(engine.storage(), engine.clock(), turns, bulk, with_times(std::move(options))) {}

LoadCounts ImportFollows::read() {
  {
    load::Background<Batch> storing([this](const Batch& batch) { store(batch); });
    std::vector<Follow> follows;
    try {
      reader_.read(
          "follows.jsonl", load::EdgeRestorer::kBulkFrom,
          [&](const Row& row) { follows.push_back(follow_of(row)); },
          [&](const ImportedLines& lines) {
            storing.push({lines, std::exchange(follows, {})});
          });
    } catch (const Error&) {
      storing.drain();  // a line before that one may be refused, too
      throw;
    }
    storing.drain();
  }
  LoadCounts counts = edges_.finish();
  if (counts.duplicates == 0) return counts;
  throw Error(ErrorCode::kBadInput,
              fmt::format("follows.jsonl: {} follows occur twice, or were there already.",
                          counts.duplicates));
}

ImportFollows::Follow ImportFollows::follow_of(const Row& row) {
  // Older exports call it `reposts`.
  const char* const key = row.has("showingReposts") ? "showingReposts" : "reposts";
  const bool off = row.has(key) && !row.flag(key);
  const Follow follow{UserId{row.id("followerId")}, UserId{row.id("followingId")},
                      row.time("createdAt"), off ? Reposts::kOff : Reposts::kOn};
  if (follow.follower == follow.followee) throw BadRow{"nobody follows themselves"};
  if (row.has("status") && row.text("status") != "active") {
    throw BadRow{"\"status\" is not \"active\": chirp has no other follows"};
  }
  return follow;
}

// On the background thread.
void ImportFollows::store(const Batch& batch) {
  reader_.store(batch.lines, [&] {
    std::vector<RestoredEdge> edges;
    edges.reserve(batch.follows.size());
    for (const Follow& follow : batch.follows) {
      const std::size_t index = edges.size();
      edges.push_back({number_of(follow.follower, index), number_of(follow.followee, index),
                       follow.since, follow.reposts});
    }
    check_.edges(edges);
    const auto refused = edges_.add(edges);
    if (refused) throw RefusedRow{*refused, "this follow is there already"};
  });
  turns_.pause();
}

UserNumber ImportFollows::number_of(UserId id, std::size_t index) const {
  if (const auto known = numbers_.find(id)) return *known;
  throw RefusedRow{index, unknown_user(id)};
}

}  // namespace chirp::cli
