// The sources of the virtual tables: one state of the engine's store, and the users of a state just
// before it.
//
// The operator sees all content. Cards decide which users exist: a user who is being removed is
// omitted with everything that belongs to them, even if it is still stored.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/ports/snapshot.h"
#include "core/ports/user_directory.h"

namespace chirp::query {

class Sources {
 public:
  // `users` see one state, not newer than the snapshot. Neither may change during the query.
  Sources(const Snapshot& snapshot, const UserRows& users);

  [[nodiscard]] const Snapshot& snapshot() const { return snapshot_; }
  [[nodiscard]] const UserRows& users() const { return users_; }

  // The public id; 0 if no user ever had this number.
  [[nodiscard]] UserId id_of(UserNumber number);
  // The user with this id, unless removed.
  [[nodiscard]] std::optional<UserNumber> user(std::int64_t id) const;
  // For a user that another row refers to.
  [[nodiscard]] bool is_there(UserNumber number) const;
  [[nodiscard]] bool is_there(const Post& post) const;
  [[nodiscard]] bool is_there(const Comment& comment) const;
  // For the post or comment of a reaction.
  [[nodiscard]] bool is_there(ContentId content) const;

 private:
  static constexpr std::size_t kBlock = 64;
  using Block = std::array<UserId, kBlock>;

  const Snapshot& snapshot_;
  const UserRows& users_;
  std::vector<UserNumber> hidden_;  // being removed, or suspended; ascending
  bool all_there_;                  // no user is hidden, and nothing is being removed
  std::vector<std::unique_ptr<Block>> ids_;
};

}  // namespace chirp::query
