// Visibility of others' content to a viewer, from one state: for every surface except feeds
// (core/feed/rules.h). The rules are in core/model/relation.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/feed/page.h"
#include "core/limits.h"
#include "core/model/relation.h"
#include "core/ports/reads.h"
#include "core/ports/snapshot.h"

namespace chirp::social {

// A visible post, with what is needed to show it.
struct SeenPost {
  Post post;
  AuthorCard author;
  std::optional<Post> original;  // for a repost
  std::optional<AuthorCard> original_author;
  feed::PostStats stats{};  // the original's, for a repost; filled in by fill_stats()
};

class Visibility {  // `snapshot` must outlive it. Caches the users it has looked up.
 public:
  Visibility(const ContentReader& snapshot, Viewer viewer) : snapshot_(snapshot), viewer_(viewer) {}

  [[nodiscard]] const Viewer& viewer() const { return viewer_; }
  // Looks up these users at once.
  void meet(std::span<const UserNumber> users);
  // Number of users looked up so far.
  [[nodiscard]] std::size_t met() const { return people_.size(); }
  // The card of a user who is present; null for others.
  [[nodiscard]] const AuthorCard* card(UserNumber user);
  // Whether what `author` wrote at this level is visible; false if the author is not present.
  [[nodiscard]] bool sees(UserNumber author, Privacy privacy);
  // Whether the viewer has muted this user.
  [[nodiscard]] bool mutes(UserNumber user) { return person(user).muted; }
  // Whether an existing comment is visible to a viewer who sees its post by `post_author`; false if
  // the comment's author is not present.
  [[nodiscard]] bool sees_comment(const Comment& comment, UserNumber post_author);
  // Which comments of a thread this viewer has to read.
  [[nodiscard]] reads::Listed listed();
  // One for each id or entry; empty for a missing or hidden post. A repost is visible if its author
  // and its public original are.
  [[nodiscard]] std::vector<std::optional<SeenPost>> posts(std::span<const PostId> ids);
  [[nodiscard]] std::vector<std::optional<SeenPost>> posts(std::span<const Entry> entries);
  [[nodiscard]] std::optional<SeenPost> post(PostId id);

 private:
  struct ViewedAuthor {
    std::optional<AuthorCard> card;  // if the user is present
    bool severed = false;
    bool muted = false;
    std::optional<bool> follows;  // set once looked up
  };
  [[nodiscard]] ViewedAuthor& person(UserNumber user);
  [[nodiscard]] bool severed_between(UserNumber one, UserNumber other);
  [[nodiscard]] std::vector<std::optional<SeenPost>> seen(std::vector<std::optional<Post>> posts);
  [[nodiscard]] std::optional<SeenPost> seen(Post post, std::optional<Post> original);

  const ContentReader& snapshot_;
  Viewer viewer_;
  std::optional<reads::Listed> listed_;  // set once looked up
  std::map<UserNumber, ViewedAuthor> people_;
  std::map<std::pair<UserNumber, UserNumber>, bool> severed_;  // pairs looked up so far
};

// Counts the posts and comments that a page reads but its viewer may not see. Content that is
// hidden from all readers has tables of its own. So these are mostly hidden only from the viewer,
// by blocks and mutes, and there is no index for that. At limits::kHiddenRecordsMax a page ends
// early, with a cursor.
class HiddenRecords {
 public:
  // Each hidden row costs this many reads, and each new user two more.
  explicit HiddenRecords(const Visibility& visibility, std::uint32_t records = 1)
      : visibility_(visibility), records_(records), met_(visibility.met()) {}
  // Returns how many of `wanted` rows may be read next; 0 if the page has to end.
  [[nodiscard]] std::uint32_t fitting(std::uint32_t wanted) const {
    if (read_ == 0) return wanted;
    const std::uint32_t left =
        limits::kHiddenRecordsMax - std::min(read_, limits::kHiddenRecordsMax);
    return std::min(wanted, left / records_);
  }
  // Adds rows that were read: hidden and shown.
  void add(std::size_t hidden, std::size_t shown) {
    const std::size_t met = visibility_.met() - std::exchange(met_, visibility_.met());
    read_ += static_cast<std::uint32_t>(hidden * records_ + 2 * (met - std::min(met, shown)));
  }

 private:
  const Visibility& visibility_;
  std::uint32_t records_;
  std::size_t met_;
  std::uint32_t read_ = 0;
};

// Error{kNotFound} for a post that is missing or not visible.
[[nodiscard]] Error no_such_post(PostId id);

// Fetches the counters and the viewer's reactions of all posts at once.
void fill_stats(const ContentReader& snapshot, const Viewer& viewer, std::span<SeenPost> posts);

}  // namespace chirp::social
