// Goal: the stage shows what the engine does and lets who may switch it, and the second sign-in of
// its split screen is kept nowhere.
// Method: a demo of the real server with small tiers; what is shown is held against who follows
// whom, what is switched against the settings of the directory.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/web/site.h"

namespace chirp::test {
namespace {

struct Demo : Site {
  Demo() {
    add_celebrity();
    serve({"--demo"});
  }
};

void open_stage(const Site& site, Browser& browser, const std::string& name = "aurora") {
  site.sign_in(browser, name);
  site.show(browser, "#/stage");
  browser.wait("document.querySelector('.stage-connection')?.dataset.stands === 'true'");
}

void read_as(Browser& browser, std::string_view name) {
  browser.type(".reader-half [name=username]", name);
  browser.type(".reader-half [name=password]", kPassword);
  browser.click(".reader-half [type=submit]");
  browser.wait("document.querySelector('.reader-cost')");
}

void write(Browser& browser, std::string_view text) {
  browser.type(".half .composer textarea", text);
  browser.click(".half .composer [type=submit]");
}

void wait_for_line(Browser& browser, std::string_view words) {
  browser.wait(
      fmt::format("document.querySelector('.flow-lines').textContent.includes('{}')", words));
}

std::string chip_of(std::string_view text) {
  return fmt::format(
      "[...document.querySelectorAll('.reader-posts li')].find((post) => "
      "post.textContent.includes('{}'))?.querySelector('.chip').textContent",
      text);
}

}  // namespace

TEST_CASE("browser: the stage shows a celebrity's post being fetched, and pushed after a switch") {
  if (no_browser()) return;
  Demo site;
  Browser browser(1920, 1080);
  open_stage(site, browser);
  read_as(browser, "yuki");

  write(browser, "Nobody is pushed this");
  wait_for_line(browser, "@aurora, celebrity with 6 followers");
  wait_for_line(browser, "The post of @aurora is not pushed");
  browser.wait(chip_of("Nobody is pushed this") + " === 'pulled'");
  browser.screenshot("stage");

  browser.click(".switches [data-policy=push]");
  browser.wait("document.querySelector('.flow').dataset.policy === 'push'");
  CHECK(site.chirp({"config", "get", "feed.policy"}).find("push") != std::string::npos);
  write(browser, "All are pushed this");
  // Her own timeline and those of her followers, in one turn.
  wait_for_line(browser, "Fan-out has put 1 post into 7 timelines in one turn");
  browser.wait(chip_of("All are pushed this") + " === 'pushed'");
  CHECK(browser.complaints() == std::vector<std::string>{});
}

TEST_CASE("browser: the second sign-in of the stage is kept nowhere, and ends with the page") {
  if (no_browser()) return;
  Demo site;
  Browser browser(1360, 1000);
  open_stage(site, browser);
  const std::string_view kept =
      "JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage), "
      "document.cookie])";
  const std::string before = browser.text(kept);
  read_as(browser, "yuki");
  CHECK(browser.text(kept) == before);
  CHECK(browser.holds("!location.href.includes('yuki')"));
  browser.reload();
  browser.wait("document.querySelector('.reader-half [name=username]')");
}

TEST_CASE("browser: a stage that was left asks for nothing until it is shown again") {
  if (no_browser()) return;
  Demo site;
  Browser browser(1920, 1080);
  open_stage(site, browser);
  read_as(browser, "yuki");
  browser.json("window.left = document.querySelector('.stage')");
  browser.json("location.hash = '#/trends'");
  browser.wait("!window.left.isConnected");
  browser.json("performance.clearResourceTimings()");
  site.post("aurora", "Nobody looks at this");
  browser.wait("window.left.textContent.includes('The post of @aurora is not pushed')");
  const std::string asked =
      "performance.getEntriesByType('resource').filter(({ name }) => "
      "/v1.(engine|feed)/.test(name)).length";
  CHECK(browser.number(asked) == 0);
  browser.back();
  browser.wait(chip_of("Nobody looks at this") + " === 'pulled'");
}

TEST_CASE("browser: on a screen of 360 pixels the stage is no wider than the screen") {
  if (no_browser()) return;
  Demo site;
  Browser browser(360, 740);
  open_stage(site, browser);
  CHECK(browser.number("document.documentElement.scrollWidth") == 360);
}

TEST_CASE("browser: bounds of tiers are set on the stage, and refused where they contradict") {
  if (no_browser()) return;
  Demo site;
  Browser browser(1360, 1000);
  open_stage(site, browser);
  const auto set = [&](std::string_view name, int value) {
    browser.json(
        fmt::format("document.querySelector('.bounds [name={}]').value = '{}'", name, value));
  };
  set("influencerFrom", 20);
  set("celebrityAbove", 10);
  browser.click(".bounds [type=submit]");
  browser.wait("document.querySelector('.bounds [name=celebrityAbove][aria-invalid]')");
  set("influencerFrom", 5);
  browser.click(".bounds [type=submit]");
  wait_for_line(browser, "influencers have from 5 followers, celebrities more than 10");
  CHECK(site.chirp({"config", "get", "tier.celebrity_above"}).find("10") != std::string::npos);
  // She has six, so she is one no longer once upkeep has come to it.
  browser.wait("document.querySelector('.half .own-tier').textContent.includes('influencer')");
}

TEST_CASE("browser: each step of the tour ends with a question whose answer is on the stage") {
  if (no_browser()) return;
  Demo site;
  Browser browser(1360, 1000);
  open_stage(site, browser);
  for (int step = 1; step <= 7; ++step) {
    CAPTURE(step);
    browser.wait(fmt::format(
        "document.querySelector('.tour-step h3').textContent.startsWith('{}. ')", step));
    CHECK(browser.holds("document.querySelector('.tour-question').textContent.endsWith('?')"));
    browser.click(".tour .where");
    CHECK(browser.holds("document.querySelectorAll('.pointed').length === 1"));
    CHECK(browser.holds("document.querySelector('.tour-answer').textContent !== ''"));
    if (step < 7) browser.click(".tour .next");
  }
  CHECK(browser.holds("document.querySelector('.tour .next').disabled"));
}

TEST_CASE("browser: the village of docs/web.md answers what the tour asks") {
  if (no_browser()) return;
  Site site;
  const std::string village = CHIRP_SOURCE_DIR "/testdata/village/";
  site.chirp({"load", "graph", village + "follows.csv", "--names", village + "names.csv"});
  site.chirp({"load", "posts", village + "posts.jsonl"});
  site.chirp({"feed", "rebuild", "--all"});
  site.chirp({"user", "passwd", "yuki", "--password-stdin"}, std::string(kPassword));
  site.serve({"--demo", "--cache-mb", "0"});
  Browser browser(1360, 1000);
  open_stage(site, browser);
  write(browser, "The bell rang");
  wait_for_line(browser, "Fan-out has put 1 post into 13 timelines in one turn");
  read_as(browser, "yuki");
  const std::string_view cost = "document.querySelector('.reader-cost').textContent";
  browser.wait(fmt::format("{}.includes('1 source merged')", cost));

  browser.json("document.querySelector('.bounds [name=influencerFrom]').value = '5'");
  browser.json("document.querySelector('.bounds [name=celebrityAbove]').value = '10'");
  browser.click(".bounds [type=submit]");
  browser.wait("document.querySelector('.half .own-tier').textContent.includes('celebrity')");
  write(browser, "I rang back");
  wait_for_line(browser, "The post of @aurora is not pushed");
  browser.wait(chip_of("I rang back") + " === 'pulled'");
  CHECK(browser.text(cost).find("2 sources merged") != std::string::npos);
}

TEST_CASE("browser: a user loaded with the graph reads from a timeline once one was built") {
  if (no_browser()) return;
  Site site;
  site.add_user("fan0", "fan0");
  // A load leaves people with followers and followees, and without timelines.
  const std::string data = CHIRP_SOURCE_DIR "/testdata/village/";
  site.chirp({"load", "graph", data + "follows.csv", "--names", data + "names.csv"});
  site.chirp({"user", "passwd", "tomas", "--password-stdin"}, std::string(kPassword) + "\n");
  site.chirp({"follow", "add", "tomas", "fan0"});
  site.serve({"--demo"});
  Browser browser(1360, 1000);
  open_stage(site, browser, "fan0");
  write(browser, "Before there was a timeline");
  wait_for_line(browser, "The post of @fan0 is delivered");
  read_as(browser, "tomas");
  browser.wait(chip_of("Before there was a timeline") + " === 'pulled'");
  browser.wait("(document.querySelector('.read-now').click(), " +
               chip_of("Before there was a timeline") + " === 'backfilled')");
  write(browser, "And after");
  browser.wait(chip_of("And after") + " === 'pushed'");
  CHECK(browser.complaints() == std::vector<std::string>{});
}

TEST_CASE("browser: a missing stage, or one for others, is reported") {
  if (no_browser()) return;
  Site site;
  site.add_celebrity();
  site.serve();
  SignedIn browser(site, "yuki", 1360, 1000);
  site.show(browser, "#/stage");
  browser.wait("document.querySelector('.stage [role=alert]')?.textContent.includes('--demo')");
  site.serve({"--demo", "--demo-for", "aurora"});
  site.sign_in(browser, "yuki");
  site.show(browser, "#/stage");
  browser.wait("document.querySelector('.stage [role=alert]')?.textContent.includes('named')");
}

TEST_CASE("browser: only the newest packet on a way of the stage has words") {
  if (no_browser()) return;
  Site site;
  site.serve();
  Browser browser(800, 600);
  browser.open(site.url() + "/");
  // The way of posts into the log is busy, and idle once all of them are there.
  CHECK(browser.text(R"js((async () => {
    const { flowDiagram } = await import('/app/flow.js');
    const flow = flowDiagram();
    document.body.append(flow.element);
    for (const username of ['mira', 'tomas', 'yuki']) {
      flow.tell('post', { postId: username, username, tier: 'regular', followerCount: 3,
                          delivery: 'pushed' });
    }
    const words = [...flow.element.querySelectorAll('.packet text')].map((text) => text.textContent);
    const busy = flow.element.querySelectorAll('.busy').length;
    return JSON.stringify([words, busy]);
  })())js") == R"([["@yuki"],1])");
  browser.wait("document.querySelectorAll('.flow .packet, .flow .busy').length === 0");
}

TEST_CASE("browser: the figures of the lab are read from its JSON, and other files are refused") {
  if (no_browser()) return;
  Site site;
  site.serve();
  Browser browser(800, 600);
  browser.open(site.url() + "/");
  CHECK(
      browser.text(R"js((async () => {
    const { labRows } = await import('/app/labfigures.js');
    const runs = [{ policy: 'push', hotSet: true, deliveries: 1500, sourcesARead: 1.25, p50Micros: 40 },
                  { policy: 'hybrid', threshold: 10, hotSet: false, deliveries: 0 },
                  { policy: 'hybrid', threshold: 1000, hotSet: false }];
    const rows = labRows(JSON.stringify({ runs, cheapest: { policy: 'hybrid', threshold: 10, hotSet: false } }));
    return JSON.stringify([rows.map(({ name, isCheapest }) => [name, isCheapest]), rows[0].values[3],
                           rows[0].values[4], rows[1].values[0], rows[1].values[4],
                           typeof labRows('{'), typeof labRows('{"runs":[]}')]);
  })())js") ==
      R"([[["push, hot set",false],["hybrid above 10",true],["hybrid above 1,000",false]],"1.3","40 µs","0","–","string","string"])");
}

}  // namespace chirp::test
