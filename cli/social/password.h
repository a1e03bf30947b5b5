// Reads a new password from a terminal or from standard input.
#pragma once

#include <cstdint>
#include <string>

namespace chirp::cli {

// The source of the password: the user at the terminal or, without a terminal, standard input with
// --password-stdin.
enum class PasswordFrom : std::uint8_t { kPerson, kStandardInput };

// Whether the password is asked for: standard input is a terminal.
[[nodiscard]] bool asks_for_password();

// At a terminal, asks twice without echo, whatever the option says, and checks the rules for
// passwords. Otherwise reads all of standard input, less one final newline, and checks only its
// size. Throws Error{kInvalidArgument} if it is missing, if the two differ, or if it is longer than
// the messages of the rules allow for.
[[nodiscard]] std::string new_password(PasswordFrom from);

}  // namespace chirp::cli
