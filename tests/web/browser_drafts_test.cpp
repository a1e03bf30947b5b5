// Goal: nothing that was written is lost.
// Method: the page is left in each possible way while a field has text; then it is opened again.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/web/site.h"

namespace chirp::test {
namespace {

constexpr std::string_view kField = "main .composer textarea";

std::string field_holds(std::string_view selector, std::string_view text) {
  return fmt::format("document.querySelector('{}')?.value === '{}'", selector, text);
}

std::string heading_is(std::string_view words) {
  return fmt::format("document.querySelector('main h1')?.textContent === '{}'", words);
}

void serve_two(Site& site) {
  site.add_user("mira", "Mira Okafor");
  site.add_user("yuki", "Yuki Hara");
  site.serve();
}

}  // namespace

TEST_CASE("browser: a draft outlives a reload, a link, Escape and a sign-in that has ended") {
  if (no_browser()) return;
  Site site;
  serve_two(site);
  SignedIn browser(site, "mira");
  browser.type(kField, "Half a thought");
  browser.json("document.querySelector('main .privacy-choice').value = 'followers'");
  browser.type(kField, ",");
  browser.reload();
  browser.wait(field_holds(kField, "Half a thought,"));
  CHECK(browser.text("document.querySelector('main .privacy-choice').value") == "followers");

  browser.json("document.activeElement.blur()");
  browser.press({"n"});
  browser.wait(field_holds("dialog[open] textarea", "Half a thought,"));
  browser.press({"a", key::kEscape});
  browser.wait("document.querySelector('dialog') === null");
  browser.wait(field_holds(kField, "Half a thought,a"));

  browser.click("nav a[href='#/people']");
  browser.wait(heading_is("People"));
  browser.click(".new-post");
  browser.wait(field_holds("dialog[open] textarea", "Half a thought,a"));
  site.chirp({"user", "token", "mira", "--revoke"});
  // The page's stream may learn of it first, and has closed the dialog then.
  browser.json("document.querySelector('dialog [type=submit]')?.click()");
  browser.wait("document.querySelector('dialog') === null");
  take_up(browser, "Sign in");
  sign_in_by_form(browser, "mira");
  browser.wait("location.hash === '#/people'");
  browser.wait(field_holds("dialog[open] textarea", "Half a thought,a"));
  browser.click("dialog [type=submit]");
  browser.wait("document.querySelector('dialog') === null");
  CHECK(site.chirp({"feed", "show", "mira"}).find("Half a thought,a") != std::string::npos);
  site.show(browser, "#/");
  CHECK(browser.holds(field_holds(kField, "")));
}

TEST_CASE("browser: a draft is thrown away on purpose alone, and that can be undone") {
  if (no_browser()) return;
  Site site;
  serve_two(site);
  SignedIn browser(site, "mira");
  browser.type(kField, "Never mind");
  browser.click("main .composer .discard");
  browser.wait(field_holds(kField, ""));
  take_up(browser, "Undo");
  browser.wait(field_holds(kField, "Never mind"));
  browser.click("main .composer .discard");
  browser.wait(field_holds(kField, ""));
  browser.reload();
  browser.wait("document.querySelector('body.signed-in main .composer')");
  CHECK(browser.holds(field_holds(kField, "")));
}

TEST_CASE("browser: each account has its own drafts, of posts and comments and replies") {
  if (no_browser()) return;
  Site site;
  serve_two(site);
  const std::string id = site.post("yuki", "What do you say?");
  SignedIn browser(site, "mira");
  browser.type(kField, "Of Mira");
  site.show(browser, "#/post/" + id);
  browser.type(".comment-composer textarea", "First");
  browser.click(".comment-composer [type=submit]");
  browser.wait("document.querySelectorAll('.comment').length === 1");
  browser.json(
      "[...document.querySelectorAll('.comment .action')].find((action) => "
      "action.textContent === 'Reply').click()");
  browser.type(".thread .comment-composer textarea", "A reply");
  browser.type(".comment-composer textarea", "Second");
  browser.reload();
  browser.wait(field_holds(".thread .comment-composer textarea", "A reply"));
  CHECK(browser.holds(field_holds(".comment-composer textarea", "Second")));

  sign_out(browser);
  sign_in_by_form(browser, "yuki");
  site.show(browser, "#/post/" + id);
  browser.wait("document.querySelectorAll('.comment').length === 1");
  CHECK(browser.holds(field_holds(".comment-composer textarea", "")));
  CHECK(browser.holds("document.querySelector('.thread .comment-composer') === null"));
  site.show(browser, "#/");
  browser.wait(field_holds(kField, ""));

  sign_out(browser);
  sign_in_by_form(browser, "mira");
  site.show(browser, "#/");
  browser.wait(field_holds(kField, "Of Mira"));
}

TEST_CASE("browser: a draft is one in all tabs, and is published once") {
  if (no_browser()) return;
  Site site;
  serve_two(site);
  SignedIn browser(site, "mira");
  browser.type(kField, "Said in one");
  browser.open_window();
  site.show(browser, "#/");
  browser.wait(field_holds(kField, "Said in one"));
  browser.type(kField, " of two tabs");
  browser.show_window(0);
  browser.wait(field_holds(kField, "Said in one of two tabs"));
  browser.show_window(1);
  browser.click("main .composer [type=submit]");
  browser.wait(field_holds(kField, ""));
  browser.show_window(0);
  browser.wait(field_holds(kField, ""));
  browser.type(kField, "And then another");
  browser.click("main .composer [type=submit]");
  browser.wait(field_holds(kField, ""));
  CHECK(browser.complaints() == std::vector<std::string>{});
  const std::string shown = site.chirp({"feed", "show", "mira"});
  CHECK(shown.find("Said in one of two tabs") != std::string::npos);
  CHECK(shown.find("And then another") != std::string::npos);
}

TEST_CASE("browser: nothing can be written into what is being published") {
  if (no_browser()) return;
  Site site;
  serve_two(site);
  SignedIn browser(site, "mira");
  browser.type(kField, "On its way");
  CHECK(
      browser.holds("(document.querySelector('main .composer').requestSubmit(), "
                    "document.querySelector('main .composer textarea').readOnly)"));
  browser.wait(field_holds(kField, ""));
  CHECK(browser.holds("!document.querySelector('main .composer textarea').readOnly"));
}

}  // namespace chirp::test
