// What the virtual tables read from: one state of the engine's store, and the users as they were
// just before it.
//
// The operator sees all that is there. Cards decide who is: whoever is being removed is gone with
// all that hangs on them, however much of it is stored yet.
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
  // `users` are of one state, which is not of after the snapshot. Both stay as they are.
  Sources(const Snapshot& snapshot, const UserRows& users);

  [[nodiscard]] const Snapshot& snapshot() const { return snapshot_; }
  [[nodiscard]] const UserRows& users() const { return users_; }

  // The public id; 0 if there never was such a user.
  [[nodiscard]] UserId id_of(UserNumber number);
  // Who has this id and is there.
  [[nodiscard]] std::optional<UserNumber> user(std::int64_t id) const;
  // Of a user that something stored names.
  [[nodiscard]] bool is_there(UserNumber number) const;
  [[nodiscard]] bool is_there(const Post& post) const;
  [[nodiscard]] bool is_there(const Comment& comment) const;
  // Of a post or comment that a reaction is to.
  [[nodiscard]] bool is_there(ContentId content) const;

 private:
  static constexpr std::size_t kBlock = 64;
  using Block = std::array<UserId, kBlock>;

  const Snapshot& snapshot_;
  const UserRows& users_;
  std::vector<UserNumber> hidden_;  // on their way out, or suspended; ascending
  bool all_there_;                  // nobody is hidden, and nothing is being removed
  std::vector<std::unique_ptr<Block>> ids_;
};

}  // namespace chirp::query
