// Goal: what the page shows of people and hashtags is as things are: after what changes it, after a
// reload, and of everybody.
// Method: clicks in the page, and then the figures, the picture and the order that it shows.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/web/site.h"

namespace chirp::test {
namespace {

void serve_three(Site& site) {
  site.add_three();
  site.chirp({"follow", "add", "mira", "yuki"});
  site.post("tomas", "From a stranger #bread");
  site.post("yuki", "From a friend #bread");
  site.post("yuki", "From a friend");
  site.serve();
}

std::string figures_have(std::string_view words) {
  return fmt::format("document.querySelector('.profile .figures')?.textContent.includes('{}')",
                     words);
}

void go(Browser& browser, std::string_view view) {
  browser.json(fmt::format("location.hash = '{}'", view));
}

}  // namespace

TEST_CASE(
    "browser: the numbers of a profile follow what the page does, and views that were left do") {
  if (no_browser()) return;
  Site site;
  serve_three(site);
  SignedIn browser(site, "mira");
  go(browser, "#/@mira");
  browser.wait(figures_have("1 following"));
  go(browser, "#/@tomas");
  browser.wait(figures_have("0 followers"));
  browser.click(".profile .follow:not([hidden])");
  browser.wait(figures_have("1 follower"));
  browser.back();
  browser.wait("location.hash === '#/@mira'");
  browser.wait(figures_have("2 following"));
}

TEST_CASE("browser: the order of the feed is kept, and a picture is at the top once it is chosen") {
  if (no_browser()) return;
  Site site;
  serve_three(site);
  SignedIn browser(site, "mira");
  const std::string order = "document.querySelector('main .tabs [aria-pressed=true]')?.textContent";
  browser.wait(order + " === 'Latest'");
  browser.click("main .tabs [aria-pressed=false]");
  browser.wait(order + " === 'Ranked'");
  browser.reload();
  browser.wait(order + " === 'Ranked'");
  go(browser, "#/settings");
  browser.wait("document.querySelector('main h1')?.textContent === 'Settings'");
  browser.json(
      "(async () => { const canvas = new OffscreenCanvas(40, 30); canvas.getContext('2d');"
      "const files = new DataTransfer(); files.items.add(new File([await canvas.convertToBlob()],"
      "'me.png', { type: 'image/png' }));"
      "const input = document.querySelector('main input[type=file]');"
      "input.files = files.files; input.dispatchEvent(new Event('change')); })()");
  browser.wait("document.querySelector('.top-bar img.avatar')?.naturalWidth === 40");
}

TEST_CASE("browser: a hashtag shows the public posts of strangers, and they open") {
  if (no_browser()) return;
  Site site;
  serve_three(site);
  SignedIn browser(site, "mira");
  go(browser, "#/tag/bread");
  browser.wait("document.querySelectorAll('article.post').length === 2");
  CHECK(browser.text("[...document.querySelectorAll('article.post .username')].map((name) => "
                     "name.textContent).join(' ')") == "@yuki @tomas");
  browser.json(
      "[...document.querySelectorAll('main button')].find((button) => "
      "button.textContent === 'Also search your feed').click()");
  browser.wait("document.querySelector('main').textContent.includes('among 2 posts of your feed')");
  CHECK(browser.number("document.querySelectorAll('article.post').length") == 2);
  browser.json("document.querySelectorAll('article.post .post-text')[1].click()");
  browser.wait(
      "document.querySelector('.post.whole .post-text')?.textContent === "
      "'From a stranger #bread'");
}

}  // namespace chirp::test
