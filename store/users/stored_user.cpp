#include "store/users/stored_user.h"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/model/names.h"
#include "core/model/utf8.h"

namespace chirp::users {
namespace {

std::string_view wrong_number(const StoredUser& row) {
  const bool is_number = row.number > 0 && row.number <= std::numeric_limits<std::uint32_t>::max();
  if (!is_number || row.id <= 0) return "a number or id out of bounds";
  if (row.name_origin != 0 && row.name_origin != 1) return "an unknown kind of name";
  if (row.source_id && *row.source_id < 0) return "a source id below zero";
  if (row.picture && *row.picture <= 0) return "a picture that can't be one";
  return {};
}

std::string_view wrong_text(const StoredUser& row) {
  if (row.source_word && (row.source_id || !can_be_source_word(*row.source_word))) {
    return "a wrong source id";
  }
  if (row.old_name && !is_username(*row.old_name)) return "an old name that can't be one";
  if (!is_username(row.username)) return "a name that can't be one";
  const auto is_text = [](const std::optional<std::string>& text) {
    return !text || utf8::is_valid(*text);
  };
  if (!is_text(row.display_name) || !is_text(row.bio) || !is_text(row.email)) {
    return "a text that is not UTF-8";
  }
  return {};
}

}  // namespace

std::string fault_of(const StoredUser& row) {
  std::string_view what = wrong_number(row);
  if (what.empty()) what = wrong_text(row);
  if (what.empty()) return {};
  return fmt::format("the row of user number {} has {}", row.number, what);
}

User user_of(StoredUser row) {
  User user;
  user.number = UserNumber{static_cast<std::uint32_t>(row.number)};
  user.id = UserId{static_cast<std::uint64_t>(row.id)};
  user.display_name = row.display_name ? *std::move(row.display_name) : row.username;
  user.username = std::move(row.username);
  user.email = std::move(row.email);
  user.bio = std::move(row.bio);
  user.created_at = Time{row.created_at};
  if (row.source_id) user.source = SourceId{static_cast<std::uint64_t>(*row.source_id)};
  if (row.source_word) user.source = SourceKey(*std::move(row.source_word));
  user.name_origin = static_cast<NameOrigin>(row.name_origin);
  user.has_password = row.has_password;
  if (row.picture) user.picture = MediaId{static_cast<std::uint64_t>(*row.picture)};
  user.suspended = row.suspended;
  if (row.old_name) user.old_name = OldName{*std::move(row.old_name), Time{row.old_name_until}};
  return user;
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

bool can_be_stored(std::uint64_t id) { return std::in_range<std::int64_t>(id); }

}  // namespace chirp::users
