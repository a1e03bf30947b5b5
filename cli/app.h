// The command line as a tree of nouns and verbs: declares commands, parses and runs them.
//
// A noun's file declares its verbs in one function (cli/commands.h lists them):
//
//   const CommandWords words{"add", "Publish a post.", "chirp post add …"};
//   auto [verb, options] = app.verb<AddOptions>(noun, words, run_add);
//   verb.add_option("NAME", options.name, "Who writes")->required();
//
// and `void run_add(Context&, const AddOptions&)` runs the verb. It throws Error on failure, or
// returns a Status if there are others than Status::kDone.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/context.h"
#include "cli/status.h"

namespace chirp::cli {

struct CommandWords {
  std::string name;
  std::string description;
  std::string examples;  // one a line; --help shows them first
};

template <class Options>
struct Verb {
  Command& verb;
  Options& options;
};

struct NoOptions {};

class CommandLine {
 public:
  CommandLine();
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  [[nodiscard]] Command& root();
  [[nodiscard]] const Command& root() const;
  // Nouns and verbs.
  [[nodiscard]] const std::deque<Command>& commands() const;
  // Returns the noun of that name, and makes it on first use.
  Command& noun(const CommandWords& words);

  // The action returns a Status, or nothing for Status::kDone.
  template <class Options, class Result>
  Verb<Options> verb(Command& parent, const CommandWords& words,
                     Result (*action)(Context&, const Options&)) {
    auto options = std::make_shared<Options>();
    Command& added = add_verb(parent, words, [options, action](Context& context) {
      if constexpr (std::is_void_v<Result>) {
        action(context, *options);
        return Status::kDone;
      } else {
        return action(context, *options);
      }
    });
    return {added, *options};
  }

  // Parses the command line and runs the command. Returns the exit status.
  int run(int argc, const char* const* argv);

 private:
  using Run = std::function<Status(Context&)>;

  Command& add_verb(Command& parent, const CommandWords& words, Run action);
  void add_globals();
  void add_help();
  void apply_config();
  [[nodiscard]] Globals globals() const;
  Status run_chosen(Context& context);
  [[nodiscard]] Status explain(const std::string& help) const;

  struct Tree;  // the parsing library's commands, with the global options
  std::unique_ptr<Tree> tree_;
};

}  // namespace chirp::cli
