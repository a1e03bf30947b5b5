#include "store/users/changes.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/chosen_names.h"
#include "core/model/names.h"
#include "store/users/id_mint.h"

namespace chirp::users {
namespace {

// Throws an error that names the value that is taken, after a failed insert.
[[noreturn]] void refuse_taken(UserTable& table, const User& user) {
  if (table.look_up(NamedUser{user.username})) throw username_taken(user.username);
  if (user.email && table.look_up(AddressedUser{*user.email})) throw email_taken(*user.email);
  throw Error(ErrorCode::kAlreadyExists,
              fmt::format("The user {} has an id that is there already ({}). Nothing was changed.",
                          user.username, user.id.value),
              "id");
}

// Whether `who` finds a different user.
bool is_another(UserTable& table, const User& user, const SoughtUser& who) {
  const auto found = table.look_up(who);
  return found && found->number != user.number;
}

void set_email(UserTable& table, User& user, const std::string& email) {
  user.email.reset();
  if (email.empty()) return;
  if (is_another(table, user, AddressedUser{email})) throw email_taken(email);
  user.email = email;
}

void set_picture(UserTable& table, User& user, MediaId picture) {
  if (picture != MediaId{} && !table.has_upload(user.number, picture)) {
    throw Error(ErrorCode::kNotFound, fmt::format("{} is no upload of theirs.", picture.value),
                "picture");
  }
  user.picture = picture;
}

// A display name that equals the username changes with it.
void rename(UserTable& table, User& user, const Rename& rename) {
  check_username(rename.username);
  check_rename(user, rename.username, rename.at);
  if (is_another(table, user, NamedUser{rename.username}) ||
      is_another(table, user, FormerlyNamedUser{rename.username, rename.at})) {
    throw username_taken(rename.username);
  }
  const bool is_other_name = !is_same_username(user.username, rename.username);
  if (is_other_name) {
    user.old_name = OldName{user.username, Time{rename.at.ms + limits::kOldNameMs}};
  }
  if (user.display_name == user.username) user.display_name = rename.username;
  user.username = rename.username;
  user.name_origin = NameOrigin::kOwn;
  if (is_other_name) table.free_old_name(user.old_name->username);
}

void insert_each(UserTable& table, std::span<User> users) {
  for (User& user : users) {
    const auto number = table.insert(user, std::nullopt);
    if (!number) refuse_taken(table, user);
    user.number = *number;
  }
}

}  // namespace

User add(UserTable& table, std::uint32_t machine, const NewUser& user, Time now) {
  check_username(user.username);
  IdMint ids(table, machine);
  User added;
  added.id = ids.live(now);
  added.username = user.username;
  added.email = user.email;
  added.display_name = user.display_name.value_or(user.username);
  added.bio = user.bio;
  added.created_at = now;
  added.has_password = user.password_hash.has_value();
  const auto number = table.insert(added, user.password_hash);
  if (!number) refuse_taken(table, added);
  if (table.look_up(FormerlyNamedUser{added.username, now})) throw username_taken(added.username);
  added.number = *number;
  (void)table.note_due_card(added.number);
  ids.raise_floor(added.id);
  ids.save();
  return added;
}

std::vector<User> restore(UserTable& table, std::uint32_t machine, std::span<const User> users) {
  IdMint ids(table, machine);
  std::vector<User> restored(users.begin(), users.end());
  for (User& user : restored) {
    check_username(user.username);
    user.has_password = false;  // an export contains no passwords
    if (user.old_name) table.free_old_name(user.old_name->username);
    ids.raise_floor(user.id);
  }
  for (auto rest = std::span(restored); !rest.empty();) {
    const auto some = rest.first(std::min(table.most_at_once(), rest.size()));
    if (!table.insert_many(some)) insert_each(table, some);
    rest = rest.subspan(some.size());
  }
  ids.save();
  return restored;
}

User edit(UserTable& table, UserNumber number, const UserEdit& edit) {
  const std::optional<User> before = table.look_up(number);
  if (!before) {
    throw Error(ErrorCode::kNotFound, "That user is not there any more. Nothing was changed.");
  }
  User user = *before;
  if (edit.email) set_email(table, user, *edit.email);
  if (edit.display_name) user.display_name = *edit.display_name;
  if (edit.bio) user.bio = *edit.bio;
  if (edit.picture) set_picture(table, user, *edit.picture);
  if (edit.suspended) user.suspended = *edit.suspended;
  if (edit.rename) rename(table, user, *edit.rename);
  if (user != *before) table.replace(*before, user);
  if (edit.password_hash) {
    user.has_password = true;
    table.set_password(number, *edit.password_hash);
    table.forget_tokens(number, edit.kept_token);
  }
  if (edit.display_name || edit.picture || edit.suspended || edit.rename) {
    (void)table.note_due_card(number);
  }
  return user;
}

bool remove(UserTable& table, std::uint32_t machine, UserNumber number) {
  const std::optional<User> user = table.look_up(number);
  if (!user) return false;
  IdMint ids(table, machine);
  ids.retire(user->id);
  ids.save();
  table.erase(*user);
  return true;
}

}  // namespace chirp::users
