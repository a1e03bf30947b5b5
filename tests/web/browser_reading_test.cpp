// Goal: what people write and what the page says reads well, on a narrow screen and a wide one, and
// nothing that is shown passes itself off as something else.
// Method: the real server, texts and names that used to look wrong, and measuring what chromium
// made of them in both themes.
#include <cmath>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/web/site.h"

namespace chirp::test {
namespace {

constexpr std::string_view kText = "document.querySelector('article.post .post-text').textContent";

void add_two(const Site& site) {
  site.add_user("mira", "Mira Okafor");
  site.add_user("tomas", "Tomás");
  site.chirp({"follow", "add", "mira", "tomas"});
  site.chirp({"follow", "add", "tomas", "mira"});
}

// Where an element ends and begins, against the window: "in" or what is wrong.
std::string in_sight(std::string_view selector) {
  return fmt::format(
      "(() => {{ const box = document.querySelector(`{}`).getBoundingClientRect();"
      "return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth"
      " ? 'in' : JSON.stringify(box); }})()",
      selector);
}

}  // namespace

TEST_CASE("browser: blank lines fold, and nothing in a text turns the text around it") {
  if (no_browser()) return;
  Site site;
  add_two(site);
  site.post("tomas",
            "\u202Egpj.exe\u202C \u202Dover\n\n \n\n\n\u2067\u05d0\u05d1\u2069 below @mira");
  site.serve();
  SignedIn browser(site, "mira");
  CHECK(browser.text(fmt::format("JSON.stringify({})", kText)) ==
        "\"gpj.exe over\\n\\n\u2067\u05d0\u05d1\u2069 below @mira\"");
  CHECK(browser.text("getComputedStyle(document.querySelector('.post-text a')).unicodeBidi") ==
        "isolate");
}

TEST_CASE("browser: a long name gives way to the handle, and the whole of that is read") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  site.add_user("a_long_username", std::string(50, 'W'));
  site.chirp({"follow", "add", "mira", "a_long_username"});
  site.post("a_long_username", "Here");
  site.serve();
  SignedIn browser(site, "mira");
  for (const int width : {360, 620, 1280, 1920}) {
    CAPTURE(width);
    browser.resize(width, 740);
    CHECK(browser.holds(
        "(() => { const name = document.querySelector('.author .username');"
        "return name.scrollWidth <= name.clientWidth && name.clientWidth > 100; })()"));
    CHECK(browser.number("document.documentElement.scrollWidth") == width);
  }
}

TEST_CASE("browser: what publishes a post stays in sight however long it is, in one row") {
  if (no_browser()) return;
  Site site;
  add_two(site);
  site.serve();
  SignedIn browser(site, "mira", 360, 640);
  for (const Scheme scheme : {Scheme::kLight, Scheme::kDark}) {
    browser.prefer(scheme);
    browser.click(".new-post");
    std::string text;
    for (int i = 0; i < 45; ++i) text += "A line\n";
    browser.type("dialog textarea", text);
    CHECK(browser.text(in_sight("dialog [type=submit]")) == "in");
    CHECK(
        browser.holds("(() => { const top = (sought) => { const box = "
                      "document.querySelector(sought).getBoundingClientRect();"
                      "return (box.top + box.bottom) / 2; };"
                      "return Math.abs(top('dialog [type=submit]') - top('dialog select')) < 4; "
                      "})()"));
    browser.screenshot(scheme == Scheme::kDark ? "narrow-dialog-dark" : "narrow-dialog");
    browser.press({key::kEscape});
    browser.wait("document.querySelector('dialog') === null");
  }
}

TEST_CASE("browser: the band of a lost server covers neither the bar nor what is read") {
  if (no_browser()) return;
  Site site;
  add_two(site);
  for (int i = 0; i < 20; ++i) site.post("tomas", fmt::format("Post {}\nand\na\nfew\nlines", i));
  site.serve();
  SignedIn browser(site, "mira", 360, 740);
  const std::string band = "document.querySelector('.offline-band').getBoundingClientRect()";
  const std::string bar = "document.querySelector('.top-bar').getBoundingClientRect()";
  const std::string post = "document.querySelectorAll('article.post')[4].getBoundingClientRect()";
  browser.json("scrollTo({ top: 700, behavior: 'instant' })");
  const double place = browser.number(post + ".top");
  browser.json("window.realFetch = window.fetch");
  browser.json("window.fetch = () => Promise.reject(new TypeError('no server'))");
  browser.json("document.querySelectorAll('article.post')[4].querySelector('.react').click()");
  browser.wait("!document.querySelector('.offline-band').hidden");
  CHECK(browser.number(band + ".top") == 0);
  CHECK(browser.number(fmt::format("{}.top - {}.bottom", bar, band)) == 0);
  CHECK(
      browser.holds("document.querySelector('.offline-band').scrollHeight <= "
                    "document.querySelector('.offline-band').clientHeight"));
  CHECK(std::abs(browser.number(post + ".top") - place) < 2);
  browser.json("window.fetch = window.realFetch");
  browser.json("window.dispatchEvent(new Event('online'))");
  browser.wait("document.querySelector('.offline-band').hidden");
  CHECK(browser.number(bar + ".top") == 0);
  CHECK(std::abs(browser.number(post + ".top") - place) < 2);
}

TEST_CASE("browser: an address that leads nowhere says so") {
  if (no_browser()) return;
  Site site;
  site.serve();
  Browser browser(360, 740);
  for (const char* const address :
       {"#/wat", "#/post/12x", "#/@a_name_that_is_too_long", "#people"}) {
    CAPTURE(address);
    browser.open(site.url() + "/" + address);
    browser.wait(
        "document.querySelector('main h1')?.textContent === 'There is no page at this address.'");
    CHECK(browser.text("document.querySelector('main code').textContent") == address);
    CHECK(browser.number("document.documentElement.scrollWidth") == 360);
  }
}

TEST_CASE("browser: links inside of text differ by more than their colour") {
  if (no_browser()) return;
  Site site;
  add_two(site);
  site.chirp({"user", "edit", "tomas", "--bio", "With @mira and #bread"});
  site.post("tomas", "See https://example.org/a, #bread and @mira");
  site.serve();
  Browser browser(1280, 900);
  site.open(browser);
  const std::string all_underlined =
      "(() => { const links = [...document.querySelectorAll('main :is(p, .post-text) a')];"
      "return links.length > 0 && links.every((link) => "
      "getComputedStyle(link).textDecorationLine === 'underline'); })()";
  CHECK(browser.holds(all_underlined));
  site.sign_in(browser, "mira");
  CHECK(browser.holds(all_underlined));
  site.show(browser, "#/@tomas");
  CHECK(browser.holds(all_underlined));
}

TEST_CASE("browser: following back is offered for followers, for screen readers as well") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  site.add_user("tomas", "Tomás");
  site.chirp({"follow", "add", "tomas", "mira"});
  site.serve();
  SignedIn browser(site, "mira");
  site.show(browser, "#/@tomas");
  browser.wait("document.querySelector('.profile .follow')?.textContent === 'Follow back'");
  CHECK(browser.text("document.querySelector('.profile .follow').ariaLabel") ==
        "Follow back @tomas");
}

TEST_CASE("browser: a lock means private, and nothing else does") {
  if (no_browser()) return;
  Site site;
  add_two(site);
  site.chirp({"post", "add", "mira", "For me", "--privacy", "private"});
  site.post("tomas", "For all");
  site.serve();
  Browser browser(1280, 900);
  site.open(browser);
  CHECK(browser.number("document.querySelectorAll('.icon-lock').length") == 0);
  site.sign_in(browser, "mira");
  CHECK(browser.number("document.querySelectorAll('.privacy .icon-lock').length") == 1);
  browser.json(
      "document.querySelectorAll('article.post .post-head .menu-holder .button')"
      ".forEach((opener) => opener.click())");
  site.show(browser, "#/@tomas");
  browser.click(".profile .menu-holder .button");
  browser.wait("document.querySelector('[role=menu] .icon-block')");
  CHECK(browser.number("document.querySelectorAll('.icon-lock').length") == 0);
}

TEST_CASE("browser: a histogram names each of its bars once") {
  if (no_browser()) return;
  Site site;
  site.serve();
  Browser browser(800, 600);
  browser.open(site.url() + "/");
  CHECK(browser.text("(async () => { const { histogram } = await import('/app/chart.js');"
                     "return [1, 2, 3, 5].map((n) => [...histogram([...Array(n).keys()].map((i) => "
                     "({ name: String(i), value: 1 })), 'x').querySelectorAll('.scale span')]"
                     ".map((name) => name.textContent).join('')).join(' '); })()") ==
        "0 01 012 024");
}

}  // namespace chirp::test
