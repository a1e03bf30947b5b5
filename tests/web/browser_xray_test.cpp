// Goal: the x-ray tells why each post is there, what the page cost, and what the engine does.
// Method: a directory with small tiers, so that the same reader has posts that were pushed and
// posts that are pulled; the panel is compared with what the server publishes.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/web/site.h"

namespace chirp::test {
namespace {

// Aurora has too many followers for pushing, Mira a few; Yuki reads both.
void add_tiers(const Site& site) {
  site.add_celebrity();
  site.add_user("mira", "Mira Okafor");
  site.chirp({"follow", "add", "yuki", "mira"});
}

std::string line_of(std::string_view text) {
  return fmt::format(
      "[...document.querySelectorAll('article.post')].find((post) => "
      "post.querySelector('.post-text').textContent === '{}')?.querySelector('.xray-line')"
      ".textContent",
      text);
}

}  // namespace

TEST_CASE("browser: the x-ray tells a pushed post from a pulled one, and what the page cost") {
  if (no_browser()) return;
  Site site;
  add_tiers(site);
  site.serve();
  SignedIn browser(site, "yuki", 1360, 1000);
  site.post("mira", "To a few");
  site.post("aurora", "To many");
  browser.wait("document.querySelector('.new-posts')?.textContent === '2 new posts'");
  browser.click(".new-posts");
  browser.wait("document.querySelectorAll('article.post').length === 2");
  CHECK(browser.holds("document.querySelector('.xray-line:not([hidden])') === null"));

  browser.click(".xray-switch");
  browser.wait(line_of("To many") + ".includes('You follow @aurora')");
  CHECK(browser.holds(line_of("To a few") + ".includes('You follow @mira')"));
  // Taken in within moments; until then a read finds both pending, and says so.
  browser.wait(
      fmt::format("(document.querySelector('.tab[aria-pressed=true]').click(), "
                  "await new Promise((done) => setTimeout(done, 300)), "
                  "{}.includes('pushed') && {}.includes('pulled'))",
                  line_of("To a few"), line_of("To many")));
  CHECK(browser.holds(
      "/^[0-9,]+ µs for 2 posts: ([0-9]+ sources? merged|from memory), [0-9]+ entr(y|ies) "
      "examined$/.test(document.querySelector('#page-cost').textContent)"));
  browser.screenshot("tiers");

  browser.press({"x"});
  browser.wait("document.querySelector('.xray-panel[hidden]')");
  CHECK(browser.holds("document.querySelector('.xray-line:not([hidden])') === null"));
}

TEST_CASE("browser: the panel of the engine follows what the server publishes") {
  if (no_browser()) return;
  Site site;
  add_tiers(site);
  site.serve();
  SignedIn browser(site, "mira", 1360, 1000);
  browser.click(".xray-switch");
  const auto figure = [](std::string_view name) {
    return fmt::format(
        "[...document.querySelectorAll('.figure')].find((figure) => "
        "figure.querySelector('dt').textContent === '{}')?.querySelector('dd').textContent",
        name);
  };
  browser.wait(figure("celebrity") + " === '1'");
  browser.wait(figure("Streams open") + " === '1'");
  browser.wait(figure("Lag") + " === '0 events'");
  for (const char* const name : {"Deliveries", "Fan-out queue", "Waiting", "Commits", "Store"}) {
    browser.wait(fmt::format("/[0-9]/.test({})", figure(name)));
  }
  browser.wait("document.querySelector('.engine .histogram')");
  browser.type("main .composer textarea", "Watch this");
  browser.click("main .composer [type=submit]");
  // As the server says, and as the timelines are: her own and that of her one follower.
  browser.wait(
      "/Durable and in every feed after .*Delivered to 2 timelines, .* after it was written/.test("
      "document.querySelector('.trace').textContent)");
  browser.screenshot("engine");
  CHECK(browser.complaints() == std::vector<std::string>{});
}

TEST_CASE("browser: an author sees her own tier, and what becomes of her post under the policy") {
  if (no_browser()) return;
  Site site;
  add_tiers(site);
  site.serve();
  SignedIn browser(site, "aurora", 1360, 1000);
  browser.click(".xray-switch");
  browser.wait(
      "/^Policy hybrid: .*You are a celebrity with 6 followers: your next post is pulled\\.$/"
      ".test(document.querySelector('.policy').textContent)");
  CHECK(browser.text("document.querySelector('.figure.own dt').textContent") == "celebrity, you");
  const auto tier = [](std::string_view name) {
    return fmt::format(
        "[...document.querySelectorAll('.tiers .figure')].find((figure) => "
        "figure.querySelector('dt').textContent.startsWith('{}'))?.querySelector('.more')"
        ".textContent",
        name);
  };
  CHECK(browser.text(tier("celebrity")) == "not pushed: readers fetch");
  CHECK(browser.text(tier("regular")) == "pushed to every follower");

  browser.type("main .composer textarea", "Nobody is pushed this");
  browser.click("main .composer [type=submit]");
  browser.wait("document.querySelector('.trace').dataset.state === 'pulled'");
  // What was said of it while fan-out had yet to come to it does not stay.
  browser.wait(line_of("Nobody is pushed this") + ".includes('pulled')");

  site.chirp({"config", "set", "feed.policy", "push"});
  browser.wait(
      "/^Policy push: .*your next post is pushed/.test("
      "document.querySelector('.policy').textContent)");
  CHECK(browser.text(tier("celebrity")) == "pushed to followers who have read recently");
  browser.type("main .composer textarea", "Everybody is pushed this");
  browser.click("main .composer [type=submit]");
  browser.wait("document.querySelector('.trace').dataset.state === 'delivered'");
  CHECK(browser.holds("document.querySelector('.trace').textContent.includes('7 timelines')"));

  site.chirp({"config", "set", "feed.policy", "pull"});
  browser.wait("document.querySelector('.policy').textContent.startsWith('Policy pull')");
  CHECK(browser.text(tier("regular")) == "not pushed: readers fetch");
  CHECK(browser.complaints() == std::vector<std::string>{});
}

TEST_CASE("browser: the posts read above a page are not counted as the page") {
  if (no_browser()) return;
  Site site;
  add_tiers(site);
  for (int i = 0; i < 5; ++i) site.post("mira", fmt::format("Before, {}", i));
  site.serve();
  SignedIn browser(site, "mira", 1360, 1000);
  browser.click(".xray-switch");
  browser.wait("document.querySelector('#page-cost')?.textContent.includes('for 5 posts')");
  browser.type("main .composer textarea", "And one more");
  browser.click("main .composer [type=submit]");
  browser.wait("document.querySelector('.reads')?.textContent.includes('new posts')");
  CHECK(browser.holds("/for [56] posts/.test(document.querySelector('#page-cost').textContent)"));
}

TEST_CASE("browser: a score in the x-ray is the sum of its parts by their weights") {
  if (no_browser()) return;
  Site site;
  add_tiers(site);
  site.chirp({"config", "set", "rank.recency", "70"});
  site.post("mira", "Weigh me");
  site.serve();
  SignedIn browser(site, "yuki", 1360, 1000);
  browser.click(".xray-switch");
  browser.click(".tabs.small .tab:last-child");
  browser.wait("document.querySelector('.score .weight')");
  CHECK(browser.holds(
      "(() => { const [total, ...parts] = [...document.querySelectorAll('.score dd')].map((dd) => "
      "dd.textContent); const sum = parts.reduce((all, part) => { const [value, weight] = "
      "part.split(' × '); return all + Number(value) * parseFloat(weight) / 100; }, 0); return "
      "Math.abs(sum - Number(total)) < 0.01; })()"));
}

}  // namespace chirp::test
