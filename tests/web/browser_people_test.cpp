// Goal: what people do to each other on the page is so in the engine, and shows at once.
// Method: a small world made from the command line; clicks in the page; the command line says what
// came of them.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/web/site.h"

namespace chirp::test {
namespace {

// Chooses a picture of some width for the composer, as its dialog for files would.
void attach(Browser& browser, std::string_view name, int width) {
  browser.json(fmt::format(
      "(async () => {{ const canvas = new OffscreenCanvas({}, 30); canvas.getContext('2d');"
      "const files = new DataTransfer(); files.items.add(new File([await canvas.convertToBlob()],"
      "'{}', {{ type: 'image/png' }}));"
      "const input = document.querySelector('main .composer input[type=file]');"
      "input.files = files.files; input.dispatchEvent(new Event('change')); }})()",
      width, name));
}

// What the page says when the server has answered; a repost shows before that.
std::string says(std::string_view words) {
  return fmt::format("document.querySelector('.unseen[role=status]').textContent.startsWith('{}')",
                     words);
}

// Tomas posts, whom mira follows; she reposts it on the page. Yuki follows somebody too.
void repost_as_mira(Site& site, Browser& browser, const std::string& followed_by_yuki) {
  site.add_three();
  site.chirp({"follow", "add", "yuki", followed_by_yuki});
  site.chirp({"follow", "add", "mira", "tomas"});
  site.post("tomas", "Worth passing on");
  site.serve();
  site.sign_in(browser, "mira");
  browser.click("article.post .repost");
  browser.wait("document.querySelector('.repost[aria-pressed=true] .number')?.textContent === '1'");
  browser.wait(says("Reposted to your followers."));
}

constexpr std::string_view kPosts = "document.querySelectorAll('article.post').length";

}  // namespace

TEST_CASE("browser: following, muting and blocking from a profile change the feed") {
  if (no_browser()) return;
  Site site;
  site.add_three();
  site.post("tomas", "From Tomas");
  site.serve();
  SignedIn browser(site, "mira");
  CHECK(browser.number(kPosts) == 0);
  const std::string menu = ".profile .menu-holder .button";

  site.show(browser, "#/@tomas");
  browser.click(".profile .follow:not([hidden])");
  browser.wait("document.querySelector('.profile .follow').textContent === 'Following'");
  site.show(browser, "#/");
  browser.wait(fmt::format("{} === 1", kPosts));

  site.show(browser, "#/@tomas");
  choose(browser, menu, "Hide their reposts");
  browser.wait("document.querySelector('.standing').textContent.includes('Reposts hidden')");
  choose(browser, menu, "Mute");
  browser.wait("document.querySelector('.standing').textContent.includes('Muted')");
  site.show(browser, "#/");
  browser.wait(fmt::format("{} === 0", kPosts));
  CHECK(site.chirp({"feed", "show", "mira", "--json"}).find("From Tomas") == std::string::npos);

  site.show(browser, "#/@tomas");
  browser.wait("document.querySelector('.standing').textContent.includes('Muted')");
  choose(browser, menu, "Unmute");
  browser.wait("!document.querySelector('.standing').textContent.includes('Muted')");
  choose(browser, menu, "Block");
  browser.click("dialog .danger");
  browser.wait("document.querySelector('.standing').textContent.includes('Blocked')");
  CHECK(site.chirp({"follow", "following", "mira", "--json"}).find("tomas") == std::string::npos);
  site.show(browser, "#/settings");
  browser.wait(
      "[...document.querySelectorAll('.person .username')].some((name) => "
      "name.textContent === '@tomas')");
}

TEST_CASE("browser: notifications of one kind about one post are folded, and reading marks them") {
  if (no_browser()) return;
  Site site;
  site.add_three();
  site.add_user("leila", "Leila");
  const std::string id = site.post("mira", "Worth a like");
  for (const char* const name : {"tomas", "yuki", "leila"}) {
    site.chirp({"post", "react", name, id});
    site.chirp({"follow", "add", name, "mira"});
  }
  site.chirp({"comment", "add", "leila", id, "A comment\nwith its own words"});
  site.serve();
  SignedIn browser(site, "mira");
  browser.wait("document.querySelector('.badge:not([hidden])')?.firstChild.data === '7'");
  browser.click("nav a[href='#/notifications']");
  browser.wait("document.querySelectorAll('.notification[data-unread]').length === 3");
  const std::string words = browser.text(
      "[...document.querySelectorAll('.notification .words')].map((w) => w.textContent).join('|')");
  CHECK(words.find("and 1 other liked your post") != std::string::npos);
  CHECK(words.find("and 1 other followed you") != std::string::npos);
  browser.wait(
      "[...document.querySelectorAll('.excerpt')].some((excerpt) => "
      "excerpt.textContent === 'Worth a like')");
  browser.wait(
      "document.querySelector('.notification .excerpt')?.textContent === "
      "'A comment with its own words'");
  browser.wait("document.querySelector('.badge').hidden");
  browser.screenshot("notifications");
}

TEST_CASE("browser: a picture is shown before it is posted, can be taken out, and stays in place") {
  if (no_browser()) return;
  Site site;
  site.add_three();
  site.serve();
  SignedIn browser(site, "mira");
  attach(browser, "one.png", 40);
  browser.wait("document.querySelector('.upload img')?.naturalWidth === 40");
  attach(browser, "two.png", 60);
  browser.wait("document.querySelectorAll('.upload img').length === 2");
  browser.wait(
      "[...document.querySelectorAll('.upload-state')].every((s) => s.textContent === '')");
  browser.click(".upload:first-child .remove");
  browser.wait("document.querySelectorAll('.upload').length === 1");
  browser.type("main .upload .upload-alt", "A square of sixty");
  browser.type("main .composer textarea", "With a picture");
  browser.json("document.querySelector('main .privacy-choice').value = 'followers'");
  browser.click("main .composer [type=submit]");
  browser.wait("document.querySelector('article.post .picture img')?.naturalWidth === 60");
  CHECK(browser.holds(
      "document.querySelector('article.post .picture img').alt === 'A square of sixty'"));
  CHECK(
      browser.holds("document.querySelector('article.post .privacy').ariaLabel === "
                    "'For followers'"));
  // The stream may tell of the post before its answer is here, which empties the form.
  browser.wait("document.querySelectorAll('.upload').length === 0");
}

TEST_CASE("browser: a repost reaches the reposter's followers, and can be withdrawn") {
  if (no_browser()) return;
  Site site;
  Browser browser(1280, 900);
  repost_as_mira(site, browser, "mira");
  CHECK(site.chirp({"feed", "show", "yuki", "--json"}).find("\"repostedBy\"") != std::string::npos);
  browser.click("article.post .repost");
  browser.wait("document.querySelector('.repost[aria-pressed=false] .number')?.textContent === ''");
  browser.wait(says("Your repost is removed."));
  CHECK(site.chirp({"feed", "show", "yuki", "--json"}).find("Worth passing on") ==
        std::string::npos);
}

TEST_CASE("browser: a repost is known after a reload, wherever the post is, and withdrawn") {
  if (no_browser()) return;
  Site site;
  Browser browser(1280, 900);
  repost_as_mira(site, browser, "mira");
  browser.reload();
  browser.wait("document.querySelector('article.post .repost')?.ariaPressed === 'true'");
  site.show(browser, "#/@tomas");
  browser.wait("document.querySelector('article.post .repost')?.ariaPressed === 'true'");
  browser.click("article.post .when");
  browser.wait("document.querySelector('.post.whole .repost')?.ariaPressed === 'true'");
  browser.click(".post.whole .repost");
  browser.wait(says("Your repost is removed."));
  browser.reload();
  browser.wait("document.querySelector('.post.whole .repost')?.ariaPressed === 'false'");
  CHECK(site.chirp({"feed", "show", "yuki", "--json"}).find("Worth passing on") ==
        std::string::npos);
}

TEST_CASE("browser: what one account has reposted is not said of the next in the same window") {
  if (no_browser()) return;
  Site site;
  Browser browser(1280, 900);
  repost_as_mira(site, browser, "tomas");
  browser.json("location.hash = '#/settings'");
  browser.wait("document.querySelector('main h1')?.textContent === 'Settings'");
  browser.json(
      "[...document.querySelectorAll('main button')].find(b => b.textContent === 'Sign out')"
      ".click()");
  browser.wait("document.querySelector('#sign-in')");
  browser.type("#sign-in [name=username]", "yuki");
  browser.type("#sign-in [name=password]", std::string(kPassword) + std::string(key::kEnter));
  browser.wait("document.querySelector('article.post .repost .number')?.textContent === '1'");
  CHECK(browser.holds("document.querySelector('article.post .repost').ariaPressed === 'false'"));
}

TEST_CASE("browser: the settings ask for the password, and show and end what is signed in") {
  if (no_browser()) return;
  Site site;
  site.add_three();
  site.serve();
  site.chirp({"user", "token", "mira"});
  SignedIn browser(site, "mira");
  site.show(browser, "#/settings");
  const std::string e_mail = "section[aria-label=E-mail] ";
  browser.json("document.querySelector('" + e_mail + "[name=email]').value = 'new@example.org'");
  browser.type(e_mail + "[name=currentPassword]", "a guess" + std::string(key::kEnter));
  browser.wait("document.querySelector('" + e_mail +
               "[role=alert]')?.textContent.includes('wrong')");
  browser.json("document.querySelector('" + e_mail + "[name=currentPassword]').value = ''");
  browser.type(e_mail + "[name=currentPassword]",
               std::string(kPassword) + std::string(key::kEnter));
  browser.wait("document.querySelector('" + e_mail + "[name=currentPassword]').value === ''");
  CHECK(site.chirp({"user", "show", "mira"}).find("new@example.org") != std::string::npos);
  const std::string name = "section[aria-label=Username] ";
  browser.json("document.querySelector('" + name + "[name=newUsername]').value = 'okafor'");
  browser.type(name + "[name=currentPassword]", std::string(kPassword) + std::string(key::kEnter));
  browser.wait("document.querySelector('" + name + "[name=currentPassword]').value === ''");
  CHECK(site.chirp({"user", "show", "mira"}).find("okafor") != std::string::npos);
  const std::string sessions = "section[aria-label=\"Sessions\"] ";
  browser.wait("document.querySelector('" + sessions + "')?.textContent.includes('this one')");
  const auto before = site.chirp({"user", "sessions", "mira"});
  browser.json("[...document.querySelectorAll('" + sessions +
               "button')].find((b) => b.textContent === 'End').click()");
  browser.wait("![...document.querySelectorAll('" + sessions +
               "button')].some((b) => b.textContent === 'End')");
  CHECK(site.chirp({"user", "sessions", "mira"}) != before);
}

TEST_CASE("browser: a user without followees is shown suggestions, with the reason and a button") {
  if (no_browser()) return;
  Site site;
  site.add_three();
  site.chirp({"follow", "add", "yuki", "tomas"});
  site.post("tomas", "From Tomas");
  site.serve();
  SignedIn browser(site, "mira", 360, 740);
  const std::string rows = "document.querySelectorAll('.suggestions .person')";
  browser.wait(rows + ".length === 2");
  CHECK(browser.text(rows + "[0].querySelector('.note').textContent") == "1 follower");
  CHECK(browser.number("document.documentElement.scrollWidth") == 360);
  browser.screenshot("suggestions");
  browser.json("document.querySelector('.suggestions .follow').scrollIntoView()");
  browser.wait(rows + "[1].querySelector('.follow').checkVisibility()");
  browser.json(rows + "[1].querySelector('.follow').click()");
  browser.wait(rows + "[1].querySelector('.follow').textContent === 'Following'");
  // Yuki is followed now, and by her Tomas is.
  site.show(browser, "#/people");
  browser.wait(
      fmt::format("{0}.length === 1 && {0}[0].querySelector('.note').textContent === "
                  "'Followed by @yuki · 1 follower'",
                  rows));
  browser.json("document.querySelector('.suggestions .follow').scrollIntoView()");
  browser.wait("document.querySelector('.suggestions .follow').checkVisibility()");
  browser.json("document.querySelector('.suggestions .follow').click()");
  browser.wait("document.querySelector('.suggestions .follow').textContent === 'Following'");
  browser.type("#find", "tom");
  browser.wait("document.querySelector('.suggestions') === null");
  site.show(browser, "#/");
  browser.wait(fmt::format("{} === 1", kPosts));
}

TEST_CASE("browser: a search that was begun leaves the address of the next view alone") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  site.serve();
  SignedIn browser(site, "mira");
  site.show(browser, "#/people");
  // What waits for a pause in typing runs when the view has been left.
  CHECK(browser.text(R"js((async () => {
    const waiting = [];
    const timer = window.setTimeout;
    window.setTimeout = (run) => waiting.push(run);
    const find = document.querySelector('#find');
    find.value = 'mi';
    find.dispatchEvent(new Event('input', { bubbles: true }));
    window.setTimeout = timer;
    const left = new Promise((done) => addEventListener('popstate', done, { once: true }));
    document.querySelector('a[href="#/trends"]').click();
    await left;
    for (const run of waiting) run();
    return `${waiting.length} ${location.hash}`;
  })())js") == "1 #/trends");
}

}  // namespace chirp::test
