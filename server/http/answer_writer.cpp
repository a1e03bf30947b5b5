#include "server/http/answer_writer.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <new>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

#include "core/error.h"
#include "server/http/grammar.h"
#include "server/limits.h"

namespace chirp::http {
namespace {

using HeaderLine =
    std::pair<std::string_view, std::string_view>;  // a header: its name and its value
using HeaderLines = std::vector<HeaderLine>;
constexpr std::size_t kOwnHeaders = 7;  // added here, at most

constexpr char in_lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// What follows a status in words. Clients ignore it.
constexpr std::array<std::pair<int, std::string_view>, 27> kReasons{{
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {302, "Found"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {411, "Length Required"},
    {413, "Payload Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Entity"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {507, "Insufficient Storage"},
}};

std::string_view reason_of(int status) {
  for (const auto& [known, reason] : kReasons) {
    if (known == status) return reason;
  }
  return "Internal Server Error";
}

bool is_sound(const Pair& header) {
  return is_token(header.name) &&
         std::none_of(header.value.begin(), header.value.end(), [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return byte < 0x20 || byte == 0x7f;
         });
}

bool is_sound(const Response& response) {
  return response.status >= 200 && response.status <= 599 &&
         is_sound(Pair{"content-type", response.type}) &&
         std::all_of(response.headers.begin(), response.headers.end(),
                     [](const Pair& header) { return is_sound(header); });
}

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::string http_date(std::time_t seconds) {
  constexpr std::array kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 64> text{};
  const int length = std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                                   kDays.at(static_cast<std::size_t>(parts.tm_wday)), parts.tm_mday,
                                   kMonths.at(static_cast<std::size_t>(parts.tm_mon)),
                                   parts.tm_year + 1900, parts.tm_hour, parts.tm_min, parts.tm_sec);
  return {text.data(), static_cast<std::size_t>(length)};
}

bool has_no_body(int status) { return status == 204 || status == 304; }

bool differs_by_coding(const Response& response) {
  return !response.body.empty() && is_compressible(response.type);
}

bool has_coding(const Response& response) {
  return std::any_of(response.headers.begin(), response.headers.end(), [](const Pair& pair) {
    return equal_in_any_case(pair.name, "content-encoding");
  });
}

// What caches have to keep apart. `differs`: the answer is another for who takes compressed ones.
std::string vary_of(const Response& response, bool differs) {
  if (!differs) return {};
  std::string vary = "Accept-Encoding";
  for (const Pair& header : response.headers) {
    if (equal_in_any_case(header.name, "vary")) vary = header.value + ", " + vary;
  }
  return vary;
}

std::string_view view_of(const fmt::format_int& number) { return {number.data(), number.size()}; }

// In the order of their names, so that an answer does not depend on who added what first; those of
// one name stay as they were added.
std::string text_of(int status, HeaderLines& lines, std::string_view body) {
  std::stable_sort(lines.begin(), lines.end(), [](const HeaderLine& a, const HeaderLine& b) {
    return std::lexicographical_compare(
        a.first.begin(), a.first.end(), b.first.begin(), b.first.end(),
        [](char x, char y) { return in_lower_case(x) < in_lower_case(y); });
  });
  constexpr std::string_view kVersion = "HTTP/1.1 ";
  const fmt::format_int number(status);
  const std::string_view reason = reason_of(status);
  std::size_t bytes = kVersion.size() + number.size() + 1 + reason.size() + 4 + body.size();
  for (const auto& [name, value] : lines) bytes += name.size() + value.size() + 4;
  std::string text;
  text.reserve(bytes);
  text.append(kVersion).append(view_of(number)).append(" ").append(reason).append("\r\n");
  for (const auto& [name, value] : lines) {
    text.append(name).append(": ").append(value).append("\r\n");
  }
  return text.append("\r\n").append(body);
}

}  // namespace

bool is_compressible(std::string_view type) {
  return !type.starts_with("video/") && (!type.starts_with("image/") || type == "image/svg+xml");
}

std::string gzipped(std::string_view bytes) {
  constexpr int kGzip = 16 + MAX_WBITS;  // zlib's way to ask for a gzip header and its check sum
  constexpr int kMemory = 8;             // what zlib takes if it is not asked
  z_stream zip{};
  if (deflateInit2(&zip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::bad_alloc();
  }
  std::string compressed(deflateBound(&zip, bytes.size()), '\0');
  // Read only, though the header of old does not say so.
  zip.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  zip.avail_in = static_cast<uInt>(bytes.size());
  zip.next_out = reinterpret_cast<Bytef*>(compressed.data());
  zip.avail_out = static_cast<uInt>(compressed.size());
  const int outcome = deflate(&zip, Z_FINISH);
  compressed.resize(zip.total_out);
  deflateEnd(&zip);
  check(outcome == Z_STREAM_END, "what deflateBound() says is room enough");
  return compressed;
}

AnswerWriter::AnswerWriter(const Clock& clock, std::chrono::seconds idle)
    : clock_(clock),
      keep_alive_(fmt::format("timeout={}, max={}", idle.count(), limits::kRequestsPerConnection)) {
}

std::string AnswerWriter::write(Method method, Coding coding, After after, Response& response) {
  if (!is_sound(response)) response = fault_of_ours();
  const bool bodiless = has_no_body(response.status);
  const bool differs = differs_by_coding(response);
  const bool compressed = coding == Coding::kGzip && differs && !bodiless &&
                          response.body.size() >= kCompressedFrom && response.status != 206 &&
                          !has_coding(response);
  if (compressed) response.body = gzipped(response.body);

  HeaderLines lines;
  lines.reserve(response.headers.size() + kOwnHeaders);
  const std::string vary = vary_of(response, differs);
  for (const Pair& header : response.headers) {
    if (differs && equal_in_any_case(header.name, "vary")) continue;
    lines.emplace_back(header.name, header.value);
  }
  if (!vary.empty()) lines.emplace_back("Vary", vary);
  lines.emplace_back("Date", date());
  lines.emplace_back("Server", "chirp");
  if (compressed) lines.emplace_back("Content-Encoding", "gzip");
  if (!response.type.empty() && !bodiless) lines.emplace_back("Content-Type", response.type);
  const fmt::format_int length(response.source ? response.source_bytes : response.body.size());
  if (!bodiless && !response.stream) lines.emplace_back("Content-Length", view_of(length));
  if (after == After::kClose || response.stream) {
    lines.emplace_back("Connection", "close");
  } else {
    lines.emplace_back("Keep-Alive", keep_alive_);
  }
  const bool has_bytes = !bodiless && method != Method::kHead;
  return text_of(response.status, lines, has_bytes ? std::string_view(response.body) : "");
}

std::string_view AnswerWriter::date() {
  const std::int64_t now = clock_.now().ms / kSecondMs;
  if (now != dated_) {
    dated_ = now;
    date_ = http_date(now);
  }
  return date_;
}

Response fault_of_ours() {
  Response response;
  response.status = 500;
  response.type = "application/problem+json";
  response.body =
      R"({"type":"urn:chirp:problem:internal","title":"Internal error","status":500,)"
      R"("detail":"The server failed to answer this. Try again later.","code":"internal"})";
  response.headers.push_back({"Cache-Control", "no-store"});
  return response;
}

}  // namespace chirp::http
