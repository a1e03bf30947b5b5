// Requests of one connection, heads and bodies: read in pieces of any size they are the same, and
// what was understood of one, written down plainly, is understood the same way.
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/limits.h"
#include "server/http/grammar.h"
#include "server/http/request_reader.h"
#include "server/limits.h"
#include "tests/fuzz/targets.h"

namespace chirp::fuzz {
namespace {

class AnyApp final : public http::App {
 public:
  static constexpr std::size_t kBodyMax = 4096;

  [[nodiscard]] http::Admission admit(const http::Head& head) const override {
    holds(head.method == http::Method::kOptions || head.path.starts_with('/'), "a path has a root");
    return {head.method == http::Method::kGet ? http::Lane::kRead : http::Lane::kWrite,
            kBodyMax,
            {},
            false};
  }
  [[nodiscard]] std::optional<std::size_t> connections_of(
      const std::string& /*address*/) const override {
    return std::nullopt;
  }
  [[nodiscard]] http::Entry enter(const http::Request& /*bodiless*/) override { return {}; }
  [[nodiscard]] http::Response answer(const http::Request& /*request*/) override { return {}; }
  [[nodiscard]] std::optional<http::Response> answer_at_once(http::Request& /*request*/) override {
    return std::nullopt;
  }
  [[nodiscard]] http::Response refuse(const http::Refusal& /*refusal*/) override { return {}; }
};

// What a reader made of bytes: requests, and how it ended.
struct Reading {
  std::vector<http::Request> requests;
  std::string end;
};

Reading read(Bytes input, std::size_t step) {
  static const AnyApp kApp;
  http::RequestReader reader(kApp, "192.0.2.1");
  Reading reading;
  for (;;) {
    auto next = reader.next();
    if (const auto* fault = std::get_if<http::Fault>(&next)) {
      holds(fault->status >= 400 && !fault->detail.empty(), "a refusal says what is wrong");
      reading.end = fmt::format("{} {}", fault->status, fault->detail);
      return reading;
    }
    if (auto* arrived = std::get_if<http::Arrived>(&next)) {
      reading.requests.push_back(std::move(arrived->request));
      continue;
    }
    if (std::get<http::RequestReader::Stage>(next) == http::RequestReader::Stage::kEntry) {
      holds(reader.bodiless().body.empty() && reader.body_bytes() <= limits::kJsonBodyMax,
            "who asks to send a body has sent none, and none that is too long");
      reader.let_in();
      continue;
    }
    (void)reader.takes_continue();
    if (input.empty()) {
      reading.end = fmt::format("stage {}", static_cast<int>(std::get<0>(next)));
      return reading;
    }
    const std::size_t count = std::min({step, reader.room(), input.size()});
    holds(count > 0, "a reader that waits for more has room for it");
    reader.add(input.substr(0, count));
    input.remove_prefix(count);
    holds(reader.held_bytes() <= 2 * limits::kHeadBytesMax + AnyApp::kBodyMax,
          "a reader holds no more than a head and a body");
  }
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

// As the plainest of clients would send it.
std::string written(const http::Request& request) {
  std::string target = request.path;
  char before = '?';
  for (const http::Pair& pair : request.query) {
    target +=
        fmt::format("{}{}={}", before, percent_encoded(pair.name), percent_encoded(pair.value));
    before = '&';
  }
  std::string text = fmt::format("{} {} HTTP/1.{}\r\n", http::name(request.method), target,
                                 request.header("host") ? 1 : 0);
  for (const http::Pair& header : request.headers) {
    text += fmt::format("{}: {}\r\n", header.name, header.value);
  }
  std::string body = request.body;
  // That of a GET is dropped.
  if (const auto length = request.header("content-length"); length && body.empty()) {
    body.assign(http::length_of(*length), 'x');
  }
  return text + "\r\n" + body;
}

bool equal(const std::vector<http::Pair>& one, const std::vector<http::Pair>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const http::Pair& a, const http::Pair& b) {
                      return a.name == b.name && a.value == b.value;
                    });
}

bool equal(const http::Request& one, const http::Request& other) {
  return one.method == other.method && one.path == other.path && one.segments == other.segments &&
         equal(one.query, other.query) && equal(one.headers, other.headers) &&
         one.body == other.body;
}

void check_sound(const http::Request& request) {
  for (const http::Pair& header : request.headers) {
    holds(http::is_token(header.name), "the name of a header is a token");
    for (const char c : header.value) {
      holds(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f,
            "a header has no control characters");
    }
  }
  for (const std::string& segment : request.segments) {
    holds(segment.find('\0') == std::string::npos, "no segment has a NUL");
  }
  const std::string plain = written(request);
  const std::size_t head = plain.size() - request.body.size();
  const std::size_t line = plain.find("\r\n");
  if (head > limits::kHeadBytesMax || line > limits::kTargetBytesMax) return;  // escapes are long
  const Reading again = read(plain, plain.size());
  holds(again.requests.size() == 1 && equal(again.requests.front(), request),
        "what was understood, written plainly, is understood the same");
}

}  // namespace

void requests(Bytes input) {
  const Reading whole = read(input, input.size() + 1);
  const std::size_t odd = 1 + input.size() % 7;
  for (const std::size_t step : {std::size_t{1}, odd}) {
    const Reading pieces = read(input, step);
    holds(pieces.end == whole.end && pieces.requests.size() == whole.requests.size() &&
              std::equal(whole.requests.begin(), whole.requests.end(), pieces.requests.begin(),
                         [](const auto& a, const auto& b) { return equal(a, b); }),
          "requests that come in pieces are those that come at once");
  }
  for (const http::Request& request : whole.requests) check_sound(request);
}

}  // namespace chirp::fuzz
