// The effect of each change by a user: permission, outcome, rows and events.
#pragma once

#include <span>
#include <vector>

#include "core/ports/changes.h"
#include "core/ports/rows.h"

namespace chirp::rules {

// Writes an author's card and its indexes.
void put_card(Rows& rows, const AuthorCard& card);

// Each change is described in core/ports/changes.h.
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

// Applies all changes in order. Returns whether any has changed something.
bool apply_all(Rows& rows, std::span<const Change> changes, std::vector<Outcome>& outcomes);

// Whether any of them adds rows permanently. Changes that remove, hide or edit do not. Neither does
// a card, because a sign-up was checked before its user was stored (UserDirectory::add).
[[nodiscard]] bool adds(std::span<const Change> changes);

// Returns those of `mentions` who are present and are not the author.
[[nodiscard]] std::vector<UserNumber> mentioned_by(const Rows& rows, UserNumber author,
                                                   std::span<const UserNumber> mentions);
// Logs mention.created for each of them. `where` has the author and the post or comment.
void log_mentions(Rows& rows, const events::Event& where, std::span<const UserNumber> mentioned);

}  // namespace chirp::rules
