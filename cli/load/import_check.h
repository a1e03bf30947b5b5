// Checks the rows of an export against the rules for stored rows, before they are stored.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cli/load/import_row.h"
#include "core/model/user.h"
#include "core/ports/loads.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"
#include "core/rules/row_problems.h"

namespace chirp::cli {

// A row of a batch that can't be stored.
struct RefusedRow {
  std::size_t index;
  std::string what;
};

class ImportCheck {
 public:
  ImportCheck(const Storage& storage, Time now)
      : storage_(storage), latest_{now.ms + rules::kOtherClockMs} {}

  // Call each with a batch before storing it. Each throws RefusedRow for the first bad row. Rows
  // that name a later row are checked in finish_….
  void users(std::span<const User> users, std::span<const ReadingMarks> marks);
  void posts(std::span<const Post> posts);
  void comments(std::span<const Comment> comments);
  void reactions(std::span<const RestoredReaction> reactions) const;
  void edges(std::span<const RestoredEdge> edges) const;
  void relations(std::span<const RestoredRelation> relations) const;

  // Call these once all rows of a kind are stored. They throw Error{kBadInput}, which names the row
  // by its id.
  void finish_users(const UserDirectory& directory) const;
  void finish_posts() const;
  void finish_comments() const;

 private:
  struct Repost {
    PostId id;
    PostId original;
    UserNumber original_author;
  };
  struct Reply {
    CommentId id;
    PostId post;
    CommentId parent;
  };

  const Storage& storage_;
  Time latest_;  // latest time that a row may have
  std::vector<std::string> old_names_;
  std::vector<Repost> reposts_;  // the posts they name have not been read yet
  std::vector<Reply> replies_;   // to later comments
};

}  // namespace chirp::cli
