// Goal: the layers, and the folders within each, need one another in one direction alone.
// Method: reads the include lines of the source tree. What breaks a rule is named with file and
// line, a circle with the folders on it.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/pattern.h"
#include "tests/support/source_tree.h"

namespace chirp::test::layers_test {
namespace {

struct Include {
  std::size_t line;
  bool rooted;  // "of the project", not <of the system>
  std::string path;
};

std::vector<Include> includes_of(const SourceFile& file) {
  static const Pattern kInclude(R"re(^\s*#\s*include\s*(["<])([^">]+)[">].*)re");
  std::vector<Include> includes;
  std::size_t number = 0;
  for (const std::string_view line : file.lines()) {
    ++number;
    const Match match = kInclude.match_all_of(line);
    if (!match.empty()) {
      includes.push_back({number, match[1] == "\"", match[2]});
    }
  }
  return includes;
}

using Names = std::set<std::string, std::less<>>;

// Whom a layer may include, itself too.
const std::map<std::string, Names, std::less<>>& arrows() {
  static const std::map<std::string, Names, std::less<>> kArrows{
      {"core", {"core"}},
      {"store", {"core", "store"}},
      {"server", {"core", "server"}},
      {"cli", {"core", "store", "server", "cli"}},
      {"tests", {"core", "store", "server", "cli", "tests"}}};
  return kArrows;
}

// Where a library's headers may be included; tests may include them all.
const std::map<std::string, std::string, std::less<>>& homes() {
  static const std::map<std::string, std::string, std::less<>> kHomes{
      {"lmdb.h", "store"},          {"sqlite3.h", "store"},
      {"crypt.h", "store"},         {"xxhash.h", "store"},
      {"httplib.h", "cli"},         {"CLI/CLI.hpp", "cli"},
      {"archive.h", "cli"},         {"csv.h", "cli"},
      {"hiredis/hiredis.h", "cli"}, {"idn2.h", "store"},
      {"openssl/sha.h", "store"},   {"openssl/evp.h", "store"},
      {"dlfcn.h", "store"},         {"libpq-fe.h", "store/postgres"}};
  return kHomes;
}

std::string first_folder(std::string_view path) {
  return std::string(path.substr(0, path.find('/')));
}

// No files, no sockets, no screen; chance and time are handed in.
bool core_may_include(const std::string& path) {
  static const Names kOutside{"chrono", "filesystem", "fstream", "iostream", "random"};
  if (path.starts_with("fmt/") || path == "utf8proc.h") return true;
  const bool standard = path.find_first_of("./") == std::string::npos;
  return standard && !kOutside.contains(path);
}

// The one place of the core that turns calendar dates into numbers, without asking what time it is.
constexpr std::string_view kCalendar = "core/model/time.cpp";

// What of the server a file of the command line may name: the server as a whole, where it answers,
// and the JSON and the charts that both write. Besides, the measurements hold it against bare
// sockets, and one of them has the engine of the server without any.
bool cli_may_name(const SourceFile& file, const std::string& part) {
  static const Names kShared{"server/charts", "server/hosts", "server/json", "server/service"};
  static const Names kEngine{"server/engine", "server/log", "server/metrics"};
  if (file.path.starts_with("cli/bench/reference/") && kEngine.contains(part)) return true;
  return kShared.contains(part) || (file.path.starts_with("cli/bench") && part == "server/http");
}

// A part of a layer is a folder of it, or what is beside the folders: a header and its source.
std::string part_of(std::string_view path, std::string_view within) {
  const std::size_t folder = path.find('/', within.size() + 1);
  return std::string(path.substr(0, folder == std::string_view::npos ? path.rfind('.') : folder));
}
std::string part_of(std::string_view path) { return part_of(path, first_folder(path)); }

// Whom each part includes, and one of the lines that do.
using Parts = std::map<std::string, std::map<std::string, std::string>>;

// `within` is a layer, or a folder of one.
Parts parts_of(std::string_view within) {
  const auto is_within = [&](const std::string& path) {
    return path.starts_with(fmt::format("{}/", within));
  };
  Parts parts;
  each_cpp([&](const SourceFile& file) {
    if (!is_within(file.path)) return;
    const std::string part = part_of(file.path, within);
    for (const Include& include : includes_of(file)) {
      if (!include.rooted || !is_within(include.path)) continue;
      const std::string other = part_of(include.path, within);
      if (other == part) continue;
      parts[part].emplace(other, fmt::format("{}:{}", file.path, include.line));
    }
  });
  return parts;
}

// Looks for a way from a part back to itself.
class CircleFinder {
 public:
  explicit CircleFinder(const Parts& parts) : parts_(parts) {}

  // A line for each step of a circle; empty if the folders have none.
  std::string run() {
    for (const auto& [part, others] : parts_) {
      if (leads_back(part)) break;
    }
    return found_;
  }

 private:
  // Whether the way so far, and `part` at its end, leads on into a circle.
  bool leads_back(const std::string& part) {
    const auto begin = std::find(way_.begin(), way_.end(), part);
    if (begin != way_.end()) {
      tell({begin, way_.end()});
      return true;
    }
    if (!seen_.insert(part).second) return false;
    way_.push_back(part);
    const auto others = parts_.find(part);
    if (others != parts_.end()) {
      for (const auto& [other, line] : others->second) {
        if (leads_back(other)) return true;
      }
    }
    way_.pop_back();
    return false;
  }

  void tell(const std::vector<std::string>& circle) {
    for (std::size_t i = 0; i < circle.size(); ++i) {
      const std::string& next = circle[(i + 1) % circle.size()];
      found_ += fmt::format("\n{} needs {} ({})", circle[i], next, parts_.at(circle[i]).at(next));
    }
  }

  const Parts& parts_;
  Names seen_;
  std::vector<std::string> way_;
  std::string found_;
};

}  // namespace

TEST_CASE("layers: every arrow between layers points the way it may") {
  each_cpp([](const SourceFile& file) {
    const auto allowed = arrows().find(file.layer());
    if (allowed == arrows().end()) return report(file, 1, "C++ in a folder that is no layer");
    for (const Include& include : includes_of(file)) {
      if (!include.rooted) continue;
      if (!allowed->second.contains(first_folder(include.path))) {
        report(file, include.line,
               fmt::format("{} may not include {}", file.layer(), include.path));
      }
      if (!is_in_tree(include.path)) {
        report(file, include.line, "includes are rooted at the repository: no such file");
      }
    }
  });
}

TEST_CASE("layers: each library stays behind its wall") {
  each_cpp([](const SourceFile& file) {
    for (const Include& include : includes_of(file)) {
      if (include.rooted || file.layer() == "tests") continue;
      const auto home = homes().find(include.path);
      if (home != homes().end() && !file.path.starts_with(home->second + "/")) {
        report(file, include.line, fmt::format("{} belongs below {}/", include.path, home->second));
      }
      if (file.layer() != "core" || core_may_include(include.path)) continue;
      if (file.path == kCalendar && include.path == "chrono") continue;
      report(file, include.line, fmt::format("core knows nothing of {}", include.path));
    }
  });
}

TEST_CASE("layers: no folders of a layer need each other in a circle") {
  for (const std::string_view layer : {"core", "store", "server", "cli", "store/postgres"}) {
    const Parts parts = parts_of(layer);
    CHECK_FALSE(parts.empty());
    CHECK_MESSAGE(CircleFinder(parts).run() == "", "a circle in ", layer);
  }
}

TEST_CASE("layers: the command line names of the server what it shares with it alone") {
  each_cpp([](const SourceFile& file) {
    if (file.layer() != "cli") return;
    for (const Include& include : includes_of(file)) {
      if (!include.rooted || first_folder(include.path) != "server") continue;
      if (cli_may_name(file, part_of(include.path))) continue;
      report(file, include.line, fmt::format("cli may not include {}", include.path));
    }
  });
}

TEST_CASE("layers: a circle of folders is found where there is one") {
  Parts parts{{"a", {{"b", "a/1.h:1"}, {"d", "a/1.h:2"}}}, {"b", {{"c", "b/1.h:1"}}}};
  CHECK(CircleFinder(parts).run() == "");
  parts["d"]["b"] = "d/1.h:1";  // two ways, and no circle
  CHECK(CircleFinder(parts).run() == "");
  parts["c"]["d"] = "c/1.h:7";
  CHECK(CircleFinder(parts).run() ==
        "\nb needs c (b/1.h:1)\nc needs d (c/1.h:7)\nd needs b (d/1.h:1)");
}

}  // namespace chirp::test::layers_test
