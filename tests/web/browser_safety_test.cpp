// Goal: what users write is shown and never obeyed. Method: hostile names, posts and comments; then
// the document is searched for what they would have become.
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

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

}  // namespace

TEST_CASE("browser: markup in posts, names and comments is text, and runs nothing") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "<b>Mira</b>");
  site.chirp({"user", "edit", "mira", "--bio", "<img src=x onerror=window.hit=1> @yuki #bio"});
  for (const std::string& text : hostile()) site.post("mira", text);
  site.serve();
  SignedIn browser(site, "mira");
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

TEST_CASE("browser: what the server finds in texts is linked, and nothing else") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  site.add_user("tomas", "Tomás Lind");
  site.chirp({"user", "edit", "mira", "--bio", "  雪@tomas #Été "});
  const std::string id =
      site.post("mira",
                " 🐦雪@Tomas #می\u200cخواهم\n\n\n\n(sea.example/Tern_(bird)) HTTP://Sea.example/a。 "
                "x@mira https://a@sea.example/#b \u202ehttp://[x/#c");
  site.chirp({"comment", "add", "tomas", id, "「@mira」"});
  site.serve();
  Browser browser(1280, 900);
  browser.open(site.url() + "/#/post/" + id);
  browser.wait("document.querySelector('.comment .post-text a')");
  const auto links = [&](std::string_view place) {
    return browser.text(
        fmt::format("[...document.querySelectorAll('{} a')].map((a) => "
                    "`${{a.textContent}} ${{a.getAttribute('href')}}`).join(', ')",
                    place));
  };
  CHECK(
      links("article.post .post-text") ==
      "@Tomas #/@Tomas, #می\u200cخواهم #/tag/%D9%85%DB%8C%E2%80%8C%D8%AE%D9%88%D8%A7%D9%87%D9%85, "
      "sea.example/Tern_(bird) https://sea.example/Tern_(bird), "
      "Sea.example/a http://sea.example/a");
  CHECK(browser.text("document.querySelector('article.post .post-text').textContent") ==
        "🐦雪@Tomas #می\u200cخواهم\n\n(sea.example/Tern_(bird)) Sea.example/a。 "
        "x@mira https://a@sea.example/#b http://[x/#c");
  CHECK(links(".comment .post-text") == "@mira #/@mira");
  browser.open(site.url() + "/#/@mira");
  browser.wait("document.querySelector('.profile .post-text')");
  CHECK(links(".profile .post-text") == "@tomas #/@tomas, #Été #/tag/%C3%A9t%C3%A9");
}

}  // namespace chirp::test
