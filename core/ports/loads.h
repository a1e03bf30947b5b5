// Rows that come from a load or an export.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/comment.h"
#include "core/model/post.h"
#include "core/model/reaction.h"
#include "core/model/relation.h"
#include "core/ports/changes.h"

namespace chirp {

struct LoadedEdge {
  UserNumber follower;
  UserNumber followee;
};

// A post, or a repost (with `original`), which has no text.
struct LoadedPost {
  SourceKey source;
  UserNumber author;
  Time created_at;                     // 2000 or later
  std::string text;                    // checked and normalised
  PostId original{};                   // for a repost: a public post that is not a repost
  PostId id{};                         // used if it is free; otherwise the store chooses
  Privacy privacy = Privacy::kPublic;  // a repost is public
  std::vector<Medium> media{};         // not for a repost; limits::kPostMediaMax at most
  bool is_early = false;               // `id` was passed to put_early_entries()
};

// An entry in an author's log whose post is not stored yet.
struct EarlyEntry {
  UserNumber author;
  PostId id;
};

struct LoadedComment {
  SourceKey source;
  UserNumber author;
  Time created_at;                // 2000 or later
  std::string text;               // checked and normalised
  PostId post;                    // not a repost
  CommentId parent = kNoComment;  // on the same post, by an existing author
  CommentId id{};                 // used if it is free; otherwise the store chooses
};

struct LoadedReaction {
  UserNumber user;
  PostId post;  // not a repost
  ReactionType type = ReactionType::kLike;
  CommentId comment = kNoComment;  // set for a like of a comment below the post
  std::optional<Time> since{};     // default: the time of the load
};

struct LoadCounts {
  std::uint64_t stored = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t missing = 0;  // the author or the target does not exist (any more)
  std::uint64_t severed = 0;  // follows that a block forbids
  bool operator==(const LoadCounts&) const = default;
};

// How many edges were processed, from the front, with the outcome.
struct EdgeResult {
  LoadCounts counts;
  std::size_t taken = 0;
  bool operator==(const EdgeResult&) const = default;
};

// Rows of an export, restored with their ids and times.
struct RestoredEdge {
  UserNumber follower;
  UserNumber followee;
  Time since;
  Reposts reposts = Reposts::kOn;
};
struct RestoredRelation {
  UserNumber user;
  UserNumber other;
  Relation relation = Relation::kBlock;  // kBlock or kMute
  Time since;
};
struct RestoredReaction {
  ContentId content;
  UserNumber user;
  ReactionType type = ReactionType::kLike;
  Time since;
};

}  // namespace chirp
