// Goal: people and hashtags are found as they are typed, with and without a mouse.
// Method: a small world made from the command line; typing and keys in the page.
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/web/site.h"

namespace chirp::test {
namespace {

constexpr std::string_view kUp = "\uE013";  // the arrow

}  // namespace

TEST_CASE("browser: people are found as they are typed, and by keys alone") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Lindgren");
  site.add_user("tomas", "Tomás Lind");
  site.add_user("yuki", "Yuki Hara");
  site.post("tomas", "#autumn");
  site.serve();
  Browser browser(1280, 900);
  browser.open(site.url() + "/#/people");
  const auto await_people = [&](std::string_view names) {
    browser.wait(
        fmt::format("[...document.querySelectorAll('.person .username')].map((name) => "
                    "name.textContent).join(' ') === '{}'",
                    names));
  };
  await_people("@mira @tomas @yuki");
  const auto look_for = [&](std::string_view words) {
    browser.json("document.querySelector('#find').value = ''");
    browser.type("#find", words);
  };
  look_for("@yuk");
  await_people("@yuki");
  look_for("lind tomas");
  await_people("@tomas");
  look_for("LINDGRÈN");
  await_people("@mira");

  // The arrows lead into the results and back, Enter opens.
  look_for("lind");
  await_people("@mira @tomas");
  const auto focused = [&] {
    return browser.text("document.activeElement.getAttribute('href') ?? document.activeElement.id");
  };
  browser.press({key::kDown});
  CHECK(focused() == "#/@mira");
  browser.press({key::kDown, key::kDown});
  CHECK(focused() == "#/@tomas");
  browser.press({kUp, kUp});
  CHECK(focused() == "find");
  browser.press({key::kEnter});
  browser.wait("location.hash === '#/@mira'");

  // Enter before the results are there.
  browser.open(site.url() + "/#/people");
  await_people("@mira @tomas @yuki");
  look_for("yuk");
  browser.press({key::kEnter});
  browser.wait("location.hash === '#/@yuki'");

  browser.open(site.url() + "/#/people");
  await_people("@mira @tomas @yuki");
  look_for("#Autumn");
  browser.wait("document.querySelector('a.tag-link')");
  browser.press({key::kEnter});
  browser.wait("location.hash === '#/tag/Autumn' && document.querySelector('article.post')");
  CHECK(browser.complaints() == std::vector<std::string>{});
}

}  // namespace chirp::test
