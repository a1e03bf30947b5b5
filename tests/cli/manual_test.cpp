// Goal: the manual says what `--help` says of each command, no more and no less, of exit statuses,
// environment and files what the documents say, and man shows it without a complaint.
// Method: the pages are rendered by groff, and the words of each entry of the help are looked for
// in a row on the page; each entry of a page the other way round.
#include "cli/packaging/manual.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "cli/app.h"
#include "cli/completion.h"
#include "cli/packaging/roff.h"
#include "cli/packaging/surroundings.h"
#include "cli/version.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/pattern.h"
#include "tests/support/source_tree.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::manual_test {
namespace {

bool has_groff() {
  if (run({.arguments = {"/bin/sh", "-c", "command -v groff > /dev/null"}}).ok()) return true;
  MESSAGE("skipped: needs groff-base");
  return false;
}

Ended rendered(const std::string& page, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"/usr/bin/env", "groff", "-man", "-Tutf8", "-ww"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run({.arguments = arguments, .input = page});
}

// Words with one blank between them, and one at each end.
std::string words_of(const std::string& text) {
  std::string words = " ";
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank) words += c;
    if (blank && words.back() != ' ') words += ' ';
  }
  return words.back() == ' ' ? words : words + " ";
}

// In lines that nothing has to be broken for, without the strokes of bold letters.
std::string plain(const std::string& page) {
  const Ended ended = rendered(page, {"-rLL=9000n", "-P-c", "-P-b", "-P-o", "-P-u"});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  return ended.out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// What a help has to say, a line each: labels are left out, and lines that go on are one.
std::vector<std::string> entries_of(const std::string& help) {
  std::vector<std::string> entries;
  bool goes_on = false;
  for (const std::string& line : lines_of(help)) {
    const std::size_t indent = line.find_first_not_of(' ');
    const bool label = indent == 0 && line.ends_with(':');
    if (indent == std::string::npos || label) {
      goes_on = false;
    } else if (goes_on && indent > 2) {
      entries.back() += line;
    } else {
      entries.push_back(line);
      goes_on = true;
    }
  }
  return entries;
}

// The words of each tag of a page with the text behind it.
std::vector<std::string> tagged(const std::string& page) {
  constexpr std::string_view kMark = " @@ ";
  std::string text = ".TH X 1\n.nh\n.SH @@\n";
  const auto lines = lines_of(page);
  for (std::size_t i = 0; i + 2 < lines.size(); ++i) {
    if (lines[i] == ".TP") text += ".TP\n" + lines[i + 1] + "\n" + lines[i + 2] + "\n.SH @@\n";
  }
  const std::string words = words_of(plain(text));
  std::vector<std::string> entries;
  std::size_t begin = words.find(kMark) + 3;
  for (std::size_t end; (end = words.find(kMark, begin)) != std::string::npos; begin = end + 3) {
    entries.push_back(words.substr(begin, end - begin + 1));
  }
  return entries;
}

std::string help_of(const std::string& path) {
  std::vector<std::string> arguments{CHIRP_BINARY};
  for (std::size_t begin = 1; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    arguments.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  arguments.emplace_back("--help");
  const Ended ended = run({.arguments = arguments});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  return ended.out;
}

// The page of `/user` also documents `/user/add`.
bool is_on(const std::string& page, const std::string& path) {
  const std::string top = path.substr(0, path.find('/', 1));
  return page == (top.empty() ? "chirp" : "chirp-" + top.substr(1));
}

using Facts = std::vector<std::pair<std::string, std::string>>;

// The rows of the table below a heading of docs/operations.md.
Facts rows_below(std::string_view heading) {
  static const Pattern kRow(R"(\| (.+) \| (.+) \|)");
  Facts rows;
  bool below = false;
  for (const std::string_view view : source_file("docs/operations.md").lines()) {
    const std::string line(view);
    if (line.starts_with("## ")) below = line == "## " + std::string(heading);
    if (!below || line.starts_with("| --- ")) continue;
    const Match cells = kRow.match_all_of(line);
    if (!cells.empty()) rows.emplace_back(cells[1], cells[2]);
  }
  return rows;
}

// Those that the manual prints, as it prints them: without the marks of Markdown.
std::vector<std::string> facts_of_the_manual() {
  std::vector<std::string> said;
  for (const auto list : {cli::exit_statuses(), cli::environment(), cli::files()}) {
    for (const auto& [name, text] : list) {
      std::string fact = std::string(name) + " " + std::string(text);
      std::erase(fact, '`');
      said.push_back(fact);
    }
  }
  return said;
}

const std::vector<cli::ManualPage>& pages() {
  static const std::vector<cli::ManualPage> kPages = cli::manual_pages(cli::CommandLine().root());
  return kPages;
}

const std::vector<cli::CompletionNode>& commands() {
  static const std::vector<cli::CompletionNode> kCommands =
      cli::completion_nodes(cli::CommandLine());
  return kCommands;
}

}  // namespace

TEST_CASE("manual: there is a page for the program and for each noun") {
  std::size_t named = 0;
  for (const auto& command : commands()) {
    const auto told = std::count_if(pages().begin(), pages().end(), [&](const auto& page) {
      return is_on(page.name, command.path);
    });
    CHECK_MESSAGE(told == 1, command.path);
    if (std::count(command.path.begin(), command.path.end(), '/') <= 1) ++named;
  }
  CHECK(pages().size() == named);
}

TEST_CASE("manual: it says what the help says, and nothing else") {
  if (!has_groff()) return;
  for (const cli::ManualPage& page : pages()) {
    const std::string said = words_of(plain(page.text));
    std::string helps;
    for (const auto& command : commands()) {
      if (!is_on(page.name, command.path)) continue;
      const std::string help = help_of(command.path);
      helps += help;
      for (const std::string& entry : entries_of(help)) {
        const std::string usage = entry.starts_with("Usage: ") ? entry.substr(7) : entry;
        CHECK_MESSAGE(said.find(words_of(usage)) != std::string::npos, page.name,
                      " lacks: ", entry);
      }
    }
    if (page.name == "chirp") {
      for (const std::string& fact : facts_of_the_manual()) helps += "\n" + fact;
    }
    const std::string asked = words_of(helps);
    for (const std::string& entry : tagged(page.text)) {
      CHECK_MESSAGE(asked.find(entry) != std::string::npos, page.name, " alone says: ", entry);
    }
  }
}

TEST_CASE("manual: exit statuses, environment and files are those of the documents") {
  for (const auto& [heading, list] :
       {std::pair{"Exit status", cli::exit_statuses()},
        std::pair{"Environment", cli::environment()}, std::pair{"Files", cli::files()}}) {
    CAPTURE(heading);
    Facts told;
    for (const auto& [name, text] : list) told.emplace_back(name, text);
    Facts rows = rows_below(heading);
    // The names of the columns, where there are any.
    if (!rows.empty() && rows.front().first == "status") rows.erase(rows.begin());
    CHECK(rows == told);
  }
  if (!has_groff()) return;
  const std::string said = words_of(plain(pages().front().text));
  for (const std::string& fact : facts_of_the_manual()) {
    CHECK_MESSAGE(said.find(words_of(fact)) != std::string::npos, "chirp(1) lacks: ", fact);
  }
  for (const char* const heading : {" EXIT STATUS ", " ENVIRONMENT ", " FILES "}) {
    CHECK(said.find(heading) != std::string::npos);
  }
}

TEST_CASE("manual: it names every variable that the program reads") {
  static const Pattern kVariable(R"re((?:getenv|envname)\("(\w+)"\)|"(CHIRP_MAPSIZE\w*)")re");
  std::string named;
  for (const auto& [name, text] : cli::environment()) named += std::string(name) + " ";
  std::size_t seen = 0;
  for (const SourceFile& file : source_tree()) {
    if (!file.is_cpp() || file.layer() == "tests") continue;
    for (const Match& match : kVariable.all_in(file.text)) {
      ++seen;
      const std::string& variable = match[1].empty() ? match[2] : match[1];
      const bool found = named.find("`" + variable + "`") != std::string::npos;
      CHECK_MESSAGE((found || variable == "TERM"), file.path, " reads ", variable);
    }
  }
  CHECK(seen > 15);
}

TEST_CASE("manual: groff and man have nothing to complain of") {
  if (!has_groff()) return;
  const bool has_man = run({.arguments = {"/bin/sh", "-c", "command -v man > /dev/null"}}).ok();
  if (!has_man) MESSAGE("skipped in part: needs man-db");
  const TempFolder folder;
  for (const cli::ManualPage& page : pages()) {
    CAPTURE(page.name);
    for (const char* const columns : {"-rLL=78n", "-rLL=40n"}) {
      const Ended ended = rendered(page.text, {columns, "-z"});
      CHECK(ended.ok());
      CHECK(ended.err == "");
    }
    if (!has_man) continue;
    const std::string file = (folder / (page.name + ".1")).string();
    write_file(file, page.text);
    const Ended shown = run({.arguments = {"/usr/bin/env", "man", "--warnings", "-l", file},
                             .environment = {"MANPAGER=cat", "MANWIDTH=80"}});
    CHECK(shown.ok());
    CHECK(shown.err == "");
    CHECK(shown.out.find(std::string("chirp ") + std::string(cli::program_version())) !=
          std::string::npos);
  }
}

TEST_CASE("manual: the command prints each page by its name, and says which there are") {
  std::string names;
  for (const cli::ManualPage& page : pages()) {
    names += page.name + "\n";
    CHECK(run({.arguments = {CHIRP_BINARY, "manual", page.name}}).out == page.text);
  }
  CHECK(run({.arguments = {CHIRP_BINARY, "manual", "--list"}}).out == names);
  CHECK(run({.arguments = {CHIRP_BINARY, "manual"}}).out == pages().front().text);
  const std::string user = run({.arguments = {CHIRP_BINARY, "manual", "user"}}).out;
  CHECK(user.starts_with(".TH \"CHIRP\\-USER\" 1 "));
  const Ended none = run({.arguments = {CHIRP_BINARY, "manual", "heron"}});
  CHECK(none.status == 2);
  CHECK(none.err == "chirp: There is no page \"heron\". `chirp manual --list` lists the pages.\n");
}

TEST_CASE("manual: text is shown as it is written") {
  if (!has_groff()) return;
  for (const std::string text :
       {".TH at the start", "'quoted' `ticks` ^ ~ \"marks\" a\\b \\n \\fB", "--no-wait -h",
        "one\n.two\n'three", "[OPTION…] “so” naïve ø", "%d \\(em", "push|pull|hybrid"}) {
    CAPTURE(text);
    const std::string words =
        words_of(plain(".TH T 1\n.nh\n.SH N\n.EX\n" + cli::roff(text) + "\n.EE\n"));
    CHECK(words.find(words_of(text)) != std::string::npos);
    const std::string title = words_of(
        plain(".TH T 1\n.nh\n.SH N\n.TP\n.B " + cli::roff_argument("a " + text + " z") + "\nx\n"));
    if (text.find('\n') == std::string::npos) {
      CHECK(title.find(words_of(text)) != std::string::npos);
    }
  }
}

}  // namespace chirp::test::manual_test
