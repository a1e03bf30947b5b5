// Users whose posts are for followers only, according to rows about users. Their posts may not say
// so themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>

#include "cli/app.h"
#include "cli/load/session.h"
#include "core/load/id_table.h"
#include "core/load/source.h"

namespace chirp::cli {

class ProtectedAuthors {
 public:
  // Records what a row says about a user. A protected user must come before the user's posts,
  // because stored posts do not change. Returns the problem if a public post came earlier, or
  // empty.
  [[nodiscard]] std::optional<std::string> note(const load::SourceUser& user);
  // The same for a protected user whom a post names by an id or a name, or both.
  [[nodiscard]] std::optional<std::string> note(std::optional<SourceId> id,
                                                const std::string& username);
  // Limits the post and the posts inside it to followers, each if its author is protected.
  void narrow(load::SourcePost& post);

 private:
  // Limit on the remembered authors of public posts. Beyond it, every user counts as the author of
  // some.
  static constexpr std::size_t kAuthorsMax = std::size_t{1} << 20;

  void narrow_one(load::SourcePost& post);

  std::unordered_set<std::uint64_t> ids_;  // of protected users
  std::unordered_set<std::string> names_;  // case-folded
  load::IdTable shown_{kAuthorsMax};       // authors of public posts: ids, or hashes of names
  bool all_shown_ = false;
};

// Counts the user if protected, in a load without posts.
void count_protected(LoadSession& session, const load::SourceUser& user);
// Adds `--privacy`, the widest level for a whole load.
void add_privacy(Command& verb, std::string& privacy);
[[nodiscard]] Privacy parse_widest(const std::string& privacy);
// Limits the post and the posts inside it to at most that level.
void narrow(load::SourcePost& post, Privacy widest);

}  // namespace chirp::cli
