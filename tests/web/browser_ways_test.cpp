// Goal: one finds one's way: Back, Home, the focus, addresses and titles lead where a person
// expects them to. Method: the real server; a feed of several pages, dialogs, and a server that is
// gone.
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/web/site.h"

namespace chirp::test::browser_ways_test {
namespace {

constexpr std::string_view kHeading = "document.querySelector('main h1')?.textContent";

void shows(Browser& browser, std::string_view heading) {
  browser.wait(fmt::format("{} === '{}'", kHeading, heading));
}

// As many pages as are let go from the document's head when one reads on.
void fill(const Site& site) {
  std::string posts;
  for (int i = 1; i <= 400; ++i) {
    posts += fmt::format(
        R"({{"id": "{}", "author": "mira", "text": "Number {}", "created_at": "2026-01-01T{:02}:{:02}:00Z"}})"
        "\n",
        i, i, i / 60, i % 60);
  }
  site.chirp({"load", "posts", "-"}, posts);
}

}  // namespace

TEST_CASE("browser: Home leads to the newest post from however far below") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  fill(site);
  site.serve();
  SignedIn browser(site, "mira");
  const auto at_top = [&] {
    browser.wait(
        "scrollY === 0 && document.querySelector('article.post .post-text')?.textContent === "
        "'Number 400'");
  };
  const auto read_down = [&] {
    browser.wait(
        "(scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }), "
        "!document.querySelector('main').textContent.includes('Number 400'))");
  };
  read_down();
  browser.click("a.way[href='#/']");
  at_top();
  read_down();
  browser.json(
      "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true, "
      "cancelable: true }))");
  at_top();
  CHECK(browser.holds("document.querySelector('.to-top').hidden"));
  read_down();
  browser.wait("!document.querySelector('.to-top').hidden");
  browser.click(".to-top");
  at_top();
}

TEST_CASE("browser: Back closes what is open over a view, and leaves nothing in the history") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  const std::string id = site.post("mira", "Liked by its author");
  site.chirp({"post", "react", "mira", id});
  site.serve();
  SignedIn browser(site, "mira");
  browser.json("location.hash = '#/people'");
  shows(browser, "People");
  browser.json(fmt::format("location.hash = '#/post/{}'", id));
  shows(browser, "Post");

  browser.click("article.post .likers");
  browser.wait("document.querySelector('dialog[open]')");
  browser.back();
  browser.wait("!document.querySelector('dialog')");
  CHECK(browser.text(kHeading) == "Post");

  browser.click("article.post .likers");
  browser.wait("document.querySelector('dialog[open]')");
  browser.press({key::kEscape});
  browser.wait("!document.querySelector('dialog') && !history.state.isCover");
  CHECK(browser.text(kHeading) == "Post");
  browser.back();
  shows(browser, "People");

  // A link in a dialog takes its place.
  browser.json(fmt::format("location.hash = '#/post/{}'", id));
  shows(browser, "Post");
  browser.click("article.post .likers");
  browser.click("dialog[open] a.person-link");
  shows(browser, "Mira Okafor");
  browser.wait("!document.querySelector('dialog')");
  browser.back();
  shows(browser, "Post");
  browser.back();
  shows(browser, "People");
}

TEST_CASE("browser: the focus goes on when a view changes or what it was in is gone") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  const std::string older = site.post("mira", "The older");
  const std::string newer = site.post("mira", "The newer");
  site.serve();
  SignedIn browser(site, "mira");
  browser.reload();
  browser.wait(fmt::format("document.querySelector('article[data-post-id=\"{}\"]')", newer));
  browser.json("location.hash = '#/people'");
  browser.wait("document.activeElement.matches('main h1')");
  browser.back();
  browser.wait("document.activeElement.matches('main h1')");

  browser.click(fmt::format("article[data-post-id=\"{}\"] .menu-holder button", newer));
  browser.json(
      "[...document.querySelectorAll('.menu-item')].find((item) => item.textContent === "
      "'Remove').click()");
  browser.click("dialog[open] .danger");
  browser.wait(fmt::format("!document.querySelector('article[data-post-id=\"{}\"]')", newer));
  CHECK(browser.text("document.activeElement.dataset.postId ?? document.activeElement.tagName") ==
        older);
}

TEST_CASE("browser: an address without its hash leads to its view, and a wrong one is reported") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  site.post("mira", "Here");
  site.serve();
  Browser browser(1280, 900);
  browser.open(site.url() + "/@mira");
  shows(browser, "Mira Okafor");
  browser.open(site.url() + "/trends");
  shows(browser, "Trends");
  browser.open(site.url() + "/nonsense");
  shows(browser, "There is no page at this address.");
}

TEST_CASE("browser: what could not be read says so in its place, and is read when tried again") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  site.serve();
  Browser browser(1280, 900);
  browser.run_before_pages(
      "window.refusing = true; const real = window.fetch; window.fetch = (url, options) => "
      "window.refusing && String(url).includes('/v1/trends') ? Promise.resolve(new Response('{}', "
      "{ status: 500 })) : "
      "real(url, options);");
  browser.open(site.url() + "/#/trends");
  browser.wait(
      "document.querySelectorAll('main .card [role=alert] button, aside .card [role=alert] "
      "button').length === 2");
  browser.json("window.refusing = false");
  browser.click("main .card [role=alert] button");
  browser.wait("document.querySelector('main .card').textContent === 'No trending hashtags.'");
}

TEST_CASE(
    "browser: a message takes the place of the one about the same, and the title counts what is "
    "unread") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  site.add_user("yuki", "Yuki Hara");
  site.chirp({"follow", "add", "mira", "yuki"});
  site.chirp({"follow", "add", "yuki", "mira"});
  site.post("yuki", "To repost");
  site.serve();
  SignedIn browser(site, "mira");
  CHECK(browser.text("document.title") == "(1) Home · chirp");
  for (const std::string_view words :
       {"Reposted to your followers.", "Your repost is removed.", "Reposted to your followers."}) {
    browser.click("article.post .repost");
    browser.wait(
        fmt::format("[...document.querySelectorAll('.message span')].map((each) => "
                    "each.textContent).join() === '{}'",
                    words));
  }
  site.post("yuki", "To wait for");
  browser.wait(
      "document.querySelector('link[rel=icon]').getAttribute('href') === '/favicon-new.svg'");
  browser.click(".new-posts");
  browser.wait("document.querySelector('link[rel=icon]').getAttribute('href') === '/favicon.svg'");
}

TEST_CASE("browser: signing up shows what is missing, and what one types if one likes") {
  if (no_browser()) return;
  Site site;
  site.serve();
  Browser browser(1280, 800);
  browser.open(site.url() + "/#/sign-up");
  browser.type("#sign-up [name=username]", "mira");
  browser.type("#sign-up [name=password]", std::string(kPassword));
  browser.click("#sign-up .reveal");
  CHECK(browser.text("document.querySelector('#sign-up [name=password]').type") == "text");
  browser.click("#sign-up button[type=submit]");
  browser.wait(
      "document.querySelector('[data-error-for=email]').textContent === 'Enter an e-mail "
      "address.'");
  CHECK(browser.text("document.activeElement.name") == "email");
  CHECK(browser.text("[...document.querySelectorAll('#sign-up "
                     "input:not([type=checkbox])')].map((each) => each.name).join()") ==
        "username,password,email,displayName");
}

TEST_CASE("browser: Post is in sight above the keyboard of a phone") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  site.serve();
  SignedIn browser(site, "mira", 360, 640);
  browser.click(".new-post");
  browser.wait("document.querySelector('dialog[open] textarea')");
  browser.resize(360, 340);
  browser.type("dialog[open] textarea", "Lines\n\n\n\n\n\n\n\nmore lines than there is room for");
  browser.wait(
      "(() => { const box = document.querySelector('dialog[open] "
      "button[type=submit]').getBoundingClientRect();"
      " return box.bottom <= innerHeight && box.top >= 0; })()");
  CHECK(
      browser.holds("(() => { const at = document.querySelector('dialog[open] "
                    "button[type=submit]').getBoundingClientRect();"
                    " return document.elementFromPoint(at.x + at.width / 2, at.bottom - "
                    "2).closest('button[type=submit]') !== null; })()"));
}

TEST_CASE("browser: pictures of people without one have all twelve hues") {
  if (no_browser()) return;
  Site site;
  for (int i = 0; i < 40; ++i) site.chirp({"user", "add", fmt::format("user{}", i)});
  site.serve();
  Browser browser(1280, 900);
  browser.open(site.url() + "/#/people");
  browser.wait("document.querySelectorAll('main .person').length >= 30");
  CHECK(browser.number("new Set([...document.querySelectorAll('main svg.avatar')].map((each) => "
                       "each.getAttribute('class'))).size") >= 8);
}

}  // namespace chirp::test::browser_ways_test
