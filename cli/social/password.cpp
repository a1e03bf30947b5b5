#include "cli/social/password.h"

#include <cstdint>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "core/model/names.h"
#include "core/model/utf8.h"

namespace chirp::cli {
namespace {

// Long enough for a message about too long a password, short enough for memory.
constexpr std::size_t kPasswordBytesMax = 4096;

// The prompt can't produce control characters, so one in piped input is a mistake.
std::string without_control(std::string password) {
  for (std::size_t at = 0; at < password.size();) {
    const utf8::Decoded next = utf8::decode(std::string_view(password).substr(at));
    // A NUL has its own message, like the other rules for passwords.
    const bool is_other =
        next.code_point != '\t' && next.code_point != '\n' && next.code_point != 0;
    if (utf8::is_control(next.code_point) && is_other) {
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format("The password has the control character U+{:04X} at byte {}. Remove it.",
                      static_cast<std::uint32_t>(next.code_point), at + 1),
          "password");
    }
    at += next.bytes;
  }
  return password;
}

}  // namespace

bool asks_for_password() { return ::isatty(STDIN_FILENO) == 1; }

std::string new_password(PasswordFrom from) {
  if (asks_for_password()) {
    const std::string first = checked_password(ask_unseen("New password (8 to 72 bytes): "));
    if (password_form(ask_unseen("The same again: ")) == first) return first;
    throw Error(ErrorCode::kInvalidArgument, "The two passwords differ. Nothing is changed.",
                "password");
  }
  if (from == PasswordFrom::kStandardInput) return without_control(read_stdin(kPasswordBytesMax));
  throw Error(
      ErrorCode::kInvalidArgument,
      "There is no terminal to ask for a password. Use --password-stdin, and pipe the password in.",
      "password");
}

}  // namespace chirp::cli
