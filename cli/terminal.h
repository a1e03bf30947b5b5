// The user's terminal: asking questions, and its size.
//
// Questions go to standard error and answers come from standard input, so standard output holds
// only the command's answer. One thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace chirp::cli {

// Whether standard input and standard error are terminals.
[[nodiscard]] bool can_ask();

// Asks a yes-or-no question and reads a line. Yes is `y` or `yes` in any case; everything else is
// no, including an empty line, the end of the input, and a missing terminal.
[[nodiscard]] bool ask_whether(std::string_view question);

// Asks for a line without echoing it: at most 4,095 bytes, without its line end. Echo is always
// restored. SIGHUP, SIGINT, SIGQUIT and SIGTERM then end the process as usual, and after SIGTSTP
// the question is repeated on resume. Throws Error{kInvalidArgument} if standard input is not a
// terminal or ends, {kIo} if the terminal can't be set.
[[nodiscard]] std::string ask_unseen(std::string_view prompt);

// Whether the terminal supports cursor movement and colours: TERM is set, and not to `dumb`.
[[nodiscard]] bool can_steer();

// The size of the terminal behind a file descriptor: COLUMNS and LINES, else its current size, else
// 80 by 24.
struct WindowSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};
[[nodiscard]] WindowSize window_size(int fd);

}  // namespace chirp::cli
