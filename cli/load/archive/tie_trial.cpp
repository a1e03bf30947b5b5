#include "cli/load/archive/tie_trial.h"

#include <algorithm>

#include "core/ports/reads.h"

namespace chirp::cli::archive {

using load::Tie;

void TieTrial::add(Tie tie, SourceId other) {
  if (!ties_.emplace(tie, posts_.people().slot_of(other)).second) ++counts_.duplicates;
}

void TieTrial::like(SourceId post) { likes_.emplace_back(posts_.named(post), post); }

void TieTrial::count_tie(std::optional<UserNumber> account, Tie tie, UserNumber other) {
  const bool follow = tie == Tie::kFollows || tie == Tie::kFollowedBy;
  if (account == other) {
    ++counts_.self_loops;
    return;
  }
  bool there = false;
  if (account && other != kNobody) {
    const auto snapshot = existing_.storage->snapshot();
    const Bond bond = snapshot->bonds(*account, std::span(&other, 1)).front();
    if (follow && bond.severed()) {
      ++counts_.severed;
      return;
    }
    there = tie == Tie::kBlocks    ? bond.blocks
            : tie == Tie::kMutes   ? bond.mutes
            : tie == Tie::kFollows ? reads::follows(*snapshot, *account, other).has_value()
                                   : reads::follows(*snapshot, other, *account).has_value();
  }
  ++(there ? counts_.duplicates : counts_.stored);
  if (!there) ++(follow ? counts_.follows : counts_.relations);
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

void TieTrial::finish(std::optional<UserNumber> account) {
  for (const auto& [tie, slot] : ties_) count_tie(account, tie, posts_.people().number(slot));
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

}  // namespace chirp::cli::archive
