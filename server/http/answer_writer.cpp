#include "server/http/answer_writer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <httplib.h>
#include <new>

#include "server/http/grammar.h"
#include "server/limits.h"

namespace chirp::http {
namespace {

// The library's header must be compiled with the options of the library, which pkg-config knows:
// otherwise its members lie in other places.
static_assert(sizeof(httplib::Request) == 608);

// What the library is given to read. It writes the same head for all methods but HEAD.
constexpr std::string_view request_text(Method method, Coding coding) {
  if (method == Method::kHead) {
    return coding == Coding::kGzip ? "HEAD / HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n"
                                   : "HEAD / HTTP/1.1\r\n\r\n";
  }
  return coding == Coding::kGzip ? "GET / HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n"
                                 : "GET / HTTP/1.1\r\n\r\n";
}

class MemoryStream final : public httplib::Stream {
 public:
  explicit MemoryStream(std::string_view input) : input_(input) {}

  [[nodiscard]] bool is_readable() const override { return !input_.empty(); }
  [[nodiscard]] bool is_writable() const override { return true; }
  ssize_t read(char* bytes, std::size_t size) override {
    const std::size_t count = std::min(size, input_.size());
    std::memcpy(bytes, input_.data(), count);
    input_.remove_prefix(count);
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* bytes, std::size_t size) override {
    output_.append(bytes, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  [[nodiscard]] socket_t socket() const override { return INVALID_SOCKET; }

  [[nodiscard]] std::string take() { return std::move(output_); }

 private:
  std::string_view input_;
  std::string output_;
};

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

}  // namespace

bool is_compressible(std::string_view type) {
  return !type.starts_with("video/") && (!type.starts_with("image/") || type == "image/svg+xml");
}

std::string gzipped(std::string_view bytes) {
  std::string compressed;
  httplib::detail::gzip_compressor compressor;
  const bool done = compressor.compress(bytes.data(), bytes.size(), true,
                                        [&](const char* data, std::size_t size) {
                                          compressed.append(data, size);
                                          return true;
                                        });
  if (!done) throw std::bad_alloc();
  return compressed;
}

class AnswerWriter::Library final : public httplib::Server {
 public:
  explicit Library(std::chrono::seconds idle) {
    set_keep_alive_timeout(idle.count());
    set_keep_alive_max_count(limits::kRequestsPerConnection);
    set_pre_routing_handler([this](const httplib::Request&, httplib::Response& out) {
      fill(out);
      return HandlerResponse::Handled;
    });
    set_post_routing_handler(
        [this](const httplib::Request&, httplib::Response& out) { correct(out); });
  }

  std::string write(Method method, Coding coding, After after, Response& response) {
    response_ = &response;
    if (response.body.size() < kCompressedFrom || response.status == 206 || has_coding()) {
      coding = Coding::kIdentity;
    }
    MemoryStream stream(request_text(method, coding));
    bool closed = false;
    process_request(stream, after == After::kClose || response.stream != nullptr, closed, nullptr);
    return stream.take();
  }

 private:
  [[nodiscard]] bool has_coding() const {
    return std::any_of(response_->headers.begin(), response_->headers.end(), [](const Pair& pair) {
      return equal_in_any_case(pair.name, "content-encoding");
    });
  }

  // Before the library compresses and counts.
  void fill(httplib::Response& out) {
    out.status = response_->status;
    const bool differs = differs_by_coding(*response_);
    std::string vary = differs ? "Accept-Encoding" : "";
    for (const Pair& header : response_->headers) {
      if (differs && equal_in_any_case(header.name, "vary")) {
        vary = header.value + ", " + vary;
      } else {
        out.headers.emplace(header.name, header.value);
      }
    }
    if (!vary.empty()) out.headers.emplace("Vary", std::move(vary));
    out.headers.emplace("Date", date());
    out.headers.emplace("Server", "chirp");
    // Sets a type that the library compresses, since it knows few of those that can be compressed.
    if (!response_->type.empty() && !has_no_body(response_->status)) {
      out.headers.emplace("Content-Type", differs ? "text/plain" : response_->type);
    }
    if (!has_no_body(response_->status)) out.body = std::move(response_->body);
  }

  // After it has, before it writes.
  void correct(httplib::Response& out) const {
    out.headers.erase("Content-Type");
    if (!response_->type.empty() && !has_no_body(out.status)) {
      out.headers.emplace("Content-Type", response_->type);
    }
    // The library adds Accept-Ranges to answers to HEAD alone, whose head has to be that of GET.
    if (std::none_of(response_->headers.begin(), response_->headers.end(), [](const Pair& pair) {
          return equal_in_any_case(pair.name, "accept-ranges");
        })) {
      out.headers.erase("Accept-Ranges");
    }
    if (has_no_body(out.status) || response_->stream) out.headers.erase("Content-Length");
    if (response_->source) {
      out.headers.erase("Content-Length");
      out.headers.emplace("Content-Length", std::to_string(response_->source_bytes));
    }
  }

  const std::string& date() {
    const std::time_t now = std::time(nullptr);
    if (now != dated_) {
      dated_ = now;
      date_ = http_date(now);
    }
    return date_;
  }

  Response* response_ = nullptr;  // being written
  std::time_t dated_ = -1;
  std::string date_;
};

AnswerWriter::AnswerWriter(std::chrono::seconds idle) : library_(std::make_unique<Library>(idle)) {}
AnswerWriter::~AnswerWriter() = default;

std::string AnswerWriter::write(Method method, Coding coding, After after, Response& response) {
  if (!is_sound(response)) response = fault_of_ours();
  return library_->write(method, coding, after, response);
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
