// Completion scripts for shells, generated from the tree of commands.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace chirp::cli {

class App;

// A place in the tree: the program (an empty path), a noun (`/user`) or a verb (`/user/add`).
struct CompletionNode {
  struct Valued {
    std::string name;
    std::vector<std::string> choices;  // empty: any value
    bool list = false;                 // of choices, with commas between them
  };
  // What stands in the place of an argument: words that are known, or names of users.
  struct Argument {
    std::size_t at = 0;  // how many stand before it
    bool repeats = false;
    std::string behind;  // only behind this word; empty: any
    bool users = false;
    std::vector<std::string> choices;
  };
  std::string path;
  std::vector<std::pair<std::string, std::string>> words;  // nouns or verbs, with what they do
  std::vector<Argument> arguments;
  std::vector<std::pair<std::string, std::string>> options;  // its own, with what they do
  std::vector<Valued> valued;                                // those that take a value
};

// The program first, each place before those below it.
[[nodiscard]] std::vector<CompletionNode> completion_nodes(const App& app);

// Works in a bash that knows nothing of bash-completion.
[[nodiscard]] std::string bash_completion(const std::vector<CompletionNode>& nodes);
[[nodiscard]] std::string zsh_completion(const std::vector<CompletionNode>& nodes);
[[nodiscard]] std::string fish_completion(const std::vector<CompletionNode>& nodes);

}  // namespace chirp::cli
