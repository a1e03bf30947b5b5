// Goal: the page works in a browser that keeps nothing for it, on a computer whose clock is wrong,
// and with the keys of any layout. Method: scripts that run before the page's own refuse what such
// a browser refuses, and shift the clock.
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/web/site.h"

namespace chirp::test::browser_storage_test {
namespace {

constexpr std::string_view kSignedIn = "document.body.classList.contains('signed-in')";

void sign_in_to_stay(const Site& site, Browser& browser, std::string_view name) {
  site.open(browser);
  browser.click("#sign-in [name=stay]");
  sign_in_by_form(browser, name);
}

// The effect of a key is looked for in the page: `code` is its position on the keyboard.
void press(Browser& browser, std::string_view key, std::string_view code) {
  browser.json(
      fmt::format("document.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{}', code: '{}', "
                  "bubbles: true }}))",
                  key, code));
}

}  // namespace

TEST_CASE("browser: where nothing may be kept, the page shows itself, signs in and says so") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  site.post("mira", "Kept by the server");
  site.serve();
  constexpr std::string_view kRefusals[] = {
      "for (const s of ['localStorage', 'sessionStorage']) Object.defineProperty(window, s, "
      "{ get() { throw new DOMException('no', 'SecurityError'); } }); "
      "window.BroadcastChannel = class { constructor() { throw new DOMException('no', "
      "'SecurityError'); } };",
      "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', "
      "'SecurityError'); } });",
      "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); "
      "};"};
  for (const std::string_view refusal : kRefusals) {
    INFO(refusal);
    Browser browser(1280, 900);
    browser.run_before_pages(refusal);
    sign_in_to_stay(site, browser, "mira");
    browser.wait("document.querySelector('main article.post')");
    browser.wait(
        "document.querySelector('.message')?.textContent.startsWith('This browser stores "
        "nothing')");
    browser.json("document.querySelector('.message button').click()");
    // Every switch that is kept elsewhere works as long as the page is open.
    browser.click(".xray-switch");
    browser.wait("document.body.classList.contains('xray-on')");
    browser.json(
        "[...document.querySelectorAll('.tab')].find((b) => b.textContent === 'Ranked').click()");
    browser.type(".composer textarea", "A draft");
    browser.wait("document.querySelector('.message')?.textContent.includes('can’t save drafts')");
    browser.json("location.hash = '#/people'");
    browser.wait("document.querySelector('main h1')?.textContent === 'People'");
    CHECK(browser.holds(kSignedIn));
  }
}

TEST_CASE(
    "browser: staying signed in is not undone by another tab, nor a new sign-in by an old tab") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  site.add_user("yuki", "Yuki Hara");
  site.serve();
  Browser browser(1280, 900);
  site.open(browser);
  browser.open_window();
  sign_in_to_stay(site, browser, "mira");
  browser.show_window(0);
  browser.wait(kSignedIn);
  CHECK(browser.holds("localStorage.getItem('chirp.token') !== null"));
  CHECK(browser.holds("sessionStorage.getItem('chirp.token') === null"));
  browser.reload();
  browser.wait(kSignedIn);

  // Somebody else signs in to stay, unheard by this tab, whose own sign-in ends then.
  browser.json(fmt::format("localStorage.setItem('chirp.token', '{}')", site.token("yuki")));
  sign_out(browser);
  CHECK(browser.holds("localStorage.getItem('chirp.token') !== null"));
  browser.reload();
  browser.wait(kSignedIn);
}

TEST_CASE("browser: keys work on layouts of other scripts") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  const std::string older = site.post("mira", "The older");
  const std::string newer = site.post("mira", "The newer");
  site.serve();
  SignedIn browser(site, "mira");
  const auto at = [&] {
    return browser.text("document.activeElement.closest('article')?.dataset.postId ?? ''");
  };
  const auto reads_at = [&](const std::string& id) { return at() == id; };
  press(browser, "\u043e", "KeyJ");  // a Cyrillic o
  CHECK(reads_at(newer));
  press(browser, "\u03be", "KeyJ");  // a Greek xi
  CHECK(reads_at(older));
  press(browser, "\u05d7",
        "KeyK");  // no key there on a Hebrew layout, and its letter means nothing to the page
  CHECK(reads_at(newer));
  press(browser, "j", "KeyC");  // a Latin layout decides by its letter
  CHECK(reads_at(older));
  press(browser, "\u00f6", "KeyK");  // an o with a diaeresis is Latin
  CHECK(reads_at(older));
  press(browser, "?", "Minus");
  browser.wait("document.querySelector('dialog[open] h2')?.textContent === 'Keys'");
}

TEST_CASE("browser: ages of posts are computed from the server's clock") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  site.post("mira", "A moment ago");
  site.serve();
  for (const int hours : {-3, 3}) {
    INFO(hours);
    Browser browser(1280, 900);
    browser.run_before_pages(
        fmt::format("const real = Date.now; Date.now = () => real() + {} * 3600e3;", hours));
    site.sign_in(browser, "mira");
    const std::string words = browser.text("document.querySelector('.when time').textContent");
    INFO(words);
    // A test may take minutes on a busy machine, and no hour.
    CHECK((words == "now" || words.ends_with("s") || words.ends_with("m")));
    // The server's clock as the page sees it, by a post that the page itself writes.
    const std::string text = fmt::format("Written by a clock {} hours ahead", hours);
    browser.type(".composer textarea", text);
    browser.click(".composer button[type=submit]");
    browser.wait(fmt::format(
        "document.querySelector('article.post .post-text')?.textContent === '{}'", text));
    CHECK_FALSE(browser.text("document.querySelector('.when time').textContent").ends_with("h"));
  }
}

}  // namespace chirp::test::browser_storage_test
