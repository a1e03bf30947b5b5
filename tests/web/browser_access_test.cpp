// Goal: the page can be used by keys alone, on a narrow screen, in the dark, and by who hears it.
// Method: keys are pressed and the focus is followed; every view is measured at 360 pixels; colours
// are computed from what the browser paints, and held against the contrast that WCAG AA asks for.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/web/site.h"

namespace chirp::test::browser_access_test {
namespace {

// A small world with something of everything, and served; Mira is who looks at it.
class World : public Site {
 public:
  World() {
    add_user("mira", "Mira Okafor");
    add_user("tomas", "Tomás Lind");
    add_user("leila", "لیلا رضایی");
    for (const char* const name : {"tomas", "leila"}) {
      chirp({"follow", "add", "mira", name});
      chirp({"follow", "add", name, "mira"});
    }
    post("tomas", "The sourdough has opinions today. #bread");
    post("leila", "باران پشت پنجره، چای روی میز #شعر");
    post("mira", "A word of uncommon length: " + std::string(200, 'o'));
    post("tomas", "https://example.org/" + std::string(200, 'a'));
    serve();
  }
};

const std::vector<std::string>& views() {
  static const std::vector<std::string> kViews{
      "#/",       "#/@tomas",    "#/@mira/followers", "#/people",  "#/people/tom",
      "#/trends", "#/tag/bread", "#/notifications",   "#/settings"};
  return kViews;
}

// The texts in sight whose contrast is too low, each with its colours.
constexpr std::string_view kLowContrast = R"js((() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const parse = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const layer = parse(getComputedStyle(at).backgroundColor);
      layers.push(layer);
      if (layer[3] === 1) break;
    }
    return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255, 1]);
  };
  const low = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || element.closest('svg, option, script, .unseen, :disabled')) continue;
    const style = getComputedStyle(element);
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('.skip')) continue;
    const under = behind(element);
    let opacity = 1;
    for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const ink = parse(style.color);
    const [a, b] = [light(over([ink[0], ink[1], ink[2], ink[3] * opacity], under)), light(under)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (contrast < (large ? 3 : 4.5)) low.push(`${texts.currentNode.data.trim().slice(0, 30)}: ${contrast.toFixed(2)}`);
  }
  return low.join('; ');
})())js";

// What can be used and has no name that could be said.
constexpr std::string_view kNameless = R"js((() => {
  const nameOf = (element) => element.getAttribute('aria-label')
    || (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join('')
    || [...(element.labels ?? [])].map((label) => label.textContent).join('')
    || element.textContent.trim();
  return [...document.querySelectorAll('a[href], button, input, select, textarea, [role=feed], [role=list], nav, aside, dialog, article')]
    .filter((element) => element.checkVisibility() && !element.closest('[aria-hidden=true]') && !nameOf(element))
    .map((element) => element.cloneNode().outerHTML).join('; ');
})())js";

}  // namespace

TEST_CASE("browser: everything can be done by keys alone") {
  if (no_browser()) return;
  const World site;
  Browser browser(1280, 900);
  site.open(browser);
  browser.press({key::kTab});
  CHECK(browser.text("document.activeElement.textContent") == "Skip to the content");
  CHECK(browser.holds("document.activeElement.getBoundingClientRect().top >= 0"));
  browser.press({key::kEnter});
  CHECK(browser.text("document.activeElement.id") == "main");
  // Past the two links of the words, into the form.
  browser.press({key::kTab, key::kTab, key::kTab});
  CHECK(browser.text("document.activeElement.name") == "username");
  browser.press({"m", "i", "r", "a", key::kTab});
  std::vector<std::string_view> letters;
  for (std::size_t i = 0; i < kPassword.size(); ++i) letters.push_back(kPassword.substr(i, 1));
  browser.press(letters);
  browser.press({key::kEnter});
  browser.wait("document.querySelectorAll('article.post').length === 4");

  browser.press({"j", "j"});
  CHECK(browser.holds("document.activeElement === document.querySelectorAll('article.post')[1]"));
  CHECK(browser.text("getComputedStyle(document.activeElement).outlineStyle") == "solid");
  browser.press({"k"});
  CHECK(browser.holds("document.activeElement === document.querySelectorAll('article.post')[0]"));
  browser.press({"l"});
  browser.wait("document.activeElement.querySelector('.react[aria-pressed=true]')");
  browser.press({"r"});
  browser.wait(
      "location.hash.startsWith('#/post/') && document.querySelector('.comment-composer')");
  browser.press({"r"});
  CHECK(browser.holds("document.activeElement.matches('.comment-composer textarea')"));
  browser.press({"H", "m", "."});
  browser.press_with_control(key::kEnter);
  browser.wait("document.querySelector('.comment .post-text')?.textContent === 'Hm.'");
  browser.back();
  browser.wait("location.hash === '' || location.hash === '#/'");
  browser.wait("document.activeElement === document.querySelectorAll('article.post')[0]");

  browser.press({"n"});
  browser.wait("document.activeElement.matches('dialog[open] textarea')");
  browser.press({"j"});
  CHECK(browser.text("document.activeElement.value") == "j");
  browser.press({key::kEscape});
  browser.wait("document.querySelector('dialog') === null");
  CHECK(browser.holds("document.activeElement === document.querySelectorAll('article.post')[0]"));
  browser.press({"?"});
  browser.wait("document.querySelector('dialog[open] .keys')");
  browser.press({key::kEscape});

  // A menu by its keys: the second of the five reactions.
  browser.wait("document.querySelector('dialog') === null");
  browser.json("document.querySelector('article.post .choose').focus()");
  browser.press({key::kEnter, key::kDown, key::kEnter});
  browser.wait("document.querySelector('article.post .react.kind-love[aria-pressed=true]')");
  CHECK(browser.holds("document.activeElement.matches('.choose')"));
}

TEST_CASE("browser: on a screen of 360 pixels nothing is wider than the screen") {
  if (no_browser()) return;
  const World site;
  Browser browser(360, 740);
  site.open(browser);
  CHECK(browser.number("document.documentElement.scrollWidth") == 360);
  site.sign_in(browser, "mira");
  browser.screenshot("narrow");
  for (const std::string& view : views()) {
    site.show(browser, view);
    INFO(view);
    CHECK(browser.number("document.documentElement.scrollWidth") == 360);
  }
  site.show(browser, "#/");
  browser.click(".xray-switch");
  browser.wait("document.querySelector('.xray-line:not([hidden])')");
  CHECK(browser.number("document.documentElement.scrollWidth") == 360);
  browser.screenshot("narrow-x-ray");
  browser.click(".new-post");
  browser.wait("document.querySelector('dialog[open] textarea')");
  CHECK(browser.number("document.documentElement.scrollWidth") == 360);
}

TEST_CASE("browser: nothing is wider than screens of up to 1,920 pixels") {
  if (no_browser()) return;
  const World site;
  SignedIn browser(site, "mira");
  for (const int width : {480, 768, 1024, 1920}) {
    browser.resize(width, 900);
    for (const std::string& view : views()) {
      site.show(browser, view);
      INFO(view, " at ", width);
      CHECK(browser.number("document.documentElement.scrollWidth") <= width);
    }
  }
}

TEST_CASE("browser: the page is dark where that is preferred, and the switch overrules it") {
  if (no_browser()) return;
  const World site;
  Browser browser(1280, 900);
  browser.prefer(Scheme::kDark);
  site.sign_in(browser, "mira");
  const std::string background = "getComputedStyle(document.body).backgroundColor";
  const std::string dark = browser.text(background);
  browser.screenshot("dark");
  browser.prefer(Scheme::kLight);
  const std::string light = browser.text(background);
  CHECK(dark != light);
  browser.click(".top-bar .wide-only .button");
  browser.press({key::kDown, key::kDown, key::kEnter});
  browser.wait(fmt::format("{} === '{}'", background, dark));
  browser.reload();
  browser.wait("document.body.classList.contains('signed-in')");
  CHECK(browser.text(background) == dark);
}

TEST_CASE("browser: every text has the contrast of WCAG AA, light and dark") {
  if (no_browser()) return;
  const World site;
  SignedIn browser(site, "mira");
  browser.click(".xray-switch");
  browser.wait("document.querySelector('.engine .histogram')");
  for (const Scheme scheme : {Scheme::kLight, Scheme::kDark}) {
    browser.prefer(scheme);
    for (const std::string& view : views()) {
      site.show(browser, view);
      INFO(view, scheme == Scheme::kDark ? ", dark" : ", light");
      CHECK(browser.text(kLowContrast) == "");
    }
  }
}

TEST_CASE("browser: nothing moves if the system asks for reduced motion, and otherwise it does") {
  if (no_browser()) return;
  const World site;
  for (const Motion motion : {Motion::kReduced, Motion::kAllowed}) {
    CAPTURE(motion == Motion::kReduced);
    Browser browser(1280, 900, motion);
    site.sign_in(browser, "mira");
    browser.json(
        "(window.moves = 0, ['transitionrun', 'animationstart'].forEach((kind) => "
        "document.addEventListener(kind, () => { ++moves; }, true)))");
    browser.click(".xray-switch");
    browser.wait("document.querySelector('.engine .histogram')");
    browser.click(".new-post");
    browser.wait("document.querySelector('dialog[open] textarea')");
    if (motion == Motion::kAllowed) {
      browser.wait("moves > 0");
    } else {
      browser.json(
          "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      CHECK(browser.number("moves") == 0);
      CHECK(browser.number("document.getAnimations().length") == 0);
    }
  }
}

TEST_CASE("browser: everything that can be used has a name, and the feed says where one is") {
  if (no_browser()) return;
  const World site;
  Browser browser(1280, 900);
  site.open(browser);
  CHECK(browser.text(kNameless) == "");
  site.sign_in(browser, "mira");
  for (const std::string& view : views()) {
    site.show(browser, view);
    INFO(view);
    CHECK(browser.text(kNameless) == "");
    CHECK(browser.number("document.querySelectorAll('h1').length") == 1);
    CHECK(browser.number("document.querySelectorAll('main').length") == 1);
  }
  site.show(browser, "#/");
  CHECK(browser.text("[...document.querySelectorAll('[role=feed] > article')].map((article) => "
                     "`${article.ariaPosInSet}/${article.ariaSetSize}`).join(' ')") ==
        "1/4 2/4 3/4 4/4");
  CHECK(browser.text("document.querySelector('[role=feed]').ariaBusy") == "false");
}

TEST_CASE("browser: a token that no longer holds leads to the sign-in, and says why") {
  if (no_browser()) return;
  const World site;
  SignedIn browser(site, "mira");
  site.chirp({"user", "token", "mira", "--revoke"});
  // By its address: the page's stream may learn of it first, and has removed the link then.
  browser.json("location.hash = '#/notifications'");
  browser.wait(
      "document.querySelector('#sign-in') && "
      "document.querySelector('.notice').textContent.startsWith('Your session has ended')");
  CHECK(browser.holds("sessionStorage.getItem('chirp.token') === null"));
  browser.type("#sign-in [name=username]", "mira");
  browser.type("#sign-in [name=password]", std::string(kPassword) + std::string(key::kEnter));
  browser.wait("document.querySelector('main h1').textContent === 'Notifications'");
}

}  // namespace chirp::test::browser_access_test
