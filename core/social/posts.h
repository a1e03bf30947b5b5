// Publishing, reading and removing posts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/model/post.h"
#include "core/model/user.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "core/social/accounts.h"

namespace chirp::social {

struct PostView {
  Post post;
  AuthorCard author;
};

struct PostPage {
  std::vector<PostView> posts;        // newest first
  std::optional<PostId> next_cursor;  // empty at the end
};

class Posts {
 public:
  Posts(Storage& storage, Accounts& accounts, const Clock& clock);

  // Durable when it returns. Throws Error{kInvalidArgument} with field `content` for a bad text.
  PostView publish(std::string_view author_name, std::string_view text);
  // Throws Error{kNotFound}.
  [[nodiscard]] PostView show(PostId id) const;
  void remove(PostId id);
  // What somebody has posted, below `before`. A `limit` of 1 to limits::kPostPageMax.
  [[nodiscard]] PostPage list(std::string_view author_name, PostId before,
                              std::uint32_t limit) const;

 private:
  Storage& storage_;
  Accounts& accounts_;
  const Clock& clock_;
};

}  // namespace chirp::social
