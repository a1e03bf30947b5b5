// Goal: tables, facts, posts and help fit the terminal's width, in which wide characters count two;
// nothing that is needed whole is cut, and without a terminal all is as it is.
// Method: texts in every width, and the program at pseudo-terminals of many.
#include "cli/fitted.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

#include <doctest/doctest.h>

#include "core/model/names.h"
#include "tests/support/temp_folder.h"
#include "tests/support/terminal.h"

namespace chirp::cli {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::size_t widest(const std::string& text) {
  std::size_t columns = 0;
  for (const std::string& line : lines_of(text)) columns = std::max(columns, display_width(line));
  return columns;
}

std::string without(std::string text, std::string_view characters) {
  std::erase_if(text, [&](char c) { return characters.find(c) != std::string_view::npos; });
  return text;
}

// What the program shows at a terminal of so many columns.
std::string shown(const std::string& data, std::vector<std::string> arguments,
                  unsigned short columns) {
  test::Terminal terminal(test::chirp_command(data, std::move(arguments)), {columns, 100});
  return terminal.wait().out;
}

}  // namespace

TEST_CASE("fitted: words are wrapped below each other, and none is lost") {
  const std::string text = "Hide NAME and OTHER from  each other; 漢字漢字 ends the follows.";
  CHECK(wrapped(text, kNoWidth, {30, 30}) == text);
  CHECK(wrapped("one two three", 9, {2, 4}) == "one two\n    three");
  CHECK(wrapped("one two three", 8, {2, 4}) == "one\n    two\n    three");
  CHECK(wrapped("漢字 漢字", 8, {}) == "漢字\n漢字");
  CHECK(wrapped("漢字 漢字", 9, {}) == "漢字 漢字");
  CHECK(wrapped("", 9, {}).empty());
  for (std::size_t columns = 0; columns < 80; ++columns) {
    CAPTURE(columns);
    const std::string lines = wrapped(text, columns, {3, 2});
    CHECK(without(lines, " \n") == without(text, " "));
    if (columns >= 12) CHECK(widest("   " + lines) <= columns);
  }
}

TEST_CASE("fitted: what is cut has an ellipsis for its last column") {
  CHECK(clipped("漢字漢字", 8) == "漢字漢字");
  CHECK(clipped("漢字漢字", 7) == "漢字漢…");
  CHECK(clipped("漢字漢字", 6) == "漢字…");
  CHECK(clipped("🇩🇪🇫🇷", 2) == "…");
  CHECK(clipped("🇩🇪🇫🇷", 3) == "🇩🇪…");
  CHECK(clipped("❄\xef\xb8\x8f❄\xef\xb8\x8f", 2) == "…");
  CHECK(clipped("mira", 0).empty());
  CHECK(padded("漢字", 6, Align::kRight) == "  漢字");
}

TEST_CASE("fitted: help is wrapped under its second column, and examples can be copied") {
  const std::string help =
      "Examples:\n  chirp user add mira --display-name 'Mira Okafor'\n\nSign somebody up.\nUsage: "
      "chirp user add NAME [OPTION…]\n  --email E                   An e-mail address that no "
      "other user has\n";
  CHECK(wrapped_help(help, 100) == help);
  CHECK(wrapped_help(help, 60) ==
        "Examples:\n  chirp user add mira --display-name 'Mira Okafor'\n\nSign somebody up.\n"
        "Usage: chirp user add NAME [OPTION…]\n  --email E                   An e-mail address "
        "that no\n                              other user has\n");
  CHECK(wrapped_help(help, 30) ==
        "Examples:\n  chirp user add mira --display-name 'Mira Okafor'\n\nSign somebody up.\n"
        "Usage: chirp user add NAME\n       [OPTION…]\n  --email E\n      An e-mail address that\n"
        "      no other user has\n");
}

TEST_CASE("fitted: at a terminal all lines fit, and ids and names are whole") {
  const test::TempFolder folder;
  const std::string data = (folder / "world").string();
  const auto said = [&](std::vector<std::string> arguments) {
    const test::Ended ended = test::run(test::chirp_command(data, std::move(arguments)));
    REQUIRE(ended.ok());
    return ended.out;
  };
  (void)said({"init"});
  const std::string name = "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字 wide";
  (void)said({"user", "add", "an_author_of_15", "--display-name", name});
  (void)said(
      {"post", "add", "an_author_of_15", "First frost on the allotment, and more of it " + name});
  const std::string ids = said({"query", "SELECT id FROM users", "--csv"});
  const std::string id = ids.substr(ids.find_first_of("123456789"), 19);
  constexpr std::array<unsigned short, 8> kWidths{30, 40, 60, 79, 80, 100, 132, 300};
  for (const unsigned short columns : kWidths) {
    CAPTURE(columns);
    const std::string table = shown(data, {"--no-color", "user", "list"}, columns);
    CHECK(widest(table) <= std::max<std::size_t>(columns, 55));
    CHECK(table.find(id) != std::string::npos);
    CHECK(table.find("an_author_of_15") != std::string::npos);
    // Where there is no room for all columns, each user is a paragraph.
    if (columns >= 60) CHECK((table.find(name) != std::string::npos) == (columns != 100));
    CHECK((table.find("\nNAME ") != std::string::npos) == (columns < 100));
    for (const std::string& line :
         lines_of(shown(data, {"--no-color", "post", "list", "an_author_of_15"}, columns))) {
      if (line.starts_with("    "))
        CHECK(display_width(line) <= std::max<std::size_t>(columns, 44));
    }
    for (const std::string& line : lines_of(shown(
             data, {"--no-color", "feed", "show", "an_author_of_15", "--explain"}, columns))) {
      if (line.starts_with("    "))
        CHECK(display_width(line) <= std::max<std::size_t>(columns, 44));
    }
    if (columns >= 60) {
      CHECK(widest(shown(data, {}, columns)) <= columns);  // the overview, on standard error
      CHECK(widest(shown(data, {"user", "block", "--help"}, columns)) <= columns);
      CHECK(widest(shown(data, {"help", "feed"}, columns)) <= columns);
    }
  }
  test::Command narrow = test::chirp_command(data, {"help", "user"});
  narrow.environment = {"COLUMNS=50"};
  const std::string unwrapped = said({"help", "user"});
  CHECK(test::run(narrow).out == unwrapped);  // no terminal
  CHECK(widest(unwrapped) > 80);
  test::Terminal terminal(narrow, {132, 300});
  CHECK(terminal.wait().out != unwrapped);
}

}  // namespace chirp::cli
