#include "cli/social/password.h"

#include <unistd.h>

#include "cli/arguments.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli {
namespace {

// Long enough for a message about too long a password, short enough for memory.
constexpr std::size_t kPasswordBytesMax = 4096;

}  // namespace

bool asks_for_password() { return ::isatty(STDIN_FILENO) == 1; }

std::string new_password(PasswordFrom from) {
  if (asks_for_password()) {
    const std::string first = checked_password(ask_unseen("New password (8 to 72 bytes): "));
    if (password_form(ask_unseen("The same again: ")) == first) return first;
    throw Error(ErrorCode::kInvalidArgument, "The two passwords differ. Nothing is changed.",
                "password");
  }
  if (from == PasswordFrom::kStandardInput) return read_stdin(kPasswordBytesMax);
  throw Error(
      ErrorCode::kInvalidArgument,
      "There is no terminal to ask for a password at. Say --password-stdin, and pipe it in.",
      "password");
}

}  // namespace chirp::cli
