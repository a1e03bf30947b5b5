// What each change that people make does: who may, what comes of it, which rows and events.
#pragma once

#include <span>
#include <vector>

#include "core/ports/changes.h"
#include "core/ports/rows.h"

namespace chirp::rules {

// Each as core/ports/changes.h describes it.
[[nodiscard]] Outcome apply(Rows& rows, const PutCard& change);
[[nodiscard]] Outcome apply(Rows& rows, const MarkRemoved& change);
[[nodiscard]] Outcome apply(Rows& rows, const Publish& change);
[[nodiscard]] Outcome apply(Rows& rows, const RemovePost& change);
[[nodiscard]] Outcome apply(Rows& rows, const Repost& change);
[[nodiscard]] Outcome apply(Rows& rows, const Unrepost& change);
[[nodiscard]] Outcome apply(Rows& rows, const Follow& change);
[[nodiscard]] Outcome apply(Rows& rows, const Unfollow& change);
[[nodiscard]] Outcome apply(Rows& rows, const Relate& change);
[[nodiscard]] Outcome apply(Rows& rows, const Unrelate& change);
[[nodiscard]] Outcome apply(Rows& rows, const React& change);
[[nodiscard]] Outcome apply(Rows& rows, const Unreact& change);
[[nodiscard]] Outcome apply(Rows& rows, const AddComment& change);
[[nodiscard]] Outcome apply(Rows& rows, const RemoveComment& change);
[[nodiscard]] Outcome apply(Rows& rows, const LikeComment& change);
[[nodiscard]] Outcome apply(Rows& rows, const UnlikeComment& change);

// All of them in order. True if any has changed something.
bool apply_all(Rows& rows, std::span<const Change> changes, std::vector<Outcome>& outcomes);

// Whether any of them adds a row for good. What removes, hides or edits something does not, and
// neither does a card: a sign-up is decided before its user is stored (UserDirectory::add).
[[nodiscard]] bool adds(std::span<const Change> changes);

// Those of `mentions` who are there and are not who wrote it.
[[nodiscard]] std::vector<UserNumber> mentioned_by(const Rows& rows, UserNumber author,
                                                   std::span<const UserNumber> mentions);
// mention.created for each of them. `where` names the author and the post, or the comment.
void log_mentions(Rows& rows, const events::Event& where, std::span<const UserNumber> mentioned);

}  // namespace chirp::rules
