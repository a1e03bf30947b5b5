// Goal: what the documents say of the project is so.
// Method: paths, links, packages, settings and headings are read out of the documents and looked up
// in the source tree and in the engine.
#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/settings.h"
#include "tests/model/storage.h"
#include "tests/support/pattern.h"
#include "tests/support/source_tree.h"

namespace chirp::test {
namespace {

template <class Visit>
void each_document(Visit visit) {
  for (const SourceFile& file : source_tree()) {
    if (file.path.ends_with(".md")) visit(file);
  }
}

// The words of a list of packages.
std::vector<std::string> packages_in(std::string_view path) {
  std::vector<std::string> packages;
  for (const std::string_view line : source_file(path).lines()) {
    std::istringstream words(std::string(line.substr(0, line.find('#'))));
    for (std::string word; words >> word;) packages.push_back(word);
  }
  return packages;
}

std::vector<const SourceFile*> decision_records() {
  static const Pattern kRecord(R"re(docs/decisions/\d{4}-[a-z0-9-]+\.md)re");
  std::vector<const SourceFile*> records;
  for (const SourceFile& file : source_tree()) {
    if (kRecord.is_all_of(file.path)) records.push_back(&file);
  }
  return records;
}

// The source files below a folder in one line each, without what parts a literal in two.
std::string literals_below(std::string_view folder) {
  static const Pattern kParted(R"re("\n\s*")re");
  std::string all;
  for (const SourceFile& file : source_tree()) {
    if (file.path.starts_with(folder)) all += kParted.replaced_in(file.text, "");
  }
  return all;
}

}  // namespace

TEST_CASE("docs: every path that the architecture names exists") {
  static const Pattern kPath(R"re((?:core|store|server|cli|tests|testdata|docs|\.ci)/[\w./-]*)re");
  std::size_t seen = 0;
  const std::string& text = source_file("docs/architecture.md").text;
  for (const Match& match : kPath.all_in(text)) {
    std::string path = match[0];
    while (path.ends_with('.')) path.pop_back();
    CHECK_MESSAGE(is_in_tree(path), "docs/architecture.md names ", path);
    ++seen;
  }
  CHECK(seen > 10);
}

TEST_CASE("docs: every folder of a layer has one line in the architecture") {
  std::set<std::string> folders;
  for (const SourceFile& file : source_tree()) {
    const bool product = file.layer() == "core" || file.layer() == "store" ||
                         file.layer() == "server" || file.layer() == "cli";
    if (file.is_cpp() && product) {
      folders.insert(std::filesystem::path(file.path).parent_path().generic_string());
    }
  }
  const auto lines = source_file("docs/architecture.md").lines();
  for (const std::string& folder : folders) {
    const bool is_layer = folder.find('/') == std::string::npos;
    // Files in a layer's own folder may have lines of their own.
    const std::string head = "| `" + folder + (is_layer ? "" : "` |");
    const auto told = std::count_if(lines.begin(), lines.end(),
                                    [&](std::string_view line) { return line.starts_with(head); });
    CHECK_MESSAGE((is_layer ? told > 0 : told == 1), "docs/architecture.md has ", told,
                  " lines that say what is in ", folder);
  }
}

TEST_CASE("docs: every link leads to a file") {
  static const Pattern kLink(R"re(\]\(([^)#:\s]+)(?:#[^)]*)?\))re");
  each_document([](const SourceFile& file) {
    const auto folder = std::filesystem::path(file.path).parent_path();
    for (const Match& match : kLink.all_in(file.text)) {
      const auto target = (folder / match[1]).lexically_normal().generic_string();
      CHECK_MESSAGE(is_in_tree(target), file.path, " links to ", target);
    }
  });
}

TEST_CASE("docs: every document that the code points to exists") {
  static const Pattern kDocument(R"re(docs/[\w/-]+\.(?:md|yaml))re");
  for (const SourceFile& file : source_tree()) {
    if (!file.is_cpp()) continue;
    for (const Match& match : kDocument.all_in(file.text)) {
      CHECK_MESSAGE(is_in_tree(match[0]), file.path, " points to ", match[0]);
    }
  }
}

TEST_CASE("docs: every decision has its four parts, its number and its line in the list") {
  const std::string& list = source_file("docs/decisions/README.md").text;
  const auto records = decision_records();
  CHECK(records.size() > 1);
  static const Pattern kName(R"re(([0-9]{4})-[\w-]+\.md)re");
  int last = 0;
  std::size_t listed = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::string& path = records[i]->path;
    const std::string name = std::filesystem::path(path).filename().string();
    const Match parts = kName.match_all_of(name);
    REQUIRE_MESSAGE(!parts.empty(), path, " is not named as a decision");
    const int number = std::stoi(parts[1]);
    CHECK_MESSAGE(number > last, path, " has a number that is taken");
    last = number;
    const std::size_t place = list.find(fmt::format("\n{}. [", number));
    const bool is_listed = list.find(fmt::format("({})", name)) != std::string::npos;
    CHECK_MESSAGE((is_listed && place != std::string::npos && place > listed), path,
                  " is not in the list of decisions, or not in the order of numbers");
    listed = place;
    CHECK_MESSAGE(records[i]->text.starts_with(fmt::format("# {}. ", number)), path,
                  " does not open with its number");
    std::size_t at = 0;
    for (const char* const part :
         {"Context", "Decision", "Rejected", "What would change our mind"}) {
      at = records[i]->text.find(fmt::format("\n## {}\n", part), at);
      CHECK_MESSAGE(at != std::string::npos, path, " lacks the part: ", part);
      if (at == std::string::npos) break;
    }
  }
}

TEST_CASE("docs: every package has its reason among the decisions") {
  std::string reasons;
  for (const SourceFile* record : decision_records()) reasons += record->text;
  for (const char* const list : {".ci/packages", ".ci/packages-ci"}) {
    for (const std::string& package : packages_in(list)) {
      CHECK_MESSAGE(reasons.find(fmt::format("`{}`", package)) != std::string::npos, list, ": ",
                    package, " has no reason in docs/decisions");
    }
  }
}

TEST_CASE("docs: every test that the pains name is there, and no pain is left out") {
  static const Pattern kName(R"re(`([a-z -]+: [^`]+)`)re");
  std::string cases;
  for (const SourceFile& file : source_tree()) {
    if (file.path.ends_with("_test.cpp")) cases += file.text;
  }
  const std::string& text = source_file("docs/pains.md").text;
  std::size_t named = 0;
  for (const Match& match : kName.all_in(text)) {
    const std::string name = match[1];
    CHECK_MESSAGE(cases.find(fmt::format("TEST_CASE(\"{}\")", name)) != std::string::npos,
                  "docs/pains.md names the test ", name);
    ++named;
  }
  CHECK(named >= 26);
  for (int pain = 1; pain <= 26; ++pain) {
    CHECK_MESSAGE(text.find(fmt::format("\n| {} | ", pain)) != std::string::npos,
                  "docs/pains.md says nothing of pain ", pain);
  }
}

TEST_CASE("docs: every setting is documented with its default") {
  const std::string& text = source_file("docs/operations.md").text;
  const model::ModelStorage storage;
  for (const settings::Setting& setting : settings::all(storage)) {
    const std::string value = settings::text_of(setting.value);
    const bool plain =
        text.find(fmt::format("| `{}` | {} |", setting.key, value)) != std::string::npos;
    const bool quoted =
        text.find(fmt::format("| `{}` | `{}` |", setting.key, value)) != std::string::npos;
    CHECK_MESSAGE((plain || quoted), "docs/operations.md lacks ", setting.key, " with its default ",
                  value);
  }
}

TEST_CASE("docs: every variable that the program reads is documented") {
  static const Pattern kVariable(R"re(getenv\("(\w+)"\))re");
  const std::string& text = source_file("docs/operations.md").text;
  for (const SourceFile& file : source_tree()) {
    if (!file.is_cpp() || file.layer() == "tests") continue;
    for (const Match& match : kVariable.all_in(file.text)) {
      const std::string variable = match[1];
      CHECK_MESSAGE(text.find(variable) != std::string::npos, file.path, " reads ", variable,
                    ", which docs/operations.md does not name");
    }
  }
}

namespace {

// Under which name the sources count what a summary calls "skipped, too long posts".
std::string key_of(std::string_view counted) {
  constexpr std::string_view kSkipped = "skipped, ";
  if (counted.starts_with(kSkipped)) counted.remove_prefix(kSkipped.size());
  std::string key;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const bool begins = i > 0 && counted[i - 1] == ' ' && counted[i] >= 'a' && counted[i] <= 'z';
    if (begins) key.back() = static_cast<char>(counted[i] - 'a' + 'A');
    if (!begins) key += counted[i];
  }
  return key;
}

}  // namespace

TEST_CASE("docs: what the table of formats says is said, is said") {
  static const Pattern kSaid("`([^`]+)`");
  const std::string said = literals_below("testdata/cli/") + literals_below("tests/input/") +
                           literals_below("cli/") + literals_below("core/load/");
  const std::string_view document = source_file("docs/cli.md").text;
  const std::size_t table = document.find("| format | recognised by |");
  REQUIRE(table != std::string_view::npos);
  std::istringstream rows(
      std::string(document.substr(table, document.find("\n\n", table) - table)));
  std::size_t phrases = 0;
  for (std::string row; std::getline(rows, row);) {
    const std::string column = row.substr(row.rfind(" | ", row.size() - 3));
    for (const Match& match : kSaid.all_in(column)) {
      // A placeholder: matches the cases of many names.
      const std::string words = match[1];
      std::istringstream parts(Pattern("…|\\b[0-9]+\\b").replaced_in(words, "\n"));
      for (std::string part; std::getline(parts, part);) {
        INFO(words);
        CHECK(
            (said.find(part) != std::string::npos || said.find(key_of(part)) != std::string::npos));
        ++phrases;
      }
    }
  }
  CHECK(phrases > 30);
}

}  // namespace chirp::test
