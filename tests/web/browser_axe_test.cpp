// Goal: the rules of axe, of WCAG 2.1 A and AA and of good practice, hold on every view of the page
// and in the lab's report, light and dark. Method: axe runs in the browser where CHIRP_AXE names
// its file (axe.min.js); elsewhere this is skipped, and says so.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/temp_folder.h"
#include "tests/web/site.h"

namespace chirp::test {
namespace {

// Empty, with a message, if axe is missing.
std::string axe() {
  const char* file = std::getenv("CHIRP_AXE");
  if (file == nullptr) {
    MESSAGE("skipped: CHIRP_AXE names no axe.min.js");
    return {};
  }
  std::ifstream in(file);
  REQUIRE_MESSAGE(in, file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What is in sight and against a rule, a line each.
std::string violations(Browser& browser, const std::string& script) {
  if (browser.holds("window.axe === undefined")) {
    browser.json(fmt::format("(() => {{ {}\n; return true; }})()", script));
  }
  return browser.text(R"js((async () => {
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];
    const { violations } = await axe.run(document, { runOnly: tags, resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.html}`)).join('\n');
  })())js");
}

void check_schemes(Browser& browser, const std::string& script) {
  for (const Scheme scheme : {Scheme::kLight, Scheme::kDark}) {
    browser.prefer(scheme);
    INFO(std::string(scheme == Scheme::kDark ? "dark" : "light"));
    CHECK(violations(browser, script) == "");
  }
}

}  // namespace

TEST_CASE("browser: the rules of axe hold on every view") {
  if (no_browser()) return;
  const std::string script = axe();
  if (script.empty()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  site.add_user("tomas", "Tomás Lind");
  site.chirp({"follow", "add", "mira", "tomas"});
  const std::string bread = site.post("tomas", "The sourdough has opinions today. #bread");
  site.post("mira", "An answer for @tomas, with https://example.org/");
  site.serve({"--demo"});
  Browser browser(1280, 900);
  site.open(browser);
  check_schemes(browser, script);
  site.sign_in(browser, "mira");
  for (const std::string& view :
       {std::string("#/"), std::string("#/@tomas"), std::string("#/@mira/followers"),
        std::string("#/people"), std::string("#/trends"), std::string("#/tag/bread"),
        std::string("#/notifications"), std::string("#/settings"), std::string("#/nowhere"),
        "#/post/" + bread, std::string("#/stage")}) {
    INFO(view);
    site.show(browser, view);
    check_schemes(browser, script);
  }
  site.show(browser, "#/");
  browser.click(".xray-switch");
  browser.wait("document.querySelector('.engine .histogram')");
  check_schemes(browser, script);
  browser.click(".new-post");
  browser.wait("document.querySelector('dialog[open] textarea')");
  check_schemes(browser, script);
}

TEST_CASE(
    "browser: the lab's report asks for nothing, fits every screen and the night, and keeps to "
    "axe's rules") {
  if (no_browser()) return;
  Site site;
  for (const char* const name : {"mira", "tomas", "leila"}) site.add_user(name, name);
  site.chirp({"follow", "add", "mira", "tomas"});
  site.chirp({"follow", "add", "leila", "tomas"});
  for (int i = 0; i < 5; ++i) site.post("tomas", fmt::format("The sourdough, part {}.", i));
  const TempFolder folder;
  const std::string report = (folder / "lab.html").string();
  site.chirp({"lab", "--reads-per-user", "100", "--report", report});
  Browser browser(1280, 900);
  browser.open("file://" + report);
  CHECK(browser.number("document.querySelectorAll('svg').length") >= 5);
  CHECK(browser.number("performance.getEntriesByType('resource').length") == 0);
  for (const int width : {360, 768, 1280, 1920}) {
    browser.resize(width, 900);
    INFO(width);
    CHECK(browser.number("document.documentElement.scrollWidth") <= width);
  }
  const auto background = [&](Scheme scheme) {
    browser.prefer(scheme);
    return browser.text("getComputedStyle(document.body).backgroundColor");
  };
  CHECK(background(Scheme::kLight) != background(Scheme::kDark));
  if (const std::string script = axe(); !script.empty()) check_schemes(browser, script);
  CHECK(browser.complaints().empty());
}

}  // namespace chirp::test
