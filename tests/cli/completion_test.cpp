// Goal: completion offers nouns, verbs, options and choices, in a bash without bash-completion.
// The other shells get the same where they are installed.
// Method: the generated script is loaded into a plain shell, and asked as its line editor would
// ask; zsh's has to be driven through a terminal of its own.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

// What bash would offer for the last of these words.
std::string offered(const std::vector<std::string>& words) {
  std::string array;
  for (const std::string& word : words) array += " '" + word + "'";
  const std::string script = std::string("source <('") + CHIRP_BINARY + "' completion bash)\n" +
                             "COMP_WORDS=(" + array + ")\n" +
                             "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n" +
                             "_chirp\n"
                             "echo \" ${COMPREPLY[*]} \"";
  const Ended ended = run({.arguments = {"/bin/bash", "--norc", "--noprofile", "-c", script}});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  REQUIRE_MESSAGE(ended.err.empty(), ended.err);
  return ended.out;
}

bool installed(const std::string& shell) {
  return run({.arguments = {"/bin/sh", "-c", "command -v " + shell + " > /dev/null"}}).ok();
}

// What a shell's script says, started with a line to complete as its argument; as words.
std::string answer(const std::vector<std::string>& shell, const std::string& script,
                   const std::string& line) {
  const std::string folder = std::filesystem::path(CHIRP_BINARY).parent_path().string();
  std::vector<std::string> arguments = shell;
  arguments.push_back(script);
  arguments.push_back(line);
  const Ended ended = run(
      {.arguments = arguments, .environment = {"PATH=" + folder + ":/usr/bin:/bin", "TERM=dumb"}});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  std::string words = " " + ended.out + " ";
  for (char& c : words) {
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
  }
  return words;
}

std::string in_fish(const std::string& line) {
  return answer({"/usr/bin/env", "fish", "--no-config", "-c"},
                "chirp completion fish | source; complete -C$argv[1]", line);
}

// The line as it is after a tab, between two marks. zsh -c gives the script its first word as $0.
std::string in_zsh(const std::string& line) {
  return answer({"/usr/bin/env", "zsh", "-f", "-c"}, R"(
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell 'PS1=; autoload -U compinit; compinit -D -u; source <(chirp completion zsh)'
    zpty -w shell 'say() { print -r -- "<$BUFFER >"; exit }; zle -N say; bindkey "^X" say'
    zpty -w shell 'print rea""dy'
    zpty -r shell line '*ready*'
    zpty -w -n shell "$0"$'\t\C-X'
    zpty -r shell line '*<*>*'
    print -r -- "${${line##*<}%%>*}"
  )",
                line);
}

struct Shell {
  std::string name;
  std::string (*complete)(const std::string& line);
};
const Shell kFish{"fish", in_fish};
const Shell kZsh{"zsh", in_zsh};

bool has(const std::string& offers, const std::string& word) {
  return offers.find(" " + word + " ") != std::string::npos;
}

}  // namespace

TEST_CASE("completion: nouns and verbs") {
  const std::string nouns = offered({"chirp", ""});
  for (const char* noun : {"init", "user", "post", "follow", "feed", "doctor", "completion"}) {
    CAPTURE(noun);
    CHECK(has(nouns, noun));
  }
  CHECK(offered({"chirp", "us"}) == " user \n");
  CHECK(has(offered({"chirp", "user", ""}), "passwd"));
  CHECK(has(offered({"chirp", "--data", "user", "post", ""}), "add"));
  CHECK_FALSE(has(offered({"chirp", "user", "show", ""}), "passwd"));
  CHECK(offered({"chirp", "help", "us"}) == " user \n");
  CHECK(has(offered({"chirp", "help", "user", ""}), "passwd"));
  CHECK(offered({"chirp", "help", "bench", "fe"}) == "\n");
}

TEST_CASE("completion: options and what they take") {
  CHECK(has(offered({"chirp", "user", "add", "--e"}), "--email"));
  CHECK(has(offered({"chirp", "user", "add", "mira", "--"}), "--data"));
  CHECK_FALSE(has(offered({"chirp", "user", "show", "--"}), "--email"));
  CHECK(offered({"chirp", "feed", "show", "mira", "--policy", "pu"}) == " push pull \n");
  CHECK(offered({"chirp", "completion", ""}) == " bash zsh fish \n");
  CHECK(offered({"chirp", "post", "react", "mira", "1", "--type", "l"}) == " like love laugh \n");
  CHECK(offered({"chirp", "load", "graph", "--format", "s"}) == " snap \n");
  CHECK(offered({"chirp", "load", "posts", "--format", "t"}) == " twitter \n");
  CHECK(offered({"chirp", "load", "events", "--format", "i"}) == " interactions \n");
  CHECK(offered({"chirp", "bench", "fe"}) == " feed \n");
}

TEST_CASE("completion: the help says what an option takes") {
  const TempFolder folder;
  const auto help = [&](std::vector<std::string> arguments) {
    arguments.emplace_back("--help");
    return run(chirp_command((folder / "none").string(), arguments)).out;
  };
  CHECK(help({"feed", "refresh"}).find("--since CURSOR") != std::string::npos);
  CHECK(help({"serve"}).find("--port N") != std::string::npos);
  CHECK(help({"bench"}).find("--policy push|pull|hybrid|cost") != std::string::npos);
}

TEST_CASE("completion: fish and zsh offer the same, and files where there is nothing else") {
  const TempFolder folder;
  write_file(folder / "graph.txt", "");
  const std::string graph = "chirp load graph " + (folder / "gra").string();
  for (const Shell& shell : {kFish, kZsh}) {
    if (!installed(shell.name)) {
      MESSAGE("not installed, so nothing is completed in it: " << shell.name);
      continue;
    }
    CAPTURE(shell.name);
    const auto completed = [&](const std::string& line) { return shell.complete(line); };
    CHECK(has(completed("chirp us"), "user"));
    CHECK(has(completed("chirp --data /tmp user pas"), "passwd"));
    CHECK_FALSE(has(completed("chirp user show p"), "passwd"));
    CHECK(has(completed("chirp user add mira --ema"), "--email"));
    CHECK(has(completed("chirp feed show mira --policy hy"), "hybrid"));
    CHECK(has(completed("chirp completion ba"), "bash"));
    CHECK(completed(graph).find("graph.txt") != std::string::npos);
  }
}

TEST_CASE("completion: only the shells there are have a script") {
  CHECK(run({.arguments = {CHIRP_BINARY, "completion", "tcsh"}}).status == 2);
}

}  // namespace chirp::test
