// Whose account an archive is loaded as.
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
  // `as` names whose it is to be, as `NAME` of the command line; empty for whom the archive says,
  // which `profile` is of. Throws Error{kBadInput} if the archive has no id: who merely has its
  // name may be anybody. `archive` is for messages.
  Owner(Profile profile, std::string as, const std::string& archive);

  // Finds or makes them, with their card; adds to `counts` what that changed. Throws
  // Error{kNotFound} for an `as` that nobody can be called, or that is the name of somebody who is
  // suspended.
  User bring(Engine& engine, load::Counts& counts) const;

  [[nodiscard]] const Profile& profile() const { return profile_; }

 private:
  // Who `as` is, if they are there.
  [[nodiscard]] std::optional<User> there(Engine& engine) const;
  // The id that they get if they are not there; nothing if somebody else came with it.
  [[nodiscard]] std::optional<SourceKey> new_id(Engine& engine) const;

  Profile profile_;
  std::string as_;
};

}  // namespace chirp::cli::archive
