// Posts and authors, serialised once by a process for all pages that contain them.
//
// The code that writes pages (server/json) defines the format; other code treats it as text. Post
// and card are separate, so that a new card of an author does not change the part of the post.
#pragma once

#include <string>
#include <string_view>

#include "core/model/post.h"
#include "core/model/user.h"

namespace chirp::feed {

// Safe to call from any thread.
class PostSerializer {
 public:
  virtual ~PostSerializer() = default;
  [[nodiscard]] virtual std::string post(const Post& post) const = 0;
  [[nodiscard]] virtual std::string card(const AuthorCard& card) const = 0;
};

// The serialised post and author card; empty: not serialised yet.
struct SerializedPost {
  std::string_view post;
  std::string_view card;
};

}  // namespace chirp::feed
