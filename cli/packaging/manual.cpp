#include "cli/packaging/manual.h"

#include <algorithm>
#include <span>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/packaging/roff.h"
#include "cli/packaging/surroundings.h"
#include "cli/version.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli {
namespace {

const HelpFormatter& formatter_of(const CLI::App& app) {
  const auto* formatter = dynamic_cast<const HelpFormatter*>(app.get_formatter().get());
  check(formatter != nullptr, "every command has the formatter of the program");
  return *formatter;
}

std::string page_name(const CLI::App& command) {
  return command.get_parent() == nullptr
             ? command.get_name()
             : fmt::format("{}-{}", command.get_parent()->get_name(), command.get_name());
}

// The name of a page: `chirp-user(1)`.
std::string reference(const CLI::App& command) {
  return fmt::format(".BR {} (1)", roff_argument(page_name(command)));
}

std::string without_line_end(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// "Usage: chirp user add NAME [OPTION…]", as in `--help`.
std::string usage_of(const CLI::App& command) {
  return without_line_end(formatter_of(command).make_usage(&command, {}));
}

std::string usage(const CLI::App& command) {
  constexpr std::string_view kLabel = "Usage: ";
  std::string line = usage_of(command);
  check(line.starts_with(kLabel), "a usage opens with its label");
  return line.substr(kLabel.size());
}

std::string paragraph(std::string_view text) { return fmt::format(".PP\n{}\n", roff(text)); }

std::string entry(std::string_view tag, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}\n", roff_argument(tag), roff(text));
}

// The examples, line for line.
std::string examples(const CLI::App& command) {
  return fmt::format(".PP\n.RS 4\n.EX\n{}\n.EE\n.RE\n",
                     roff(without_line_end(command.get_footer())));
}

enum class WordKind : std::uint8_t { kArgument, kOption };

std::vector<const CLI::Option*> shown(const CLI::App& command, WordKind kind) {
  return command.get_options([kind](const CLI::Option* option) {
    return !option->get_group().empty() &&
           option->get_positional() == (kind == WordKind::kArgument);
  });
}

std::string entries(const CLI::App& command, WordKind kind) {
  const HelpFormatter& formatter = formatter_of(command);
  std::string text;
  for (const CLI::Option* option : shown(command, kind)) {
    text += entry(formatter.make_option_name(option, kind == WordKind::kArgument) +
                      formatter.make_option_opts(option),
                  formatter.make_option_desc(option));
  }
  return text;
}

// The section of a command in the page of its noun, with its subcommands.
std::string section(const CLI::App& command) {
  std::string text = fmt::format(".SS {}\n", roff_argument(path_of(command)));
  text += paragraph(command.get_description());
  text += paragraph(usage_of(command));
  text += entries(command, WordKind::kArgument);
  text += entries(command, WordKind::kOption);
  text += examples(command);
  for (const CLI::App* below : command.get_subcommands({})) text += section(*below);
  return text;
}

std::string head(const CLI::App& command) {
  std::string title = page_name(command);
  std::transform(title.begin(), title.end(), title.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  std::string what = command.get_description();
  what = what.substr(0, what.find(". "));
  if (what.ends_with('.')) what.pop_back();
  std::string text = fmt::format(".TH {} 1 \"\" \"chirp {}\" \"chirp\"\n", roff_argument(title),
                                 roff(program_version()));
  // No hyphenation and no justification: much of the text is to be typed.
  text += ".nh\n.ad l\n";
  text += fmt::format(".SH NAME\n{} \\- {}\n", roff(page_name(command)), roff(what));
  text += fmt::format(".SH SYNOPSIS\n{}\n", roff(usage(command)));
  text += fmt::format(".SH DESCRIPTION\n{}\n", roff(command.get_description()));
  return text;
}

// Removes the marks of literal text.
std::string unmarked(std::string_view markdown) {
  std::string text(markdown);
  std::erase(text, '`');
  return text;
}

std::string facts(std::string_view heading, std::span<const Fact> list) {
  std::string text = fmt::format(".SH {}\n", heading);
  for (const Fact& fact : list) text += entry(unmarked(fact.name), unmarked(fact.text));
  return text;
}

std::string see_also(std::string_view pages) {
  return fmt::format(
      ".SH SEE ALSO\n{}.PP\nThe folder\n.I share/doc/chirp\nhas the files README.md, docs/cli.md "
      "(arguments, JSON, files to load) and docs/operations.md (settings, limits, serving, "
      "backups).\n",
      pages);
}

std::string program_page(const CLI::App& program) {
  std::string text = head(program);
  std::string pages;
  text += ".SH COMMANDS\n";
  for (const CLI::App* command : program.get_subcommands({})) {
    text += entry(command->get_name(), command->get_description());
    pages += (pages.empty() ? "" : ",\n") + reference(*command);
  }
  text += ".SH OPTIONS\n" + entries(program, WordKind::kOption);
  text += facts("EXIT STATUS", exit_statuses());
  text += facts("ENVIRONMENT", environment());
  text += facts("FILES", files());
  text += ".SH EXAMPLES\n" + examples(program);
  return text + see_also(pages + "\n");
}

std::string command_page(const CLI::App& command) {
  std::string text = head(command);
  const auto verbs = command.get_subcommands({});
  if (!verbs.empty()) {
    text += ".SH VERBS\n";
    for (const CLI::App* verb : verbs) text += section(*verb);
  }
  if (!shown(command, WordKind::kArgument).empty()) {
    text += ".SH ARGUMENTS\n" + entries(command, WordKind::kArgument);
  }
  text += ".SH OPTIONS\n" + entries(command, WordKind::kOption) + paragraph(kGlobalsStandToo);
  text += ".SH EXAMPLES\n" + examples(command);
  return text + see_also(reference(*command.get_parent()) +
                         "\nhas the global options, exit statuses, environment and files.\n");
}

struct PageOptions {
  std::string page = "chirp";
  bool list = false;
};

void run_manual(Context& context, const PageOptions& options) {
  // The tree as the program itself declares it.
  const CommandLine app;
  const auto pages = manual_pages(app.root());
  if (options.list) {
    for (const ManualPage& page : pages) context.out().print(page.name + "\n");
    return;
  }
  const auto asked = std::find_if(pages.begin(), pages.end(), [&](const ManualPage& page) {
    return page.name == options.page || page.name == "chirp-" + options.page;
  });
  if (asked == pages.end()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("There is no page \"{}\". `chirp manual --list` lists the pages.",
                            printable(options.page)));
  }
  context.out().print(asked->text);
}

}  // namespace

std::vector<ManualPage> manual_pages(const Command& root) {
  const CLI::App& program = root.library();
  std::vector<ManualPage> pages{{page_name(program), program_page(program)}};
  for (const CLI::App* command : program.get_subcommands({})) {
    pages.push_back({page_name(*command), command_page(*command)});
  }
  return pages;
}

void add_manual(CommandLine& app) {
  auto [verb, options] =
      app.verb<PageOptions>(app.root(),
                            {"manual", "Print a manual page in the format of man.",
                             "chirp manual | man -l -\n"
                             "chirp manual user | man -l -\n"
                             "chirp manual --list"},
                            run_manual);
  verb.add_option("PAGE", options.page, "The command (default: chirp as a whole)");
  verb.add_flag("--list", options.list, "Print the names of the pages");
}

}  // namespace chirp::cli
