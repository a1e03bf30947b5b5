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

// A user as the source describes it. An empty field: the source does not say.
struct SourceUser {
  SourceId id;
  std::string username;
  std::string display_name;
  std::string bio;
  bool is_protected = false;  // the user's posts are for followers only

  bool operator==(const SourceUser&) const = default;
};

// A file that hangs on a post.
struct SourceMedium {
  std::string file;       // its path in the source
  std::string alt_text;   // what it shows, in words; may be empty
  std::string link;       // what the text says in its place if it can't be taken; may be empty
  MediaId upload{};       // once it is stored
  std::string address{};  // in the web, of what is no file of the source's

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
  std::optional<SourceId> repost_of;  // the post it repeats; `text` is what that says
  std::optional<SourceId> reply_to;   // the post or comment it answers
  std::vector<SourcePost> original;   // what it repeats, where that came inside: one at most
  std::string original_problem;       // why what came inside can't be read, if that is so
  Privacy privacy = Privacy::kPublic;
  std::vector<SourceMedium> media{};  // those that are stored hang on the post
};

// The relation of an account to another user.
enum class Tie : std::uint8_t { kFollows, kFollowedBy, kBlocks, kMutes };

struct SourceTie {
  Tie tie = Tie::kFollows;
  SourceId other;
  bool hiding_reposts = false;  // of a follow by the account: it does not want their reposts
};

enum class EventKind : std::uint8_t { kLike, kRepost, kReply, kMention };
inline constexpr std::size_t kEventKinds = 4;

// So many interactions of one user with another, which name no post.
struct SourceEvent {
  SourceId actor;
  SourceId other;
  EventKind kind = EventKind::kLike;
  std::optional<Time> time;  // of sources that keep times
  std::uint32_t count = 1;

  bool operator==(const SourceEvent&) const = default;
};

}  // namespace chirp::load
