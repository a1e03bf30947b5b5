#include "cli/load/rehearsal/directory.h"

#include "store/users/changes.h"

namespace chirp::cli::rehearsal {
std::vector<LoadedUserResult> RehearsedDirectory::load(std::span<const LoadedUser> users,
                                                       Time now) {
  if (users.empty()) return {};
  users_.expect(users);
  return users::load(users_, snowflake::kMachineDefault, users, now);
}

User RehearsedDirectory::edit(UserNumber number, const UserEdit& edit) {
  return users::edit(users_, number, edit);
}

}  // namespace chirp::cli::rehearsal
