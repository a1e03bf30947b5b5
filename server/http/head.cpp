#include "server/http/head.h"

#include <algorithm>
#include <array>

#include "core/model/utf8.h"
#include "server/http/grammar.h"
#include "server/http/target.h"
#include "server/limits.h"

namespace chirp::http {
namespace {

// The request line besides the target: a method, blanks and the version.
constexpr std::size_t kLineBytesMax = limits::kTargetBytesMax + 64;

constexpr std::string_view kCookie = "cookie:";

constexpr bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

struct RequestLine {
  Method method = Method::kGet;
  std::string_view target;
  bool is_1_1 = true;
};

std::variant<RequestLine, Fault> parse_request_line(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return bad("The request line is not a method, a target and a version.");
  }
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  const bool is_version = version.size() == 8 && version.starts_with("HTTP/") &&
                          is_digits(version.substr(5, 1)) && version[6] == '.' &&
                          is_digits(version.substr(7, 1));
  if (!is_version) return bad("The request line does not end with a version such as HTTP/1.1.");
  if (!is_token(method)) return bad("The method is no token.");
  if (target.empty() || target.find(' ') != std::string_view::npos) {
    return bad("The target of the request has blanks in it, or is missing.");
  }
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    return bad("This server speaks HTTP/1.1 and HTTP/1.0.");
  }
  if (target.size() > limits::kTargetBytesMax) {
    return Fault{414, "The target of the request is longer than 2,048 bytes."};
  }
  return RequestLine{method_named(method), target, version == "HTTP/1.1"};
}

// Headers that chirp reads. Other headers are not checked, and need not be text.
constexpr bool is_used(std::string_view name) {
  constexpr std::array<std::string_view, 16> kUsed{"accept-encoding",
                                                   "access-control-request-method",
                                                   "authorization",
                                                   "connection",
                                                   "content-encoding",
                                                   "content-length",
                                                   "content-type",
                                                   "expect",
                                                   "host",
                                                   "idempotency-key",
                                                   "if-none-match",
                                                   "if-range",
                                                   "last-event-id",
                                                   "origin",
                                                   "range",
                                                   "transfer-encoding"};
  return std::find(kUsed.begin(), kUsed.end(), name) != kUsed.end();
}

std::variant<Pair, Fault> parse_header(std::string_view line) {
  if (line.starts_with(' ') || line.starts_with('\t')) {
    return bad("A header goes on in a second line, which is obsolete.");
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return bad("A header has no colon.");
  if (!is_token(line.substr(0, colon))) {
    return bad("The name of a header is no token, or has a blank before the colon.");
  }
  Pair header{utf8::ascii_lower(line.substr(0, colon)),
              std::string(trimmed(line.substr(colon + 1)))};
  std::replace(header.value.begin(), header.value.end(), '\t', ' ');
  if (utf8::is_valid(header.value)) return header;
  if (is_used(header.name)) {
    return bad("The value of the header " + header.name + " is not valid UTF-8.");
  }
  std::replace_if(
      header.value.begin(), header.value.end(),
      [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
  return header;
}

// Those whose second occurrence could be read as the first: by a proxy in one way, here in another.
constexpr bool is_single(std::string_view name) {
  constexpr std::array<std::string_view, 11> kSingle{
      "host",          "content-length",   "content-type",
      "authorization", "origin",           "access-control-request-method",
      "range",         "if-range",         "idempotency-key",
      "last-event-id", "transfer-encoding"};
  return std::find(kSingle.begin(), kSingle.end(), name) != kSingle.end();
}

std::optional<Fault> parse_headers(std::string_view text, std::vector<Pair>& headers) {
  headers.reserve(16);
  while (text != "\r\n") {
    const std::size_t end = text.find("\r\n");
    auto parsed = parse_header(text.substr(0, end));
    if (auto* fault = std::get_if<Fault>(&parsed)) return std::move(*fault);
    text.remove_prefix(end + 2);
    Pair& header = std::get<Pair>(parsed);
    if (is_single(header.name) &&
        std::any_of(headers.begin(), headers.end(),
                    [&](const Pair& other) { return other.name == header.name; })) {
      return bad("The header " + header.name + " is there more than once.");
    }
    if (headers.size() == limits::kHeadersMax) return Fault{431, "There are over 64 headers."};
    headers.push_back(std::move(header));
  }
  return std::nullopt;
}

// Sets how the body is framed: by one Content-Length or by chunks.
std::optional<Fault> frame(ParsedHead& parsed, bool is_1_1) {
  const Head& head = parsed.head;
  const auto length = head.header("content-length");
  const auto transfer = head.header("transfer-encoding");
  if (transfer && length) {
    return bad("Transfer-Encoding and Content-Length contradict each other.");
  }
  if (transfer && !is_1_1) return bad("Transfer-Encoding is not known to HTTP/1.0.");
  if (transfer && !equal_in_any_case(*transfer, "chunked")) {
    return Fault{501, "Of Transfer-Encoding, `chunked` alone is taken here."};
  }
  const auto coding = head.header("content-encoding");
  if (coding && !coding->empty() && !equal_in_any_case(*coding, "identity")) {
    return Fault{415, "Bodies are taken as they are, without Content-Encoding."};
  }
  parsed.is_chunked = transfer.has_value();
  if (!length) return std::nullopt;
  if (!is_digits(*length)) return bad("Content-Length is not a number of digits alone.");
  parsed.body_bytes = length_of(*length);
  return std::nullopt;
}

// Notes which hosts are named. Whether they are this server's is for the App to say.
std::optional<Fault> take_hosts(Head& head, const RequestLine& line,
                                std::optional<std::string> target_host) {
  const auto sent = head.header("host");
  if (!sent && line.is_1_1) return bad("There is no Host header.");
  if (sent) {
    auto host = host_of(*sent);
    if (!host) return bad("The Host header names no host.");
    head.hosts.push_back(std::move(*host));
  }
  if (target_host) head.hosts.push_back(*std::move(target_host));
  return std::nullopt;
}

void read_wishes(ParsedHead& parsed, const RequestLine& line) {
  const Head& head = parsed.head;
  // A client of HTTP/1.0 would wait for the end of the connection, or for a header of its time.
  bool close = !line.is_1_1;
  for (const Pair& header : head.headers) {
    if (header.name == "connection") close |= list_has(header.value, "close");
  }
  parsed.after = close ? After::kClose : After::kKeep;
  const auto expect = head.header("expect");
  if (line.is_1_1 && expect && equal_in_any_case(*expect, "100-continue")) {
    parsed.expect = Expect::kContinue;
  }
  const auto accept = head.header("accept-encoding");
  if (accept && accepts_gzip(*accept)) parsed.coding = Coding::kGzip;
}

}  // namespace

bool HeadScanner::is_cookie(std::string_view text) const {
  return lines_ > 0 && equal_in_any_case(text.substr(line_, kCookie.size()), kCookie);
}

HeadScanner::Result HeadScanner::scan(std::string& text) {
  for (; position_ < text.size(); ++position_) {
    const char c = text[position_];
    const bool after_cr = position_ > 0 && text[position_ - 1] == '\r';
    if (after_cr != (c == '\n')) return bad("A line does not end with CR and LF.");
    if (is_control(c) && c != '\r' && c != '\n') return bad("The head has a control character.");
    if (++bytes_ > limits::kHeadBytesMax) return Fault{431, "The head is longer than 32 KiB."};
    if (lines_ == 0 && position_ - line_ > kLineBytesMax) {
      return Fault{414, "The request line is longer than 2,048 bytes."};
    }
    if (c != '\n') continue;
    if (is_cookie(text)) {
      text.erase(line_, position_ + 1 - line_);
      position_ = line_ - 1;
      continue;
    }
    const bool is_empty = position_ - line_ == 1;
    line_ = position_ + 1;
    if (is_empty && lines_ > 0) return Whole{++position_};
    if (is_empty && position_ == 1) continue;  // one is let pass (RFC 9112, 2.2)
    if (is_empty) return bad("The request begins with empty lines.");
    // The request line is one, too.
    if (++lines_ > limits::kHeadersMax + 1) return Fault{431, "There are over 64 headers."};
  }
  // For a cookie that is still arriving, only the start and the possible end of its line are kept.
  if (is_cookie(text)) {
    const std::size_t begin = line_ + kCookie.size();
    const std::size_t end = std::max(begin, text.size() - (text.ends_with('\r') ? 1 : 0));
    text.erase(begin, end - begin);
    position_ = text.size();
  }
  return More{};
}

std::variant<ParsedHead, Fault> parse_head(std::string_view text) {
  if (text.starts_with("\r\n")) text.remove_prefix(2);
  const std::size_t line_end = text.find("\r\n");
  auto line = parse_request_line(text.substr(0, line_end));
  if (auto* fault = std::get_if<Fault>(&line)) return std::move(*fault);
  const RequestLine& request = std::get<RequestLine>(line);

  ParsedHead parsed;
  parsed.head.method = request.method;
  auto target = parse_target(request.target, request.method);
  if (auto* fault = std::get_if<Fault>(&target)) return std::move(*fault);
  Target& parts = std::get<Target>(target);
  parsed.head.path = std::move(parts.path);
  parsed.head.segments = std::move(parts.segments);
  parsed.head.query = std::move(parts.query);

  if (auto fault = parse_headers(text.substr(line_end + 2), parsed.head.headers)) return *fault;
  if (auto fault = take_hosts(parsed.head, request, std::move(parts.host))) return *fault;
  if (auto fault = frame(parsed, request.is_1_1)) return *fault;
  read_wishes(parsed, request);
  return parsed;
}

}  // namespace chirp::http
