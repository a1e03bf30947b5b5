#include "cli/app.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/process.h"
#include "cli/version.h"
#include "core/error.h"

namespace chirp::cli {
namespace {

constexpr const char* kGlobalGroup = "Global options";

// `$XDG_DATA_HOME/chirp`, else `~/.local/share/chirp`; empty without either.
std::filesystem::path default_data() {
  if (const char* data_home = std::getenv("XDG_DATA_HOME"); data_home && *data_home) {
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

// A terminal that knows colours, and a person who has not switched them off.
bool wants_colour() {
  const char* terminal = std::getenv("TERM");
  return !set_in_environment("NO_COLOR") && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

Error unknown_key(const std::string& file, const std::string& key) {
  return Error(
      ErrorCode::kInvalidArgument,
      fmt::format("{}: \"{}\" is not a setting. It takes data, json, quiet, verbose, no-color "
                  "and no-wait.",
                  safe(file), safe(key)));
}

}  // namespace

CLI::Option* add_text(CLI::App& verb, const std::string& name, std::optional<std::string>& target,
                      const std::string& value, const std::string& description) {
  return verb
      .add_option_function<std::string>(
          name, [&target](const std::string& text) { target = text; }, description)
      ->option_text(value);
}

App::App()
    : root_("A home-feed engine: users, posts, a follow graph, and feeds that are always right.",
            "chirp") {
  root_.footer(
      "chirp init\n"
      "chirp user add mira --display-name 'Mira Okafor'\n"
      "chirp post add mira 'First frost on the allotment this morning'\n"
      "chirp follow add yuki mira\n"
      "chirp feed show yuki --explain");
  root_.formatter(std::make_shared<HelpFormatter>());
  root_.require_subcommand(1);
  root_.fallthrough();
  root_.set_help_flag("-h,--help", "Explain the command");
  root_.set_version_flag("--version", version_text, "Print version, format version and libraries");
  root_.option_defaults()->group(kGlobalGroup);
  add_globals();
  root_.option_defaults()->group("Options");
  for (const auto& add : kCommands) add(*this);
}

void App::add_globals() {
  root_.add_option("--data", options_.data, "The data directory")
      ->envname("CHIRP_DATA")
      ->option_text("DIR");
  root_
      .add_flag("--json", options_.json,
                "Print JSON; every option here is also a variable, CHIRP_JSON for this one")
      ->envname("CHIRP_JSON");
  root_.add_flag("--quiet", options_.quiet, "Say nothing but the answer and errors")
      ->envname("CHIRP_QUIET");
  root_.add_flag("--verbose", options_.verbose, "Say on stderr what is done")
      ->envname("CHIRP_VERBOSE");
  root_.add_flag("--no-color", options_.no_color, "No colours; NO_COLOR does the same")
      ->envname("CHIRP_NO_COLOR");
  root_
      .add_flag("--no-wait", options_.no_wait,
                "Leave timelines and counters to the next command; reads are right all the same")
      ->envname("CHIRP_NO_WAIT");
  root_
      .add_option("--config", options_.config, "A TOML file with these options, without the dashes")
      ->envname("CHIRP_CONFIG")
      ->option_text("FILE");
}

CLI::App& App::noun(const Words& words) {
  for (CLI::App* known : root_.get_subcommands({})) {
    if (known->get_name() == words.name) return *known;
  }
  CLI::App& noun = *root_.add_subcommand(words.name, words.description);
  noun.footer(words.examples);
  noun.require_subcommand(1);
  noun.fallthrough();
  return noun;
}

CLI::App& App::add_verb(CLI::App& parent, const Words& words, Run action) {
  CLI::App& verb = *parent.add_subcommand(words.name, words.description);
  verb.footer(words.examples);
  verb.fallthrough();
  runs_.emplace_back(&verb, std::move(action));
  return verb;
}

// What the command line and the environment leave open, the file says.
void App::apply_config() {
  if (options_.config.empty()) return;
  std::vector<CLI::ConfigItem> items;
  try {
    items = CLI::ConfigTOML().from_file(options_.config);
  } catch (const CLI::Error& error) {
    throw Error(ErrorCode::kBadInput, fmt::format("--config: {} can't be read: {}",
                                                  safe(options_.config), safe(error.what())));
  }
  for (const CLI::ConfigItem& item : items) {
    if (item.name == "++" || item.name == "--") continue;  // the bounds of a section
    CLI::Option* option = item.parents.empty() && item.name != "config" && item.name != "help" &&
                                  item.name != "version"
                              ? root_.get_option_no_throw("--" + item.name)
                              : nullptr;
    if (option == nullptr) throw unknown_key(options_.config, item.fullname());
    if (option->count() > 0) continue;
    option->add_result(item.inputs);
    option->run_callback();
  }
}

Globals App::globals() const {
  Globals globals;
  globals.data = options_.data.empty() ? default_data() : std::filesystem::path(options_.data);
  if (globals.data.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "There is no home directory to keep data in. Say --data DIR.");
  }
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  globals.audience = options_.json ? Audience::kProgram
                     : terminal    ? Audience::kTerminal
                                   : Audience::kPipe;
  globals.colour = terminal && !options_.json && !options_.no_color && wants_colour() ? Colour::kYes
                                                                                      : Colour::kNo;
  globals.verbosity = options_.quiet     ? Verbosity::kQuiet
                      : options_.verbose ? Verbosity::kVerbose
                                         : Verbosity::kNormal;
  globals.wait = options_.no_wait ? Wait::kNo : Wait::kForConsumers;
  return globals;
}

Status App::run_chosen(Context& context) {
  for (const auto& [chosen, action] : runs_) {
    if (!chosen->parsed()) continue;
    const Status status = action(context);
    context.settle();
    return status;
  }
  check(false, "a parsed command line names a verb");
  return Status::kFailed;
}

int App::run(int argc, const char* const* argv) {
  Output plain(Audience::kPipe, Colour::kNo, Verbosity::kNormal);
  Status status = Status::kFailed;
  try {
    root_.parse(argc, argv);
    apply_config();
    Context context(globals());
    status = run_chosen(context);
  } catch (const CLI::CallForHelp&) {
    status = answer(plain, help_of(root_));
  } catch (const CLI::CallForVersion& version) {
    status = answer(plain, fmt::format("{}\n", version.what()));
  } catch (const CLI::ParseError& error) {
    plain.warn(explained(root_, error));
    status = Status::kUsage;
  } catch (const Error& error) {
    plain.warn(safe(error.what()));
    status = status_of(error.code());
  } catch (const std::bad_alloc&) {
    plain.warn("there is not enough memory for this. Nothing more was done.");
  } catch (const std::exception& error) {
    plain.warn(fmt::format("a fault of chirp's own: {}", safe(error.what())));
  }
  return static_cast<int>(status);
}

}  // namespace chirp::cli
