#include "tests/web/webdriver.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "core/model/utf8.h"
#include "server/json/json_writer.h"
#include "tests/support/http_client.h"
#include "tests/support/progress.h"

namespace chirp::test {
namespace {

constexpr const char* kDriver = "/usr/bin/chromedriver";
constexpr const char* kChromium = "/usr/bin/chromium";
constexpr std::string_view kElement = "element-6066-11e4-a52e-4f735466cecf";  // of the protocol

using api::JsonWriter;

std::string object(std::string_view name, std::string_view value) {
  JsonWriter json;
  json.begin_object().field(name, value).end_object();
  return json.take();
}

// The member `value` of an answer, as JSON.
std::string value_of(const std::string& answer) {
  simdjson::dom::parser parser;
  return simdjson::minify(parser.parse(answer)["value"]);
}

std::string string_in(const std::string& json) {
  simdjson::dom::parser parser;
  return std::string(parser.parse(json).get_string().value());
}

std::string member(const std::string& json, std::string_view name) {
  simdjson::dom::parser parser;
  return std::string(parser.parse(json)[name].get_string().value());
}

std::string decoded_base64(std::string_view text) {
  static constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int filled = 0;
  for (const char c : text) {
    const std::size_t value = kAlphabet.find(c);
    if (value == std::string_view::npos) break;  // the padding
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    filled += 6;
    if (filled < 8) continue;
    filled -= 8;
    bytes.push_back(static_cast<char>((bits >> static_cast<unsigned>(filled)) & 0xffU));
  }
  return bytes;
}

// What a session asks for.
std::string capabilities(int width, int height, Motion motion) {
  JsonWriter json;
  json.begin_object().key("capabilities").begin_object().key("alwaysMatch").begin_object();
  json.key("goog:chromeOptions").begin_object().field("binary", kChromium).key("args");
  json.begin_array().string("--headless=new").string("--disable-gpu");
  json.string("--disable-dev-shm-usage").string("--hide-scrollbars").string("--lang=en-GB");
  json.string(fmt::format("--window-size={},{}", width, height));
  // Pages of the browser's own for its address bar, which nobody sees: a tenth of a start.
  json.string("--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup");
  if (motion == Motion::kReduced) json.string("--force-prefers-reduced-motion");
  if (::geteuid() == 0) json.string("--no-sandbox");  // which the superuser can't have
  json.end_array().end_object();
  // The driver's own bounds are in the way on a busy machine.
  constexpr std::uint64_t kDayMs = 24 * 3600 * 1000;
  json.key("timeouts").begin_object().field("script", kDayMs).field("pageLoad", kDayMs);
  json.end_object();
  json.key("goog:loggingPrefs").begin_object().field("browser", "ALL").end_object();
  json.end_object().end_object().end_object();
  return json.take();
}

std::string script_call(const std::string& script) {
  JsonWriter json;
  json.begin_object().field("script", script).key("args").begin_array().end_array().end_object();
  return json.take();
}

// Keys as actions: each goes down and up before the next.
void write_strokes(JsonWriter& json, std::span<const std::string_view> keys) {
  for (const std::string_view stroke : keys) {
    json.begin_object().field("type", "keyDown").field("value", stroke).end_object();
    json.begin_object().field("type", "keyUp").field("value", stroke).end_object();
  }
}

void begin_actions(JsonWriter& json) {
  json.begin_object().key("actions").begin_array().begin_object();
  json.field("type", "key").field("id", "keyboard").key("actions").begin_array();
}

std::string end_actions(JsonWriter& json) {
  json.end_array().end_object().end_array().end_object();
  return json.take();
}

// A driver on a free port of its own choice, and that port. It wants the same one for IPv4 that it
// was given for IPv6, and gives up where another program has that, so it is asked again.
std::pair<std::unique_ptr<WatchedChild>, std::string> started_driver() {
  constexpr int kTries = 5;
  for (int tried = 1;; ++tried) {
    auto driver =
        std::make_unique<WatchedChild>(std::vector<std::string>{kDriver, "--port=0"}, Output::kOut);
    try {
      std::string port = driver->after("started successfully on port ");
      return {std::move(driver), std::move(port)};
    } catch (const std::runtime_error&) {
      if (tried == kTries) throw;
    }
  }
}

}  // namespace

bool Browser::is_installed() {
  return std::filesystem::exists(kDriver) && std::filesystem::exists(kChromium);
}

Browser::Browser(int width, int height, Motion motion) {
  std::string port;
  std::tie(driver_, port) = started_driver();
  std::from_chars(port.data(), port.data() + port.size(), port_);
  session_ = "/session/" +
             member(call("POST", "/session", capabilities(width, height, motion)), "sessionId");
  windows_.push_back(string_in(session_call("GET", "/window")));
  resize(width, height);
}

Browser::~Browser() {
  try {
    if (!session_.empty()) session_call("DELETE", "");
  } catch (const std::exception&) {
    // The driver is ended next, and the browser with it.
  }
}

std::string Browser::call(std::string_view method, std::string_view path, const std::string& body) {
  const std::string sent = method == "POST" && body.empty() ? "{}" : body;
  HttpClient client(port_);
  client.send(
      fmt::format("{} {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n"
                  "Content-Length: {}\r\n\r\n{}",
                  method, path, port_, sent.size(), sent));
  const std::string head = utf8::ascii_lower(client.read_through("\r\n\r\n"));
  constexpr std::string_view kLength = "\r\ncontent-length:";  // without a blank behind it
  const std::size_t length = head.find(kLength);
  if (!head.starts_with("http/1.1 ") || length == std::string::npos) {
    throw std::runtime_error(fmt::format("the driver does not answer {}: {}", path, head));
  }
  const std::string value =
      value_of(client.read_bytes(std::stoul(head.substr(length + kLength.size()))));
  if (head.substr(9, 3) != "200") {
    throw std::runtime_error(fmt::format("{} {}: {}", method, path, member(value, "message")));
  }
  return value;
}

std::string Browser::session_call(std::string_view method, std::string_view path,
                                  const std::string& body) {
  return call(method, fmt::format("{}{}", session_, path), body);
}

void Browser::open(std::string_view address) {
  session_call("POST", "/url", object("url", address));
}
void Browser::reload() { session_call("POST", "/refresh"); }
void Browser::back() { session_call("POST", "/back"); }

void Browser::open_window() {
  windows_.push_back(
      member(session_call("POST", "/window/new", object("type", "window")), "handle"));
  show_window(windows_.size() - 1);
}

void Browser::show_opened_window() {
  for (Patience patience; patience.rests();) {
    const std::string handles = session_call("GET", "/window/handles");
    simdjson::dom::parser parser;
    for (const auto handle : parser.parse(handles).get_array()) {
      const std::string name(handle.get_string().value());
      if (std::find(windows_.begin(), windows_.end(), name) != windows_.end()) continue;
      windows_.push_back(name);
      return show_window(windows_.size() - 1);
    }
  }
  throw std::runtime_error("the page has opened no window");
}

void Browser::show_window(std::size_t n) {
  session_call("POST", "/window", object("handle", windows_.at(n)));
}

std::string Browser::json(std::string_view expression) {
  return session_call(
      "POST", "/execute/sync",
      script_call(fmt::format("return (async () => (await ({})) ?? null)()", expression)));
}

std::string Browser::text(std::string_view expression) {
  return string_in(json(fmt::format("String(await ({}))", expression)));
}

double Browser::number(std::string_view expression) {
  simdjson::dom::parser parser;
  return parser.parse(json(fmt::format("Number(await ({}))", expression))).get_double().value();
}

bool Browser::holds(std::string_view expression) {
  return json(fmt::format("Boolean(await ({}))", expression)) == "true";
}

void Browser::wait(std::string_view expression) {
  // The page looks a few times a call, more seldom as time passes, so that its looking is little of
  // a movement.
  const auto script = [&](std::chrono::milliseconds pause) {
    return fmt::format(
        "let looks = 8; let trouble = 'it stays untrue';"
        "return new Promise((resolve) => {{"
        "  const look = async () => {{"
        "    try {{ if (await ({})) return resolve(''); }} catch (error) {{ trouble = "
        "String(error); "
        "}}"
        "    looks -= 1;"
        "    return looks === 0 ? resolve(trouble) : setTimeout(look, {});"
        "  }}; look(); }})",
        expression, std::clamp<std::int64_t>(pause.count() / 4, 20, 100));
  };
  // A page may move for ever, such as by an animation.
  Patience patience({.processor = std::chrono::seconds(30)});
  std::string trouble;
  do {
    try {
      trouble =
          string_in(session_call("POST", "/execute/sync", script_call(script(patience.pause()))));
      if (trouble.empty()) return;
    } catch (const std::runtime_error& error) {
      trouble = error.what();  // the page was left meanwhile
      (void)patience.rests();
    }
  } while (patience.lasts());
  const std::string picture = screenshot(fmt::format("failed-{}", ::getpid()));
  std::string said;
  for (const std::string& complaint : complaints()) said += complaint + '\n';
  throw std::runtime_error(fmt::format("waited for {}: {}, and {}; the page is in {}\n{}",
                                       expression, trouble, patience.reason(), picture, said));
}

std::string Browser::element(std::string_view selector) {
  wait(fmt::format("document.querySelector(`{}`)", selector));
  JsonWriter json;
  json.begin_object().field("using", "css selector").field("value", selector).end_object();
  return member(session_call("POST", "/element", json.take()), kElement);
}

// What the page draws anew between its being found and its being used is found again.
void Browser::use_element(std::string_view selector,
                          const std::function<void(const std::string&)>& use) {
  constexpr int kTries = 5;
  for (int tried = 1;; ++tried) {
    try {
      return use(element(selector));
    } catch (const std::runtime_error& error) {
      const std::string_view said = error.what();
      if (tried == kTries || said.find("stale element") == std::string_view::npos) throw;
    }
  }
}

void Browser::click(std::string_view selector) {
  use_element(selector, [&](const std::string& found) {
    session_call("POST", fmt::format("/element/{}/click", found));
  });
}

void Browser::click_with_control(std::string_view selector) {
  // The two hands take turns: each entry of one is done together with that of the other.
  constexpr std::string_view kHands =
      R"({{"actions":[{{"type":"key","id":"keyboard","actions":[)"
      R"({{"type":"keyDown","value":"\uE009"}},{{"type":"pause"}},{{"type":"pause"}},{{"type":"pause"}},)"
      R"({{"type":"keyUp","value":"\uE009"}}]}},{{"type":"pointer","id":"mouse","actions":[)"
      R"({{"type":"pause"}},{{"type":"pointerMove","x":0,"y":0,"origin":{{"{}":"{}"}}}},)"
      R"({{"type":"pointerDown","button":0}},{{"type":"pointerUp","button":0}},{{"type":"pause"}}]}}]}})";
  use_element(selector, [&](const std::string& found) {
    session_call("POST", "/actions", fmt::format(kHands, kElement, found));
  });
}

void Browser::type(std::string_view selector, std::string_view text) {
  use_element(selector, [&](const std::string& found) {
    session_call("POST", fmt::format("/element/{}/value", found), object("text", text));
  });
}

void Browser::press(const std::vector<std::string_view>& keys) {
  JsonWriter json;
  begin_actions(json);
  write_strokes(json, keys);
  session_call("POST", "/actions", end_actions(json));
}

void Browser::press_with_control(std::string_view pressed) {
  constexpr std::string_view kControl = "\uE009";
  JsonWriter json;
  begin_actions(json);
  json.begin_object().field("type", "keyDown").field("value", kControl).end_object();
  write_strokes(json, std::array{pressed});
  json.begin_object().field("type", "keyUp").field("value", kControl).end_object();
  session_call("POST", "/actions", end_actions(json));
}

void Browser::run_devtools(std::string_view command, const std::string& parameters) {
  session_call("POST", "/goog/cdp/execute",
               fmt::format(R"({{"cmd":"{}","params":{}}})", command, parameters));
}

void Browser::run_before_pages(std::string_view script) {
  run_devtools("Page.addScriptToEvaluateOnNewDocument",
               fmt::format(R"({{"source":"{}"}})", script));
}

void Browser::resize(int width, int height) {
  run_devtools("Emulation.setDeviceMetricsOverride",
               fmt::format(R"({{"width":{},"height":{},"deviceScaleFactor":1,"mobile":false}})",
                           width, height));
}

void Browser::prefer(Scheme scheme) {
  // Without motion, so that the next look sees colours that stay.
  constexpr std::string_view kFeatures =
      R"({{"features":[{{"name":"prefers-color-scheme","value":"{}"}},)"
      R"({{"name":"prefers-reduced-motion","value":"reduce"}}]}})";
  run_devtools("Emulation.setEmulatedMedia",
               fmt::format(kFeatures, scheme == Scheme::kDark ? "dark" : "light"));
}

std::string Browser::screenshot(std::string_view name) {
  const std::filesystem::path folder = CHIRP_SCREENS;
  std::filesystem::create_directories(folder);
  const std::filesystem::path path = folder / fmt::format("{}.png", name);
  std::ofstream(path, std::ios::binary)
      << decoded_base64(string_in(session_call("GET", "/screenshot")));
  return path.string();
}

std::vector<std::string> Browser::complaints() {
  const std::string log = session_call("POST", "/se/log", object("type", "browser"));
  simdjson::dom::parser parser;
  std::vector<std::string> lines;
  const simdjson::dom::array entries = parser.parse(log).get_array().value();
  for (const simdjson::dom::element entry : entries) {
    const std::string_view level = entry["level"].get_string().value();
    if (level != "SEVERE" && level != "WARNING") continue;
    lines.emplace_back(entry["message"].get_string().value());
  }
  return lines;
}

}  // namespace chirp::test
