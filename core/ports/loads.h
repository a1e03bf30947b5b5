// Rows that come by a load, or out of an export.
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

// A post or, with `original`, a repost, which keeps no text.
struct LoadedPost {
  SourceKey source;
  UserNumber author;
  Time created_at;                     // 2000 or later
  std::string text;                    // checked and normalised
  PostId original{};                   // of a repost: a public post that is none itself
  PostId id{};                         // the one to take if it is free; else the store says
  Privacy privacy = Privacy::kPublic;  // a repost is public
  std::vector<Medium> media{};         // not of a repost; limits::kPostMediaMax at most
  bool is_early = false;  // `id` is that of an entry that put_early_entries() was called for
};

// An entry of an author's log before its post is there.
struct EarlyEntry {
  UserNumber author;
  PostId id;
};

struct LoadedComment {
  SourceKey source;
  UserNumber author;
  Time created_at;                // 2000 or later
  std::string text;               // checked and normalised
  PostId post;                    // no repost
  CommentId parent = kNoComment;  // of the same post, by somebody who is there
  CommentId id{};                 // the one to take if it is free; else the store says
};

struct LoadedReaction {
  UserNumber user;
  PostId post;  // no repost
  ReactionType type = ReactionType::kLike;
  CommentId comment = kNoComment;  // below the post, if the reaction is to that; liked alone
  std::optional<Time> since{};     // of sources that keep times; else that of the load
};

struct LoadCounts {
  std::uint64_t stored = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t missing = 0;  // whose they are, or what they are about, is not there (any more)
  std::uint64_t severed = 0;  // follows that a block forbids
  bool operator==(const LoadCounts&) const = default;
};

// How many edges were taken from the front of those given, and what became of them.
struct EdgeResult {
  LoadCounts counts;
  std::size_t taken = 0;
  bool operator==(const EdgeResult&) const = default;
};

// Rows of an export, put back with their ids and times.
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
