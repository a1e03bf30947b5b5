// Signing up, looking people up, editing and removing them.
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

struct AccountEdit {                 // absent fields stay as they are
  std::optional<std::string> email;  // empty takes the address away
  std::optional<std::string> display_name;
  std::optional<std::string> bio;
  std::optional<MediaId> picture{};       // a picture they uploaded; 0 takes it away
  std::optional<std::string> password{};  // revokes their tokens, but `kept_token` if it is one
  std::string kept_token{};
  std::optional<std::string> username{};  // the one before leads to them for limits::kOldNameMs
};

struct UserView {
  User user;
  UserCounters counters;
  // Of a change: why something of it could not be done now. The change stands, and whoever writes
  // next does the rest. Empty if nothing is left.
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

  // `NAME` of the command line: a username in any case, or one of before that still leads to them,
  // `@username`, or an id; digits alone are a username up to 15, an id beyond; or `source:` and
  // what a source calls them. Throws Error{kNotFound} naming who is not there, or is suspended; a
  // removed user is not there.
  [[nodiscard]] User resolve(std::string_view name) const;
  // The same of suspended users, too.
  [[nodiscard]] User resolve_kept(std::string_view name) const;
  // Everybody named; throws for the first who is not there.
  [[nodiscard]] std::vector<User> resolve_all(std::span<const std::string> names) const;
  // ---- suspended users are found by none of these but find_kept()
  // Who has this username, or had it and is still found by it, in any case; empty if nobody who is
  // there has.
  [[nodiscard]] std::optional<User> find_name(std::string_view username) const;
  // Empty for nobody, and for a removed user.
  [[nodiscard]] std::optional<User> present(UserNumber number) const;
  [[nodiscard]] std::optional<User> find_id(UserId id) const;
  // Who has this e-mail address, in any case; empty if nobody who is there has.
  [[nodiscard]] std::optional<User> find_email(std::string_view email) const;
  // Suspended users, too. Of a name, as find_name() does.
  [[nodiscard]] std::optional<User> find_kept(const SoughtUser& who) const;
  // Whether the password is theirs, normalised or as typed; never of nobody and of who has none.
  // What is checked depends on what was typed alone, so that the time says nothing about who there
  // is, nor whether it was right.
  [[nodiscard]] bool is_password(const std::optional<User>& user, std::string_view password) const;
  // Hashes their password, which this is, anew if the cost is set otherwise now. Their tokens stay.
  void renew_hash(const User& user, std::string_view password);
  [[nodiscard]] UserView view(const User& user) const;
  // By username. A `limit` of 1 to limits::kUserPageMax.
  [[nodiscard]] UserViewPage list(const UserQuery& query) const;

  // Once their row is written the sign-up stands (UserView::unfinished).
  UserView add(const SignUp& sign_up);
  // All of it or nothing. A new username as rename() has it. Throws Error{kInvalidArgument} with
  // the field to blame, {kNotFound} with field `picture` for what is no upload of theirs,
  // {kAlreadyExists} with field `email`. Once the row is written the edit stands
  // (UserView::unfinished).
  UserView edit(const User& user, const AccountEdit& edit);
  // Hides them everywhere, with all they wrote and did; or brings all of it back. Their tokens
  // stay, and are refused meanwhile. Once the row is written the change stands
  // (UserView::unfinished).
  UserView suspend(const User& user);
  UserView unsuspend(const User& user);
  // Throws Error{kAlreadyExists} with field `username` if somebody has the name, or had it and is
  // still found by it; {kConflict} with field `username` for who was renamed less than
  // limits::kRenameMs ago. The name that they have changes nothing; in another case it is no other
  // name, so it may be written so at any time, and no old name comes of it.
  UserView rename(const User& user, const std::string& username);
  // Revokes the user's tokens, but `kept_token` if it is one.
  void set_password(const User& user, std::string_view password, std::string_view kept_token = {});
  // Hides the user at once, then removes every trace in bounded steps, the directory's row last.
  // They are gone for everybody once they are hidden; why something is left to whoever writes next,
  // or empty if nothing is.
  std::string remove(const User& user);
  // Hides the user at once and removes what a few short transactions can: all of most. What is left
  // is for resume_removals(), here or in another process.
  void hide(const User& user);
  // Finishes removals, sign-ups and edits that were left half done; does nothing where the
  // directory can't be written. Cheap when there are none.
  void resume();
  // Finishes the removals alone.
  void resume_removals();

  // Notes that the uploads of a post which is about to be removed may have no other use from now
  // on.
  void release(std::span<const Medium> media);

  // The card of a user whose sign-up a crash cut short is written when it is first needed.
  void ensure_card(const User& user);

 private:
  [[nodiscard]] std::optional<User> find_source(std::string_view text) const;
  [[nodiscard]] std::optional<User> bearer_of(std::string_view username) const;
  // Whether they are removed or suspended.
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

}  // namespace chirp::social
