// What `--help` and `chirp help` print, and what a wrong command line is told.
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
    "The global options (chirp --help) may stand here too.";

// `chirp post add`.
[[nodiscard]] std::string path_of(const CLI::App& app);

// Opens with the examples (kept as the footer), then says what there is.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override;
};

// What one can do, in a few lines, for whoever says `chirp` and no more.
[[nodiscard]] std::string overview();
// The help of the deepest command that was named.
[[nodiscard]] std::string help_of(const CLI::App& root);
// The help of the command that these words name. Throws Error{kInvalidArgument} if there is none.
[[nodiscard]] std::string help_of(const CLI::App& root, const std::vector<std::string>& words);
// Whether nothing was said of what to do.
[[nodiscard]] bool wants_overview(const CLI::App& root, const CLI::ParseError& error);
// What is wrong with the command line, and where to read on.
[[nodiscard]] std::string explained(const CLI::App& root, const CLI::ParseError& error);
// Prints an answer that needs no data directory.
[[nodiscard]] Status answer(Output& out, std::string_view text);

}  // namespace chirp::cli
