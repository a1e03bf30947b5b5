// Goal: what happens shows in pages that are open, and never moves what somebody reads.
// Method: the real server on a directory of its own, chromium, once or twice, and the
// command line beside them. Everything is waited for by what the page shows.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/web/site.h"

namespace chirp::test {
namespace {

constexpr std::string_view kBell = "document.querySelector('.new-posts:not([hidden])')";
// The first post in sight below the bar, as its id and its position.
constexpr std::string_view kPlace =
    "(() => { for (const post of document.querySelectorAll('article.post')) {"
    "  const box = post.getBoundingClientRect();"
    "  if (box.bottom > 60) return `${post.dataset.postId} ${Math.round(box.top)}`; } })()";

void sign_up(Browser& browser, const std::string& name, const std::string& display_name) {
  browser.click(".welcome .link-like");
  browser.type("#sign-up [name=username]", name);
  browser.type("#sign-up [name=displayName]", display_name);
  browser.type("#sign-up [name=email]", name + "@example.org");
  browser.type("#sign-up [name=password]", kPassword);
  browser.click("#sign-up [type=submit]");
  browser.wait("document.querySelector('body.signed-in [role=feed]')");
}

std::string first_text(std::string_view selector) {
  return fmt::format("document.querySelector('{}')?.textContent", selector);
}

void write_post(Browser& browser, std::string_view text) {
  browser.type("main .composer textarea", text);
  browser.click("main .composer [type=submit]");
  browser.wait(fmt::format("{} === '{}'", first_text("article.post .post-text"), text));
}

// Somebody with posts to scroll through, and a reader who follows.
void add_writer_and_reader(const Site& site, int posts) {
  site.add_user("mira", "Mira Okafor");
  site.add_user("yuki", "Yuki Hara");
  site.chirp({"follow", "add", "yuki", "mira"});
  constexpr int kFirst = 1735689600;  // 2025 begins
  std::string lines;
  for (int i = 0; i < posts; ++i) {
    lines += fmt::format("{{\"id\":{},\"createdAt\":{},\"text\":\"Post {}{}\"}}\n", 1000 + i,
                         kFirst + i * 600, i, i % 3 == 0 ? "\\nwith a second line" : "");
  }
  site.chirp({"load", "posts", "--as", "mira", "--format", "jsonl", "-"}, lines);
}

}  // namespace

TEST_CASE("browser: signing up leads to a live feed between two browsers") {
  if (no_browser()) return;
  Site site;
  site.serve();
  Browser browser(1280, 900);
  site.open(browser);
  browser.screenshot("welcome");
  sign_up(browser, "mira", "Mira Okafor");
  CHECK(browser.text("document.querySelector('.empty h2').textContent") == "Your feed is empty.");

  Browser other(1280, 900);
  site.open(other);
  sign_up(other, "yuki", "Yuki Hara");
  other.click("nav a[href='#/people']");
  other.type("#find", "oka");
  other.wait("location.hash === '#/people/oka'");
  other.click(".person .button.follow:not([hidden])");
  other.wait(first_text(".person .button.follow") + " === 'Following'");
  other.click("nav a[href='#/']");

  browser.wait("document.querySelector('.badge:not([hidden])')");
  write_post(browser, "First frost this morning. #garden");

  other.wait(fmt::format("{}?.textContent === '1 new post'", kBell));
  CHECK(other.number("document.querySelectorAll('article.post').length") == 0);
  other.click(".new-posts");
  other.wait(first_text("article.post .post-text") + " === 'First frost this morning. #garden'");
  other.click("article.post .react");
  other.wait("document.querySelector('article.post .react[aria-pressed=true]')");

  browser.wait(first_text("article.post .react .number") + " === '1'");
  browser.click("nav a[href='#/notifications']");
  browser.wait(
      "[...document.querySelectorAll('.notification .words')].some((words) => "
      "words.textContent === 'Yuki Hara liked your post')");
  CHECK(browser.complaints() == std::vector<std::string>{});
}

TEST_CASE("browser: a post from the command line appears in a page that is open") {
  if (no_browser()) return;
  Site site;
  add_writer_and_reader(site, 3);
  site.serve();
  SignedIn browser(site, "yuki");
  browser.wait("document.querySelectorAll('article.post').length === 3");
  site.post("mira", "Straight from the terminal.");
  browser.wait(fmt::format("{}?.textContent === '1 new post'", kBell));
  browser.click(".new-posts");
  browser.wait(first_text("article.post .post-text") + " === 'Straight from the terminal.'");
}

TEST_CASE("browser: what is read stays where it is while posts arrive above") {
  if (no_browser()) return;
  Site site;
  add_writer_and_reader(site, 60);
  site.serve();
  SignedIn browser(site, "yuki");
  browser.json("scrollTo(0, 1500)");
  browser.wait("scrollY > 1000 && document.querySelectorAll('article.post').length > 20");
  const std::string before = browser.text(kPlace);
  for (int i = 1; i <= 3; ++i) site.post("mira", fmt::format("Arrived {}", i));
  browser.wait(fmt::format("{}?.textContent === '3 new posts'", kBell));
  CHECK(browser.text(kPlace) == before);
  browser.screenshot("new-posts");
  browser.click(".new-posts");
  browser.wait(first_text("article.post .post-text") + " === 'Arrived 3'");
  browser.wait("scrollY === 0");
  browser.wait("document.activeElement === document.querySelector('article.post')");
  browser.wait(fmt::format("{} === null", kBell));
}

TEST_CASE("browser: a feed of many pages is walked down and up without a jump or a repeat") {
  if (no_browser()) return;
  constexpr int kPosts = 300;
  Site site;
  add_writer_and_reader(site, kPosts);
  site.serve();
  SignedIn browser(site, "yuki");
  // Seen on the way down, each id once and in order; gone from the document when far above.
  browser.json("window.seen = []");
  const std::string walk =
      "(() => { for (const post of document.querySelectorAll('article.post')) {"
      "  const id = BigInt(post.dataset.postId);"
      "  if (seen.length === 0 || id < seen.at(-1)) seen.push(id); }"
      "scrollTo(0, document.documentElement.scrollHeight); return seen.length; })()";
  browser.wait(fmt::format("{} === {}", walk, kPosts));
  browser.wait("document.querySelector('.the-end')");
  CHECK(browser.number("document.querySelectorAll('article.post').length") < kPosts);
  const double ids = browser.number(
      "new Set([...document.querySelectorAll('article.post')].map((p) => p.dataset.postId)).size");
  CHECK(ids == browser.number("document.querySelectorAll('article.post').length"));
  // Up in steps: what is in sight moves by what was scrolled, and by nothing else.
  browser.json("window.jumps = 0");
  browser.wait(fmt::format(
      "(async () => {{ const [id] = ({0}).split(' ');"
      "  const find = () => document.querySelector(`article[data-post-id=\"${{id}}\"]`);"
      "  const before = find().getBoundingClientRect().top; const from = scrollY;"
      "  scrollBy({{ top: -600, behavior: 'instant' }});"
      "  const step = from - scrollY;"
      "  await new Promise((done) => setTimeout(done, 30));"
      "  const moved = find().getBoundingClientRect().top - before;"
      "  if (from > 1000 && Math.abs(moved - step) > 2) ++jumps;"
      "  return scrollY === 0 && document.querySelector('article.post .post-text').textContent"
      "    .startsWith('Post {1}'); }})()",
      kPlace, kPosts - 1));
  CHECK(browser.number("jumps") == 0);
}

TEST_CASE("browser: threads are open, and comments come to where they belong while they are read") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  site.add_user("yuki", "Yuki Hara");
  const auto comment = [&](const std::string& name, const std::string& post,
                           const std::string& text, const std::string& parent = {}) {
    std::vector<std::string> arguments{"comment", "add", name, post, text, "--json"};
    if (!parent.empty()) arguments.insert(arguments.end(), {"--parent", parent});
    const std::string shown = site.chirp(arguments);
    const std::size_t at = shown.find("\"commentId\":\"") + 13;
    return shown.substr(at, shown.find('"', at) - at);
  };
  // Her own, of which the stream tells, and one by somebody whom she does not follow.
  for (const char* const author : {"mira", "yuki"}) {
    CAPTURE(author);
    const std::string post = site.post(author, "What do you say?");
    const std::string one = comment("yuki", post, "One");
    const std::string two = comment("mira", post, "Two", one);
    comment("yuki", post, "Three", two);
    if (site.url().empty()) site.serve();
    SignedIn browser(site, "mira");
    site.show(browser, "#/post/" + post);
    const std::string texts =
        "[...document.querySelectorAll('.comment > .comment-main > .post-text')]"
        ".map((text) => text.textContent).join(' ')";
    browser.wait(texts + " === 'One Two Three'");
    CHECK(browser.holds("document.querySelector('.comments .link-like:not([hidden])') === null"));
    browser.json("document.querySelector('.comment').marked = true");
    const std::string four = comment("yuki", post, "Four");
    browser.wait(texts + " === 'Four One Two Three'");
    comment("yuki", post, "Five", two);
    browser.wait(texts + " === 'Four One Two Three Five'");
    comment("yuki", post, "Six", four);
    browser.wait(texts + " === 'Four Six One Two Three Five'");
    browser.wait("document.querySelector('.post.whole .number').textContent === '6'");
    // What was there is still the same, and a comment of one's own comes once.
    CHECK(browser.holds("document.querySelectorAll('.comment')[2].marked === true"));
    browser.type(".comments > .comment-composer textarea", "Seven");
    browser.click(".comments > .comment-composer [type=submit]");
    browser.wait(texts + " === 'Seven Four Six One Two Three Five'");
    browser.wait("document.querySelector('.post.whole .number').textContent === '7'");
  }
}

TEST_CASE("browser: a comment counts once when the stream tells of it before its answer is here") {
  if (no_browser()) return;
  Site site;
  site.add_user("mira", "Mira Okafor");
  site.add_user("yuki", "Yuki Hara");
  const std::string post = site.post("mira", "What do you say?");
  site.serve();
  SignedIn browser(site, "mira");
  site.show(browser, "#/post/" + post);
  browser.wait("document.querySelector('.comments .empty')");
  const std::string number = "document.querySelector('.post.whole .number').textContent";
  // The answer to the comment comes after its number is shown, and comments that are read meanwhile
  // come after that. Whether more comments are ever offered is kept.
  browser.json(
      "new MutationObserver(() => { window.offered ||= document.querySelector("
      "'.new-posts:not([hidden])') !== null; }).observe(document.body,"
      "  { subtree: true, childList: true, attributes: true })");
  browser.json(
      "(() => { const real = window.fetch;"
      "  const until = (holds) => new Promise((done) => {"
      "    const look = () => (holds() ? done() : requestAnimationFrame(look)); look(); });"
      "  window.fetch = async (url, options) => {"
      "    const answer = await real(url, options);"
      "    if (!String(url).includes('/comments')) return answer;"
      "    if (options.method === 'POST') await until(() => " +
      number +
      " === '1');"
      "    else await until(() => document.querySelector('.comment'));"
      "    return answer; };"
      "})()");
  browser.type(".comments > .comment-composer textarea", "One");
  browser.click(".comments > .comment-composer [type=submit]");
  const std::string texts =
      "[...document.querySelectorAll('.comment .post-text')].map((text) => "
      "text.textContent).join(' ')";
  browser.wait(texts + " === 'One'");
  CHECK(browser.holds(number + " === '1'"));
  site.chirp({"comment", "add", "yuki", post, "Two"});
  browser.wait(texts + " === 'Two One'");
  browser.wait(number + " === '2'");
  CHECK_FALSE(browser.holds("window.offered === true"));
}

}  // namespace chirp::test
