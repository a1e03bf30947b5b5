#include "core/model/taken.h"

#include <fmt/format.h>

#include "core/limits.h"
#include "core/model/names.h"
#include "core/model/time.h"

namespace chirp {

Error username_taken(std::string_view username) {
  return {ErrorCode::kAlreadyExists,
          fmt::format("The username {} is taken. Choose another.", printable(username)),
          "username"};
}

Error email_taken(std::string_view email) {
  return {ErrorCode::kAlreadyExists,
          fmt::format("The e-mail address {} is taken. Use another.", printable(email)), "email"};
}

Error match_too_common(std::string_view match) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("\"{}\" is too short, or matches too many names. Give more of the name.",
                      printable(match)),
          "match"};
}

void check_rename(const User& user, std::string_view username, Time now) {
  if (!user.old_name || is_same_username(user.username, username)) return;
  const Time again{user.old_name->until.ms - limits::kOldNameMs + limits::kRenameMs};
  if (now >= again) return;
  throw Error(
      ErrorCode::kConflict,
      fmt::format(
          "@{} was renamed from @{} less than 30 days ago, and can be renamed again from {} on.",
          user.username, user.old_name->username, iso8601(again)),
      "username");
}

}  // namespace chirp
