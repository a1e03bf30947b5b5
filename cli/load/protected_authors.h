// Users who show their posts to followers only, as rows about users say it. Posts of theirs may not
// say it themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>

#include "core/load/source.h"

namespace chirp::cli {

class ProtectedAuthors {
 public:
  // Notes what a row says of a user. A protected user has to come before the user's posts, because
  // a post stays as it was loaded: what is wrong, if that is not so.
  [[nodiscard]] std::optional<std::string> note(const load::SourceUser& user);
  // Makes the post, and what came inside of it, visible to followers at most if its author is
  // protected.
  void narrow(load::SourcePost& post);

 private:
  // Of public posts so many authors are remembered; behind that all count as authors of some.
  static constexpr std::size_t kAuthorsMax = std::size_t{1} << 20;

  void narrow_one(load::SourcePost& post);

  std::unordered_set<std::uint64_t> ids_;    // of those who are protected
  std::unordered_set<std::string> names_;    // in lower case
  std::unordered_set<std::uint64_t> shown_;  // authors of public posts, by hashes of ids and names
  bool all_shown_ = false;
};

}  // namespace chirp::cli
