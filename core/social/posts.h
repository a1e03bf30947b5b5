// Publishing, reading, reposting and removing posts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/model/post.h"
#include "core/model/user.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "core/social/accounts.h"
#include "core/social/visibility.h"

namespace chirp::social {

using PostView = SeenPost;

// A post to publish.
struct NewPost {
  std::string_view text;
  Privacy privacy = Privacy::kPublic;
  // Chosen by the client: a repeat within 24 hours publishes nothing, and returns the first post. 1
  // to limits::kIdempotencyKeyMax characters of printable ASCII without blanks.
  std::optional<std::string_view> idempotency_key{};
  std::vector<Medium> media{};  // from Media::to_post; descriptions are checked here
};

// Whether a client may give this as an idempotency key.
[[nodiscard]] bool is_idempotency_key(std::string_view key);
// Throws Error{kInvalidArgument} with field `idempotencyKey` for an invalid key.
[[nodiscard]] std::string checked_idempotency_key(std::string_view key);
// Returns Error{kConflict}: the key was used with other values, or the row it made is removed.
[[nodiscard]] Error idempotency_key_taken(std::string_view key);

enum class Publication : std::uint8_t { kNew, kRepeated };

struct Published {
  PostView view;
  Publication publication = Publication::kNew;
};

struct PostPage {
  std::vector<PostView> posts;        // newest first
  std::optional<PostId> next_cursor;  // empty at the end
};

// The posts found for several ids, each once, in the order asked for.
struct FoundPosts {
  std::vector<PostView> posts;
  std::vector<PostId> missing;  // missing, or not visible
};

class Posts {
 public:
  Posts(Storage& storage, Accounts& accounts, const Clock& clock);

  // Returns the post as its author sees it; for a new post without reactions. Durable when it
  // returns. The text may be empty if there are media. Throws Error{kInvalidArgument} with field
  // `content` for a bad text, or `idempotencyKey`; Error{kConflict} if the key was used with other
  // values, or its post has been removed.
  Published publish(const User& author, const NewPost& post);
  PostView publish(const User& author, std::string_view text, Privacy privacy = Privacy::kPublic) {
    return publish(author, NewPost{text, privacy}).view;
  }
  // Throws Error{kNotFound} if the post is missing or the viewer may not see it.
  [[nodiscard]] PostView show(const Viewer& viewer, PostId id) const;
  // Reads from one state.
  [[nodiscard]] FoundPosts find(const Viewer& viewer, std::span<const PostId> ids) const;
  // Allowed for the author and the operator; withdraws a repost. Throws Error{kForbidden} for other
  // users who see it, {kNotFound} for users who do not.
  void remove(const Viewer& viewer, PostId id);
  // Returns an author's posts and reposts that the viewer may see, below the cursor `before`, with
  // one privacy level or any. `limit` is 1 to limits::kPostPageMax. A page ends early, and goes on,
  // if it meets many reposts whose originals are hidden.
  [[nodiscard]] PostPage list(const Viewer& viewer, const User& author, PostId before,
                              std::uint32_t limit,
                              std::optional<Privacy> level = std::nullopt) const;

  // Returns the user's repost of a post, new or existing. Throws Error{kNotFound} if they may not
  // see the post, {kForbidden} if they see it but it is not public.
  Published repost(const User& user, PostId id);
  // Does nothing without a repost. Throws Error{kNotFound} if the user may not see the post.
  void unrepost(const User& user, PostId id);

 private:
  Storage& storage_;
  Accounts& accounts_;
  const Clock& clock_;
};

}  // namespace chirp::social
