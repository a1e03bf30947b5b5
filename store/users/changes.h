// Changes of users, with the rules of core/ports/user_directory.h: who owns a name, which id comes
// next, what an edit implies. They run over the rows of any store, within its write transaction.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ports/user_directory.h"
#include "store/users/user_table.h"

namespace chirp::users {

// `machine` is that of live ids.
User add(UserTable& table, std::uint32_t machine, const NewUser& user, Time now);
std::vector<User> restore(UserTable& table, std::uint32_t machine, std::span<const User> users);
User edit(UserTable& table, UserNumber number, const UserEdit& edit);
bool remove(UserTable& table, std::uint32_t machine, UserNumber number);
std::vector<LoadedUserResult> load(UserTable& table, std::uint32_t machine,
                                   std::span<const LoadedUser> users, Time now);

}  // namespace chirp::users
