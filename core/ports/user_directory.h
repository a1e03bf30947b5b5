// Users: names, addresses, passwords, sign-up times. Stored in SQLite or PostgreSQL.
//
// Every call is one transaction. A user row is written before anything refers to the user, and
// removed when nothing does any more. Safe to call from any thread.
//
// Each kind of caller has its own port: code that checks tokens needs only TokenStore. Example, the
// user who signed in:
//
//   const auto number = tokens.token_owner(token, clock.now());
//   const auto user = number ? users.find(*number) : std::nullopt;
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/model/user.h"
#include "core/ports/media_store.h"
#include "core/ports/store_state.h"

namespace chirp {

struct NewUser {
  std::string username;
  std::optional<std::string> email;
  std::optional<std::string> display_name;
  std::string bio;
  std::optional<std::string> password_hash;
};

// A user in a load. A user that already exists, by source id, stays unchanged, except that a real
// name replaces a generated one.
struct LoadedUser {
  std::optional<SourceKey> source;      // if empty, the username identifies the user
  std::optional<std::string> username;  // a valid name, if the source has one
  std::optional<std::string> display_name;
  std::string bio;
  std::optional<Time> created_at;  // only for `seed`; default: the time of the batch
};

enum class LoadedUserChange : std::uint8_t { kAdded, kRenamed, kThere };

struct LoadedUserResult {
  User user;
  LoadedUserChange change = LoadedUserChange::kThere;
  bool cut = false;       // the name was cut or numbered because it was taken
  std::uint64_t due = 0;  // PendingCard::due of a user who was added or renamed
};

// A user whose card in the engine may differ from the row.
struct PendingCard {
  std::uint64_t due = 0;  // increases; never reused
  UserNumber user;

  bool operator==(const PendingCard&) const = default;
};

// A new username. The old one leads to the user for another limits::kOldNameMs.
struct Rename {
  std::string username;
  Time at;  // now
};

// Empty fields stay unchanged.
struct UserEdit {
  std::optional<std::string> email;  // an empty text removes the address
  std::optional<std::string> display_name;
  std::optional<std::string> bio;
  std::optional<std::string> password_hash;  // also revokes all tokens of the user …
  std::string kept_token;                    // … except this one, if it belongs to the user
  std::optional<MediaId> picture;            // an upload of the user's; 0 removes the picture
  std::optional<bool> suspended{};           // tokens stay valid
  std::optional<Rename> rename{};
};

struct UserQuery {
  std::optional<std::string> match;  // literal part of a username or display name, ignoring case
  bool quick = false;                // `match` comes from a stranger: see UserRows::list
  std::optional<std::string> email;  // the whole address, ignoring case
  std::optional<Time> since;         // signed up at or after
  std::optional<Time> until;         // signed up before
  bool suspended = false;            // only suspended users
  std::optional<std::string> after;  // the last username of the previous page
  std::uint32_t limit = 50;
};

struct UserMatches {
  std::vector<User> users;  // sorted by username, ignoring case
  bool more = false;
};

// A token as its owner sees it, without the secret.
struct Session {
  std::string id;  // 16 hexadecimal digits of the token's hash
  Time created_at;
  std::optional<Time> expires_at;
  bool current = false;  // whether it is the caller's own token

  bool operator==(const Session&) const = default;
};

// Ways to look up a user. Names and addresses ignore case.
struct NamedUser {
  std::string_view username;
};
struct FormerlyNamedUser {
  std::string_view username;
  Time now;
};
struct AddressedUser {
  std::string_view email;
};
using SoughtUser = std::variant<UserNumber, UserId, NamedUser, FormerlyNamedUser, AddressedUser>;

class UserRows {
 public:
  virtual ~UserRows() = default;

  [[nodiscard]] virtual std::optional<User> look_up(const SoughtUser& who) const = 0;
  [[nodiscard]] std::optional<User> find(UserNumber number) const { return look_up(number); }
  [[nodiscard]] std::optional<User> find(UserId id) const { return look_up(id); }
  [[nodiscard]] std::optional<User> find_name(std::string_view username) const {
    return look_up(NamedUser{username});
  }
  // The user who had this username before, while it still leads to them.
  [[nodiscard]] std::optional<User> find_old_name(std::string_view username, Time now) const {
    return look_up(FormerlyNamedUser{username, now});
  }
  [[nodiscard]] std::optional<User> find_email(std::string_view email) const {
    return look_up(AddressedUser{email});
  }
  [[nodiscard]] virtual std::optional<std::string> password_hash(UserNumber number) const = 0;
  // A quick query reads few rows whatever its `match` is. It finds three or more characters
  // anywhere in a name if at most limits::kMatchCandidatesMax names have all their trigrams. It
  // finds shorter or more common texts at the beginning of usernames, and two characters that no
  // username has at the beginning of display names. Throws Error{kInvalidArgument} with field
  // `match` for anything else.
  [[nodiscard]] virtual UserMatches list(const UserQuery& query) const = 0;
  // By number, at most `limit`: above `bound` ascending (kUp), or below it descending (kDown).
  [[nodiscard]] virtual std::vector<User> walk(UserNumber bound, Direction direction,
                                               std::uint32_t limit) const = 0;
  // For walks over all users.
  [[nodiscard]] std::vector<User> scan(UserNumber after, std::uint32_t limit) const {
    return walk(after, Direction::kUp, limit);
  }
  // The users who were added last.
  [[nodiscard]] std::vector<User> newest(std::uint32_t limit) const {
    return walk(UserNumber{std::numeric_limits<std::uint32_t>::max()}, Direction::kDown, limit);
  }
  [[nodiscard]] virtual std::uint64_t count() const = 0;
  // Number of suspended users; reads only those.
  [[nodiscard]] virtual std::uint64_t count_suspended() const = 0;

  // Adds a user; the id is minted from `now` under the directory's write lock. Throws
  // Error{kAlreadyExists} with field `username` or `email` if taken. Another user's old name is
  // taken while it leads to them.
  virtual User add(const NewUser& user, Time now) = 0;
  // Throws Error{kNotFound} if there is no such user, or with field `picture` if the upload is not
  // theirs; {kAlreadyExists} with field `email` or `username` if taken; {kConflict} with field
  // `username` if the user was renamed less than limits::kRenameMs ago.
  virtual User edit(UserNumber number, const UserEdit& edit) = 0;
  // Replaces the hash `before` with another hash of the same password, and keeps the tokens.
  // Returns false if the password has changed.
  virtual bool replace_hash(UserNumber number, std::string_view before, std::string_view after) = 0;
  // Returns whether the row existed. Numbers and ids are never reused; name and e-mail become free.
  virtual bool remove(UserNumber number) = 0;
};

class UserLoads {
 public:
  virtual ~UserLoads() = default;

  // Loads the users in order, in one transaction; one result for each. The username is the one
  // given, else `u<source id>`, else `u` and the id in base 36; if taken, it is cut and numbered
  // `_2`, `_3`, … (core/model/names.h). A source id given twice is added once. A user has a source
  // id, or a username that identifies them, ignoring case.
  virtual std::vector<LoadedUserResult> load(std::span<const LoadedUser> users, Time now) = 0;
  // Restores users of an export with their ids, in one transaction. Numbers are assigned anew.
  // Throws Error{kAlreadyExists} if an id or name exists.
  virtual std::vector<User> restore(std::span<const User> users) = 0;
};

// Work on users that the engine has yet to do, stored so that it is done even after a crash.
class PendingUserWork {
 public:
  virtual ~PendingUserWork() = default;

  // ---- cards: noted in the transaction that adds a user or changes what their card contains
  // The oldest first, at most `limit`.
  [[nodiscard]] virtual std::vector<PendingCard> due_cards(std::uint32_t limit) const = 0;
  [[nodiscard]] virtual bool is_card_due(UserNumber user) const = 0;
  // Notes that the engine has these cards. If a user has changed since, a newer entry stays due.
  virtual void settle_cards(std::span<const PendingCard> settled) = 0;

  // ---- removals: noted when the engine hides the user, before it removes the last trace, and
  // deleted with the row. Noting twice, or a missing user, changes nothing.
  virtual void set_leaving(UserNumber number, bool leaving) = 0;
  void begin_removal(UserNumber number) { set_leaving(number, true); }
  void cancel_removal(UserNumber number) { set_leaving(number, false); }
  [[nodiscard]] virtual std::vector<UserNumber> removals() const = 0;
};

// The owner of a token, and when it expires.
struct TokenRecord {
  UserNumber user;
  std::optional<Time> expires_at;

  bool operator==(const TokenRecord&) const = default;
};

// The tokens to revoke: one token, all of a user's except `kept`, or the token of one session of a
// user.
struct AllTokens {
  UserNumber user;
  std::string_view kept;
};
struct SessionToken {
  UserNumber user;
  std::string_view session;
};
using RevokedTokens = std::variant<std::string_view, AllTokens, SessionToken>;

// Secrets that authenticate a user until they expire, are revoked, or the password changes. Only
// hashes are stored.
class TokenStore {
 public:
  virtual ~TokenStore() = default;

  // Adds a token. A user keeps limits::kSessionsMax tokens that expire; the oldest is removed.
  // Throws Error{kNotFound} if the user does not exist or is being removed.
  virtual std::string add_token(UserNumber user, Time now, std::optional<Time> expires_at) = 0;
  // Empty if the token is unknown or expired, or if its user is being removed.
  [[nodiscard]] virtual std::optional<TokenRecord> held_token(std::string_view token,
                                                              Time now) const = 0;
  [[nodiscard]] std::optional<UserNumber> token_owner(std::string_view token, Time now) const {
    const auto held = held_token(token, now);
    return held ? std::optional(held->user) : std::nullopt;
  }
  // Returns the number of tokens revoked.
  virtual std::uint64_t revoke(const RevokedTokens& which) = 0;
  bool revoke_token(std::string_view token) { return revoke(token) != 0; }
  std::uint64_t revoke_tokens(UserNumber user, std::string_view kept) {
    return revoke(AllTokens{user, kept});
  }
  bool revoke_session(UserNumber user, std::string_view id) {
    return revoke(SessionToken{user, id}) != 0;
  }
  // The user's valid tokens, newest first, after `after`, at most `limit`. `token` is the caller's
  // own token, or empty.
  [[nodiscard]] virtual std::vector<Session> sessions(UserNumber user, std::string_view token,
                                                      Time now, const std::optional<Session>& after,
                                                      std::uint32_t limit) const = 0;
};

class UserDirectory : public UserRows, public UserLoads, public PendingUserWork, public TokenStore {
 public:
  // Changes with every commit of any process that may have changed or removed a token or an
  // existing user row. Callers can cache rows: what was read between two calls with the same result
  // is valid while the result stays the same. Does not wait for the disk; a remote store needs a
  // round trip (caller.h). Empty if unknown: then nothing cached is valid.
  [[nodiscard]] virtual std::optional<std::uint64_t> version() const { return std::nullopt; }

  // Uploads and their bytes.
  [[nodiscard]] virtual MediaStore& media() = 0;

  // Damage, one line each, including the integrity check of the file; empty if sound.
  [[nodiscard]] virtual std::vector<std::string> problems() const = 0;
  // Rebuilds what is derived from the rows: indexes, the search index of names.
  virtual void rebuild_indexes() = 0;
};

}  // namespace chirp
