#include "cli/help.h"

#include <sstream>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli {
namespace {

const CLI::App& deepest(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : deepest(*chosen.back());
}

std::string indented(const std::string& lines) {
  std::istringstream in(lines);
  std::string out;
  for (std::string line; std::getline(in, line);) out += fmt::format("  {}\n", line);
  return out;
}

}  // namespace

std::string path_of(const CLI::App& app) {
  if (app.get_parent() == nullptr) return app.get_name();
  return path_of(*app.get_parent()) + " " + app.get_name();
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string /*name*/) const {
  std::string usage = "Usage: " + path_of(*app);
  if (!app->get_subcommands({}).empty()) {
    usage += app->get_parent() == nullptr ? " COMMAND" : " VERB";
  }
  for (const CLI::Option* option : app->get_options()) {
    if (option->get_positional()) usage += " " + make_option_usage(option);
  }
  return usage + " [OPTION…]\n";
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  std::string help = "Examples:\n" + indented(app->get_footer()) + "\n";
  help += make_description(app) + "\n";
  help += make_usage(app, std::move(name));
  help += make_positionals(app);
  help += make_groups(app, mode);
  help += make_subcommands(app, mode);
  if (app->get_parent() != nullptr) {
    help += fmt::format("\n{}\n", kGlobalsStandToo);
  }
  return help;
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  const std::string& text = option->get_option_text();
  return text.empty() ? text : " " + text;
}

std::string HelpFormatter::make_subcommands(const CLI::App* app,
                                            CLI::AppFormatMode /*mode*/) const {
  const auto subcommands = app->get_subcommands({});
  if (subcommands.empty()) return {};
  std::string list = app->get_parent() == nullptr ? "\nCommands:\n" : "\nVerbs:\n";
  for (const CLI::App* sub : subcommands) list += make_subcommand(sub);
  return list;
}

std::string help_of(const CLI::App& root) {
  const CLI::App& app = deepest(root);
  return app.get_formatter()->make_help(&app, {}, CLI::AppFormatMode::Normal);
}

std::string explained(const CLI::App& root, const CLI::ParseError& error) {
  const CLI::App& app = deepest(root);
  std::string what = safe(error.what());
  const auto subcommands = app.get_subcommands({});
  if (!subcommands.empty() && error.get_name() == "RequiredError") {
    const auto unknown = root.remaining(true);
    what = unknown.empty()
               ? fmt::format("`{}` wants to know what to do", path_of(app))
               : fmt::format("`{} {}` is no command", path_of(app), printable(unknown.front()));
  }
  if (!what.empty() && what.back() == '.') what.pop_back();
  return fmt::format("{}. `{} --help` shows how it goes.", what, path_of(app));
}

Status answer(Output& out, std::string_view text) {
  try {
    out.print(text);
    out.flush();
    return Status::kDone;
  } catch (const Error& error) {
    out.warn(error.what());
    return status_of(error.code());
  }
}

}  // namespace chirp::cli
