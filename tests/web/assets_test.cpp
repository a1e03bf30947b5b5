// Goal: the web page is in the binary whole, holds together, and can never run what a user wrote.
// Method: the assets are held against the files they come from; the modules are read as text, their
// imports looked up in what other modules export, and their source searched for what is forbidden.
#include "server/web/assets.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/source_tree.h"

namespace chirp::test {
namespace {

constexpr std::string_view kSite = "server/web/site";

using Names = std::set<std::string, std::less<>>;

bool is_module(const web::Asset& asset) {
  return asset.path.ends_with(".js") && asset.path != "/app/early.js";
}

// The file that is served at `path`, as it is in the repository.
const web::Asset* source(std::string_view path) {
  for (const web::Asset& asset : web::sources()) {
    if (asset.path == path) return &asset;
  }
  return nullptr;
}

template <class Visit>
void each_match(std::string_view text, const std::regex& pattern, Visit visit) {
  using Matches = std::regex_iterator<std::string_view::const_iterator>;
  for (Matches at(text.begin(), text.end(), pattern); at != Matches(); ++at) visit(*at);
}

// Comments of whole lines say what code may not.
std::string without_comments(std::string_view text) {
  static const std::regex kLine(R"re((^|\n)\s*//[^\n]*)re");
  return std::regex_replace(std::string(text), kLine, "\n");
}

Names exports_of(std::string_view text) {
  static const std::regex kExport(
      R"re(export\s+(?:async\s+)?(?:function\*?|const|let|class)\s+([\w$]+))re");
  Names names;
  each_match(text, kExport, [&](const auto& match) { names.insert(match[1].str()); });
  return names;
}

// The names between the braces of an import, as the other module has them.
std::vector<std::string> imported_in(const std::string& braces) {
  static const std::regex kName(R"re(([\w$]+)(?:\s+as\s+[\w$]+)?)re");
  std::vector<std::string> names;
  each_match(braces, kName, [&](const auto& match) { names.push_back(match[1].str()); });
  return names;
}

}  // namespace

TEST_CASE("web page: every file of it is in the binary as it is, and nothing else is") {
  std::size_t files = 0;
  for (const SourceFile& file : source_tree()) {
    if (!file.path.starts_with(kSite)) continue;
    ++files;
    std::string path = file.path.substr(kSite.size());
    if (path == "/index.html") path = "/";
    const web::Asset* asset = source(path);
    REQUIRE_MESSAGE(asset != nullptr, path, " is not in the binary");
    CHECK_MESSAGE(asset->body == file.text, path, " has other bytes in the binary");
  }
  CHECK(files > 30);
  CHECK(web::sources().size() == files);
}

TEST_CASE("web page: each file has the type of its name and an ETag of its own") {
  static const std::map<std::string, std::string, std::less<>> kTypes{
      {"js", "text/javascript; charset=utf-8"},
      {"css", "text/css; charset=utf-8"},
      {"svg", "image/svg+xml"}};
  static const std::regex kEtag(R"re("[0-9a-f]{20}")re");
  Names etags;
  for (const web::Asset& asset : web::sources()) {
    const std::string ending(asset.path.substr(asset.path.rfind('.') + 1));
    const auto type = kTypes.find(ending);
    CHECK(asset.type == (type == kTypes.end() ? "text/html; charset=utf-8" : type->second));
    CHECK(std::regex_match(std::string(asset.etag), kEtag));
    etags.insert(std::string(asset.etag));
  }
  CHECK(etags.size() == web::sources().size());
}

TEST_CASE("web page: what is not there is not found") {
  for (const char* const path : {"", "/index.html", "/app", "/app/", "/app/main", "/app/main.js/",
                                 "//", "/zzz", "/../assets.h", "/APP/MAIN.JS"}) {
    CHECK_MESSAGE(web::find(path) == nullptr, path);
  }
}

TEST_CASE("web page: every import leads to a module that exports the name") {
  static const std::regex kNamed(R"re(import\s*\{([^}]*)\}\s*from\s*'\./([\w.]+)';)re");
  static const std::regex kWhole(R"re(import\s*\*\s*as\s+(\w+)\s+from\s*'\./([\w.]+)';)re");
  static const std::regex kAny(R"re((^|\n)(import\b|export\s*[{*]))re");
  std::size_t seen = 0;
  for (const web::Asset& asset : web::sources()) {
    if (!is_module(asset)) continue;
    std::size_t resolved = 0;
    const auto exports = [&](const std::string& module) -> Names {
      const web::Asset* const other = source(fmt::format("/app/{}", module));
      CHECK_MESSAGE(other != nullptr, asset.path, " imports ", module);
      return other == nullptr ? Names{} : exports_of(other->body);
    };
    each_match(asset.body, kNamed, [&](const auto& match) {
      ++resolved;
      const Names names = exports(match[2].str());
      for (const std::string& name : imported_in(match[1].str())) {
        CHECK_MESSAGE(names.contains(name), asset.path, ": ", match[2].str(), " has no ", name);
      }
    });
    each_match(asset.body, kWhole, [&](const auto& match) {
      ++resolved;
      const Names names = exports(match[2].str());
      const std::regex used(fmt::format(R"re([^\w./]{}\.(\w+))re", match[1].str()));
      each_match(without_comments(asset.body), used, [&](const auto& use) {
        CHECK_MESSAGE(names.contains(use[1].str()), asset.path, ": ", match[2].str(), " has no ",
                      use[1].str());
      });
    });
    std::size_t all = 0;
    each_match(asset.body, kAny, [&](const auto&) { ++all; });
    CHECK_MESSAGE(all == resolved, asset.path, " imports in a way that this test does not read");
    seen += resolved;
  }
  CHECK(seen > 100);
}

TEST_CASE("web page: the document names every style sheet and the first module, and only those") {
  static const std::regex kLink(R"re((?:href|src)="([^"]+)")re");
  Names named;
  const web::Asset* const page = source("/");
  REQUIRE(page != nullptr);
  each_match(page->body, kLink, [&](const auto& match) { named.insert(match[1].str()); });
  Names expected{"/app/main.js", "/app/early.js", "/favicon.svg"};
  for (const web::Asset& asset : web::sources()) {
    if (asset.path.ends_with(".css")) expected.insert(std::string(asset.path));
  }
  CHECK(named == expected);
}

TEST_CASE("web page: what is served names what was made of the files, and that is kept for ever") {
  static const std::regex kLink(R"re((?:href|src)="([^"]+)")re");
  static const std::regex kVersion("[0-9a-f]{20}");
  CHECK(std::regex_match(std::string(web::version()), kVersion));
  const web::Asset* const page = web::find("/");
  REQUIRE(page != nullptr);
  CHECK(page->holding == web::Holding::kAsked);
  std::size_t named = 0;
  each_match(page->body, kLink, [&](const auto& match) {
    ++named;
    const web::Asset* const asset = web::find(match[1].str());
    REQUIRE_MESSAGE(asset != nullptr, "the page names ", match[1].str());
    CHECK(asset->holding == web::Holding::kForever);
    CHECK(asset->path.starts_with(fmt::format("/site-{}/", web::version())));
  });
  CHECK(named == 4);  // the picture, the early script, the style sheet, the module
  static const std::regex kSheet(R"re(rel="stylesheet" href="([^"]+)")re");
  std::string sheets;  // in the order in which the file names them
  each_match(source("/")->body, kSheet,
             [&](const auto& match) { sheets += source(match[1].str())->body; });
  CHECK(web::find(fmt::format("/site-{}/style.css", web::version()))->body == sheets);
}

TEST_CASE("web page: the one module holds every module once, line for line") {
  const std::string_view all = web::find(fmt::format("/site-{}/app.js", web::version()))->body;
  for (const web::Asset& asset : web::sources()) {
    if (!is_module(asset)) continue;
    const std::string name(asset.path.substr(asset.path.rfind('/') + 1));
    const std::size_t at = all.find(fmt::format("\n// ---- {}\n", name));
    REQUIRE_MESSAGE(at != std::string_view::npos, name, " is not in the one module");
    CHECK(all.find(fmt::format("\n// ---- {}\n", name), at + 1) == std::string_view::npos);
    // All behind the imports, but for the word with which a line exports.
    static const std::regex kExport(R"re((^|\n)export )re");
    const std::size_t last = asset.body.rfind("\nimport ");
    const std::size_t from = last == std::string_view::npos ? 0 : asset.body.find(";\n", last) + 2;
    const std::string part =
        std::regex_replace(std::string(asset.body.substr(from)), kExport, "$1");
    CHECK_MESSAGE(all.find(part, at) != std::string_view::npos, name, " has other lines there");
  }
}

TEST_CASE("web page: every icon that is asked for is drawn") {
  static const std::regex kDrawn(R"re(\n  (\w+): \[')re");
  static const std::regex kAsked(R"re(icon\('(\w+)'|icon: '(\w+)')re");
  Names drawn;
  each_match(source("/app/icons.js")->body, kDrawn,
             [&](const auto& match) { drawn.insert(match[1].str()); });
  CHECK(drawn.size() > 20);
  for (const web::Asset& asset : web::sources()) {
    each_match(asset.body, kAsked, [&](const auto& match) {
      const std::string name = match[1].matched ? match[1].str() : match[2].str();
      CHECK_MESSAGE(drawn.contains(name), asset.path, " asks for the icon ", name);
    });
  }
}

TEST_CASE("web page: nothing in it turns text into markup or into a program") {
  static const std::vector<std::pair<const char*, std::regex>> kForbidden{
      {"markup out of a string",
       std::regex(R"re(\b(innerHTML|outerHTML|insertAdjacentHTML|setHTML\w*|srcdoc|DOMParser|)re"
                  R"re(createContextualFragment)\b|document\.write)re")},
      {"a program out of a string",
       std::regex(
           R"re(\beval\b|\bFunction\(|\bimport\(|javascript:|set(Timeout|Interval)\(['"`])re")},
      {"a style in an element", std::regex(R"re(\.style\b|cssText|<style|[\s']style['"]?[=:])re")},
      {"a listener in an attribute",
       std::regex(R"re(<[^>]*\son\w+=|setAttribute\([^)]*'on|[{,]\s*on[a-z]+:\s*['"`])re")},
      {"a script in the page", std::regex(R"re(<script(?![^>]* src=))re")},
      {"something from another host",
       std::regex(R"re(@import|url\(|https?://(?!www\.w3\.org/2000/svg)[\w.])re")},
      {"a word for the console", std::regex(R"re(\bconsole\.|\bdebugger\b|\balert\()re")}};
  for (const web::Asset& asset : web::sources()) {
    const std::string text = without_comments(asset.body);
    for (const auto& [what, pattern] : kForbidden) {
      each_match(text, pattern, [&, words = what](const auto& match) {
        FAIL_CHECK(fmt::format("{}: {}: {}", asset.path, words, match.str()));
      });
    }
  }
}

TEST_CASE("web page: a token is never part of an address") {
  static const std::regex kUse(R"re(session\.token\(\)|\btoken\b)re");
  for (const web::Asset& asset : web::sources()) {
    if (!is_module(asset) || asset.path == "/app/session.js") continue;
    const std::string text = without_comments(asset.body);
    each_match(text, std::regex(R"re([^\n]*(searchParams|\bhref\b|location)[^\n]*)re"),
               [&](const auto& line) {
                 CHECK_MESSAGE(!std::regex_search(line.str(), kUse), asset.path, ": ", line.str());
               });
  }
}

}  // namespace chirp::test
