// Loads: each call is one batch with one load.batch event, its counters and tiers, and the
// generation up by one unless it says so; one that stores no row changes nothing.
#pragma once

#include <optional>
#include <span>

#include "core/ports/loads.h"
#include "core/ports/rows.h"

namespace chirp::rules {

// Writes the cards of those who have none. The number written.
[[nodiscard]] std::uint64_t load_cards(Rows& rows, std::span<const AuthorCard> cards);
// Edges that are there are duplicates, those from or to somebody who is not are missing, those
// between two of whom one has blocked the other are severed. No edge from a user to themselves.
// Takes as many from the front as fit one transaction.
[[nodiscard]] EdgeResult load_edges(Rows& rows, std::span<const LoadedEdge> edges);
// Posts and reposts whose source id is there, at a comment too, are duplicates; so is another
// repost of one post by one user. Those of an author who is not there are missing, and so are
// reposts of or for anything but the public. Each takes the
// next id of machine 1 above those of its millisecond, so in the order given among equal times; a
// full millisecond spills into the next. One that names an id, of machine 1 and no earlier than its
// time, takes that unless it is taken. The batch mints a live id, and no loaded id's millisecond is
// above that one's. Times after now are the caller's to refuse. A post with an early entry gets the
// id that it would get without one, and the entry goes unless it is of that id.
[[nodiscard]] LoadCounts load_posts(Rows& rows, std::span<const LoadedPost> posts);
// ---- early entries, see StoreState::early_from
// The ids that posts of these times (ascending) would be given in this state.
[[nodiscard]] std::vector<PostId> ids_for_posts(const RowReader& rows, StoreState state,
                                                std::span<const Time> written);
// Puts entries of posts that are yet to be loaded into the logs of their authors (ascending), and
// counts them; of authors who are not there none. Each is for load_posts() or take_back_entries()
// to deal with.
void put_early_entries(Rows& rows, std::span<const EarlyEntry> entries);
// Takes those back that have no post.
void take_back_entries(Rows& rows, std::span<const EarlyEntry> entries);
// Says that no early entry is left without its post.
void end_early_entries(Rows& rows);

// The same of comments. A parent is a comment of the same post. Timelines stay as they are.
[[nodiscard]] LoadCounts load_comments(Rows& rows, std::span<const LoadedComment> comments);
// A second reaction of a user to a post or comment is a duplicate, whatever its type. Timelines
// stay as they are.
[[nodiscard]] LoadCounts load_reactions(Rows& rows, std::span<const LoadedReaction> reactions);

// ---- rows of an export, ids and times kept; what is there already throws Error{kAlreadyExists},
// with nothing kept. True unless there is nothing to do.
// Raises the floor of live ids above the highest.
[[nodiscard]] bool restore_posts(Rows& rows, std::span<const Post> posts);
[[nodiscard]] bool restore_edges(Rows& rows, std::span<const RestoredEdge> edges);
// Switches reposts off for those of the follows that are there, as restore_edges() does.
[[nodiscard]] bool restore_reposts_off(Rows& rows, std::span<const LoadedEdge> edges);
// What it hangs on must be there, else Error{kBadInput}; a comment's parent may come later.
// Timelines stay as they are.
[[nodiscard]] bool restore_comments(Rows& rows, std::span<const Comment> comments);
[[nodiscard]] bool restore_reactions(Rows& rows, std::span<const RestoredReaction> reactions);
[[nodiscard]] bool restore_relations(Rows& rows, std::span<const RestoredRelation> relations);

// ---- for the loads of all kinds
// Whether a batch makes entries of feeds: then timelines of before are no longer complete.
enum class Entries : std::uint8_t { kNone, kMade };
// The one event of a batch, and the new generation. `newest`: see events::Event::post.
void log_load(Rows& rows, std::uint64_t count, Entries entries, PostId newest = {});
// A post that others may hang on: there, its author too, and no repost.
[[nodiscard]] std::optional<Post> loaded_original(const Rows& rows, PostId id);
// Writes posts with their ids (ascending), counts them and logs them.
void put_posts(Rows& rows, std::span<const Post> posts);

}  // namespace chirp::rules
