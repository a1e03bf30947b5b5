#include "store/sqlite/user_row.h"

#include <limits>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"
#include "core/model/utf8.h"
#include "store/sqlite/errors.h"

namespace chirp::sqlite {
namespace {

enum Column : int {
  kNumber,
  kId,
  kUsername,
  kEmail,
  kDisplayName,
  kBio,
  kCreatedAt,
  kSource,
  kWord,
  kNameOrigin,
  kHasPassword,
  kPicture,
  kSuspended,
  kOldName,
  kOldNameUntil,
};

constexpr std::string_view kColumns =
    "u.number, u.id, u.username, u.email, u.display_name, u.bio, u.created_at, u.source_id, "
    "u.source_word, u.name_origin, u.password IS NOT NULL, u.picture, u.suspended, "
    "u.old_name, u.old_name_until";

[[noreturn]] void refuse(const Connection& connection, std::int64_t number, std::string_view what) {
  throw corrupt(fmt::format("the row of user number {} has {}", number, what), connection.file());
}

void check_texts(const Connection& connection, const User& user) {
  const auto number = user.number.value;
  if (!is_username(user.username)) refuse(connection, number, "a name that can't be one");
  if (!utf8::is_valid(user.display_name) || !utf8::is_valid(user.bio) ||
      (user.email && !utf8::is_valid(*user.email))) {
    refuse(connection, number, "a text that is not UTF-8");
  }
}

std::optional<std::uint64_t> stored_source_id(const User& user) {
  if (!user.source || user.source->is_word()) return std::nullopt;
  return user.source->number.value;
}

std::optional<std::string_view> stored_source_word(const User& user) {
  if (!user.source || !user.source->is_word()) return std::nullopt;
  return user.source->word;
}

template <class... Values>
std::optional<User> one_user(Connection& connection, const std::string& sql,
                             const Values&... values) {
  Rows rows = connection.rows(sql, values...);
  if (!rows.next()) return std::nullopt;
  return user_of(connection, rows);
}

}  // namespace

std::string select_users(std::string_view rest) {
  return fmt::format("SELECT {} FROM users u {}", kColumns, rest);
}

User user_of(const Connection& connection, const Rows& rows) {
  const std::int64_t number = rows.integer(kNumber);
  const std::int64_t id = rows.integer(kId);
  const std::int64_t origin = rows.integer(kNameOrigin);
  if (number <= 0 || number > std::numeric_limits<std::uint32_t>::max() || id <= 0) {
    refuse(connection, number, "a number or id out of bounds");
  }
  if (origin != 0 && origin != 1) refuse(connection, number, "an unknown kind of name");
  User user;
  user.number = UserNumber{static_cast<std::uint32_t>(number)};
  user.id = UserId{static_cast<std::uint64_t>(id)};
  user.username = rows.text(kUsername);
  user.email = rows.optional_text(kEmail);
  user.display_name = rows.is_null(kDisplayName) ? user.username : rows.text(kDisplayName);
  user.bio = rows.text(kBio);
  user.created_at = Time{rows.integer(kCreatedAt)};
  if (!rows.is_null(kSource)) {
    const std::int64_t source = rows.integer(kSource);
    if (source < 0) refuse(connection, number, "a source id below zero");
    user.source = SourceId{static_cast<std::uint64_t>(source)};
  }
  if (!rows.is_null(kWord)) {
    std::string word = rows.text(kWord);
    if (user.source || !can_be_source_word(word)) refuse(connection, number, "a wrong source id");
    user.source = SourceKey(std::move(word));
  }
  user.name_origin = static_cast<NameOrigin>(origin);
  user.has_password = rows.integer(kHasPassword) != 0;
  if (!rows.is_null(kPicture)) {
    const std::int64_t picture = rows.integer(kPicture);
    if (picture <= 0) refuse(connection, number, "a picture that can't be one");
    user.picture = MediaId{static_cast<std::uint64_t>(picture)};
  }
  user.suspended = rows.integer(kSuspended) != 0;
  if (!rows.is_null(kOldName)) {
    user.old_name = OldName{rows.text(kOldName), Time{rows.integer(kOldNameUntil)}};
    if (!is_username(user.old_name->username)) {
      refuse(connection, number, "an old name that can't be one");
    }
  }
  check_texts(connection, user);
  return user;
}

std::optional<std::string_view> stored_display_name(const User& user) {
  if (user.display_name == user.username) return std::nullopt;
  return user.display_name;
}

bool insert_loaded(Connection& connection, std::span<User> users) {
  check(users.size() == kLoadedAtOnce, "a statement for many rows takes all of them");
  static const std::string sql = [] {
    std::string text =
        "INSERT INTO users (id, username, display_name, bio, created_at, source_id, "
        "source_word, name_origin) "
        "VALUES ";
    for (std::size_t i = 0; i < kLoadedAtOnce; ++i) {
      text += i == 0 ? "(?, ?, ?, ?, ?, ?, ?, ?)" : ", (?, ?, ?, ?, ?, ?, ?, ?)";
    }
    return text;
  }();
  {
    Rows rows = connection.rows(sql);
    for (const User& user : users) {
      rows.bind_more(user.id.value, user.username, stored_display_name(user), user.bio,
                     user.created_at.ms, stored_source_id(user), stored_source_word(user),
                     static_cast<std::int64_t>(user.name_origin));
    }
    if (!rows.run_unless_taken()) return false;
  }
  // Each takes the number above the highest that was ever given.
  std::int64_t number = connection.last_row_number() - static_cast<std::int64_t>(users.size());
  for (User& user : users) user.number = UserNumber{static_cast<std::uint32_t>(++number)};
  return true;
}

std::optional<UserNumber> insert_user(Connection& connection, const User& user,
                                      const std::optional<std::string>& password_hash) {
  std::optional<std::uint64_t> picture;
  if (user.picture != MediaId{}) picture = user.picture.value;
  const bool inserted = connection.run_unless_taken(
      "INSERT INTO users (id, username, email, password, display_name, bio, created_at, source_id, "
      "source_word, name_origin, picture, suspended) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
      user.id.value, user.username, user.email, password_hash, stored_display_name(user), user.bio,
      user.created_at.ms, stored_source_id(user), stored_source_word(user),
      static_cast<std::int64_t>(user.name_origin), picture, std::int64_t{user.suspended});
  if (!inserted) return std::nullopt;
  return UserNumber{static_cast<std::uint32_t>(connection.last_row_number())};
}

std::optional<User> user_numbered(Connection& connection, UserNumber number) {
  static const std::string sql = select_users("WHERE u.number = ?1");
  return one_user(connection, sql, number.value);
}

std::optional<User> user_with_id(Connection& connection, UserId id) {
  static const std::string sql = select_users("WHERE u.id = ?1");
  // An id of more than 63 bits is nobody's.
  if (!std::in_range<std::int64_t>(id.value)) return std::nullopt;
  return one_user(connection, sql, id.value);
}

std::optional<User> user_named(Connection& connection, std::string_view username) {
  static const std::string sql = select_users("WHERE u.username = ?1");
  return one_user(connection, sql, username);
}

std::optional<User> user_formerly_named(Connection& connection, std::string_view username,
                                        Time now) {
  static const std::string sql = select_users("WHERE u.old_name = ?1 AND u.old_name_until > ?2");
  return one_user(connection, sql, username, now.ms);
}

bool has_old_names(Connection& connection, Time now) {
  Rows rows = connection.rows(
      "SELECT 1 FROM users WHERE old_name IS NOT NULL AND old_name_until > ?1 LIMIT 1", now.ms);
  return rows.next();
}

void put_old_name(Connection& connection, UserNumber number, const OldName& old_name) {
  connection.run("UPDATE users SET old_name = NULL, old_name_until = NULL WHERE old_name = ?1",
                 old_name.username);
  connection.run("UPDATE users SET old_name = ?2, old_name_until = ?3 WHERE number = ?1",
                 number.value, old_name.username, old_name.until.ms);
}

std::optional<User> user_with_email(Connection& connection, std::string_view email) {
  static const std::string sql = select_users("WHERE u.email = ?1");
  return one_user(connection, sql, email);
}

std::optional<User> user_with_source(Connection& connection, const SourceKey& source) {
  static const std::string numbers = select_users("WHERE u.source_id = ?1");
  static const std::string words = select_users("WHERE u.source_word = ?1");
  if (source.is_word()) return one_user(connection, words, source.word);
  if (!std::in_range<std::int64_t>(source.number.value)) return std::nullopt;
  return one_user(connection, numbers, source.number.value);
}

}  // namespace chirp::sqlite
