#include "cli/app.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <optional>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/config_file.h"
#include "cli/fitted.h"
#include "cli/help.h"
#include "cli/home_path.h"
#include "cli/pager.h"
#include "cli/process.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "core/error.h"
#include "core/model/nearest.h"
#include "store/data_place.h"

namespace chirp::cli {
namespace {

constexpr const char* kGlobalGroup = "Global options";

// `$XDG_DATA_HOME/chirp`, else `~/.local/share/chirp`; empty without either.
std::filesystem::path default_data() {
  // The XDG base directory specification says to ignore a relative path.
  if (const char* data_home = std::getenv("XDG_DATA_HOME"); data_home && *data_home == '/') {
    return std::filesystem::path(data_home) / "chirp";
  }
  if (const char* home = std::getenv("HOME"); home && *home) {
    return std::filesystem::path(home) / ".local" / "share" / "chirp";
  }
  return {};
}

bool set_in_environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

// Whether the terminal supports colours and the user has not disabled them.
bool wants_colour() { return !set_in_environment("NO_COLOR") && can_steer(); }

constexpr std::array<std::string_view, 10> kFileKeys{
    "data",  "database-timeout", "unsafe-database", "disk-reserve", "json",
    "quiet", "verbose",          "no-color",        "no-pager",     "no-wait"};

Error unknown_key(const std::string& file, const std::string& key) {
  return Error(ErrorCode::kInvalidArgument,
               fmt::format("{}: \"{}\" is not a setting. It takes {}.{}", safe(file), safe(key),
                           fmt::join(kFileKeys, ", "), did_you_mean(key, kFileKeys)));
}

// Refuses paths on the command line that begin with `~`.
void refuse_home_signs(const Command& root, const std::deque<Command>& commands) {
  static constexpr std::array<std::string_view, 6> kPaths{"FILE", "DIR",  "DIR|URL",
                                                          "SRC",  "DEST", "FILE-OR-FOLDER"};
  const auto check = [](const Command& command) {
    for (const Option& declared : command.options()) {
      const CLI::Option& option = declared.library();
      const std::string& name = option.get_single_name();
      const std::string value = option.get_option_text().empty() ? name : option.get_option_text();
      if (option.count() == 0 || std::ranges::find(kPaths, value) == kPaths.end()) continue;
      const std::string shown = option.get_positional() ? name : option.get_name();
      const char* const variable = std::getenv(option.get_envname().c_str());
      for (const std::string& path : option.results()) {
        // Paths from the environment are already expanded, if that was possible.
        if (variable != nullptr && path == variable) {
          (void)expanded_path(option.get_envname(), path);
        } else {
          refuse_home_sign(shown, path);
        }
      }
    }
  };
  check(root);
  for (const Command& command : commands) {
    if (command.library().parsed()) check(command);
  }
}

}  // namespace

struct CommandLine::Tree {
  // CLI11's parser. It is declared first, so it is destroyed last: commands refer to it.
  CLI::App program{
      "A home-feed engine: users, posts, a follow graph, and feeds that are always right.",
      "chirp"};
  Command root{program};
  std::deque<Command> commands;  // nouns and verbs
  std::vector<std::pair<Command*, Run>> runs;
  CLI::App* help = nullptr;  // the verb, with the words after it
  std::vector<std::string> help_words;

  std::string data;
  std::string config;
  std::uint64_t database_timeout = 10;
  bool unsafe_database = false;
  std::optional<std::string> disk_reserve;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  bool no_color = false;
  bool no_wait = false;
  bool no_pager = false;
};

CommandLine::CommandLine() : tree_(std::make_unique<Tree>()) {
  CLI::App& program = tree_->program;
  program.footer(
      "chirp init\n"
      "chirp user add mira --display-name 'Mira Okafor'\n"
      "chirp post add mira 'First frost on the allotment this morning'\n"
      "chirp follow add yuki mira\n"
      "chirp feed show yuki --explain");
  program.formatter(std::make_shared<HelpFormatter>());
  program.require_subcommand(1);
  program.fallthrough();
  program.set_help_flag("-h,--help", "Explain the command");
  program.set_version_flag("--version", version_text,
                           "Print version, format version and libraries");
  program.option_defaults()->group(kGlobalGroup);
  add_globals();
  program.option_defaults()->group("Options");
  for (const auto& add : kCommands) add(*this);
  add_help();
}

CommandLine::~CommandLine() = default;

Command& CommandLine::root() { return tree_->root; }
const Command& CommandLine::root() const { return tree_->root; }
const std::deque<Command>& CommandLine::commands() const { return tree_->commands; }

void CommandLine::add_globals() {
  Command& root = tree_->root;
  root.add_option("--data", tree_->data,
                  "The data directory: a folder, or a database as postgresql://HOST/DATABASE")
      ->envname("CHIRP_DATA")
      ->option_text("DIR");
  root.add_option("--database-timeout", tree_->database_timeout,
                  "How long to wait for a database that does not answer (default: 10); a statement "
                  "that the database still works on may take longer")
      ->envname("CHIRP_DATABASE_TIMEOUT")
      ->option_text("SECONDS")
      ->between(1, 3600);
  root.add_flag("--unsafe-database", tree_->unsafe_database,
                "Accept a database whose server may lose acknowledged changes in a crash, as in "
                "tests: fsync, full_page_writes or synchronous_commit is off")
      ->envname("CHIRP_UNSAFE_DATABASE");
  root.add_option(
          "--disk-reserve", tree_->disk_reserve,
          "Disk space that is reserved for removals, such as 512M or 2G: with less space free, "
          "nothing is added (default: 1 GiB or 5 % of the file system; 0: no reserve)")
      ->envname("CHIRP_DISK_RESERVE")
      ->option_text("SIZE");
  root.add_flag(
          "--json", tree_->json,
          "Print JSON; every option here is also an environment variable, CHIRP_JSON for this one")
      ->envname("CHIRP_JSON");
  root.add_flag("--quiet", tree_->quiet, "Print only the answer and errors")
      ->envname("CHIRP_QUIET");
  root.add_flag("--verbose", tree_->verbose, "Report on stderr what chirp does")
      ->envname("CHIRP_VERBOSE");
  root.add_flag("--no-color", tree_->no_color, "Print no colours; NO_COLOR does the same")
      ->envname("CHIRP_NO_COLOR");
  root.add_flag("--no-pager", tree_->no_pager,
                "Use no pager for long lists; CHIRP_PAGER or PAGER names the pager")
      ->envname("CHIRP_NO_PAGER");
  root.add_flag("--no-wait", tree_->no_wait,
                "Leave timelines and counters to the next command; reads are still right")
      ->envname("CHIRP_NO_WAIT");
  root.add_option("--config", tree_->config,
                  "A TOML file with these options, written without the dashes")
      ->envname("CHIRP_CONFIG")
      ->option_text("FILE");
}

// `help` is not a verb with a run function, which could open a data directory.
void CommandLine::add_help() {
  tree_->help = tree_->program.add_subcommand("help", "Explain a command, as --help does.");
  tree_->help->footer(
      "chirp help\n"
      "chirp help user\n"
      "chirp help user add");
  tree_->help->fallthrough();
  tree_->help->add_option("COMMAND", tree_->help_words, "A noun, or a noun and its verb")
      ->option_text("[VERB]");
}

Command& CommandLine::noun(const CommandWords& words) {
  for (Command& known : tree_->commands) {
    const CLI::App& place = known.library();
    if (place.get_parent() == &tree_->program && place.get_name() == words.name) return known;
  }
  CLI::App& noun = *tree_->program.add_subcommand(words.name, words.description);
  noun.footer(words.examples);
  noun.require_subcommand(1);
  noun.fallthrough();
  return tree_->commands.emplace_back(noun);
}

Command& CommandLine::add_verb(Command& parent, const CommandWords& words, Run action) {
  CLI::App& verb = *parent.library().add_subcommand(words.name, words.description);
  verb.footer(words.examples);
  verb.fallthrough();
  Command& command = tree_->commands.emplace_back(verb);
  tree_->runs.emplace_back(&command, std::move(action));
  return command;
}

// The file sets only what the command line and the environment do not.
void CommandLine::apply_config() {
  if (tree_->config.empty()) return;
  for (const ConfigItem& item :
       config_items(tree_->config, read_small_file("--config", tree_->config))) {
    const bool is_option = item.key != "config" && item.key != "help" && item.key != "version";
    CLI::Option* option = is_option ? tree_->program.get_option_no_throw("--" + item.key) : nullptr;
    if (option == nullptr) throw unknown_key(tree_->config, item.key);
    if (option->count() > 0) continue;
    std::vector<std::string> values = item.values;
    if (item.key == "data") {
      for (std::string& value : values) value = expanded_path(safe(tree_->config), value);
    }
    option->add_result(values);
    option->run_callback();
  }
}

Globals CommandLine::globals() const {
  Globals globals;
  globals.data =
      tree_->data.empty() ? store::DataPlace(default_data()) : store::DataPlace::named(tree_->data);
  if (globals.data.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "There is no home directory to keep data in. Name a directory with --data DIR.");
  }
  globals.data.set_options({.timeout = std::chrono::seconds(tree_->database_timeout),
                            .is_interrupted = was_interrupted,
                            .may_lose = tree_->unsafe_database});
  if (tree_->disk_reserve) {
    (void)parse_bytes("--disk-reserve", *tree_->disk_reserve);
    // The stores and child processes read it from the environment.
    ::setenv("CHIRP_DISK_RESERVE", tree_->disk_reserve->c_str(), 1);
  }
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  globals.audience = tree_->json ? OutputAudience::kProgram
                     : terminal  ? OutputAudience::kTerminal
                                 : OutputAudience::kPipe;
  if (terminal) globals.window = window_size(STDOUT_FILENO);
  globals.colour =
      terminal && !tree_->json && !tree_->no_color && wants_colour() ? Colour::kYes : Colour::kNo;
  globals.verbosity = tree_->quiet     ? Verbosity::kQuiet
                      : tree_->verbose ? Verbosity::kVerbose
                                       : Verbosity::kNormal;
  globals.wait = tree_->no_wait ? Wait::kNo : Wait::kForConsumers;
  return globals;
}

Status CommandLine::run_chosen(Context& context) {
  for (const auto& [chosen, action] : tree_->runs) {
    if (!chosen->library().parsed()) continue;
    if (chosen->pages() && !tree_->no_pager) {
      context.out().page_with(pager_command(), context.globals().window.rows);
    }
    const Status status = action(context);
    context.settle();
    return status;
  }
  check(false, "a parsed command line names a verb");
  return Status::kFailed;
}

// At a terminal: wrapped, and through a pager.
Status CommandLine::explain(const std::string& help) const {
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  const WindowSize window = terminal ? window_size(STDOUT_FILENO) : WindowSize{};
  Output out(terminal ? OutputAudience::kTerminal : OutputAudience::kPipe, Colour::kNo,
             Verbosity::kNormal, window.columns);
  if (!tree_->no_pager && !tree_->json) out.page_with(pager_command(), window.rows);
  return answer(out, wrapped_help(help, out.columns()));
}

int CommandLine::run(int argc, const char* const* argv) {
  Output plain(OutputAudience::kPipe, Colour::kNo, Verbosity::kNormal);
  Status status = Status::kFailed;
  try {
    expand_environment();
    tree_->program.parse(argc, argv);
    refuse_home_signs(tree_->root, tree_->commands);
    apply_config();
    if (tree_->help->parsed()) {
      status = explain(help_of(tree_->program, tree_->help_words));
    } else {
      Context context(globals());
      status = run_chosen(context);
    }
  } catch (const CLI::CallForHelp&) {
    status = explain(help_of(tree_->program));
  } catch (const CLI::CallForVersion& version) {
    status = answer(plain, fmt::format("{}\n", version.what()));
  } catch (const CLI::ParseError& error) {
    if (wants_overview(tree_->program, error)) {
      const bool terminal = ::isatty(STDERR_FILENO) == 1;
      plain.note(
          wrapped_help(overview(), terminal ? window_size(STDERR_FILENO).columns : kNoWidth));
    } else {
      plain.warn(explained(tree_->program, error));
    }
    status = Status::kUsage;
  } catch (const Error& error) {
    plain.warn(safe(error.what()));
    status = status_of(error.code());
  } catch (const std::bad_alloc&) {
    plain.warn("There is not enough memory for this. Nothing more was done.");
  } catch (const std::exception& error) {
    plain.warn(fmt::format("An error in chirp itself: {}", safe(error.what())));
  }
  return static_cast<int>(status);
}

}  // namespace chirp::cli
