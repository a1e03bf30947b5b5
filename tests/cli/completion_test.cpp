// Goal: completion offers nouns, verbs, options and choices, in a bash without bash-completion.
// The other shells get the same where they are installed.
// Method: the generated script is loaded into a plain shell, and asked as its line editor would
// ask; zsh's has to be driven through a terminal of its own.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::completion_test {
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
  CHECK(offered({"chirp", "help", "bench", "fe"}) == "  \n");
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

// bash takes "=" for a word of its own, unless COMP_WORDBREAKS says otherwise.
TEST_CASE("completion: a value is completed after an equals sign as after a blank") {
  const std::vector<std::string> show{"chirp", "feed", "show", "mira"};
  const auto behind = [&](std::vector<std::string> words) {
    words.insert(words.begin(), show.begin(), show.end());
    return offered(words);
  };
  CHECK(behind({"--policy", "=", "pu"}) == " push pull \n");
  CHECK(behind({"--policy", "="}) == " push pull hybrid cost \n");
  CHECK(behind({"--policy=pu"}) == " --policy=push --policy=pull \n");
  CHECK(behind({"--policy", "=", "push", "--expl"}) == " --explain \n");
  CHECK(behind({"--policy=push", "--expl"}) == " --explain \n");
  CHECK(offered({"chirp", "user", "list", "--fields", "=", "bio,usern"}) == " bio,username \n");
  CHECK(offered({"chirp", "user", "list", "--fields=bio,usern"}) == " --fields=bio,username \n");
  CHECK(offered({"chirp", "--data", "=", "feed", "us"}) == " user \n");
  for (const Shell& shell : {kFish, kZsh}) {
    if (!installed(shell.name)) continue;
    CAPTURE(shell.name);
    CHECK(has(shell.complete("chirp feed show mira --policy=hy"), "--policy=hybrid"));
    CHECK(has(shell.complete("chirp user list --fields=bio,usern"), "--fields=bio,username"));
  }
}

TEST_CASE("completion: fields of lists, one and those behind a comma") {
  CHECK(offered({"chirp", "user", "list", "--fields", "user"}) == " userId username \n");
  CHECK(offered({"chirp", "user", "list", "--fields", "userId,bio,fol"}) ==
        " userId,bio,followerCount userId,bio,followingCount \n");
  CHECK(offered({"chirp", "user", "list", "--fields", "no,"}).find(" no,email ") !=
        std::string::npos);
  CHECK(offered({"chirp", "notify", "list", "mira", "--fields", "actor.u"}) ==
        " actor.userId actor.username \n");
  CHECK(offered({"chirp", "user", "sessions", "mira", "--fields", "s"}) == " sessionId \n");
  CHECK(offered({"chirp", "log", "tail", "--fields", "seq"}) == " sequence \n");
  CHECK(has(offered({"chirp", "feed", "show", "mira", "--fields", "explanation.s"}),
            "explanation.source"));
  // A choice that is no list of them has no commas.
  CHECK(offered({"chirp", "feed", "show", "mira", "--policy", "push,pu"}) == "  \n");
  for (const Shell& shell : {kFish, kZsh}) {
    if (!installed(shell.name)) continue;
    CAPTURE(shell.name);
    CHECK(has(shell.complete("chirp user list --fields usern"), "username"));
    CHECK(has(shell.complete("chirp user list --fields userId,usern"), "userId,username"));
  }
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

TEST_CASE("completion: zsh's needs no compinit before it") {
  if (!installed("zsh")) return;
  const auto in_script = [](const std::string& script) {
    return answer({"/usr/bin/env", "zsh", "-f", "-c"}, script, "");
  };
  CHECK(in_script("source <(chirp completion zsh)") == "  ");
  CHECK(in_script("source <(chirp completion zsh); autoload -U compinit; compinit -D -u; "
                  "print ${_comps[chirp]}") == " _chirp  ");
  // Before the first prompt it runs compinit itself.
  CHECK(in_script("ZDOTDIR=$(mktemp -d); source <(chirp completion zsh); "
                  "for f in $precmd_functions; do $f; done; rm -r $ZDOTDIR; "
                  "print ${_comps[chirp]} $+functions[compdef] $#precmd_functions") ==
        " _chirp 1 0  ");
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

TEST_CASE("completion: usernames of the directory in use, by prefix") {
  const TempFolder folder;
  const std::string data = (folder / "a world").string();
  const auto must = [&](const std::vector<std::string>& arguments) {
    const Ended ended = run(chirp_command(data, arguments));
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    return ended.out;
  };
  must({"init"});
  for (const char* name : {"mira", "Mi", "miro_2", "tomas", "m"}) must({"user", "add", name});
  CHECK(must({"completion", "--users", "mi"}) == "Mi\nmira\nmiro_2\n");
  CHECK(must({"completion", "--users", "MIR"}) == "mira\nmiro_2\n");
  CHECK(must({"completion", "--users", "@mira"}) == "@mira\n");
  CHECK(must({"completion", "--users", ""}) == "m\nMi\nmira\nmiro_2\ntomas\n");
  CHECK(must({"completion", "--users", "'; x"}).empty());

  const std::string chirp = CHIRP_BINARY;
  const auto bash = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {chirp, "--data", data});
    return offered(words);
  };
  CHECK(bash({"user", "show", "mi"}) == " Mi mira miro_2 \n");
  CHECK(offered({chirp, "--data", "=", data, "user", "show", "to"}) == " tomas \n");
  CHECK(bash({"follow", "add", "tomas", "mira", "to"}) == " tomas \n");
  CHECK(bash({"post", "add", "to"}) == " tomas \n");
  CHECK(bash({"post", "add", "tomas", "mi"}) == "  \n");  // a text
  CHECK(bash({"user", "add", "mi"}) == "  \n");           // a new name
  CHECK(has(bash({"user", "show", "--"}), "--json"));
  CHECK(offered({chirp, "--data", (folder / "none").string(), "user", "show", "mi"}) == "  \n");
  CHECK_FALSE(std::filesystem::exists(folder / "none"));
  for (const Shell& shell : {kFish, kZsh}) {
    if (!installed(shell.name)) continue;
    CAPTURE(shell.name);
    const std::string link = (folder / "link").string();
    const std::string command = "chirp --data " + link;
    std::filesystem::remove(folder / "link");
    std::filesystem::create_directory_symlink(data, folder / "link");
    CHECK(has(shell.complete(command + " user show to"), "tomas"));
    CHECK(has(shell.complete("chirp --data=" + link + " user show to"), "tomas"));
    CHECK(has(shell.complete(command + " follow add mira to"), "tomas"));
    CHECK_FALSE(has(shell.complete(command + " post add mira to"), "tomas"));
  }
}

TEST_CASE("completion: a hundred names at most") {
  const TempFolder folder;
  const std::string data = (folder / "world").string();
  REQUIRE(run(chirp_command(data, {"init"})).ok());
  REQUIRE(
      run(chirp_command(data, {"seed", "--users", "300", "--follows", "0", "--posts", "0"})).ok());
  const std::string names = run(chirp_command(data, {"completion", "--users", ""})).out;
  CHECK(std::count(names.begin(), names.end(), '\n') == 100);
}

TEST_CASE("completion: settings, and policies where one is set") {
  CHECK(has(offered({"chirp", "config", "get", ""}), "feed.cap"));
  CHECK(offered({"chirp", "config", "set", "trend"}) == " trend.half_life \n");
  CHECK(offered({"chirp", "config", "set", "feed.policy", "pu"}) == " push pull \n");
  CHECK(offered({"chirp", "config", "set", "feed.cap", "pu"}) == "  \n");
  for (const Shell& shell : {kFish, kZsh}) {
    if (!installed(shell.name)) continue;
    CAPTURE(shell.name);
    CHECK(has(shell.complete("chirp config get trend"), "trend.half_life"));
    CHECK(has(shell.complete("chirp config set feed.policy hy"), "hybrid"));
  }
}

TEST_CASE("completion: only the shells there are have a script") {
  CHECK(run({.arguments = {CHIRP_BINARY, "completion", "tcsh"}}).status == 2);
  CHECK(run({.arguments = {CHIRP_BINARY, "completion"}}).status == 2);
}

}  // namespace chirp::test::completion_test
