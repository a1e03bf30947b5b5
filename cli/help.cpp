#include "cli/help.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/model/names.h"
#include "core/model/nearest.h"

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

std::vector<std::string> subcommands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
  return names;
}

// Other programs' names for our verbs.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kOtherWords{{
    {"create", "add"},
    {"new", "add"},
    {"register", "add"},
    {"delete", "remove"},
    {"del", "remove"},
    {"rm", "remove"},
    {"ls", "list"},
    {"get", "show"},
    {"view", "show"},
    {"update", "edit"},
    {"password", "passwd"},
    {"import", "load"},
}};

std::string no_command(const CLI::App& app, const std::string& typed) {
  const std::vector<std::string> names = subcommands_of(app);
  const std::vector<std::string_view> known(names.begin(), names.end());
  std::string meant = did_you_mean(typed, known);
  for (const auto& [word, ours] : kOtherWords) {
    if (word != typed || !meant.empty() || std::ranges::find(known, ours) == known.end()) continue;
    meant = fmt::format(" Did you mean \"{}\"?", ours);
  }
  return fmt::format("`{} {}` is not a command.{}", path_of(app), printable(typed), meant);
}

// Compares the number, because an error's name may be the command's.
bool is_of(const CLI::ParseError& error, CLI::ExitCodes kind) {
  return error.get_exit_code() == static_cast<int>(kind);
}

bool is_option(const std::string& typed) { return typed.size() > 1 && typed.starts_with('-'); }

// `typed` as the user typed it, including a value after `=`.
std::string no_option(const CLI::App& app, const std::string& typed) {
  std::vector<std::string> names;
  for (const CLI::App* place = &app; place != nullptr; place = place->get_parent()) {
    for (const CLI::Option* option : place->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  return fmt::format("`{}` has no option {}.{}", path_of(app), printable(typed),
                     did_you_mean(typed.substr(0, typed.find('=')), known));
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

std::string overview() {
  return "chirp stores users, their posts and their follows, and shows each user a home feed.\n\n  "
         "init                           make a data directory\n  user, follow                   "
         "sign users up, let them follow each other\n  post, comment, feed, notify    publish, "
         "answer, read what is new\n  load, seed, export             load your data, generate "
         "data, export everything\n  serve                          run the HTTP API and a web "
         "page\n  stats, query, trend, log       see what is stored, and what happens\n  doctor, "
         "backup, restore        check the data, keep a copy\n  config, bench, plan            "
         "change settings, measure this machine, plan machines\n\n`chirp help` lists every "
         "command, `chirp help user` the commands for users.";
}

std::string help_of(const CLI::App& root) {
  const CLI::App& app = deepest(root);
  return app.get_formatter()->make_help(&app, {}, CLI::AppFormatMode::Normal);
}

std::string help_of(const CLI::App& root, const std::vector<std::string>& words) {
  const CLI::App* app = &root;
  for (const std::string& word : words) {
    const auto subcommands = app->get_subcommands({});
    const auto named = std::ranges::find(subcommands, word, &CLI::App::get_name);
    if (named == subcommands.end()) {
      throw Error(ErrorCode::kInvalidArgument, fmt::format("{} `{} --help` shows the usage.",
                                                           no_command(*app, word), path_of(*app)));
    }
    app = *named;
  }
  return app->get_formatter()->make_help(app, {}, CLI::AppFormatMode::Normal);
}

bool wants_overview(const CLI::App& root, const CLI::ParseError& error) {
  return is_of(error, CLI::ExitCodes::RequiredError) && root.get_subcommands().empty() &&
         root.remaining(true).empty();
}

std::string explained(const CLI::App& root, const CLI::ParseError& error) {
  const CLI::App& app = deepest(root);
  const bool needs_more = is_of(error, CLI::ExitCodes::RequiredError);
  const auto unknown = root.remaining(true);
  const auto option = std::ranges::find_if(unknown, is_option);
  const bool is_place = !app.get_subcommands({}).empty();
  std::string what = safe(error.what());
  if (is_place && needs_more && unknown.empty()) {
    what =
        fmt::format("`{}` needs a command: {}", path_of(app), fmt::join(subcommands_of(app), ", "));
  } else if (is_place && needs_more && option != unknown.begin()) {
    what = no_command(app, unknown.front());
  } else if ((needs_more || is_of(error, CLI::ExitCodes::ExtrasError)) && option != unknown.end()) {
    what = no_option(app, *option);
  }
  if (!what.ends_with('.') && !what.ends_with('?')) what += '.';
  return fmt::format("{} `{} --help` shows the usage.", what, path_of(app));
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
