// Command lines with what they are to say, as files that read like a terminal:
//
//   @ 2026-01-15T18:30:00Z         the clock from here on
//   $ chirp post add mira 'Hello'  a line for the shell; further ones begin with "> "
//   @mira …                        what it prints on stdout
//   ! chirp: …                     and on stderr
//   ? 2                            the exit status, unless it is 0
//
// A step ends at a blank line, a "# comment" or the next step. [..] stands for anything in a line.
// Every file has a folder of its own, and in it an empty CHIRP_DATA named `world`.
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

// Runs a file. With CHIRP_UPDATE set, what is said becomes what is expected, and nothing
// mismatches.
[[nodiscard]] std::vector<GoldenMismatch> run_golden(const std::filesystem::path& file);
// The same with CHIRP_DATA naming an empty database, which is to say what `world` does: where it is
// named itself, the folder is expected. Changes no file.
[[nodiscard]] std::vector<GoldenMismatch> run_golden_on(const std::string& database,
                                                        const std::filesystem::path& file);

}  // namespace chirp::test
