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

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

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
  CLI::App& verb;
  Options& options;
};

struct NoOptions {};

// An option whose text, empty or not, lands in `target`; `value` stands for it in the help.
CLI::Option* add_text(CLI::App& verb, const std::string& name, std::optional<std::string>& target,
                      const std::string& value, const std::string& description);

class App {
 public:
  App();

  [[nodiscard]] CLI::App& root() { return root_; }
  [[nodiscard]] const CLI::App& root() const { return root_; }
  // The noun of that name, made when first asked for.
  CLI::App& noun(const Words& words);

  template <class Options>
  Verb<Options> verb(CLI::App& parent, const Words& words,
                     Status (*action)(Context&, const Options&)) {
    auto options = std::make_shared<Options>();
    CLI::App& added = add_verb(
        parent, words, [options, action](Context& context) { return action(context, *options); });
    return {added, *options};
  }

  // Reads the command line and runs what it names; the exit status.
  int run(int argc, const char* const* argv);

 private:
  using Run = std::function<Status(Context&)>;

  struct GlobalOptions {
    std::string data;
    std::string config;
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    bool no_color = false;
    bool no_wait = false;
  };

  CLI::App& add_verb(CLI::App& parent, const Words& words, Run action);
  void add_globals();
  void apply_config();
  [[nodiscard]] Globals globals() const;
  Status run_chosen(Context& context);

  CLI::App root_;
  GlobalOptions options_;
  std::vector<std::pair<CLI::App*, Run>> runs_;
};

}  // namespace chirp::cli
