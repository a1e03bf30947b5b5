// `chirp completion`: scripts for shells, generated from the tree of commands.
#include "cli/completion.h"

#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>

#include "cli/app.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/model/nearest.h"
#include "core/settings.h"

namespace chirp::cli {
namespace {

constexpr std::uint32_t kUsersOffered = 100;

struct ShellOptions {
  std::optional<std::string> shell;
  std::optional<std::string> users;
};

// `a|b|c` in an option's text: the only valid choices.
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

// The known values of an argument; empty if there is nothing to suggest.
std::vector<CompletionNode::Argument> arguments_of(const std::string& path,
                                                   const CLI::Option& option, std::size_t at) {
  const std::string& name = option.get_single_name();
  const bool repeats = option.get_items_expected_max() > 1;
  if (auto words = choices(option); !words.empty()) return {{at, repeats, "", false, words}};
  // The NAME of `user add` is a new name, so there is nothing to suggest.
  if ((name == "NAME" || name == "OTHER") && path != "/user/add") {
    return {{at, repeats, "", true, {}}};
  }
  if (path == "/config/get" || path == "/config/set") {
    if (name == "VALUE") {
      return {{at, false, "feed.policy", false, {"push", "pull", "hybrid", "cost"}}};
    }
    const auto keys = settings::keys();
    return {{at, false, "", false, {keys.begin(), keys.end()}}};
  }
  return {};
}

// The words of options that take comma-separated lists.
using Lists = std::map<const CLI::Option*, std::vector<std::string>>;

Lists lists_of(const CommandLine& app) {
  Lists lists;
  for (const Command& command : app.commands()) {
    for (const Option& option : command.options()) {
      if (!option.listed().empty()) lists.emplace(&option.library(), option.listed());
    }
  }
  return lists;
}

void collect(const CLI::App& app, const std::string& path, const Lists& lists,
             std::vector<CompletionNode>& nodes) {
  CompletionNode node;
  node.path = path;
  for (const CLI::App* sub : app.get_subcommands({})) {
    node.words.emplace_back(sub->get_name(), sub->get_description());
  }
  std::size_t place = 0;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      for (auto& argument : arguments_of(path, *option, place)) {
        node.arguments.push_back(std::move(argument));
      }
      ++place;
      continue;
    }
    const std::string name = "--" + option->get_lnames().front();
    node.options.emplace_back(name, option->get_description());
    if (option->get_items_expected_min() == 0) continue;
    const auto list = lists.find(option);
    if (list != lists.end()) {
      node.valued.push_back({name, list->second, true});
    } else {
      node.valued.push_back({name, choices(*option), false});
    }
  }
  nodes.push_back(std::move(node));
  for (const CLI::App* sub : app.get_subcommands({})) {
    collect(*sub, path + "/" + sub->get_name(), lists, nodes);
  }
}

// `chirp help` takes the names of all nouns and verbs, and nothing after them.
std::vector<CompletionNode> with_help(std::vector<CompletionNode> nodes) {
  std::vector<CompletionNode> below;
  for (CompletionNode& node : nodes) {
    const bool is_place = std::ranges::any_of(nodes, [&](const CompletionNode& other) {
      return other.path.starts_with(node.path + "/");
    });
    if (node.path == "/help") node.words = nodes.front().words;
    if (node.path.empty() || node.path == "/help") continue;
    const auto words = is_place ? node.words : decltype(node.words){};
    below.push_back({.path = "/help" + node.path,
                     .words = words,
                     .arguments = {},
                     .options = {},
                     .valued = {}});
  }
  nodes.insert(nodes.end(), below.begin(), below.end());
  return nodes;
}

bool begins(std::string_view name, std::string_view prefix) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return name.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), name.begin(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

// Prints the first names with this prefix, ignoring case. Prints nothing if the directory is
// missing or unreadable: a completion must not print errors.
Status print_users(Context& context, std::string prefix) {
  const std::string mark = prefix.starts_with('@') ? "@" : "";
  prefix.erase(0, mark.size());
  try {
    const UserDirectory& users = context.directory().users();
    UserQuery query;
    query.limit = kUsersOffered;
    if (!prefix.empty()) {
      query.after = prefix;
      if (const auto user = users.find_name(prefix)) {
        context.out().print(mark + user->username + "\n");
      }
    }
    for (const User& user : users.list(query).users) {
      if (!begins(user.username, prefix)) break;
      context.out().print(mark + user.username + "\n");
    }
  } catch (const Error& error) {
    context.out().detail(safe(error.what()));
  }
  return Status::kDone;
}

Status run_completion(Context& context, const ShellOptions& options) {
  if (options.users) return print_users(context, *options.users);
  if (!options.shell) {
    throw Error(ErrorCode::kInvalidArgument, "Name a shell: bash, zsh or fish.");
  }
  // The tree as the program itself declares it.
  const CommandLine app;
  const auto nodes = with_help(completion_nodes(app));
  if (*options.shell == "bash") {
    context.out().print(bash_completion(nodes));
  } else if (*options.shell == "zsh") {
    context.out().print(zsh_completion(nodes));
  } else if (*options.shell == "fish") {
    context.out().print(fish_completion(nodes));
  } else {
    throw no_such_choice("SHELL", {"bash", "zsh", "fish"}, *options.shell);
  }
  return Status::kDone;
}

}  // namespace

std::vector<CompletionNode> completion_nodes(const CommandLine& app) {
  std::vector<CompletionNode> nodes;
  collect(app.root().library(), "", lists_of(app), nodes);
  return nodes;
}

void add_completion(CommandLine& app) {
  auto [verb, options] =
      app.verb<ShellOptions>(app.root(),
                             {"completion", "Print a script that completes commands in a shell.",
                              "source <(chirp completion bash)\n"
                              "chirp completion fish > ~/.config/fish/completions/chirp.fish"},
                             run_completion);
  add_text(verb, "SHELL", options.shell, "bash|zsh|fish", "For which shell");
  add_text(verb, "--users", options.users, "PREFIX",
           "Print usernames with this prefix, 100 at most, as these scripts do");
}

}  // namespace chirp::cli
