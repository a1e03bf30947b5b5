// The terminal that a person sits at: whether anybody can be asked, asking, and how big it is.
//
// Questions go to standard error and answers come from standard input, so that standard output has
// the answer of the command alone. One thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace chirp::cli {

// Somebody sits there: standard input and standard error are terminals.
[[nodiscard]] bool can_ask();

// Asks a question that yes or no answers, and waits for a line. Yes is `y` or `yes` in any case;
// everything else is no: an empty line, the end of the input, nobody who can be asked.
[[nodiscard]] bool ask_whether(std::string_view question);

// Asks for a line that is not shown while it is typed: at most 4,095 bytes, without its end.
// However the question ends, the terminal shows again what is typed: SIGHUP, SIGINT, SIGQUIT and
// SIGTERM end the process as ever after that, and whoever stops it with SIGTSTP is asked again
// later. Throws Error{kInvalidArgument} if standard input is no terminal or ends, {kIo} if the
// terminal can't be set.
[[nodiscard]] std::string ask_unseen(std::string_view prompt);

// The terminal understands what moves the cursor and sets colours: TERM names it, and not as
// `dumb`.
[[nodiscard]] bool can_steer();

// Of the terminal behind a file descriptor, as COLUMNS and LINES say, else as it is now; 80 by 24
// where nobody knows.
struct WindowSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};
[[nodiscard]] WindowSize window_size(int fd);

}  // namespace chirp::cli
