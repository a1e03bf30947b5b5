#include "core/load/seed_reactions.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::load {
namespace {

// Rows of a transaction: first, minimum, maximum.
constexpr std::size_t kFirstReactions = 2'048;
constexpr std::size_t kLeastReactions = 2'048;
constexpr std::size_t kMostReactions = 32'768;

// The ids that the reactions have for `of`, without duplicates, ascending.
std::vector<SourceId> ids_of(std::span<const SeedReaction> reactions, SourceId SeedReaction::*of) {
  std::vector<SourceId> ids;
  ids.reserve(reactions.size());
  for (const SeedReaction& reaction : reactions) ids.push_back(reaction.*of);
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::size_t place_of(const std::vector<SourceId>& ids, SourceId id) {
  return static_cast<std::size_t>(std::ranges::lower_bound(ids, id) - ids.begin());
}

std::vector<LoadedReaction> resolved(const Snapshot& snapshot,
                                     std::span<const SeedReaction> reactions) {
  const auto users = ids_of(reactions, &SeedReaction::user);
  const auto posts = ids_of(reactions, &SeedReaction::post);
  const auto numbers = reads::numbers_of(snapshot, users);
  const auto contents = reads::contents_of(snapshot, posts);
  std::vector<LoadedReaction> known;
  known.reserve(reactions.size());
  for (const SeedReaction& reaction : reactions) {
    const auto& number = numbers[place_of(users, reaction.user)];
    const auto& content = contents[place_of(posts, reaction.post)];
    if (!number || !content) continue;
    known.push_back({*number, content->post, reaction.type, kNoComment, reaction.since});
  }
  return known;
}

}  // namespace

SeedReactions::SeedReactions(Storage& storage, const Clock& clock, Turns& turns, Tally& tally)
    : storage_(storage),
      clock_(clock),
      turns_(turns),
      tally_(tally),
      pace_(kFirstReactions, kLeastReactions, kMostReactions) {}

void SeedReactions::store(std::span<const SeedReaction> reactions) {
  const auto known = resolved(*storage_.snapshot(), reactions);
  tally_.missing += reactions.size() - known.size();
  for (std::span<const LoadedReaction> rest = known; !rest.empty();) {
    const auto some = rest.first(std::min(pace_.rows(), rest.size()));
    const LoadCounts counts = turns_.take(
        pace_, some.size(), [&] { return rules::load_reactions(storage_, some, clock_.now()); });
    tally_.reactions += counts.stored;
    tally_.duplicates += counts.duplicates;
    tally_.missing += counts.missing;
    rest = rest.subspan(some.size());
  }
}

}  // namespace chirp::load
