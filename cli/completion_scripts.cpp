#include <algorithm>

#include <fmt/format.h>

#include "cli/completion.h"

namespace chirp::cli {
namespace {

constexpr std::size_t kManyArguments = 1'000'000;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// Quotes for any shell, in single quotes.
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

std::vector<std::string> names(const std::vector<std::pair<std::string, std::string>>& words) {
  std::vector<std::string> result;
  for (const auto& [name, description] : words) result.push_back(name);
  return result;
}

// Branches of a shell's `case`: options that take a value, the node that the words so far lead to,
// and the possible next words. bash and zsh share the text.
struct Branches {
  std::string valued;     // patterns of options that take a value
  std::string choices;    // `path option) next_words=…`, with `next_list=yes` if it takes a list
  std::string steps;      // paths that exist
  std::string words;      // `path) next_words=…; next_options=…`
  std::string arguments;  // `path place word) next_words=…`, or `next_users=yes`
};

// `path place previous-word`, as a pattern.
std::string pattern_of(const CompletionNode& node, const CompletionNode::Argument& argument) {
  const std::string place = single_quoted(fmt::format("{} {} ", node.path, argument.at));
  if (!argument.behind.empty()) return place + single_quoted(argument.behind);
  if (!argument.repeats) return place + "*";
  return fmt::format("{}[{}-9]*", single_quoted(node.path + " "), argument.at);
}

Branches branches_of(const std::vector<CompletionNode>& nodes) {
  Branches branches;
  std::vector<std::string> valued;
  const std::string globals = joined(names(nodes.front().options));
  for (const CompletionNode& node : nodes) {
    for (const CompletionNode::Valued& option : node.valued) {
      valued.push_back(option.name);
      if (option.choices.empty()) continue;
      branches.choices += fmt::format(
          "    {})\n      next_words={}{} ;;\n", single_quoted(node.path + " " + option.name),
          single_quoted(joined(option.choices)), option.list ? " next_list=yes" : "");
    }
    for (const CompletionNode::Argument& argument : node.arguments) {
      branches.arguments += fmt::format(
          "    {}) next_{} ;;\n", pattern_of(node, argument),
          argument.users ? "users=yes" : "words=" + single_quoted(joined(argument.choices)));
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

std::string bash_completion(const std::vector<CompletionNode>& nodes) {
  const Branches branches = branches_of(nodes);
  return fmt::format(
      R"(# Completion of chirp for bash. Load it with: source <(chirp completion bash)
_chirp() {{
  local previous="" path="" next_words="" next_options="" i word words=("") before=""
  local program="${{COMP_WORDS[0]/#\~/$HOME}}" data=() at=0 next_users="" next_list=""
  # An option and its value are two words, whether "=" parts them, as one word or three, or not.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word="${{COMP_WORDS[i]}}" before=""
    if [[ "$word" == "=" && "${{COMP_WORDS[i - 1]}}" == --* ]]; then
      ((i == COMP_CWORD)) && words+=("")
    elif [[ "$word" == --*=* ]]; then
      before="${{word%%=*}}=" words+=("${{word%%=*}}" "${{word#*=}}")
    else
      words+=("$word")
    fi
  done
  local last=$((${{#words[@]}} - 1))
  local current="${{words[last]}}"
  for ((i = 1; i < last; i++)); do
    previous="${{words[i]}}"
    [[ "$previous" == --data ]] && data=(--data "${{words[i + 1]/#\~/$HOME}}")
    case "$previous" in
      {0}) ((i + 1 < last)) && {{ ((i++)); previous=""; }} ;;
      -*) ;;
      *)
        case "$path/$previous" in
          {1}) path="$path/$previous" at=0 ;;
          *) ((at += 1)) ;;
        esac ;;
    esac
  done
  case "$path $previous" in
{2}  esac
  case "$previous" in
    {0})
      word="${{current##*,}}"
      [[ -n "$next_list" ]] && before+="${{current%"$word"}}" current="$word"
      COMPREPLY=($(compgen -P "$before" -W "$next_words" -- "$current"))
      return ;;
  esac
  case "$path" in
{3}  esac
  case "$path $at $previous" in
{4}  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$next_options" -- "$current")) ;;
    *)
      if [[ -n "$next_users" ]]; then
        COMPREPLY=($("$program" "${{data[@]}}" completion --users "$current" 2> /dev/null))
      else
        COMPREPLY=($(compgen -W "$next_words" -- "$current"))
      fi ;;
  esac
}}
complete -o default -F _chirp chirp
)",
      branches.valued, branches.steps, branches.choices, branches.words, branches.arguments);
}

std::string zsh_completion(const std::vector<CompletionNode>& nodes) {
  const Branches branches = branches_of(nodes);
  return fmt::format(
      R"sh(#compdef chirp
# Completion of chirp for zsh. Load it with: source <(chirp completion zsh)
_chirp() {{
  local current="${{words[CURRENT]}}" previous="" path_so_far="" found="" i
  local next_words="" next_options="" next_users="" next_list="" at=0
  local program="${{words[1]/#\~/$HOME}}"
  local -a data
  for ((i = 2; i < CURRENT; i++)); do
    previous="${{words[i]}}"
    [[ "$previous" == --data ]] && data=(--data "${{words[i + 1]/#\~/$HOME}}")
    [[ "$previous" == --data=* ]] && data=(--data "${{${{previous#*=}}/#\~/$HOME}}")
    case "$previous" in
      {0}) ((i + 1 < CURRENT)) && {{ ((i++)); previous=""; }} ;;
      -*) ;;
      *)
        case "$path_so_far/$previous" in
          {1}) path_so_far="$path_so_far/$previous" at=0 ;;
          *) ((at += 1)) ;;
        esac ;;
    esac
  done
  [[ "$current" == --*=* ]] && previous="${{current%%=*}}" && compset -P '--[^=]#='
  case "$path_so_far $previous" in
{2}  esac
  case "$previous" in
    {0})
      [[ -n "$next_list" ]] && compset -P '*,'
      if [[ -n "$next_words" ]]; then compadd -- ${{=next_words}}; else _files; fi
      return ;;
  esac
  case "$path_so_far" in
{3}  esac
  case "$path_so_far $at $previous" in
{4}  esac
  if [[ -n "$next_users" ]]; then
    next_words="$("$program" "${{data[@]}}" completion --users "$current" 2> /dev/null)"
  fi
  case "$current" in
    -*) compadd -- ${{=next_options}} ;;
    *) if [[ -n "$next_words" ]]; then compadd -- ${{=next_words}}; else _files; fi ;;
  esac
}}
if [[ "$funcstack[1]" = "_chirp" ]]; then
  _chirp "$@"
elif (( $+functions[compdef] )); then
  compdef _chirp chirp
else
  # compinit has not run yet. It keeps this entry, or the first prompt makes it, and runs compinit if
  # nothing else has.
  typeset -gHA _comps
  _comps[chirp]=_chirp
  _chirp_register() {{
    precmd_functions=(${{precmd_functions:#_chirp_register}})
    (( $+functions[compdef] )) || {{ autoload -Uz compinit && compinit -i }}
    compdef _chirp chirp
    unfunction _chirp_register
  }}
  typeset -ga precmd_functions
  precmd_functions+=(_chirp_register)
fi
)sh",
      branches.valued, branches.steps, branches.choices, branches.words, branches.arguments);
}

namespace {

// Functions that find the node at the cursor, and list users.
std::string fish_functions(const std::vector<CompletionNode>& nodes) {
  const Branches branches = branches_of(nodes);
  std::string valued = branches.valued;
  std::string steps = branches.steps;
  std::replace(valued.begin(), valued.end(), '|', ' ');
  std::replace(steps.begin(), steps.end(), '|', ' ');
  return fmt::format(R"(# Completion of chirp for fish. Load it with: chirp completion fish | source
function __chirp_at
    set -l place ''
    set -l at 0
    set -l skip 0
    set -l previous ''
    for word in (commandline -opc)[2..-1]
        if test $skip -eq 1
            set skip 0
        else if contains -- $word {}
            set skip 1
        else if contains -- "$place/$word" {}
            set place "$place/$word"
            set at 0
        else if not string match -q -- '-*' $word
            set at (math $at + 1)
        end
        set previous $word
    end
    test "$place" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    test $at -ge $argv[2] -a $at -le $argv[3]; or return 1
    set -q argv[4]; or return 0
    test "$previous" = "$argv[4]"
end
function __chirp_users
    set -l words (string replace -r '^~' $HOME -- (commandline -opc))
    set -l data (string match -- '--data=*' $words)
    if set -l place (contains -i -- --data $words)
        set data --data $words[(math $place + 1)]
    end
    command $words[1] $data completion --users (commandline -ct) 2>/dev/null
end
function __chirp_listed
    set -l before (string match -r '^.*,' -- (commandline -ct))
    for word in $argv
        echo "$before$word"
    end
end
)",
                     valued, steps);
}

// The completions of an option's value.
std::string offered_in_fish(const CompletionNode::Valued& option) {
  if (option.choices.empty()) return " -r -F";
  const std::string words = joined(option.choices);
  return " -x -a " + single_quoted(option.list ? "(__chirp_listed " + words + ")" : words);
}

}  // namespace

std::string fish_completion(const std::vector<CompletionNode>& nodes) {
  std::string script = fish_functions(nodes);
  const auto add = [&](const CompletionNode& node, const std::string& what, std::string_view text) {
    script += fmt::format("complete -c chirp -n {} {} -d {}\n",
                          single_quoted("__chirp_at " + single_quoted(node.path)), what,
                          single_quoted(text));
  };
  for (const CompletionNode& node : nodes) {
    for (const auto& [word, text] : node.words) add(node, "-f -a " + word, text);  // no files
    for (const CompletionNode::Argument& argument : node.arguments) {
      script +=
          fmt::format("complete -c chirp -n {} -f -a {}\n",
                      single_quoted(fmt::format(
                          "__chirp_at {} {} {} {}", single_quoted(node.path), argument.at,
                          argument.repeats ? kManyArguments : argument.at, argument.behind)),
                      single_quoted(argument.users ? "(__chirp_users)" : joined(argument.choices)));
    }
    for (const auto& [name, text] : node.options) {
      std::string what = "-l " + name.substr(2);
      for (const CompletionNode::Valued& option : node.valued) {
        if (option.name != name) continue;
        what += offered_in_fish(option);
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

}  // namespace chirp::cli
