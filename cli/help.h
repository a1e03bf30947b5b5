// The output of `--help` and `chirp help`, and the messages for a wrong command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/output.h"
#include "cli/status.h"

namespace chirp::cli {

// The end of the help of every command.
inline constexpr std::string_view kGlobalsStandToo =
    "The global options (chirp --help) are also accepted here.";

// The full name of a command: `chirp post add`.
[[nodiscard]] std::string path_of(const CLI::App& app);

// Prints the examples first (the library stores them as the footer), then the description.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override;
};

// A short overview, for `chirp` without arguments.
[[nodiscard]] std::string overview();
// The help of the deepest command on the command line.
[[nodiscard]] std::string help_of(const CLI::App& root);
// The help of the command with these words. Throws Error{kInvalidArgument} for an unknown one.
[[nodiscard]] std::string help_of(const CLI::App& root, const std::vector<std::string>& words);
// Whether the command line names no command.
[[nodiscard]] bool wants_overview(const CLI::App& root, const CLI::ParseError& error);
// Explains what is wrong with the command line, and which help to read.
[[nodiscard]] std::string explained(const CLI::App& root, const CLI::ParseError& error);
// Prints an answer that needs no data directory.
[[nodiscard]] Status answer(Output& out, std::string_view text);

}  // namespace chirp::cli
