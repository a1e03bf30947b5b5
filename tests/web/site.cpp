#include "tests/web/site.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"

namespace chirp::test {
namespace {

// The last word of what `chirp user token` printed.
std::string last_word(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text.substr(text.find_last_of(" \n") + 1);
}

}  // namespace

Site::Site() {
  chirp({"init"});
  chirp({"config", "set", "auth.bcrypt_cost", "4"});  // passwords of tests guard nothing
}

std::string Site::chirp(std::vector<std::string> arguments, std::string input) const {
  Command command = chirp_command((folder_ / "data").string(), std::move(arguments));
  command.input = std::move(input);
  Ended ended = run(command);
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  return std::move(ended.out);
}

void Site::add_user(const std::string& name, const std::string& display_name) const {
  chirp({"user", "add", name, "--display-name", display_name, "--email", name + "@example.org",
         "--password-stdin"},
        std::string(kPassword));
}

void Site::add_three() const {
  add_user("mira", "Mira Okafor");
  add_user("tomas", "Tomás Lind");
  add_user("yuki", "Yuki Hara");
}

void Site::add_celebrity() const {
  chirp({"config", "set", "tier.influencer_from", "3"});
  chirp({"config", "set", "tier.celebrity_above", "4"});
  add_user("aurora", "Aurora Vale");
  add_user("yuki", "Yuki Hara");
  chirp({"follow", "add", "yuki", "aurora"});
  for (int i = 0; i < 5; ++i) {
    const std::string name = fmt::format("fan{}", i);
    add_user(name, name);
    chirp({"follow", "add", name, "aurora"});
  }
}

std::string Site::post(const std::string& name, const std::string& text) const {
  const std::string shown = chirp({"post", "add", name, text, "--json"});
  const std::size_t at = shown.find("\"postId\":\"") + 10;
  return shown.substr(at, shown.find('"', at) - at);
}

void Site::serve(const std::vector<std::string>& options) {
  std::vector<std::string> arguments{"serve", "--port", "0"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  server_.reset();  // a directory has one server
  server_ = std::make_unique<WatchedChild>(
      chirp_command((folder_ / "data").string(), arguments).arguments, Output::kError);
  url_ = server_->after("Listening on ");
}

void Site::open(Browser& browser) const {
  browser.open(url_ + "/");
  browser.wait("document.querySelector('#sign-in')");
}

void Site::show(Browser& browser, std::string_view view) const {
  browser.open(fmt::format("{}/{}", url_, view));
  browser.wait(
      "document.querySelector('main h1') && document.querySelector('main [aria-busy=true]')"
      " === null && document.fonts.status === 'loaded' && document.getAnimations().length === 0");
}

std::string Site::token(const std::string& name) const {
  return last_word(chirp({"user", "token", name}));
}

void Site::sign_in(Browser& browser, const std::string& name) const {
  const std::string begun = token(name);
  browser.open(url_ + "/");
  browser.json(fmt::format("sessionStorage.setItem('chirp.token', '{}')", begun));
  browser.reload();
  browser.wait("document.body.classList.contains('signed-in')");
  browser.wait("document.querySelector('[role=feed]')?.getAttribute('aria-busy') === 'false'");
}

void sign_in_by_form(Browser& browser, std::string_view name) {
  browser.type("#sign-in [name=username]", name);
  browser.type("#sign-in [name=password]", std::string(kPassword) + std::string(key::kEnter));
  browser.wait("document.body.classList.contains('signed-in')");
}

void sign_out(Browser& browser) {
  browser.json("location.hash = '#/settings'");
  browser.wait("document.querySelector('main h1')?.textContent === 'Settings'");
  browser.json(
      "[...document.querySelectorAll('main button')].find((b) => b.textContent === 'Sign out')"
      ".click()");
  browser.wait("document.querySelector('#sign-in')");
}

void take_up(Browser& browser, std::string_view words) {
  const std::string offer = fmt::format(
      "[...document.querySelectorAll('.message button')].find((b) => b.textContent === '{}')",
      words);
  browser.wait(offer);
  browser.json(offer + ".click()");
}

void choose(Browser& browser, std::string_view opener, std::string_view words) {
  const std::string choice = fmt::format(
      "[...document.querySelectorAll('[role=menu] button')].find((item) => "
      "item.textContent === '{}')",
      words);
  browser.click(opener);
  browser.wait(choice);
  browser.json(choice + ".click()");
}

bool no_browser() {
  if (Browser::is_installed()) return false;
  MESSAGE("skipped: chromium and chromium-driver are not installed");
  return true;
}

}  // namespace chirp::test
