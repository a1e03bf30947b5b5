#include "core/load/tie_loader.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/model/relation.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::load {
namespace {

constexpr std::size_t kBatch = 32'768;
// Rows of a transaction: first, minimum, maximum.
constexpr std::size_t kFirstRows = 1'024;
constexpr std::size_t kLeastRows = 256;
constexpr std::size_t kMostRows = 16'384;

bool is_follow(Tie tie) { return tie == Tie::kFollows || tie == Tie::kFollowedBy; }

}  // namespace

TieLoader::TieLoader(Storage& storage, UserDirectory& directory, const Clock& clock, Pause pause,
                     UserNumber account)
    : storage_(storage),
      clock_(clock),
      account_(account),
      turns_(clock, std::move(pause)),
      people_(storage, directory, clock, turns_, tally_),
      pace_(kFirstRows, kLeastRows, kMostRows) {}

void TieLoader::add(Tie tie, const SourceKey& other, Reposts reposts) {
  if (gathered_.size() >= kBatch || !people_.has_room(1)) close_batch();
  gathered_.push_back({tie, people_.slot_of(people_.words().user_id_of(other)), reposts});
}

void TieLoader::like(const SourceKey& post) { likes_.push_back(people_.words().id_of(post)); }

void TieLoader::close_batch() {
  people_.resolve();
  const std::size_t before = gathered_.size();
  std::erase_if(gathered_,
                [this](const Gathered& one) { return people_.number(one.other) == account_; });
  tally_.self_loops += before - gathered_.size();
  store_relations(gathered_);
  const Follows follows = follows_in(gathered_);
  store_follows(follows.edges);
  (void)write(follows.switches);
  gathered_.clear();
  if (!people_.has_room(kBatch)) people_.forget();
}

std::vector<Outcome> TieLoader::write(std::span<const Change> changes) {
  std::vector<Outcome> all;
  turns_.take_all(pace_, changes, [&](std::span<const Change> some) {
    std::ranges::move(storage_.write(some, clock_.now()), std::back_inserter(all));
  });
  return all;
}

// Blocks come first, so that the result does not depend on the order of follows and blocks in the
// source.
void TieLoader::store_relations(std::span<const Gathered> batch) {
  std::vector<Change> changes;
  for (const auto& [tie, other, reposts] : batch) {
    if (is_follow(tie)) continue;
    const Relation relation = tie == Tie::kBlocks ? Relation::kBlock : Relation::kMute;
    changes.emplace_back(Relate{account_, people_.number(other), relation});
  }
  for (const Outcome& outcome : write(changes)) {
    const bool done = outcome.result == Result::kDone;
    tally_.stored += done ? 1 : 0;
    tally_.relations += done ? 1 : 0;
    tally_.duplicates += outcome.result == Result::kAlready ? 1 : 0;
    tally_.missing += outcome.result == Result::kMissing ? 1 : 0;
  }
}

TieLoader::Follows TieLoader::follows_in(std::span<const Gathered> batch) {
  std::vector<UserNumber> others;
  for (const auto& [tie, other, reposts] : batch) {
    if (is_follow(tie)) others.push_back(people_.number(other));
  }
  const auto bonds = storage_.snapshot()->bonds(account_, others);
  Follows follows;
  std::size_t at = 0;
  for (const auto& [tie, other, reposts] : batch) {
    if (!is_follow(tie)) continue;
    const UserNumber number = others[at];
    const ViewerRelation& bond = bonds[at++];
    if (tie == Tie::kFollowedBy) {
      follows.edges.push_back({number, account_});
    } else {
      follows.edges.push_back({account_, number});
      // If a block forbids the follow, nothing is switched.
      if (reposts == Reposts::kOff && !bond.reposts_off && !bond.severed()) {
        follows.switches.emplace_back(Follow{account_, number, Reposts::kOff});
      }
    }
  }
  return follows;
}

void TieLoader::store_follows(std::span<const LoadedEdge> edges) {
  while (!edges.empty()) {
    const auto result =
        turns_.take([&] { return rules::load_edges(storage_, edges, clock_.now()); });
    check(result.taken > 0 && result.taken <= edges.size(), "a load takes from the front");
    tally_.add(result.counts);
    tally_.follows += result.counts.stored;
    edges = edges.subspan(result.taken);
  }
}

void TieLoader::store_likes() {
  for (std::span rest(likes_); !rest.empty();) {
    const auto some = rest.first(std::min(pace_.rows(), rest.size()));
    const auto keys = people_.words().keys_of(some);
    const auto contents =
        reads::contents_of(*storage_.snapshot(), std::span<const SourceKey>(keys));
    std::vector<LoadedReaction> reactions;
    for (const auto& content : contents) {
      if (!content) {
        ++tally_.unknown_posts;
        continue;
      }
      reactions.push_back({account_, content->post, ReactionType::kLike, content->comment});
    }
    const LoadCounts counts = turns_.take(pace_, some.size(), [&] {
      return rules::load_reactions(storage_, reactions, clock_.now());
    });
    tally_.add(counts);
    tally_.reactions += counts.stored;
    rest = rest.subspan(some.size());
  }
  likes_.clear();
}

void TieLoader::finish() {
  close_batch();
  store_likes();
}

void TieLoader::abandon() {
  gathered_.clear();
  likes_.clear();
}

}  // namespace chirp::load
