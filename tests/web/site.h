// The real server on a data directory of its own, for tests that look at it through a browser.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/password.h"
#include "tests/support/temp_folder.h"
#include "tests/web/watched_child.h"
#include "tests/web/webdriver.h"

namespace chirp::test {

class Site {
 public:
  Site();  // an empty directory; nobody serves it yet

  // Runs `chirp ARGUMENT…` on the directory, whether it is served or not; fails the test if the
  // command does. Returns what it printed.
  std::string chirp(std::vector<std::string> arguments, std::string input = {}) const;
  // Somebody with the password kPassword.
  void add_user(const std::string& name, const std::string& display_name) const;
  // `mira`, `tomas` and `yuki`.
  void add_three() const;
  // `aurora`, whose six followers make her a celebrity by the bounds that this sets; `yuki` is one
  // of them.
  void add_celebrity() const;
  // Posts as somebody, from the command line; returns the id of the post.
  std::string post(const std::string& name, const std::string& text) const;

  // A new token for somebody.
  std::string token(const std::string& name) const;

  // `chirp serve` on a free port; its address without a slash at the end is url() from then on.
  void serve(const std::vector<std::string>& options = {});
  [[nodiscard]] const std::string& url() const { return url_; }
  // Opens the page in the window in front, where nobody is signed in.
  void open(Browser& browser) const;
  // Opens a view of the page, as its address names it, and waits until it is whole.
  void show(Browser& browser, std::string_view view) const;
  // Opens the page in the window in front, signed in as somebody.
  void sign_in(Browser& browser, const std::string& name) const;

 private:
  TempFolder folder_;
  std::unique_ptr<WatchedChild> server_;
  std::string url_;
};

// A browser whose window shows the page, signed in as somebody.
struct SignedIn : Browser {
  SignedIn(const Site& site, const std::string& name, int width = 1280, int height = 900)
      : Browser(width, height) {
    site.sign_in(*this, name);
  }
};

// What a person does on the page, in the window in front.
void sign_in_by_form(Browser& browser, std::string_view name);
// By the settings; returns when the page asks to sign in.
void sign_out(Browser& browser);
// Does what a message of the page offers in these words.
void take_up(Browser& browser, std::string_view words);

// Chooses from the menu that a button opens.
void choose(Browser& browser, std::string_view opener, std::string_view words);

// Says that a test is skipped, and returns true, where no browser is installed.
[[nodiscard]] bool no_browser();

}  // namespace chirp::test
