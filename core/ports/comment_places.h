// Whether comments are in the table where they are due: among those that strangers look through, or
// among those that are hidden from everybody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/ports/snapshot.h"

namespace chirp {

// Some comments with what decides where they are due, read at once. `snapshot` and `comments`
// outlive it.
class CommentPlaces {
 public:
  CommentPlaces(const Snapshot& snapshot, std::span<const Comment> comments);

  enum class Due : std::uint8_t { kShown, kHidden };
  // Where the comment is due, if it is not there. Empty as well if its post is gone, and if its
  // author is being removed, since the removal will reach it.
  [[nodiscard]] std::optional<Due> misplaced(std::size_t i) const;

 private:
  void find_blocks();
  void find_places();
  [[nodiscard]] bool is_due_hidden(std::size_t i) const;

  const Snapshot& snapshot_;
  std::span<const Comment> comments_;
  std::vector<std::optional<Post>> posts_;
  std::vector<std::optional<AuthorCard>> cards_;
  std::vector<std::optional<Time>> blocks_;  // two for each, or none at all
  std::vector<std::optional<tables::Nothing>> shown_;
  std::vector<std::optional<tables::Nothing>> hidden_;
};

}  // namespace chirp
