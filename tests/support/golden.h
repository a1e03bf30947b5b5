// Command lines with their expected output, in files that look like a terminal:
//
//   @ 2026-01-15T18:30:00Z         the clock from here on
//   $ chirp post add mira 'Hello'  a shell command; continued on lines that begin with "> "
//   @mira …                        its output on stdout
//   ! chirp: …                     and on stderr
//   ? 2                            the exit status, unless it is 0
//
// A step ends at a blank line, a "# comment" or the next step. [..] matches anything in a line.
// Every file has its own folder with an empty CHIRP_DATA named `world`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace chirp::test {

struct GoldenMismatch {
  std::size_t line = 0;  // of the command
  std::string command;
  std::string expected;
  std::string actual;
};

// Runs a file. With CHIRP_UPDATE set, the output replaces the expected one, and nothing mismatches.
[[nodiscard]] std::vector<GoldenMismatch> run_golden(const std::filesystem::path& file);
// The same with CHIRP_DATA naming an empty database, which must print the same as `world`: in the
// output its name is replaced by the folder's. Changes no file.
[[nodiscard]] std::vector<GoldenMismatch> run_golden_on(const std::string& database,
                                                        const std::filesystem::path& file);

}  // namespace chirp::test
