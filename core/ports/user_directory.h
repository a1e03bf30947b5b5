// Who there is: names, addresses, passwords, sign-up times. SQLite in production.
//
// Every call is one transaction of its own. A user row is written before anything refers to the
// user, and removed when nothing does any more. Safe to call from any thread.
//
// A port for each who asks: who checks tokens needs TokenStore alone. An example, who signed in:
//
//   const auto number = tokens.token_owner(said, clock.now());
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

// A user that a load brings: who is there already, by source id, keeps what they have, but a
// made-up name gives way to a real one.
struct LoadedUser {
  std::optional<SourceKey> source;      // without one, whoever has the username is meant
  std::optional<std::string> username;  // a valid name, if the source says one
  std::optional<std::string> display_name;
  std::string bio;
  std::optional<Time> created_at;  // of `seed` alone; the time of the batch otherwise
};

enum class LoadedUserChange : std::uint8_t { kAdded, kRenamed, kThere };

struct LoadedUserResult {
  User user;
  LoadedUserChange change = LoadedUserChange::kThere;
  bool cut = false;       // the name was cut or numbered, since somebody else has it
  std::uint64_t due = 0;  // DueCard::due of who was added or renamed
};

// A user whose card the engine may not have as the row says it.
struct DueCard {
  std::uint64_t due = 0;  // rises, and never comes again
  UserNumber user;

  bool operator==(const DueCard&) const = default;
};

// Another username for a user. The one before leads to them until limits::kOldNameMs later.
struct Rename {
  std::string username;
  Time at;  // now
};

// Absent fields stay as they are.
struct UserEdit {
  std::optional<std::string> email;  // empty takes the address away
  std::optional<std::string> display_name;
  std::optional<std::string> bio;
  std::optional<std::string> password_hash;  // revokes all tokens of the user …
  std::string kept_token;                    // … but this one, if it is the user's
  std::optional<MediaId> picture;            // an upload of the user's; 0 takes it away
  std::optional<bool> suspended{};           // their tokens stay
  std::optional<Rename> rename{};
};

struct UserQuery {
  std::optional<std::string> match;  // part of a username or display name, in any case, literally
  bool quick = false;                // `match` is for strangers: see UserRows::list
  std::optional<std::string> email;  // whole, in any case
  std::optional<Time> since;         // signed up at or after
  std::optional<Time> until;         // signed up before
  bool suspended = false;            // those who are suspended, and nobody else
  std::optional<std::string> after;  // the username the page before ended with
  std::uint32_t limit = 50;
};

struct UserMatches {
  std::vector<User> users;  // by username, without regard to case
  bool more = false;
};

// A token as its owner sees it: nothing that lets anybody act.
struct Session {
  std::string id;  // 16 hexadecimal digits, out of the token's hash
  Time created_at;
  std::optional<Time> expires_at;
  bool current = false;  // of the token that the list was asked with

  bool operator==(const Session&) const = default;
};

// By what somebody is looked for. Names and addresses whatever their case.
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
  // Whose username it was, while it still leads to them.
  [[nodiscard]] std::optional<User> find_old_name(std::string_view username, Time now) const {
    return look_up(FormerlyNamedUser{username, now});
  }
  [[nodiscard]] std::optional<User> find_email(std::string_view email) const {
    return look_up(AddressedUser{email});
  }
  [[nodiscard]] virtual std::optional<std::string> password_hash(UserNumber number) const = 0;
  // A quick query looks at few rows whatever its `match` is. Three characters and more are looked
  // for anywhere, if limits::kMatchCandidatesMax names at most have all their trigrams. What is
  // shorter or more common is looked for where usernames begin; two characters that no username
  // has, where display names begin. Throws Error{kInvalidArgument} with field `match` for anything
  // else.
  [[nodiscard]] virtual UserMatches list(const UserQuery& query) const = 0;
  // By number, at most `limit`: from above `bound` (kUp), or below it, the highest first (kDown).
  [[nodiscard]] virtual std::vector<User> walk(UserNumber bound, Direction direction,
                                               std::uint32_t limit) const = 0;
  // For walks over everybody.
  [[nodiscard]] std::vector<User> scan(UserNumber after, std::uint32_t limit) const {
    return walk(after, Direction::kUp, limit);
  }
  // The last to come.
  [[nodiscard]] std::vector<User> newest(std::uint32_t limit) const {
    return walk(UserNumber{std::numeric_limits<std::uint32_t>::max()}, Direction::kDown, limit);
  }
  [[nodiscard]] virtual std::uint64_t count() const = 0;
  // Of these, who is suspended: looks at those alone.
  [[nodiscard]] virtual std::uint64_t count_suspended() const = 0;

  // Signs somebody up; the id is minted from `now` under the directory's write lock.
  // Throws Error{kAlreadyExists} with field `username` or `email` if taken. An old name of somebody
  // else's is taken while it leads to them.
  virtual User add(const NewUser& user, Time now) = 0;
  // Throws Error{kNotFound} for nobody, or with field `picture` for an upload that is not theirs;
  // {kAlreadyExists} with field `email` or `username` if taken; {kConflict} with field `username`
  // for who was renamed less than limits::kRenameMs ago.
  virtual User edit(UserNumber number, const UserEdit& edit) = 0;
  // Puts another hash of the same password in the place of `before`, and leaves the tokens alone.
  // False if the password is another by now.
  virtual bool replace_hash(UserNumber number, std::string_view before, std::string_view after) = 0;
  // True if there was such a row. Numbers and ids are never used again; name and e-mail are free.
  virtual bool remove(UserNumber number) = 0;
};

class UserLoads {
 public:
  virtual ~UserLoads() = default;

  // In one transaction, in the order given; one result for each. The username is what is asked for,
  // else `u<source id>`, else `u` and the id in base 36; cut and numbered `_2`, `_3`, … where
  // somebody else has it (core/model/names.h). A source id given twice is added once. A user has a
  // source id, or a username by which they are found whatever its case.
  virtual std::vector<LoadedUserResult> load(std::span<const LoadedUser> users, Time now) = 0;
  // Puts back users of an export with their ids, in one transaction. Numbers are assigned anew.
  // Throws Error{kAlreadyExists} if an id or name is there.
  virtual std::vector<User> restore(std::span<const User> users) = 0;
};

// What the engine has yet to do about users, so that whoever comes after a crash can do it.
class UserDues {
 public:
  virtual ~UserDues() = default;

  // ---- cards: noted in the transaction that makes a user, or changes what their card says
  // Oldest first, at most `limit`.
  [[nodiscard]] virtual std::vector<DueCard> due_cards(std::uint32_t limit) const = 0;
  [[nodiscard]] virtual bool is_card_due(UserNumber user) const = 0;
  // The engine has them. Of whom has been changed since, a later one stays due.
  virtual void settle_cards(std::span<const DueCard> settled) = 0;

  // ---- removals: noted when the engine hides the user, before the last trace is gone from it, and
  // gone with the row. Noting twice, or nobody, changes nothing.
  virtual void set_leaving(UserNumber number, bool leaving) = 0;
  void begin_removal(UserNumber number) { set_leaving(number, true); }
  void cancel_removal(UserNumber number) { set_leaving(number, false); }
  [[nodiscard]] virtual std::vector<UserNumber> removals() const = 0;
};

// Whose a token is, and until when.
struct HeldToken {
  UserNumber user;
  std::optional<Time> expires_at;

  bool operator==(const HeldToken&) const = default;
};

// Which tokens cease to be: one, all of a user's but `kept`, or the one of a session of theirs.
struct AllTokens {
  UserNumber user;
  std::string_view kept;
};
struct SessionToken {
  UserNumber user;
  std::string_view session;
};
using RevokedTokens = std::variant<std::string_view, AllTokens, SessionToken>;

// Secrets that stand for a user until they expire, are revoked, or the password is changed. Kept as
// hashes alone, so that only who has one can say it.
class TokenStore {
 public:
  virtual ~TokenStore() = default;

  // A new one. Of a user's that expire, limits::kSessionsMax are kept: the oldest gives way. Throws
  // Error{kNotFound} if there is no such user, or one who is being removed.
  virtual std::string add_token(UserNumber user, Time now, std::optional<Time> expires_at) = 0;
  // Empty for a token that is none, has expired, or whose user is being removed.
  [[nodiscard]] virtual std::optional<HeldToken> held_token(std::string_view token,
                                                            Time now) const = 0;
  [[nodiscard]] std::optional<UserNumber> token_owner(std::string_view token, Time now) const {
    const auto held = held_token(token, now);
    return held ? std::optional(held->user) : std::nullopt;
  }
  // How many there were.
  virtual std::uint64_t revoke(const RevokedTokens& which) = 0;
  bool revoke_token(std::string_view token) { return revoke(token) != 0; }
  std::uint64_t revoke_tokens(UserNumber user, std::string_view kept) {
    return revoke(AllTokens{user, kept});
  }
  bool revoke_session(UserNumber user, std::string_view id) {
    return revoke(SessionToken{user, id}) != 0;
  }
  // The user's tokens that hold now, the newest first, behind `after`, at most `limit`; `token` is
  // the one that asks, or none.
  [[nodiscard]] virtual std::vector<Session> sessions(UserNumber user, std::string_view token,
                                                      Time now, const std::optional<Session>& after,
                                                      std::uint32_t limit) const = 0;
};

class UserDirectory : public UserRows, public UserLoads, public UserDues, public TokenStore {
 public:
  // Moves with every commit of any process that may have changed or removed a token or the row of a
  // user there is, for who keeps what it has read of them: what was read between two looks at the
  // same number holds while the number stays. Waits for no disk; of a store that is far away it is
  // a round trip (glance.h). Empty while it can't be told: then nothing of before holds.
  [[nodiscard]] virtual std::optional<std::uint64_t> version() const { return std::nullopt; }

  // Uploads, and their bytes.
  [[nodiscard]] virtual MediaStore& media() = 0;

  // Damage, one line each, empty when sound; the integrity check of the file included.
  [[nodiscard]] virtual std::vector<std::string> problems() const = 0;
  // Makes what is derived from the rows anew: indexes, the search among names.
  virtual void rebuild_indexes() = 0;
};

}  // namespace chirp
