#include "core/model/taken.h"

#include <fmt/format.h>

#include "core/model/names.h"

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
          fmt::format("\"{}\" is too short, or in too many names. Say more of the name.",
                      printable(match)),
          "match"};
}

}  // namespace chirp
