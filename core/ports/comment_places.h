// Checks whether comments are in the right table: tables::Threads for visible comments,
// tables::HiddenThreads for comments that are hidden from all readers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/ports/snapshot.h"

namespace chirp {

// A batch of comments with the rows that decide their table, read at once. `snapshot` and
// `comments` must outlive it.
class CommentPlaces {
 public:
  CommentPlaces(const Snapshot& snapshot, std::span<const Comment> comments);

  enum class Due : std::uint8_t { kShown, kHidden };
  // Returns the right table for a comment that is in the wrong one. Empty if the comment is right,
  // if its post is gone, or if its author is being removed, because the removal will reach it.
  [[nodiscard]] std::optional<Due> misplaced(std::size_t i) const;

 private:
  void find_blocks();
  void find_places();
  [[nodiscard]] bool is_due_hidden(std::size_t i) const;

  const Snapshot& snapshot_;
  std::span<const Comment> comments_;
  std::vector<std::optional<Post>> posts_;
  std::vector<std::optional<AuthorCard>> cards_;
  std::vector<std::optional<Time>> blocks_;  // two for each comment, or empty
  std::vector<std::optional<tables::EmptyRow>> shown_;
  std::vector<std::optional<tables::EmptyRow>> hidden_;
};

}  // namespace chirp
