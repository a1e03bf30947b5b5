#include "cli/load/tie_trial.h"

#include <set>
#include <span>

#include "core/model/relation.h"
#include "core/ports/reads.h"

namespace chirp::cli {

using load::Tie;

namespace {

bool is_follow(Tie tie) { return tie == Tie::kFollows || tie == Tie::kFollowedBy; }

bool stands_so(const Snapshot& snapshot, UserNumber account, Tie tie, UserNumber other,
               const Bond& bond) {
  switch (tie) {
    case Tie::kFollows:
      return reads::follows(snapshot, account, other).has_value();
    case Tie::kFollowedBy:
      return reads::follows(snapshot, other, account).has_value();
    case Tie::kBlocks:
      return bond.blocks;
    case Tie::kMutes:
      break;
  }
  return bond.mutes;
}

}  // namespace

// What is there of a tie.
struct TieTrial::Found {
  bool is_own = false;   // of an account to itself
  bool severed = false;  // a block forbids it
  bool there = false;
};

void TieTrial::add(Tie tie, SourceId other) {
  if (!full_ && posts_.people().has_room()) {
    ++ties_[{tie, posts_.people().slot_of(other)}];
    return;
  }
  full_ = true;
  count_tie(tie, 1, {});
}

void TieTrial::like(SourceId post) {
  if (!full_ && posts_.has_room() && likes_.size() < kTrialRows) {
    likes_.emplace_back(posts_.named(post), post);
    return;
  }
  full_ = true;
  ++counts_.unknown_posts;
}

void TieTrial::count_tie(Tie tie, std::uint64_t times, const Found& found) {
  if (found.is_own) {
    counts_.self_loops += times;
  } else if (found.severed) {
    counts_.severed += times;
  } else if (found.there) {
    counts_.duplicates += times;
  } else {
    counts_.duplicates += times - 1;
    ++counts_.stored;
    ++(is_follow(tie) ? counts_.follows : counts_.relations);
  }
}

// By a block that is there, or in the input: those are stored first.
bool TieTrial::is_severed(load::Slot other, const Bond& bond) const {
  return bond.severed() || ties_.contains({Tie::kBlocks, other});
}

void TieTrial::count_ties(std::optional<UserNumber> account, std::optional<load::Slot> own) {
  const auto snapshot = account ? existing_.snapshot() : nullptr;
  for (const auto& [one, times] : ties_) {
    const auto& [tie, slot] = one;
    const UserNumber other = posts_.people().number(slot);
    Found found{.is_own = own == slot || (account && other == *account)};
    Bond bond;
    if (snapshot && other != kNobody) {
      bond = snapshot->bonds(*account, std::span(&other, 1)).front();
      found.there = stands_so(*snapshot, *account, tie, other, bond);
    }
    found.severed = is_follow(tie) && is_severed(slot, bond);
    count_tie(tie, times, found);
  }
}

// Of each post that is liked whether it is so already.
std::vector<bool> TieTrial::likes_there(std::optional<UserNumber> account) const {
  std::vector<bool> there(likes_.size());
  if (!account || existing_.storage == nullptr) return there;
  std::vector<SourceId> ids;
  for (const auto& [slot, id] : likes_) ids.push_back(id);
  const auto snapshot = existing_.storage->snapshot();
  const auto keys = existing_.keys_of(ids);
  const auto contents = reads::contents_of(*snapshot, std::span<const SourceKey>(keys));
  for (std::size_t i = 0; i < contents.size(); ++i) {
    if (!contents[i]) continue;
    const auto& [post, comment] = *contents[i];
    const ContentId content = comment == kNoComment ? content_of(post) : content_of(comment);
    there[i] = reads::reactions_of(*snapshot, *account, std::span(&content, 1)).front().has_value();
  }
  return there;
}

void TieTrial::count_likes(std::optional<UserNumber> account) {
  const std::vector<bool> there = likes_there(account);
  std::set<load::Slot> seen;
  for (std::size_t i = 0; i < likes_.size(); ++i) {
    const load::Slot slot = likes_[i].first;
    if (!posts_.holds(slot)) {
      ++counts_.unknown_posts;
    } else if (there[i] || !seen.insert(slot).second) {
      ++counts_.duplicates;
    } else {
      ++counts_.stored;
      ++counts_.reactions;
    }
  }
}

void TieTrial::finish(std::optional<UserNumber> account, std::optional<load::Slot> own) {
  count_ties(account, own);
  count_likes(account);
}

}  // namespace chirp::cli
