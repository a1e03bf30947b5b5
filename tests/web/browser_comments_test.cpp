// Goal: comments under a post form threads, are counted, and have addresses that lead to them.
// Method: a small world made from the command line, clicks in the page, and the command line to
// check the results.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/web/site.h"

namespace chirp::test::browser_comments {
namespace {

// Returns the id with this name in the JSON that a command printed.
std::string id_in(const std::string& json, std::string_view name) {
  const std::string before = fmt::format("\"{}\":\"", name);
  const std::size_t at = json.find(before) + before.size();
  return json.substr(at, json.find('"', at) - at);
}

}  // namespace

TEST_CASE("browser: a comment leaves the kinds of reactions as they are") {
  if (no_browser()) return;
  Site site;
  site.add_three();
  const std::string id = site.post("tomas", "What do you say?");
  site.chirp({"post", "react", "yuki", id, "--type", "love"});
  site.serve();
  SignedIn browser(site, "mira");
  site.show(browser, "#/post/" + id);
  CHECK(browser.text("document.querySelector('.react').title") == "1 love");
  browser.type(".comment-composer textarea", "Yes");
  browser.click(".comment-composer [type=submit]");
  browser.wait("document.querySelectorAll('.comment').length === 1");
  CHECK(browser.text("document.querySelector('.react').title") == "1 love");
}

TEST_CASE("browser: comments make threads, and their likes and removals show") {
  if (no_browser()) return;
  Site site;
  site.add_three();
  site.post("mira", "What do you say?");
  site.serve();
  SignedIn browser(site, "mira");
  browser.click("article.post .when");
  browser.type(".comment-composer textarea", "First");
  browser.click(".comment-composer [type=submit]");
  browser.wait("document.querySelectorAll('.comment').length === 1");
  browser.json(
      "[...document.querySelectorAll('.comment .action')].find((action) => "
      "action.textContent === 'Reply').click()");
  browser.type(".thread .comment-composer textarea", "A reply to it");
  browser.click(".thread .comment-composer [type=submit]");
  browser.wait(
      "document.querySelector('.replies .comment .post-text')?.textContent === "
      "'A reply to it'");
  browser.click(".replies .comment .action[aria-pressed]");
  browser.wait(
      "document.querySelector('.replies .action[aria-pressed=true] .number')?.textContent"
      " === '1'");
  browser.wait("document.querySelector('.post.whole .number').textContent === '2'");

  browser.reload();
  browser.wait("document.querySelectorAll('.comment').length === 2");
  choose(browser, ".comments .item > .comment > .comment-main .menu-holder .button", "Remove");
  browser.click("dialog .danger");
  browser.wait("document.querySelector('.comment.gone .removed')");
  CHECK(browser.text("document.querySelector('.replies .comment .post-text').textContent") ==
        "A reply to it");
}

TEST_CASE("browser: a comment that the page removes is no longer counted") {
  if (no_browser()) return;
  Site site;
  site.add_three();
  site.add_user("leila", "Leila");
  // The stream does not report it, because she does not follow its author.
  const std::string id = site.post("leila", "What do you say?");
  site.chirp({"comment", "add", "leila", id, "One"});
  site.chirp({"comment", "add", "mira", id, "Two"});
  site.serve();
  SignedIn browser(site, "mira");
  site.show(browser, "#/post/" + id);
  browser.wait("document.querySelectorAll('.comment').length === 2");
  browser.wait("document.querySelector('.post.whole .number').textContent === '2'");
  // The page does not request the post again either.
  browser.json(
      "(() => { const real = window.fetch; window.fetch = (url, ...rest) => "
      "(String(url).endsWith('/v1/posts/" +
      id + "') ? new Promise(() => {}) : real(url, ...rest)); })()");
  choose(browser, ".comment .menu-holder .button", "Remove");
  browser.click("dialog .danger");
  browser.wait("document.querySelectorAll('.comment').length === 1");
  CHECK(browser.holds("document.querySelector('.post.whole .number').textContent === '1'"));
}

TEST_CASE(
    "browser: the notification of a reply opens the post at that comment, and Back leads back") {
  if (no_browser()) return;
  Site site;
  site.add_three();
  const std::string post = site.post("tomas", "What do you say?");
  const auto comment = [&](const char* author, const std::string& text, const std::string& parent) {
    std::vector<std::string> arguments{"comment", "add", author, post, text, "--json"};
    if (!parent.empty()) arguments.insert(arguments.end(), {"--parent", parent});
    return id_in(site.chirp(std::move(arguments)), "commentId");
  };
  const std::string first = comment("mira", "First of all", {});
  const std::string second = comment("tomas", "A reply to it", first);
  for (int i = 0; i < 12; ++i) comment("tomas", fmt::format("Another reply {}", i), first);
  const std::string mine =
      comment("mira", "A reply to the last one", comment("tomas", "Last", first));
  const std::string theirs = comment("yuki", "Deep down", mine);
  for (int i = 0; i < 25; ++i) comment("tomas", fmt::format("Something else {}", i), {});
  site.serve();
  SignedIn browser(site, "mira", 1280, 700);
  browser.click("nav a[href='#/notifications']");
  const std::string link = fmt::format(".notification[href='#/post/{}/{}']", post, theirs);
  browser.click(link);
  const std::string opened =
      fmt::format("document.querySelector('.comment.opened[data-comment-id=\"{}\"]')", theirs);
  browser.wait(opened);
  CHECK(browser.text(opened + ".querySelector('.post-text').textContent") == "Deep down");
  browser.wait(fmt::format(
      "{0}.getBoundingClientRect().top > 60 && {0}.getBoundingClientRect().bottom < innerHeight",
      opened));
  CHECK(browser.holds(fmt::format("document.activeElement === {}", opened)));
  CHECK(browser.holds(fmt::format(
      "{}.closest('[data-comment-id=\"{}\"]').closest('[data-comment-id=\"{}\"]') !== null", opened,
      mine, first)));
  CHECK(browser.holds("document.querySelectorAll('.comment.opened').length === 1"));
  browser.screenshot("opened-comment");

  // The other comments of the thread appear in their places, and none appears twice.
  browser.wait(
      "document.querySelectorAll('.comments > div > .endless > .items > .item').length > 19");
  browser.json(fmt::format(
      "document.querySelector('[data-comment-id=\"{}\"] > .thread > .link-like').click()", first));
  browser.wait(fmt::format("document.querySelector('[data-comment-id=\"{}\"]')", second));
  browser.json(fmt::format(
      "document.querySelector('[data-comment-id=\"{}\"] > .thread > .link-like').click()", first));
  browser.wait(
      fmt::format("document.querySelectorAll('[data-comment-id=\"{}\"] > .thread > .replies > "
                  ".item').length === 14",
                  first));
  browser.json("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })");
  browser.wait("document.querySelector('.the-end')");
  CHECK(browser.holds(
      "(() => { const ids = [...document.querySelectorAll('.comment')].map((one) => "
      "one.dataset.commentId); return ids.length === 42 && new Set(ids).size === 42; })()"));
  CHECK(browser.holds(fmt::format(
      "(() => {{ const ids = [...document.querySelectorAll('[data-comment-id=\"{}\"] > .thread > "
      ".replies > .item > .comment')].map((one) => BigInt(one.dataset.commentId)); "
      "return ids.every((id, at) => at === 0 || ids[at - 1] < id); }})()",
      first)));

  browser.back();
  browser.wait("location.hash === '#/notifications' && document.querySelector('.notification')");
  browser.json("history.forward()");
  browser.wait(opened);
}

TEST_CASE("browser: an address of a comment that is gone shows the others, and says so") {
  if (no_browser()) return;
  Site site;
  site.add_three();
  const std::string post = site.post("mira", "What do you say?");
  const std::string gone =
      id_in(site.chirp({"comment", "add", "tomas", post, "Gone", "--json"}), "commentId");
  site.chirp({"comment", "add", "tomas", post, "There"});
  site.chirp({"comment", "remove", gone});
  site.serve();
  SignedIn browser(site, "mira");
  site.show(browser, fmt::format("#/post/{}/{}", post, gone));
  browser.wait("document.querySelectorAll('.comment').length === 1");
  CHECK(browser.holds("document.querySelector('.comment.opened') === null"));
  browser.wait(
      "document.querySelector('.comments').textContent.includes('Can’t find this comment.')");
}

}  // namespace chirp::test::browser_comments
