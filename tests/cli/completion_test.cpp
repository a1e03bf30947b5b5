// Goal: completion offers nouns, verbs, options and choices, in a bash without bash-completion.
// Method: the generated script is loaded into a plain bash, and asked as readline would ask.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/child.h"

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
}

TEST_CASE("completion: options and what they take") {
  CHECK(has(offered({"chirp", "user", "add", "--e"}), "--email"));
  CHECK(has(offered({"chirp", "user", "add", "mira", "--"}), "--data"));
  CHECK_FALSE(has(offered({"chirp", "user", "show", "--"}), "--email"));
  CHECK(offered({"chirp", "feed", "show", "mira", "--policy", "pu"}) == " push pull \n");
  CHECK(offered({"chirp", "completion", ""}) == " bash zsh fish \n");
}

TEST_CASE("completion: every shell has a script that its shell can read") {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    CAPTURE(shell);
    const Ended script = run({.arguments = {CHIRP_BINARY, "completion", shell}});
    REQUIRE(script.ok());
    CHECK(script.out.find("feed") != std::string::npos);
    const std::string there = "command -v " + shell + " > /dev/null";
    if (!run({.arguments = {"/bin/sh", "-c", there}}).ok()) {
      MESSAGE("not installed, so its script is not read: " << shell);
      continue;
    }
    const std::string check = shell + " -n /dev/stdin";
    CHECK(run({.arguments = {"/bin/sh", "-c", check}, .input = script.out}).ok());
  }
  CHECK(run({.arguments = {CHIRP_BINARY, "completion", "tcsh"}}).status == 2);
}

}  // namespace chirp::test
