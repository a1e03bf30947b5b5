// A post or repost, and its entry in a feed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/ids.h"
#include "core/model/source_key.h"
#include "core/model/value_names.h"

namespace chirp {

enum class Privacy : std::uint8_t { kPublic = 0, kFollowers = 1, kPrivate = 2 };

inline constexpr ValueNames<Privacy, 3> kPrivacyNames{{
    {Privacy::kPublic, "public"},
    {Privacy::kFollowers, "followers"},
    {Privacy::kPrivate, "private"},
}};
[[nodiscard]] constexpr std::string_view name(Privacy privacy) {
  return name_in(kPrivacyNames, privacy);
}
[[nodiscard]] constexpr std::optional<Privacy> privacy_named(std::string_view name) {
  return value_in(kPrivacyNames, name);
}

// A set of privacy levels.
class Levels {
 public:
  constexpr Levels() = default;
  explicit constexpr Levels(Privacy level)
      : bits_(static_cast<std::uint8_t>(1u << static_cast<unsigned>(level))) {}

  [[nodiscard]] constexpr bool has(Privacy level) const {
    return (bits_ & Levels(level).bits_) != 0;
  }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  // Returns one bit per level; public is the lowest.
  [[nodiscard]] constexpr std::uint8_t bits() const { return bits_; }
  static constexpr Levels of(std::uint8_t bits) {
    Levels levels;
    levels.bits_ = bits;
    return levels;
  }
  constexpr Levels& operator|=(Levels other) {
    bits_ |= other.bits_;
    return *this;
  }
  bool operator==(const Levels&) const = default;

 private:
  std::uint8_t bits_ = 0;
};
constexpr Levels operator|(Levels a, Levels b) { return a |= b; }

// The levels that an author's followers see.
inline constexpr Levels kSharedLevels = Levels(Privacy::kPublic) | Levels(Privacy::kFollowers);
inline constexpr Levels kAllLevels = kSharedLevels | Levels(Privacy::kPrivate);

// Whether posts of this level are included in the post count that everyone sees.
[[nodiscard]] constexpr bool counts_for_author(Privacy level) { return kSharedLevels.has(level); }

// An image or video of a post: an upload of its author, or an external address that is shown as
// posted.
struct Medium {
  MediaId upload{};        // 0 for an address
  std::string address;     // empty for an upload
  std::string alt_text{};  // text for readers who can't see it, NFC; may be empty

  bool operator==(const Medium&) const = default;
};

// A repost is a public post by the reposter, without text or media.
struct Post {
  PostId id;
  UserNumber author;
  std::string text;  // NFC
  Time created_at;   // when it was written; in live posts never later than the id's time
  Privacy privacy = Privacy::kPublic;
  std::optional<SourceKey> source;  // for loaded posts
  PostId original{};                // for a repost: the original, never itself a repost; else 0
  UserNumber original_author{};     // for a repost; else kNobody
  std::vector<Medium> media{};      // limits::kPostMediaMax at most

  [[nodiscard]] bool is_repost() const { return original != kBelowAllPosts; }
  bool operator==(const Post&) const = default;
};

// How an entry got into a materialised timeline.
enum class Origin : std::uint8_t { kPushed = 0, kBackfilled = 1 };

// One entry of a feed: a post or repost of an author.
struct Entry {
  PostId id;
  UserNumber author;
  Origin origin = Origin::kPushed;  // only for entries from a timeline

  bool operator==(const Entry&) const = default;
};

// Newest first: the order of every list of entries.
constexpr bool newer(const Entry& a, const Entry& b) { return a.id > b.id; }

// A follow edge, a block or a mute as one side sees it.
struct Edge {
  UserNumber other;
  Time since;

  bool operator==(const Edge&) const = default;
};

}  // namespace chirp
