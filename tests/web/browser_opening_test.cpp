// Goal: what is opened from the page opens as its reader expects: in a tab of its own where they
// ask for one, and large and in turn where there are several pictures. Method: the real server,
// clicks with and without Control, keys, and what the windows show then.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/web/site.h"

namespace chirp::test {
namespace {

// Somebody with a post, whom mira follows.
void add_reader(Site& site) {
  site.add_user("mira", "Mira Okafor");
  site.add_user("tomas", "Tomás");
  site.chirp({"follow", "add", "mira", "tomas"});
}

}  // namespace

TEST_CASE("browser: a click with Control opens a post or a view in a tab that is signed in") {
  if (no_browser()) return;
  Site site;
  add_reader(site);
  const std::string id = site.post("tomas", "Open me");
  site.serve();
  SignedIn browser(site, "mira");
  browser.click_with_control("article.post .post-text");
  browser.show_opened_window();
  browser.wait("document.querySelector('.post.whole') && document.body.matches('.signed-in')");
  CHECK(browser.text("location.hash") == "#/post/" + id);
  browser.show_window(0);
  CHECK(browser.holds("location.hash !== '#/post/" + id + "'"));
  browser.click_with_control("article.post .author");
  browser.show_opened_window();
  browser.wait("document.querySelector('.profile') && document.body.matches('.signed-in')");
  browser.show_window(0);
  browser.click("article.post .post-text");
  browser.wait("location.hash === '#/post/" + id + "' && document.querySelector('.post.whole')");
}

TEST_CASE("browser: pictures are looked at one after the other, by clicks and by keys") {
  if (no_browser()) return;
  Site site;
  add_reader(site);
  const std::string picture = CHIRP_SOURCE_DIR "/docs/feed.png";
  site.chirp({"post", "add", "tomas", "Three", "--media", picture, "--alt", "The first", "--media",
              picture, "--alt", "The second", "--media", picture, "--alt", "The last"});
  site.post("tomas", "Between");
  site.chirp({"post", "add", "tomas", "One", "--media", picture});
  site.serve();
  SignedIn browser(site, "mira", 360, 740);
  const std::string title = "document.querySelector('dialog h2').textContent";
  const std::string said = "document.querySelector('dialog img').alt";

  browser.json(
      "(() => { const one = document.querySelectorAll('.pictures.of-3 .picture')[1]; one.focus(); "
      "one.click(); })()");
  browser.wait("document.querySelector('dialog img')?.naturalWidth > 0");
  CHECK(browser.text(title) == "Picture 2 of 3: The second");
  CHECK(browser.text(said) == "The second");
  browser.click("dialog [aria-label='Next picture']");
  CHECK(browser.text(title) == "Picture 3 of 3: The last");
  CHECK(browser.text(said) == "The last");
  CHECK(browser.text("document.querySelector('dialog figcaption').textContent") == "The last");
  browser.press({"\uE014"});  // right, from the last to the first
  CHECK(browser.text(said) == "The first");
  browser.press({"\uE012", "\uE012"});  // left
  CHECK(browser.text(title) == "Picture 2 of 3: The second");
  CHECK(
      browser.holds("[...document.querySelectorAll('dialog button')].every((button) => "
                    "button.getBoundingClientRect().right <= innerWidth)"));
  for (const Scheme scheme : {Scheme::kLight, Scheme::kDark}) {
    browser.prefer(scheme);
    browser.screenshot(scheme == Scheme::kDark ? "lightbox-dark" : "lightbox");
  }
  browser.press({key::kEscape});
  browser.wait("document.querySelector('dialog') === null");
  CHECK(browser.holds(
      "document.activeElement === document.querySelectorAll('.pictures.of-3 .picture')[1]"));

  browser.json("document.querySelector('.pictures.of-1 .picture').click()");
  browser.wait("document.querySelector('dialog img')?.naturalWidth > 0");
  CHECK(browser.number("document.querySelectorAll('dialog .lightbox button').length") == 0);
}

TEST_CASE(
    "browser: a home that nobody holds yet takes twelve requests, and then its modules none") {
  if (no_browser()) return;
  Site site;
  add_reader(site);
  site.post("tomas", "Without a picture");
  site.serve();
  SignedIn browser(site, "mira");
  // As sign_in() leaves it: loaded for the second time, in a browser that holds what it may.
  browser.wait("performance.getEntriesByName(`${location.origin}/v1/feed/refresh`).length === 1");
  const std::string names =
      "performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname)";
  INFO(browser.text(names + ".join(' ')"));
  // The document and the stream, which has no end, are not in the list.
  CHECK(browser.number(names + ".length") + 2 <= 12);
  CHECK(browser.number("new Set(" + names + ").size") == browser.number(names + ".length"));
  CHECK(browser.holds(
      "performance.getEntriesByType('resource').filter((entry) => "
      "entry.name.includes('/site-') && /[.](js|css)$/.test(entry.name)).length === 3"));
  CHECK(
      browser.holds("performance.getEntriesByType('resource').filter((entry) => "
                    "entry.name.includes('/site-')).every((entry) => entry.transferSize === 0)"));
  CHECK(browser.complaints() == std::vector<std::string>{});
}

}  // namespace chirp::test
