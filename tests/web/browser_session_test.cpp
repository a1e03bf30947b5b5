// Goal: all tabs of a browser are signed in as one, and a session that has ended says so.
// Method: two windows of one browser; the command line ends a session behind their backs.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/web/site.h"

namespace chirp::test::browser_session_test {
namespace {

void serve_two(Site& site) {
  site.add_user("mira", "Mira Okafor");
  site.add_user("yuki", "Yuki Hara");
  site.serve();
}

}  // namespace

TEST_CASE("browser: a tab that is opened is signed in, and who signs out is so in every tab") {
  if (no_browser()) return;
  Site site;
  serve_two(site);
  const std::string id = site.post("yuki", "To come back to");
  SignedIn browser(site, "mira");
  site.show(browser, "#/post/" + id);
  browser.open_window();
  browser.open(site.url() + "/");
  browser.wait("document.body.classList.contains('signed-in')");
  sign_out(browser);

  browser.show_window(0);
  browser.wait("!document.body.classList.contains('signed-in')");
  browser.wait(
      "document.querySelector('.message').textContent.startsWith("
      "'You signed out in another tab')");
  take_up(browser, "Sign in");
  sign_in_by_form(browser, "mira");
  browser.wait(fmt::format("location.hash === '#/post/{}'", id));

  browser.show_window(1);
  browser.wait("document.body.classList.contains('signed-in')");
}

TEST_CASE("browser: a session that was ended elsewhere ends in every tab at the first refusal") {
  if (no_browser()) return;
  Site site;
  serve_two(site);
  const std::string id = site.post("yuki", "To like");
  SignedIn browser(site, "mira");
  browser.open_window();
  browser.open(site.url() + "/");
  browser.wait("document.body.classList.contains('signed-in')");
  browser.show_window(0);
  site.show(browser, "#/post/" + id);
  site.chirp({"user", "token", "mira", "--revoke"});
  browser.click("article.post .react");
  for (const std::size_t window : {0U, 1U}) {
    browser.show_window(window);
    browser.wait(
        "!document.body.classList.contains('signed-in') && document.querySelector('.message')"
        ".textContent.startsWith('Your session has ended')");
  }
  CHECK(browser.holds("document.querySelector('#sign-in') !== null"));
}

TEST_CASE("browser: a tab that slept answers late, and signs in the page that has asked it") {
  if (no_browser()) return;
  Site site;
  serve_two(site);
  Browser browser(1280, 900);
  site.open(browser);
  browser.json(fmt::format(R"js((async () => {{
    const token = '{}';
    const headers = {{ Authorization: `Bearer ${{token}}` }};
    const user = await (await fetch('/v1/users/me', {{ headers }})).json();
    new BroadcastChannel('chirp.session').postMessage({{ what: 'have', token, user }});
  }})())js",
                           site.token("mira")));
  browser.wait("document.body.classList.contains('signed-in')");
  browser.wait("document.querySelector('[role=feed]')?.getAttribute('aria-busy') === 'false'");
  CHECK(browser.holds("document.querySelector('#sign-in') === null"));
}

}  // namespace chirp::test::browser_session_test
