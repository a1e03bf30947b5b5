// Completion scripts for shells, generated from the tree of commands.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace chirp::cli {

class CommandLine;

// A node in the tree: the program (an empty path), a noun (`/user`) or a verb (`/user/add`).
struct CompletionNode {
  struct Valued {
    std::string name;
    std::vector<std::string> choices;  // empty: any value
    bool list = false;                 // whether it takes several choices, separated by commas
  };
  // The known values of an argument: fixed words or names of users.
  struct Argument {
    std::size_t at = 0;  // position, from 0
    bool repeats = false;
    std::string behind;  // only after this word; empty: any
    bool users = false;
    std::vector<std::string> choices;
  };
  std::string path;
  std::vector<std::pair<std::string, std::string>> words;  // nouns or verbs, with descriptions
  std::vector<Argument> arguments;
  std::vector<std::pair<std::string, std::string>> options;  // with descriptions
  std::vector<Valued> valued;                                // options that take a value
};

// The program first, each node before its children.
[[nodiscard]] std::vector<CompletionNode> completion_nodes(const CommandLine& app);

// Works in a bash without bash-completion.
[[nodiscard]] std::string bash_completion(const std::vector<CompletionNode>& nodes);
[[nodiscard]] std::string zsh_completion(const std::vector<CompletionNode>& nodes);
[[nodiscard]] std::string fish_completion(const std::vector<CompletionNode>& nodes);

}  // namespace chirp::cli
