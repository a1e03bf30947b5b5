// Debian's chromium, driven by the W3C WebDriver protocol as a person would: by clicks, keys and
// looking at the page. Expressions are JavaScript, evaluated in the page that is in front.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/web/watched_child.h"

namespace chirp::test {

// Keys that are no characters, as the protocol writes them.
namespace key {
inline constexpr std::string_view kTab = "\uE004";
inline constexpr std::string_view kEnter = "\uE007";
inline constexpr std::string_view kEscape = "\uE00C";
inline constexpr std::string_view kDown = "\uE015";
}  // namespace key

enum class Scheme : std::uint8_t { kLight, kDark };

// What the settings of the system say of motion, from the start of the browser on.
enum class Motion : std::uint8_t { kReduced, kAllowed };

// One browser with one window or several. Belongs to one thread. Every call throws when the browser
// refuses it; what is waited for has a deadline.
class Browser {
 public:
  // Whether chromium and its driver are installed.
  [[nodiscard]] static bool is_installed();

  // A page that moves can be read in the middle of it, so it is asked to be still.
  Browser(int width, int height, Motion motion = Motion::kReduced);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  void open(std::string_view address);
  // Runs JavaScript in each page of the window in front from now on, before the page's own. Without
  // quotes and backslashes.
  void run_before_pages(std::string_view script);
  void reload();
  void back();
  // Another window, with a session storage of its own; it comes to the front.
  void open_window();
  // The one that the page has opened comes to the front, once there is one.
  void show_opened_window();
  // The n-th window, from 0, comes to the front.
  void show_window(std::size_t n);

  // The value of an expression, awaited if it is a promise: as JSON, as text, as a number, as true.
  std::string json(std::string_view expression);
  std::string text(std::string_view expression);
  double number(std::string_view expression);
  bool holds(std::string_view expression);
  // Returns when the expression is true; throws with what the page shows when it does not become
  // so.
  void wait(std::string_view expression);

  // Clicks on the first element that the selector finds, once there is one.
  void click(std::string_view selector);
  // The same while Control is held.
  void click_with_control(std::string_view selector);
  // Types into it, as if by hand.
  void type(std::string_view selector, std::string_view text);
  // Presses keys one after another, wherever the focus is.
  void press(const std::vector<std::string_view>& keys);
  // Presses a key while Control is held.
  void press_with_control(std::string_view pressed);

  void resize(int width, int height);
  // As the settings of the system say, and with reduced motion.
  void prefer(Scheme scheme);
  // Keeps a picture of what is in sight among the screens of the build, and returns its path.
  std::string screenshot(std::string_view name);
  // What the page or the browser complained of so far, a line each: errors and warnings.
  std::vector<std::string> complaints();

 private:
  std::string call(std::string_view method, std::string_view path, const std::string& body = {});
  std::string session_call(std::string_view method, std::string_view path,
                           const std::string& body = {});
  std::string element(std::string_view selector);
  void use_element(std::string_view selector, const std::function<void(const std::string&)>& use);
  void run_devtools(std::string_view command, const std::string& parameters);

  std::unique_ptr<WatchedChild> driver_;
  std::uint16_t port_ = 0;
  std::string session_;  // "/session/ID"
  std::vector<std::string> windows_;
};

}  // namespace chirp::test
