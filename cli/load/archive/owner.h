// The account that an archive is loaded as.
#pragma once

#include <optional>
#include <string>

#include "cli/load/archive/account_archive.h"
#include "core/engine.h"
#include "core/load/tally.h"
#include "core/model/source_key.h"
#include "core/model/user.h"

namespace chirp::cli::archive {

class Owner {
 public:
  // `as` names the account, as `NAME` of the command line; if empty, it is the one in `profile`.
  // Throws Error{kBadInput} if the archive has no id, because a name identifies no one. `archive`
  // is for messages.
  Owner(Profile profile, std::string as, const std::string& archive);

  // Finds or creates the user with the card, and adds the change to `counts`. Throws
  // Error{kNotFound} for an `as` that can't be a username, or that a suspended user has.
  User bring(Engine& engine, load::Counts& counts) const;

  [[nodiscard]] const Profile& profile() const { return profile_; }

 private:
  // Returns the user that `as` names; empty if there is no such user.
  [[nodiscard]] std::optional<User> there(Engine& engine) const;
  // The id for a new user; empty if another user has it.
  [[nodiscard]] std::optional<SourceKey> new_id(Engine& engine) const;

  Profile profile_;
  std::string as_;
};

}  // namespace chirp::cli::archive
