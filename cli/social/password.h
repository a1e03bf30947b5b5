// The password that somebody is to have: typed at a terminal, or piped in.
#pragma once

#include <cstdint>
#include <string>

namespace chirp::cli {

// Who says it: whoever sits at the terminal, or, if nobody does, standard input with
// --password-stdin.
enum class PasswordFrom : std::uint8_t { kPerson, kStandardInput };

// Whether somebody is asked: standard input is a terminal.
[[nodiscard]] bool asks_for_password();

// At a terminal it is asked for twice and not shown, whatever the option says, and is one that may
// be kept. Otherwise it is all of standard input, less one final newline, and nothing is checked
// but its size. Throws Error{kInvalidArgument} if there is none, if the two differ, or if it is too
// long to be told why.
[[nodiscard]] std::string new_password(PasswordFrom from);

}  // namespace chirp::cli
