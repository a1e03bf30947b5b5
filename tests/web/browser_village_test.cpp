// Goal: a small village looks on the page as the README shows it.
// Method: the village of testdata with small tiers and a day of posts, reactions and comments; the
// two screens that are kept become docs/feed.png and docs/x-ray.png (docs/web.md).
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/web/site.h"

namespace chirp::test {
namespace {

void react(const Site& site, const std::string& id, const char* type,
           const std::vector<const char*>& names) {
  for (const char* const name : names) site.chirp({"post", "react", name, id, "--type", type});
}

// A village in which six followers make an influencer and more than ten a celebrity.
void add_village(const Site& site) {
  const std::string village = CHIRP_SOURCE_DIR "/testdata/village/";
  site.chirp({"config", "set", "tier.influencer_from", "6"});
  site.chirp({"config", "set", "tier.celebrity_above", "10"});
  site.chirp({"load", "graph", village + "follows.csv", "--names", village + "names.csv"});
  site.chirp({"load", "posts", village + "posts.jsonl", village + "talk.jsonl"});
  site.chirp({"load", "events", village + "likes.csv"});
  site.chirp({"feed", "rebuild", "--all"});
}

// What the rest of the village talks of; a hashtag rises when several people use it. Each of
// these commands ends its fan-out, so the celebrity's post here is pulled from the first read on,
// whenever the server's own fan-out comes to the posts of the day.
void add_talk(const Site& site) {
  site.post("jonas", "Second tenor, first nerves. #song #breakwater");
  site.post("odile", "Everybody hums it on the round. #song");
  site.post("bram", "A ferry at half past nine, for those who sing. #breakwater #song");
  site.post("farid", "Tea for twenty on the #breakwater");
  site.post("ines", "The tortoise has asked for a square one. #bread");
  site.post("aurora", "Who has the low notes? I have the high ones. #song");
  site.post("gus", "Clear until three. #stars");
}

void add_day(const Site& site) {
  const std::string chess =
      site.post("nell", "beat dmitri in nineteen moves. i was eating an ice cream #chess");
  react(site, chess, "laugh", {"dmitri", "pearl", "odile", "mira", "tomas"});
  const std::string rolls =
      site.post("tomas", "The square rolls are real now. I am as surprised as you are. #bread");
  react(site, rolls, "love", {"mira", "pearl", "ines", "yuki"});
  react(site, rolls, "like", {"bram", "odile"});
  site.chirp({"comment", "add", "mira", rolls, "Do they come with beans?"});
  site.chirp({"comment", "add", "pearl", rolls, "Finally something that fits the shelf."});
  const std::string meteor =
      site.post("sanna", "Eleven degrees and a meteor. Stayed in for both. #stars");
  react(site, meteor, "like", {"yuki", "aurora", "nell"});
  site.chirp({"post", "repost", "mira", meteor});
  const std::string verse = site.post(
      "aurora",
      "One more verse, for the seal. Tonight on the breakwater, bring a biscuit for @yuki. #song");
  react(site, verse, "love", {"mira", "tomas", "odile", "pearl", "sanna", "jonas", "nell", "ines"});
  site.chirp({"comment", "add", "jonas", verse, "The clock will behave."});
  const std::string bean =
      site.post("mira", "The first bean is in flower. I said nothing to the slugs. #garden");
  react(site, bean, "like", {"tomas", "farid", "bram"});
}

}  // namespace

TEST_CASE("browser: the village has a feed and an x-ray worth showing") {
  if (no_browser()) return;
  Site site;
  add_village(site);
  add_talk(site);
  site.serve();
  SignedIn browser(site, "yuki", 1280, 860);
  add_day(site);
  browser.wait("document.querySelector('.new-posts')?.textContent === '5 new posts'");
  browser.click(".new-posts");
  browser.wait("document.querySelectorAll('article.post').length >= 25");
  browser.reload();
  browser.wait(
      "document.querySelectorAll('article.post').length >= 20 && "
      "document.querySelector('.trends li')");
  browser.screenshot("feed");

  browser.click(".xray-switch");
  browser.wait("document.querySelectorAll('.xray-line:not([hidden])').length >= 20");
  browser.wait(
      "document.querySelector('.engine .histogram') && "
      "document.querySelectorAll('.sparkline').length === 1");
  CHECK(browser.holds("document.querySelector('.xray-line .source-pulled')"));
  CHECK(
      browser.holds("[...document.querySelectorAll('.xray-line')].every((line) => "
                    "line.textContent.includes('@') || line.textContent.includes('Your own'))"));
  browser.type("main .composer textarea",
               "Saturn at ten, from the breakwater. Queue behind the cat. #stars");
  browser.click("main .composer [type=submit]");
  browser.wait("document.querySelector('.trace').textContent.includes('Delivered to')");
  browser.json("document.activeElement.blur()");
  browser.wait("scrollY === 0");
  browser.resize(1280, 1000);
  browser.screenshot("x-ray");
  CHECK(browser.complaints() == std::vector<std::string>{});
}

}  // namespace chirp::test
