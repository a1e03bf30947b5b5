// `chirp completion`: scripts for shells, made from the tree of commands.
#include "cli/completion.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "core/model/nearest.h"

namespace chirp::cli {
namespace {

struct ShellOptions {
  std::string shell;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// In single quotes, as every shell reads them.
std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

// `a|b|c` in an option's text: these and no others.
std::vector<std::string> choices(const CLI::Option& option) {
  const std::string& text = option.get_option_text();
  std::vector<std::string> words;
  if (text.find('|') == std::string::npos) return words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

void collect(const CLI::App& app, const std::string& path, std::vector<CompletionNode>& nodes) {
  CompletionNode node;
  node.path = path;
  for (const CLI::App* sub : app.get_subcommands({})) {
    node.words.emplace_back(sub->get_name(), sub->get_description());
  }
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      for (const std::string& word : choices(*option)) node.words.emplace_back(word, "");
      continue;
    }
    const std::string name = "--" + option->get_lnames().front();
    node.options.emplace_back(name, option->get_description());
    if (option->get_items_expected_min() > 0) node.valued.push_back({name, choices(*option)});
  }
  nodes.push_back(std::move(node));
  for (const CLI::App* sub : app.get_subcommands({})) {
    collect(*sub, path + "/" + sub->get_name(), nodes);
  }
}

// `chirp help` takes the words of all other places.
std::vector<CompletionNode> with_help(std::vector<CompletionNode> nodes) {
  std::vector<CompletionNode> below;
  for (CompletionNode& node : nodes) {
    const bool is_place = std::ranges::any_of(nodes, [&](const CompletionNode& other) {
      return other.path.starts_with(node.path + "/");
    });
    if (node.path == "/help") node.words = nodes.front().words;
    if (!is_place || node.path.empty()) continue;
    below.push_back(
        {.path = "/help" + node.path, .words = node.words, .options = {}, .valued = {}});
  }
  nodes.insert(nodes.end(), below.begin(), below.end());
  return nodes;
}

Status run_completion(Context& context, const ShellOptions& options) {
  // The tree again, as the program itself declares it.
  const App app;
  const auto nodes = with_help(completion_nodes(app.root()));
  if (options.shell == "bash") {
    context.out().print(bash_completion(nodes));
  } else if (options.shell == "zsh") {
    context.out().print(zsh_completion(nodes));
  } else if (options.shell == "fish") {
    context.out().print(fish_completion(nodes));
  } else {
    throw no_such_choice("SHELL", {"bash", "zsh", "fish"}, options.shell);
  }
  return Status::kDone;
}

std::vector<std::string> names(const std::vector<std::pair<std::string, std::string>>& words) {
  std::vector<std::string> result;
  for (const auto& [name, description] : words) result.push_back(name);
  return result;
}

// A shell's `case` branches: which options take a value, where the words so far lead, what may
// follow. bash and zsh read the same text.
struct Branches {
  std::string valued;   // patterns of options that take a value
  std::string choices;  // `path option) next_words=…`
  std::string steps;    // paths there are
  std::string words;    // `path) next_words=…; next_options=…`
};

Branches branches_of(const std::vector<CompletionNode>& nodes) {
  Branches branches;
  std::vector<std::string> valued;
  const std::string globals = joined(names(nodes.front().options));
  for (const CompletionNode& node : nodes) {
    for (const CompletionNode::Valued& option : node.valued) {
      valued.push_back(option.name);
      if (option.choices.empty()) continue;
      branches.choices += fmt::format("    {})\n      next_words={} ;;\n",
                                      single_quoted(node.path + " " + option.name),
                                      single_quoted(joined(option.choices)));
    }
    if (!node.path.empty()) branches.steps += (branches.steps.empty() ? "" : "|") + node.path;
    const std::string own = node.path.empty() ? "" : joined(names(node.options)) + " ";
    branches.words += fmt::format(
        "    {})\n      next_words={}\n      next_options={} ;;\n", single_quoted(node.path),
        single_quoted(joined(names(node.words))), single_quoted(own + globals));
  }
  std::sort(valued.begin(), valued.end());
  valued.erase(std::unique(valued.begin(), valued.end()), valued.end());
  for (const std::string& name : valued) {
    branches.valued += (branches.valued.empty() ? "" : "|") + name;
  }
  return branches;
}

}  // namespace

std::vector<CompletionNode> completion_nodes(const Command& root) {
  std::vector<CompletionNode> nodes;
  collect(root.library(), "", nodes);
  return nodes;
}

std::string bash_completion(const std::vector<CompletionNode>& nodes) {
  const Branches branches = branches_of(nodes);
  return fmt::format(
      R"(# Completion of chirp for bash. Load it with: source <(chirp completion bash)
_chirp() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="" path="" next_words="" next_options="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    previous="${{COMP_WORDS[i]}}"
    case "$previous" in
      {0}) ((i + 1 < COMP_CWORD)) && {{ ((i++)); previous=""; }} ;;
      -*) ;;
      *) case "$path/$previous" in {1}) path="$path/$previous" ;; esac ;;
    esac
  done
  case "$path $previous" in
{2}  esac
  case "$previous" in
    {0})
      COMPREPLY=($(compgen -W "$next_words" -- "$current"))
      return ;;
  esac
  case "$path" in
{3}  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$next_options" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$next_words" -- "$current")) ;;
  esac
}}
complete -o default -F _chirp chirp
)",
      branches.valued, branches.steps, branches.choices, branches.words);
}

std::string zsh_completion(const std::vector<CompletionNode>& nodes) {
  const Branches branches = branches_of(nodes);
  return fmt::format(R"(#compdef chirp
# Completion of chirp for zsh. Load it with: source <(chirp completion zsh)
_chirp() {{
  local current="${{words[CURRENT]}}" previous="" path_so_far="" found="" i
  local next_words="" next_options=""
  for ((i = 2; i < CURRENT; i++)); do
    previous="${{words[i]}}"
    case "$previous" in
      {0}) ((i + 1 < CURRENT)) && {{ ((i++)); previous=""; }} ;;
      -*) ;;
      *) case "$path_so_far/$previous" in {1}) path_so_far="$path_so_far/$previous" ;; esac ;;
    esac
  done
  case "$path_so_far $previous" in
{2}  esac
  case "$previous" in
    {0})
      if [[ -n "$next_words" ]]; then compadd -- ${{=next_words}}; else _files; fi
      return ;;
  esac
  case "$path_so_far" in
{3}  esac
  case "$current" in
    -*) compadd -- ${{=next_options}} ;;
    *) if [[ -n "$next_words" ]]; then compadd -- ${{=next_words}}; else _files; fi ;;
  esac
}}
if [[ "$funcstack[1]" = "_chirp" ]]; then _chirp "$@"; else compdef _chirp chirp; fi
)",
                     branches.valued, branches.steps, branches.choices, branches.words);
}

std::string fish_completion(const std::vector<CompletionNode>& nodes) {
  const Branches branches = branches_of(nodes);
  std::string valued = branches.valued;
  std::string steps = branches.steps;
  std::replace(valued.begin(), valued.end(), '|', ' ');
  std::replace(steps.begin(), steps.end(), '|', ' ');
  std::string script =
      fmt::format(R"(# Completion of chirp for fish. Load it with: chirp completion fish | source
function __chirp_at
    set -l place ''
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip -eq 1
            set skip 0
        else if contains -- $word {}
            set skip 1
        else if contains -- "$place/$word" {}
            set place "$place/$word"
        end
    end
    test "$place" = "$argv[1]"
end
)",
                  valued, steps);
  const auto add = [&](const CompletionNode& node, const std::string& what, std::string_view text) {
    script += fmt::format("complete -c chirp -n {} {} -d {}\n",
                          single_quoted("__chirp_at " + single_quoted(node.path)), what,
                          single_quoted(text));
  };
  for (const CompletionNode& node : nodes) {
    for (const auto& [word, text] : node.words) add(node, "-f -a " + word, text);  // and no files
    for (const auto& [name, text] : node.options) {
      std::string what = "-l " + name.substr(2);
      for (const CompletionNode::Valued& option : node.valued) {
        if (option.name != name) continue;
        what +=
            option.choices.empty() ? " -r -F" : " -x -a " + single_quoted(joined(option.choices));
      }
      if (!node.path.empty()) {
        add(node, what, text);
      } else {
        script += fmt::format("complete -c chirp {} -d {}\n", what, single_quoted(text));
      }
    }
  }
  return script;
}

void add_completion(App& app) {
  auto [verb, options] =
      app.verb<ShellOptions>(app.root(),
                             {"completion", "Print a script that completes commands in a shell.",
                              "source <(chirp completion bash)\n"
                              "chirp completion fish > ~/.config/fish/completions/chirp.fish"},
                             run_completion);
  verb.add_option("SHELL", options.shell, "For which shell")
      ->required()
      ->option_text("bash|zsh|fish");
}

}  // namespace chirp::cli
