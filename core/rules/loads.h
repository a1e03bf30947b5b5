// Loads. Each call is one batch: one load.batch event, the counters and tiers, and a new generation
// unless stated otherwise. A batch that stores no row changes nothing.
#pragma once

#include <optional>
#include <span>

#include "core/ports/loads.h"
#include "core/ports/rows.h"

namespace chirp::rules {

// Writes the cards of users who have none. Returns the number written.
[[nodiscard]] std::uint64_t load_cards(Rows& rows, std::span<const AuthorCard> cards);
// Existing edges are duplicates, edges of users who do not exist are missing, and edges between
// users with a block are severed. No user may follow themselves. Processes as many from the front
// as fit one transaction.
[[nodiscard]] EdgeResult load_edges(Rows& rows, std::span<const LoadedEdge> edges);
// Posts and reposts are duplicates if their source id exists, even at a comment, or if the user has
// already reposted the post. They are missing if the author does not exist, or if a repost or its
// original is not public.
// Each gets the next id of machine 1 in its millisecond, in the given order; a full millisecond
// continues in the next. A requested id of machine 1, no earlier than the post's time, is used if
// it is free. The batch mints a live id, and no loaded id has a later millisecond. The caller must
// refuse future times. An early entry does not change the id of its post, and is removed if its id
// differs.
[[nodiscard]] LoadCounts load_posts(Rows& rows, std::span<const LoadedPost> posts);
// ---- early entries, see StoreState::early_from
// The ids that posts of these times (ascending) would get in this state.
[[nodiscard]] std::vector<PostId> ids_for_posts(const RowReader& rows, StoreState state,
                                                std::span<const Time> written);
// Puts entries of posts that are not loaded yet into the logs of their authors (ascending), and
// counts them. Skips missing authors. Each needs a later load_posts() or take_back_entries().
void put_early_entries(Rows& rows, std::span<const EarlyEntry> entries);
// Removes those that have no post.
void take_back_entries(Rows& rows, std::span<const EarlyEntry> entries);
// Ends early entries: every one must have its post.
void end_early_entries(Rows& rows);

// The same for comments. A parent is a comment of the same post. Timelines are unchanged.
[[nodiscard]] LoadCounts load_comments(Rows& rows, std::span<const LoadedComment> comments);
// A second reaction of a user to a post or comment is a duplicate, whatever its type. Timelines are
// unchanged.
[[nodiscard]] LoadCounts load_reactions(Rows& rows, std::span<const LoadedReaction> reactions);

// ---- rows of an export, with their ids and times. Existing rows throw Error{kAlreadyExists}, and
// then nothing is stored. Each returns whether there was anything to do.
// Raises the floor of live ids above the highest.
[[nodiscard]] bool restore_posts(Rows& rows, std::span<const Post> posts);
[[nodiscard]] bool restore_edges(Rows& rows, std::span<const RestoredEdge> edges);
// Switches reposts off for the existing ones of these follows, like restore_edges().
[[nodiscard]] bool restore_reposts_off(Rows& rows, std::span<const LoadedEdge> edges);
// The post must exist, else Error{kBadInput}; a comment's parent may come later. Timelines are
// unchanged.
[[nodiscard]] bool restore_comments(Rows& rows, std::span<const Comment> comments);
[[nodiscard]] bool restore_reactions(Rows& rows, std::span<const RestoredReaction> reactions);
[[nodiscard]] bool restore_relations(Rows& rows, std::span<const RestoredRelation> relations);

// ---- for all kinds of loads
// Whether a batch adds feed entries: then existing timelines are no longer complete.
enum class Entries : std::uint8_t { kNone, kMade };
// Logs the event of a batch and raises the generation. `newest`: see events::Event::post.
void log_load(Rows& rows, std::uint64_t count, Entries entries, PostId newest = {});
// The post for a reply, reaction or repost: it and its author exist, and it is not a repost.
[[nodiscard]] std::optional<Post> loaded_original(const Rows& rows, PostId id);
// Writes, counts and logs posts with their ids (ascending).
void put_posts(Rows& rows, std::span<const Post> posts);

}  // namespace chirp::rules
