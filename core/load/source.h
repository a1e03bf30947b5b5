// The content of an input in the source's own terms: ids of its users and posts, names, texts. An
// id that is a word is represented by its number in this load (core/load/words.h). Parsers make
// these; the loaders turn them into users, edges and posts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/ids.h"
#include "core/model/post.h"
#include "core/model/time.h"

namespace chirp::load {

// The highest source id: 63 bits.
inline constexpr std::uint64_t kSourceIdMax = (std::uint64_t{1} << 63) - 1;

struct SourceEdge {
  SourceId follower;
  SourceId followee;

  bool operator==(const SourceEdge&) const = default;
};

// A user as the source describes it. Fields that the source does not have are empty.
struct SourceUser {
  SourceId id;
  std::string username;
  std::string display_name;
  std::string bio;
  bool is_protected = false;  // the user's posts are for followers only

  bool operator==(const SourceUser&) const = default;
};

// A file that belongs to a post.
struct SourceMedium {
  std::string file;       // its path in the source
  std::string alt_text;   // a description; may be empty
  std::string link;       // added to the text if the file can't be stored; may be empty
  MediaId upload{};       // once it is stored
  std::string address{};  // address on the web, if the source has no file

  bool operator==(const SourceMedium&) const = default;
};

struct SourcePost {
  SourceId id;
  std::optional<SourceId> author_id;  // if missing, the username identifies the author
  std::string username;
  std::string display_name;
  std::string bio;
  std::string text;  // as the source has it, unchecked
  Time created_at;
  std::optional<SourceId> repost_of;  // the post it repeats; `text` is the text of that
  std::optional<SourceId> reply_to;   // the post or comment it answers
  std::vector<SourcePost> original;   // the repeated post, if the source contains it: at most one
  std::string original_problem;       // why the repeated post can't be read, if so
  Privacy privacy = Privacy::kPublic;
  std::vector<SourceMedium> media{};  // the stored ones belong to the post
};

// The relation of an account to another user.
enum class Tie : std::uint8_t { kFollows, kFollowedBy, kBlocks, kMutes };

struct SourceTie {
  Tie tie = Tie::kFollows;
  SourceId other;
  bool hiding_reposts = false;  // for a follow by the account: without their reposts
};

enum class EventKind : std::uint8_t { kLike, kRepost, kReply, kMention };
inline constexpr std::size_t kEventKinds = 4;

// A number of interactions of one user with another, without the posts they belong to.
struct SourceEvent {
  SourceId actor;
  SourceId other;
  EventKind kind = EventKind::kLike;
  std::optional<Time> time;  // if the source has times
  std::uint32_t count = 1;

  bool operator==(const SourceEvent&) const = default;
};

}  // namespace chirp::load
