// Goal: the web page is in the binary whole, holds together, and can never run what a user wrote.
// Method: the assets are held against the files they come from; the modules are read as text, their
// imports looked up in what other modules export, and their source searched for what is forbidden.
#include "server/web/assets.h"

#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/pattern.h"
#include "tests/support/source_tree.h"

namespace chirp::test::assets_test {
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

// Comments of whole lines say what code may not.
std::string without_comments(std::string_view text) {
  static const Pattern kLine(R"re((^|\n)\s*//[^\n]*)re");
  return kLine.replaced_in(text, "\n");
}

Names exports_of(std::string_view text) {
  static const Pattern kExport(
      R"re(export\s+(?:async\s+)?(?:function\*?|const|let|class)\s+([\w$]+))re");
  Names names;
  for (const Match& match : kExport.all_in(text)) {
    names.insert(match[1]);
  }
  return names;
}

// The names between the braces of an import, as the other module has them.
std::vector<std::string> imported_in(const std::string& braces) {
  static const Pattern kName(R"re(([\w$]+)(?:\s+as\s+[\w$]+)?)re");
  std::vector<std::string> names;
  for (const Match& match : kName.all_in(braces)) {
    names.push_back(match[1]);
  }
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
  static const Pattern kEtag(R"re("[0-9a-f]{20}")re");
  Names etags;
  for (const web::Asset& asset : web::sources()) {
    const std::string ending(asset.path.substr(asset.path.rfind('.') + 1));
    const auto type = kTypes.find(ending);
    CHECK(asset.type == (type == kTypes.end() ? "text/html; charset=utf-8" : type->second));
    CHECK(kEtag.is_all_of(asset.etag));
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
  static const Pattern kNamed(R"re(import\s*\{([^}]*)\}\s*from\s*'\./([\w.]+)';)re");
  static const Pattern kWhole(R"re(import\s*\*\s*as\s+(\w+)\s+from\s*'\./([\w.]+)';)re");
  static const Pattern kAny(R"re((^|\n)(import\b|export\s*[{*]))re");
  std::size_t seen = 0;
  for (const web::Asset& asset : web::sources()) {
    if (!is_module(asset)) continue;
    std::size_t resolved = 0;
    const auto exports = [&](const std::string& module) -> Names {
      const web::Asset* const other = source(fmt::format("/app/{}", module));
      CHECK_MESSAGE(other != nullptr, asset.path, " imports ", module);
      return other == nullptr ? Names{} : exports_of(other->body);
    };
    for (const Match& match : kNamed.all_in(asset.body)) {
      ++resolved;
      const Names names = exports(match[2]);
      for (const std::string& name : imported_in(match[1])) {
        CHECK_MESSAGE(names.contains(name), asset.path, ": ", match[2], " has no ", name);
      }
    }
    for (const Match& match : kWhole.all_in(asset.body)) {
      ++resolved;
      const Names names = exports(match[2]);
      const Pattern used(fmt::format(R"re([^\w./]{}\.(\w+))re", match[1]));
      for (const Match& use : used.all_in(without_comments(asset.body))) {
        CHECK_MESSAGE(names.contains(use[1]), asset.path, ": ", match[2], " has no ", use[1]);
      }
    }
    const std::size_t all = kAny.all_in(asset.body).size();
    CHECK_MESSAGE(all == resolved, asset.path, " imports in a way that this test does not read");
    seen += resolved;
  }
  CHECK(seen > 100);
}

TEST_CASE("web page: the document names every style sheet and the first module, and only those") {
  static const Pattern kLink(R"re((?:href|src)="([^"]+)")re");
  Names named;
  const web::Asset* const page = source("/");
  REQUIRE(page != nullptr);
  for (const Match& match : kLink.all_in(page->body)) {
    named.insert(match[1]);
  }
  Names expected{"/app/main.js", "/app/early.js", "/favicon.svg"};
  for (const web::Asset& asset : web::sources()) {
    if (asset.path.ends_with(".css")) expected.insert(std::string(asset.path));
  }
  CHECK(named == expected);
}

TEST_CASE("web page: what is served names what was made of the files, and that is kept for ever") {
  static const Pattern kLink(R"re((?:href|src)="([^"]+)")re");
  static const Pattern kVersion("[0-9a-f]{20}");
  CHECK(kVersion.is_all_of(web::version()));
  const web::Asset* const page = web::find("/");
  REQUIRE(page != nullptr);
  CHECK(page->holding == web::Holding::kAsked);
  std::size_t named = 0;
  for (const Match& match : kLink.all_in(page->body)) {
    ++named;
    const web::Asset* const asset = web::find(match[1]);
    REQUIRE_MESSAGE(asset != nullptr, "the page names ", match[1]);
    CHECK(asset->holding == web::Holding::kForever);
    CHECK(asset->path.starts_with(fmt::format("/site-{}/", web::version())));
  }
  CHECK(named == 4);  // the picture, the early script, the style sheet, the module
  static const Pattern kSheet(R"re(rel="stylesheet" href="([^"]+)")re");
  std::string sheets;  // in the order in which the file names them
  for (const Match& match : kSheet.all_in(source("/")->body)) {
    sheets += source(match[1])->body;
  }
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
    static const Pattern kExport(R"re((^|\n)export )re");
    const std::size_t last = asset.body.rfind("\nimport ");
    const std::size_t from = last == std::string_view::npos ? 0 : asset.body.find(";\n", last) + 2;
    const std::string part = kExport.replaced_in(asset.body.substr(from), "$1");
    CHECK_MESSAGE(all.find(part, at) != std::string_view::npos, name, " has other lines there");
  }
}

TEST_CASE("web page: every icon that is asked for is drawn") {
  static const Pattern kDrawn(R"re(\n  (\w+): \[')re");
  static const Pattern kAsked(R"re(icon\('(\w+)'|icon: '(\w+)')re");
  Names drawn;
  for (const Match& match : kDrawn.all_in(source("/app/icons.js")->body)) {
    drawn.insert(match[1]);
  }
  CHECK(drawn.size() > 20);
  for (const web::Asset& asset : web::sources()) {
    for (const Match& match : kAsked.all_in(asset.body)) {
      const std::string name = !match[1].empty() ? match[1] : match[2];
      CHECK_MESSAGE(drawn.contains(name), asset.path, " asks for the icon ", name);
    }
  }
}

TEST_CASE("web page: nothing in it turns text into markup or into a program") {
  static const std::vector<std::pair<const char*, Pattern>> kForbidden{
      {"markup out of a string",
       Pattern(R"re(\b(innerHTML|outerHTML|insertAdjacentHTML|setHTML\w*|srcdoc|DOMParser|)re"
               R"re(createContextualFragment)\b|document\.write)re")},
      {"a program out of a string",
       Pattern(R"re(\beval\b|\bFunction\(|\bimport\(|javascript:|set(Timeout|Interval)\(['"`])re")},
      {"a style in an element", Pattern(R"re(\.style\b|cssText|<style|[\s']style['"]?[=:])re")},
      {"a listener in an attribute",
       Pattern(R"re(<[^>]*\son\w+=|setAttribute\([^)]*'on|[{,]\s*on[a-z]+:\s*['"`])re")},
      {"a script in the page", Pattern(R"re(<script(?![^>]* src=))re")},
      {"something from another host",
       Pattern(R"re(@import|url\(|https?://(?!www\.w3\.org/2000/svg)[\w.])re")},
      {"a word for the console", Pattern(R"re(\bconsole\.|\bdebugger\b|\balert\()re")}};
  for (const web::Asset& asset : web::sources()) {
    const std::string text = without_comments(asset.body);
    for (const auto& [what, pattern] : kForbidden) {
      for (const Match& match : pattern.all_in(text)) {
        FAIL_CHECK(fmt::format("{}: {}: {}", asset.path, what, match[0]));
      }
    }
  }
}

TEST_CASE("web page: a token is never part of an address") {
  static const Pattern kAddress(R"re([^\n]*(searchParams|\bhref\b|location)[^\n]*)re");
  static const Pattern kUse(R"re(session\.token\(\)|\btoken\b)re");
  for (const web::Asset& asset : web::sources()) {
    if (!is_module(asset) || asset.path == "/app/session.js") continue;
    const std::string text = without_comments(asset.body);
    for (const Match& line : kAddress.all_in(text)) {
      CHECK_MESSAGE(!kUse.is_in(line[0]), asset.path, ": ", line[0]);
    }
  }
}

}  // namespace chirp::test::assets_test
