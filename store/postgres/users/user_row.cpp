#include "store/postgres/users/user_row.h"

#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"
#include "core/model/utf8.h"
#include "store/users/stored_user.h"

namespace chirp::postgres {
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

std::optional<User> one_user(Connection& connection, const std::string& sql, Params params) {
  const Result result = connection.run(sql, std::move(params));
  if (result.empty()) return std::nullopt;
  return user_of(result, 0);
}

// An invalid username belongs to no user, and PostgreSQL rejects some as text.
std::optional<User> user_named(Connection& connection, std::string_view username) {
  static const std::string sql = select_users("users u where lower(u.username) = $1::text");
  if (!is_username(username)) return std::nullopt;
  return one_user(connection, sql, Params().text(folded(username)));
}

std::optional<User> user_formerly_named(Connection& connection, const FormerlyNamedUser& named) {
  static const std::string sql =
      select_users("users u where lower(u.old_name) = $1::text and u.old_name_until > $2::int8");
  if (!is_username(named.username)) return std::nullopt;
  return one_user(connection, sql, Params().text(folded(named.username)).int8(named.now.ms));
}

std::optional<User> user_with_email(Connection& connection, std::string_view email) {
  static const std::string sql = select_users("users u where lower(u.email) = $1::text");
  if (!can_be_text(email)) return std::nullopt;
  return one_user(connection, sql, Params().text(folded(email)));
}

std::optional<User> user_with(Connection& connection, const std::string& sql, std::uint64_t id) {
  if (!users::can_be_stored(id)) return std::nullopt;
  return one_user(connection, sql, Params().int8(static_cast<std::int64_t>(id)));
}

}  // namespace

std::string select_users(std::string_view rest) {
  return fmt::format("select {} from {}", kColumns, rest);
}

User user_of(const Result& result, int row) {
  const auto optional_text = [&](UserColumn column) {
    return result.is_null(row, column) ? std::nullopt : std::optional(result.text(row, column));
  };
  const auto optional_number = [&](UserColumn column) {
    return result.is_null(row, column) ? std::nullopt : std::optional(result.number(row, column));
  };
  users::StoredUser stored;
  stored.number = result.number(row, kNumber);
  stored.id = result.number(row, kId);
  stored.username = result.text(row, kUsername);
  stored.email = optional_text(kEmail);
  stored.display_name = optional_text(kDisplayName);
  stored.bio = result.text(row, kBio);
  stored.created_at = result.number(row, kCreatedAt);
  stored.source_id = optional_number(kSource);
  stored.source_word = optional_text(kWord);
  stored.name_origin = result.number(row, kNameOrigin);
  stored.has_password = result.number(row, kHasPassword) != 0;
  stored.picture = optional_number(kPicture);
  stored.suspended = result.number(row, kSuspended) != 0;
  stored.old_name = optional_text(kOldName);
  stored.old_name_until = result.number(row, kOldNameUntil);
  const std::string fault = users::fault_of(stored);
  if (!fault.empty()) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("The database is damaged: {}. Run `chirp doctor`.", fault));
  }
  return users::user_of(std::move(stored));
}

std::vector<User> users_of(const Result& result) {
  std::vector<User> users;
  for (int row = 0; row < result.rows(); ++row) users.push_back(user_of(result, row));
  return users;
}

std::optional<User> user_sought(Connection& connection, const SoughtUser& who) {
  static const std::string numbered = select_users("users u where u.number = $1::int8");
  static const std::string with_id = select_users("users u where u.id = $1::int8");
  if (const auto* number = std::get_if<UserNumber>(&who)) {
    return user_with(connection, numbered, number->value);
  }
  if (const auto* id = std::get_if<UserId>(&who)) return user_with(connection, with_id, id->value);
  if (const auto* named = std::get_if<NamedUser>(&who)) {
    return user_named(connection, named->username);
  }
  if (const auto* named = std::get_if<FormerlyNamedUser>(&who)) {
    return user_formerly_named(connection, *named);
  }
  return user_with_email(connection, std::get<AddressedUser>(who).email);
}

std::optional<User> user_with_source(Connection& connection, const SourceKey& source) {
  static const std::string numbers = select_users("users u where u.source_id = $1::int8");
  static const std::string words = select_users("users u where u.source_word = $1::text");
  if (!source.is_word()) return user_with(connection, numbers, source.number.value);
  return one_user(connection, words, Params().text(source.word));
}

bool can_be_text(std::string_view text) {
  return text.find('\0') == std::string_view::npos && utf8::is_valid(text);
}

void add(Params& params, std::optional<std::string_view> text) {
  text ? params.text(*text) : params.null();
}

void add(Params& params, std::optional<std::int64_t> number) {
  number ? params.int8(*number) : params.null();
}

void add(Array& array, std::optional<std::string_view> text) {
  text ? array.raw(*text) : array.null();
}

void add(Array& array, std::optional<std::int64_t> number) {
  number ? array.number(*number) : array.null();
}

}  // namespace chirp::postgres
