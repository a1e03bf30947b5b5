// Use cases of accounts: sign-up, look-up, edits and removal.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/post.h"
#include "core/model/user.h"
#include "core/ports/clock.h"
#include "core/ports/password_hasher.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"
#include "core/social/card.h"

namespace chirp::social {

struct SignUp {
  std::string username;
  std::optional<std::string> email;
  std::optional<std::string> display_name;
  std::string bio;
  std::optional<std::string> password;
};

struct AccountEdit {                 // empty fields stay unchanged
  std::optional<std::string> email;  // an empty text removes the address
  std::optional<std::string> display_name;
  std::optional<std::string> bio;
  std::optional<MediaId> picture{};       // an upload of theirs; 0 removes the picture
  std::optional<std::string> password{};  // revokes all of their tokens except `kept_token`
  std::string kept_token{};
  std::optional<std::string> username{};  // the old name leads to them for limits::kOldNameMs
};

struct UserView {
  User user;
  UserCounters counters;
  // Why a part of the change could not be done now; empty if all is done. The change itself is
  // durable, and the next writer does the rest.
  std::string unfinished{};
};

struct UserViewPage {
  std::vector<UserView> users;
  bool more = false;
};

class Accounts {
 public:
  Accounts(Storage& storage, UserDirectory& directory, const PasswordHasher& hasher,
           const Clock& clock);

  // Resolves `NAME` of the command line: a username in any case, or an old one that still leads to
  // its user; `@username`; an id; or `source:` and a source id. Up to 15 digits are a username,
  // more are an id. Throws Error{kNotFound} with the name if the user does not exist, or is removed
  // or suspended.
  [[nodiscard]] User resolve(std::string_view name) const;
  // The same, including suspended users.
  [[nodiscard]] User resolve_kept(std::string_view name) const;
  // Resolves all names; throws for the first missing user.
  [[nodiscard]] std::vector<User> resolve_all(std::span<const std::string> names) const;
  // ---- of these, only find_kept() finds suspended users
  // The user with this current or old username, in any case; empty if no present user has it.
  [[nodiscard]] std::optional<User> find_name(std::string_view username) const;
  // Empty if the user does not exist or is removed.
  [[nodiscard]] std::optional<User> present(UserNumber number) const;
  [[nodiscard]] std::optional<User> find_id(UserId id) const;
  // The user with this e-mail address, in any case; empty if no present user has it.
  [[nodiscard]] std::optional<User> find_email(std::string_view email) const;
  // Includes suspended users. Looks up a name like find_name().
  [[nodiscard]] std::optional<User> find_kept(const SoughtUser& who) const;
  // Whether the password, normalised or as typed, is the user's; false without a user or a
  // password. The work depends only on the input, so its time reveals neither who exists nor
  // whether the password was right.
  [[nodiscard]] bool is_password(const std::optional<User>& user, std::string_view password) const;
  // Hashes the verified password again if the configured cost has changed. Tokens stay valid.
  void renew_hash(const User& user, std::string_view password);
  [[nodiscard]] UserView view(const User& user) const;
  // Sorted by username. `limit` is 1 to limits::kUserPageMax.
  [[nodiscard]] UserViewPage list(const UserQuery& query) const;

  // Once the row is written, the sign-up is durable (UserView::unfinished).
  UserView add(const SignUp& sign_up);
  // Applies all of the edit or nothing. A new username follows the rules of rename(). Throws
  // Error{kInvalidArgument} with the invalid field, {kNotFound} with field `picture` if it is not
  // an upload of theirs, {kAlreadyExists} with field `email`. Once the row is written, the edit is
  // durable (UserView::unfinished).
  UserView edit(const User& user, const AccountEdit& edit);
  // Hides the user everywhere with everything they wrote and did, or restores all of it. Tokens are
  // kept, but refused meanwhile. Once the row is written, the change is durable
  // (UserView::unfinished).
  UserView suspend(const User& user);
  UserView unsuspend(const User& user);
  // Throws Error{kAlreadyExists} with field `username` if another user has the name, or had it and
  // is still found by it; {kConflict} with field `username` if the user was renamed less than
  // limits::kRenameMs ago. The current name changes nothing. In another case it counts as the same
  // name, so it is allowed at any time and leaves no old name.
  UserView rename(const User& user, const std::string& username);
  // Revokes all of the user's tokens except `kept_token`.
  void set_password(const User& user, std::string_view password, std::string_view kept_token = {});
  // Hides the user at once, then removes every trace in bounded steps, the directory's row last.
  // Once hidden, the user is gone for everyone. Returns why a part is left to the next writer, or
  // empty.
  std::string remove(const User& user);
  // Hides the user at once, and removes as much as a few short transactions can: everything for
  // most users. resume_removals() does the rest, here or in another process.
  void hide(const User& user);
  // Finishes interrupted removals, sign-ups and edits; does nothing if the directory is read-only.
  // Cheap if nothing is left to do.
  void resume();
  // Finishes only removals.
  void resume_removals();

  // Notes that the uploads of a post that is about to be removed may become unused.
  void release(std::span<const Medium> media);

  // Writes the card if a crash interrupted the sign-up.
  void ensure_card(const User& user);

 private:
  [[nodiscard]] std::optional<User> find_source(std::string_view text) const;
  [[nodiscard]] std::optional<User> bearer_of(std::string_view username) const;
  // Whether the user is removed or suspended.
  [[nodiscard]] bool is_hidden(const User& user) const;
  [[nodiscard]] std::optional<User> unless_hidden(std::optional<User> user) const;
  void check_picture(const User& user, MediaId picture) const;
  void append_shown(std::span<const User> users, const UserQuery& query, UserViewPage& page) const;
  void bring_card(UserNumber user);
  UserView finish_change(const User& user);
  void mark_removed(const User& user);
  void finish_removal(UserNumber number);
  bool remove_some(UserNumber number, std::uint32_t rows);
  void resume_cards();

  Storage& storage_;
  UserDirectory& directory_;
  const PasswordHasher& hasher_;
  const Clock& clock_;
};

// Resolves the mentions of a text to existing users, in the order of first mention, unique, without
// `author`; at most limits::kMentionsMax.
[[nodiscard]] std::vector<UserNumber> mentioned_in(std::string_view text, UserNumber author,
                                                   Accounts& accounts);

}  // namespace chirp::social
