// The command line as a tree of nouns and verbs: what is declared, what is chosen, what runs.
//
// A noun's file declares its verbs in one function (cli/commands.h lists them):
//
//   auto [verb, options] = app.verb<AddOptions>(noun, {"add", "Publish a post.", "chirp post add
//   …"},
//                                               run_add);
//   verb.add_option("NAME", options.name, "Who writes")->required();
//
// and `Status run_add(Context&, const AddOptions&)` does it. A run throws Error for what goes
// wrong.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/context.h"
#include "cli/status.h"

namespace chirp::cli {

struct Words {
  std::string name;
  std::string description;
  std::string examples;  // one a line; what --help opens with
};

template <class Options>
struct Verb {
  Command& verb;
  Options& options;
};

struct NoOptions {};

class App {
 public:
  App();
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  [[nodiscard]] Command& root();
  [[nodiscard]] const Command& root() const;
  // Nouns and verbs.
  [[nodiscard]] const std::deque<Command>& commands() const;
  // The noun of that name, made when first asked for.
  Command& noun(const Words& words);

  template <class Options>
  Verb<Options> verb(Command& parent, const Words& words,
                     Status (*action)(Context&, const Options&)) {
    auto options = std::make_shared<Options>();
    Command& added = add_verb(
        parent, words, [options, action](Context& context) { return action(context, *options); });
    return {added, *options};
  }

  // Reads the command line and runs what it names; the exit status.
  int run(int argc, const char* const* argv);

 private:
  using Run = std::function<Status(Context&)>;

  Command& add_verb(Command& parent, const Words& words, Run action);
  void add_globals();
  void add_help();
  void apply_config();
  [[nodiscard]] Globals globals() const;
  Status run_chosen(Context& context);
  [[nodiscard]] Status explain(const std::string& help) const;

  struct Tree;  // of the library's commands, with the global options
  std::unique_ptr<Tree> tree_;
};

}  // namespace chirp::cli
