// Goal: lists of people and of what they did take a few requests whatever their length; if the
// server asks for patience, the page waits and says so. Method: the browser's own record of what
// was fetched; one request is answered with a refusal.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/web/site.h"

namespace chirp::test {
namespace {

// u1 and those who follow.
void add_followers(Site& site, int count) {
  std::string edges = "follower,followee\n";
  for (int i = 2; i <= count + 1; ++i) edges += fmt::format("{},1\n", i);
  site.chirp({"load", "graph", "-"}, edges);
}

// How many answers of the API have come whose address has these words in it.
std::string fetched(std::string_view words) {
  return fmt::format(
      "performance.getEntriesByType('resource').filter(({{ name }}) => name.includes('{}')).length",
      words);
}

constexpr std::string_view kButtons =
    "document.querySelectorAll('.endless .person .follow:not([hidden])')";

}  // namespace

TEST_CASE("browser: the relations to a screenful of people are fetched in one call") {
  if (no_browser()) return;
  Site site;
  add_followers(site, 20);
  site.serve();
  SignedIn browser(site, "u1", 1280, 3000);
  site.show(browser, "#/people");
  browser.wait(fmt::format("{}.length === 20", kButtons));
  // Beside that the home, which is empty, has asked of whom it suggests. What arrives in parts on a
  // busy machine is asked of in as many, and never row by row.
  CHECK(browser.number(fetched("/v1/relationships/batch-get")) <= 5);
  CHECK(browser.number("performance.getEntriesByType('resource').filter(({ name }) => "
                       "name.endsWith('/relationship')).length") == 0);
  CHECK(browser.holds(
      fmt::format("[...{}].every((b) => b.textContent === 'Follow back')", kButtons)));
}

TEST_CASE("browser: one line of notifications takes one request, however many it folds") {
  if (no_browser()) return;
  Site site;
  constexpr int kLikers = 25;  // more than a page of the plain list
  add_followers(site, kLikers);
  const std::string id = site.post("u1", "Worth a like");
  for (int i = 2; i <= kLikers + 1; ++i) {
    site.chirp({"post", "react", fmt::format("u{}", i), id});
  }
  site.serve();
  SignedIn browser(site, "u1");
  browser.click("nav a[href='#/notifications']");
  browser.wait("document.querySelector('.notification .excerpt')?.textContent === 'Worth a like'");
  CHECK(browser.text("document.querySelector('.notification .words').textContent") ==
        fmt::format("u{}, u{} and {} others liked your post", kLikers + 1, kLikers, kLikers - 2));
  CHECK(browser.number(fetched("/v1/notifications?folded")) == 1);
  CHECK(browser.number("document.querySelectorAll('.notification').length") == 1);
}

TEST_CASE("browser: too many requests show for how many seconds to wait, and are then answered") {
  if (no_browser()) return;
  Site site;
  add_followers(site, 3);
  site.serve();
  SignedIn browser(site, "u1");
  browser.json(
      "(() => { const real = window.fetch; window.fetch = (url, ...rest) => {"
      "  if (!String(url).includes('/v1/users?')) return real(url, ...rest);"
      "  window.fetch = real;"
      "  return Promise.resolve(new Response('{\"code\":\"rate_limited\"}', { status: 429,"
      "    headers: { 'Retry-After': '2', 'Content-Type': 'application/problem+json' } })); };"
      "})()");
  browser.json("location.hash = '#/people'");
  browser.wait(
      "[...document.querySelectorAll('.offline-band:not([hidden])')].some((band) => "
      "/Trying again in [12] s\\./.test(band.textContent))");
  browser.wait(fmt::format("{}.length === 3", kButtons));
  browser.wait("document.querySelector('.offline-band:not([hidden])') === null");
}

}  // namespace chirp::test
