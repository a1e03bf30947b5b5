// What a process prints of a post and of its author once, for all the pages that they stand on.
//
// Whoever writes pages (server/json) says what it is; to others it is text. A post is made of two
// parts, so that a new card of its author leaves the part of the post as it is.
#pragma once

#include <string>
#include <string_view>

#include "core/model/post.h"
#include "core/model/user.h"

namespace chirp::feed {

// Safe to call from any thread.
class Printer {
 public:
  virtual ~Printer() = default;
  [[nodiscard]] virtual std::string post(const Post& post) const = 0;
  [[nodiscard]] virtual std::string card(const AuthorCard& card) const = 0;
};

// What was printed of a post and of its author's card; empty: nothing yet.
struct Printed {
  std::string_view post;
  std::string_view card;
};

}  // namespace chirp::feed
