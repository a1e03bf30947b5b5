// Goal: what users write is shown and never obeyed, and reads the same in the page as in the
// engine. Method: hostile names, posts and comments; then the document is searched for what they
// would have become. Entities are found by the page and by the engine in the same texts, and
// compared.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/entities.h"
#include "core/model/utf8.h"
#include "server/json/json_writer.h"
#include "tests/web/site.h"

namespace chirp::test {
namespace {

const std::vector<std::string>& hostile() {
  static const std::vector<std::string> kTexts{"<script>window.hit = 1</script>",
                                               "<img src=x onerror=\"window.hit = 2\">",
                                               "<svg/onload=window.hit=3>",
                                               "\"><iframe srcdoc='<script>parent.hit=4</script>'>",
                                               "javascript:window.hit=5",
                                               "http://javascript:window.hit=6@example.org/",
                                               "https://example.org/\"onmouseover=\"window.hit=7",
                                               "<style>body { display: none }</style>",
                                               "${window.hit = 8} {{window.hit = 9}} <%= hit %>",
                                               "&lt;b&gt;not bold&lt;/b&gt; &amp; &#x3c;",
                                               "#tag<b>@mira</b>",
                                               "<a href='javascript:window.hit=10'>here</a>"};
  return kTexts;
}

std::string json_string(std::string_view text) {
  api::JsonWriter json;
  json.string(text);
  return json.take();
}

// "mention mira, hashtag garden", in the order of the text.
std::string entities_by_engine(const std::string& text) {
  const Entities found = entities_in(utf8::nfc(text));
  std::vector<std::pair<std::size_t, std::string>> all;
  for (const Mention& mention : found.mentions) {
    all.emplace_back(mention.begin, "mention " + mention.name);
  }
  for (const Hashtag& hashtag : found.hashtags) {
    all.emplace_back(hashtag.begin, "hashtag " + hashtag.tag);
  }
  std::sort(all.begin(), all.end());
  std::string list;
  for (const auto& [at, words] : all) list += fmt::format("{}{}", list.empty() ? "" : ", ", words);
  return list;
}

}  // namespace

TEST_CASE("browser: markup in posts, names and comments is text, and runs nothing") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "<b>Mira</b>");
  site.chirp({"user", "edit", "mira", "--bio", "<img src=x onerror=window.hit=1> @yuki #bio"});
  for (const std::string& text : hostile()) site.post("mira", text);
  site.serve();
  Browser browser(1280, 900);
  site.sign_in(browser, "mira");
  browser.wait(
      fmt::format("document.querySelectorAll('article.post').length === {}", hostile().size()));
  for (const std::string& text : hostile()) {
    INFO(text);
    CHECK(browser.holds(
        fmt::format("[...document.querySelectorAll('.post-text')].some((p) => [{0}, "
                    "{0}.replace('https://', '')].includes(p.textContent))",  // as links are shown
                    json_string(text))));
  }
  browser.screenshot("hostile");
  browser.click("article.post .when");
  browser.type(".comment-composer textarea", hostile().front());
  browser.click(".comment-composer [type=submit]");
  browser.wait(fmt::format("document.querySelector('.comment .post-text')?.textContent === {}",
                           json_string(hostile().front())));
  browser.open(site.url() + "/#/@mira");
  browser.wait("document.querySelector('.profile h1')?.textContent === '<b>Mira</b>'");

  CHECK(browser.holds("window.hit === undefined"));
  CHECK(
      browser.holds("document.querySelector('main :is(script, style, iframe, b, object, embed)')"
                    " === null"));
  CHECK(
      browser.holds("[...document.querySelectorAll('main img')].every((img) => "
                    "/^(https?:|blob:)/.test(img.src))"));
  CHECK(
      browser.holds("[...document.querySelectorAll('a')].every((a) => "
                    "a.getAttribute('href').startsWith('#') || (/^https?:/.test(a.href) && "
                    "a.rel === 'noopener noreferrer nofollow'))"));
  CHECK(browser.complaints() == std::vector<std::string>{});
}

TEST_CASE("browser: the policy that is sent keeps scripts and styles out of markup") {
  if (no_browser()) return;
  Site site;
  site.serve();
  Browser browser(1280, 900);
  site.open(browser);
  // As a script that found a way in would do it.
  browser.json(
      "(() => { const script = document.createElement('script');"
      "script.textContent = 'window.hit = 1'; document.body.append(script);"
      "const image = document.createElement('img');"
      "image.setAttribute('onerror', 'window.hit = 2'); image.src = '/none';"
      "document.body.append(image);"
      "document.body.setAttribute('style', 'display: none'); })()");
  browser.wait("document.body.lastElementChild.complete");
  CHECK(browser.holds("window.hit === undefined"));
  CHECK(browser.text("getComputedStyle(document.body).display") != "none");
  CHECK(browser.complaints().size() >= 3);
}

TEST_CASE("browser: the page finds the mentions and hashtags that the engine finds") {
  if (no_browser()) return;
  const std::vector<std::string> texts{
      "@mira and #garden",
      "a@b #c#d @e@f",
      "mail mira@example.org, or @mira.",
      "https://example.org/#tag @after",
      "www.example.org/@name #x",
      "example.org/@name, example.org @name",
      "(#one) [#two] \"#three\" '#four'",
      "#1 #1a #_ #_a #a_b",
      "#Straße #STRASSE #ΣΊΣΥΦΟΣ",
      "#garde\u0301n #caf\u00e9",
      "@abcdefghijklmno @abcdefghijklmnop",
      "@mira\u00e9 @mira_ @mira-x",
      "#\u0641\u0627\u0631\u0633\u06CC \u0628 #\u65e5\u672c\u8a9e",
      "$#a &#b; %#c +#d =#e ##f @#g #@h",
      "x.#a -#b .@c -@d /#e",
      "HTTP://EXAMPLE.ORG/#a http://\u200b#b",
      "#\u2167 #a\u2167 #\u0661 #a\u0661",
      "\u00e9@mira \u00e9#tag _@mira _#tag",
      "sub.example-host.org/path#a sub_example.org/#b",
      "#\u0301a #a\u0301\u0302 @\nname #\ttab",
      std::string("#") + std::string(100, 'a') + " #" + std::string(101, 'b')};
  Site site;
  site.serve();
  Browser browser(1280, 900);
  browser.open(site.url() + "/");
  for (const std::string& text : texts) {
    INFO(text);
    CHECK(browser.text(
              fmt::format("(await import('/app/entities.js')).partsOf({}).filter((part) => "
                          "part.kind === 'mention' || part.kind === 'hashtag').map((part) => "
                          "`${{part.kind}} ${{part.value}}`).join(', ')",
                          json_string(text))) == entities_by_engine(text));
  }
}

}  // namespace chirp::test
