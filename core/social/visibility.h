// What a viewer may see of what others wrote, out of one state: used by every surface but the feed,
// whose rules stand in core/feed/rules.h, and decided in core/model/relation.h.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/feed/post_stats.h"
#include "core/model/relation.h"
#include "core/ports/snapshot.h"

namespace chirp::social {

// A post that may be seen, with what it takes to show it.
struct SeenPost {
  Post post;
  AuthorCard author;
  std::optional<Post> original;  // of a repost
  std::optional<AuthorCard> original_author;
  feed::PostStats stats{};  // of the original, of a repost; filled in by fill_stats()
};

// `snapshot` must outlive it. Remembers whom it has looked up.
class Visibility {
 public:
  Visibility(const ContentReader& snapshot, Viewer viewer) : snapshot_(snapshot), viewer_(viewer) {}

  [[nodiscard]] const Viewer& viewer() const { return viewer_; }
  // The card of a user who is present; null for others.
  [[nodiscard]] const AuthorCard* card(UserNumber user);
  // Whether what `author` wrote at this level may be seen; never of somebody who is not present.
  [[nodiscard]] bool sees(UserNumber author, Privacy privacy);
  // Whether a comment that is there may be seen by who sees the post of `post_author` that it is
  // below; never of somebody who is not present.
  [[nodiscard]] bool sees_comment(const Comment& comment, UserNumber post_author);
  // One for each id or entry; empty for what is not there or may not be seen. A repost is seen by
  // whoever sees both its author and its original, which is public.
  [[nodiscard]] std::vector<std::optional<SeenPost>> posts(std::span<const PostId> ids);
  [[nodiscard]] std::vector<std::optional<SeenPost>> posts(std::span<const Entry> entries);
  [[nodiscard]] std::optional<SeenPost> post(PostId id);

 private:
  struct Person {
    std::optional<AuthorCard> card;  // of who is present
    bool severed = false;
    std::optional<bool> follows;  // as far as it was asked
  };
  void meet(std::span<const UserNumber> users);
  [[nodiscard]] Person& person(UserNumber user);
  [[nodiscard]] bool severed_between(UserNumber one, UserNumber other);
  [[nodiscard]] std::vector<std::optional<SeenPost>> seen(std::vector<std::optional<Post>> posts);
  [[nodiscard]] std::optional<SeenPost> seen(Post post, std::optional<Post> original);

  const ContentReader& snapshot_;
  Viewer viewer_;
  std::map<UserNumber, Person> people_;
  std::map<std::pair<UserNumber, UserNumber>, bool> severed_;  // as far as it was asked
};

// What is said of a post that is not there or may not be seen: Error{kNotFound}.
[[nodiscard]] Error no_such_post(PostId id);

// Fetches what others did with the posts, all at once.
void fill_stats(const ContentReader& snapshot, const Viewer& viewer, std::span<SeenPost> posts);

}  // namespace chirp::social
