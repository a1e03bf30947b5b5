#include "store/users/user_row.h"

#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/model/names.h"
#include "core/model/utf8.h"

namespace chirp::users {
namespace {

enum UserColumn : int {
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
static_assert(kOldNameUntil + 1 == kUserColumns);

constexpr std::string_view kColumns =
    "u.number, u.id, u.username, u.email, u.display_name, u.bio, u.created_at, u.source_id, "
    "u.source_word, u.name_origin, u.password is not null, u.picture, u.suspended, u.old_name, "
    "u.old_name_until";

struct UserNumbers {
  std::int64_t number;
  std::int64_t id;
  std::int64_t name_origin;
  std::optional<std::int64_t> source_id;
  std::optional<std::int64_t> picture;
};

std::string_view wrong_number(const UserNumbers& row) {
  const bool is_number = row.number > 0 && std::in_range<std::uint32_t>(row.number);
  if (!is_number || row.id <= 0) return "a number or id out of bounds";
  if (row.name_origin != 0 && row.name_origin != 1) return "an unknown kind of name";
  if (row.source_id && *row.source_id < 0) return "a source id below zero";
  if (row.picture && *row.picture <= 0) return "a picture that can't be one";
  return {};
}

std::string_view wrong_text(const User& user, const std::optional<std::string>& source_word) {
  if (source_word && (user.source || !can_be_source_word(*source_word))) return "a wrong source id";
  if (user.old_name && !is_username(user.old_name->username))
    return "an old name that can't be one";
  if (!is_username(user.username)) return "a name that can't be one";
  if (!utf8::is_valid(user.display_name) || !utf8::is_valid(user.bio) ||
      (user.email && !utf8::is_valid(*user.email))) {
    return "a text that is not UTF-8";
  }
  return {};
}

template <class... Values>
std::optional<User> one_user(SqlSession& session, std::string_view sql, const Values&... values) {
  const auto rows = session.rows(sql, values...);
  if (!rows->next()) return std::nullopt;
  return user_of(session, *rows);
}

std::optional<User> user_with(SqlSession& session, std::string_view sql, std::uint64_t id) {
  if (!can_be_stored(id)) return std::nullopt;
  return one_user(session, sql, id);
}

// `condition` follows Dialect::lower, as in "(u.email) = $1::text".
template <class... Values>
std::optional<User> user_called(SqlSession& session, std::string_view condition,
                                std::string_view name, const Values&... values) {
  static const std::string kStart = select_users("users u where ");
  if (!can_be_text(name)) return std::nullopt;
  std::string sql = kStart;
  sql.append(session.dialect().lower).append(condition);
  return one_user(session, sql, folded(name), values...);
}

}  // namespace

std::string select_users(std::string_view rest, std::string_view more) {
  return fmt::format("select {}{} from {}", kColumns, more, rest);
}

User user_of(const SqlSession& session, const SqlRows& rows) {
  const UserNumbers row{rows.integer(kNumber), rows.integer(kId), rows.integer(kNameOrigin),
                        rows.optional_integer(kSource), rows.optional_integer(kPicture)};
  const auto refuse = [&](std::string_view fault) {
    if (fault.empty()) return;
    throw session.damage(fmt::format("the row of user number {} has {}", row.number, fault));
  };
  refuse(wrong_number(row));
  User user;
  user.number = UserNumber{static_cast<std::uint32_t>(row.number)};
  user.id = UserId{static_cast<std::uint64_t>(row.id)};
  user.username = rows.text(kUsername);
  user.display_name = rows.text(rows.is_null(kDisplayName) ? kUsername : kDisplayName);
  user.email = rows.optional_text(kEmail);
  user.bio = rows.text(kBio);
  user.created_at = Time{rows.integer(kCreatedAt)};
  if (row.source_id) user.source = SourceId{static_cast<std::uint64_t>(*row.source_id)};
  user.name_origin = static_cast<NameOrigin>(row.name_origin);
  user.has_password = rows.integer(kHasPassword) != 0;
  if (row.picture) user.picture = MediaId{static_cast<std::uint64_t>(*row.picture)};
  user.suspended = rows.integer(kSuspended) != 0;
  if (!rows.is_null(kOldName)) {
    user.old_name = OldName{rows.text(kOldName), Time{rows.integer(kOldNameUntil)}};
  }
  auto source_word = rows.optional_text(kWord);
  refuse(wrong_text(user, source_word));
  if (source_word) user.source = SourceKey(*std::move(source_word));
  return user;
}

std::vector<User> users_of(const SqlSession& session, SqlRows& rows) {
  std::vector<User> users;
  while (rows.next()) users.push_back(user_of(session, rows));
  return users;
}

std::optional<User> user_sought(SqlSession& session, const SoughtUser& who) {
  static const std::string kNumbered = select_users("users u where u.number = $1::int8");
  static const std::string kWithId = select_users("users u where u.id = $1::int8");
  if (const auto* number = std::get_if<UserNumber>(&who)) {
    return user_with(session, kNumbered, number->value);
  }
  if (const auto* id = std::get_if<UserId>(&who)) return user_with(session, kWithId, id->value);
  if (const auto* named = std::get_if<NamedUser>(&who)) {
    if (!is_username(named->username)) return std::nullopt;
    return user_called(session, "(u.username) = $1::text", named->username);
  }
  if (const auto* named = std::get_if<FormerlyNamedUser>(&who)) {
    if (!is_username(named->username)) return std::nullopt;
    return user_called(session, "(u.old_name) = $1::text and u.old_name_until > $2::int8",
                       named->username, named->now.ms);
  }
  return user_called(session, "(u.email) = $1::text", std::get<AddressedUser>(who).email);
}

std::optional<User> user_with_source(SqlSession& session, const SourceKey& source) {
  static const std::string kNumber = select_users("users u where u.source_id = $1::int8");
  static const std::string kWord = select_users("users u where u.source_word = $1::text");
  if (!source.is_word()) return user_with(session, kNumber, source.number.value);
  return one_user(session, kWord, source.word);
}

std::optional<std::string_view> stored_display_name(const User& user) {
  if (user.display_name == user.username) return std::nullopt;
  return user.display_name;
}

std::optional<std::int64_t> stored_source_id(const User& user) {
  if (!user.source || user.source->is_word()) return std::nullopt;
  return static_cast<std::int64_t>(user.source->number.value);
}

std::optional<std::string_view> stored_source_word(const User& user) {
  if (!user.source || !user.source->is_word()) return std::nullopt;
  return user.source->word;
}

std::optional<std::int64_t> stored_picture(const User& user) {
  if (user.picture == MediaId{}) return std::nullopt;
  return static_cast<std::int64_t>(user.picture.value);
}

std::optional<std::string_view> stored_old_name(const User& user) {
  if (!user.old_name) return std::nullopt;
  return user.old_name->username;
}

std::optional<std::int64_t> stored_old_name_until(const User& user) {
  if (!user.old_name) return std::nullopt;
  return user.old_name->until.ms;
}

bool can_be_stored(std::uint64_t id) { return std::in_range<std::int64_t>(id); }

bool can_be_text(std::string_view text) {
  return text.find('\0') == std::string_view::npos && utf8::is_valid(text);
}

}  // namespace chirp::users
