// Goal: the heads that are written here are those that the HTTP library writes, byte for byte.
// Method: answers drawn at random, of every status and with headers of every kind, written by both;
// the date, which both take from the clock, is left out.
#include "server/http/answer_writer.h"

#include <array>
#include <cstring>
#include <httplib.h>
#include <random>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "server/limits.h"
#include "tests/support/fake_clock.h"
#include "tests/support/seeds.h"

namespace chirp::test {
namespace {

using http::After;
using http::Coding;
using http::Method;
using http::Response;

constexpr std::chrono::seconds kKept{60};

class Memory final : public httplib::Stream {
 public:
  explicit Memory(std::string_view input) : input_(input) {}

  [[nodiscard]] bool is_readable() const override { return !input_.empty(); }
  [[nodiscard]] bool is_writable() const override { return true; }
  ssize_t read(char* bytes, std::size_t size) override {
    const std::size_t count = std::min(size, input_.size());
    std::memcpy(bytes, input_.data(), count);
    input_.remove_prefix(count);
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* bytes, std::size_t size) override {
    output.append(bytes, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  [[nodiscard]] socket_t socket() const override { return INVALID_SOCKET; }

  std::string output;

 private:
  std::string_view input_;
};

bool has_no_body(int status) { return status == 204 || status == 304; }

// The library's answer, with its mistakes corrected: lengths of answers that have none, and
// Accept-Ranges on all to HEAD.
class Library final : public httplib::Server {
 public:
  Library(Method method, Coding coding, After after, const Response& response)
      : response_(response) {
    set_keep_alive_timeout(kKept.count());
    set_keep_alive_max_count(limits::kRequestsPerConnection);
    set_pre_routing_handler([this](const httplib::Request&, httplib::Response& out) {
      fill(out);
      return HandlerResponse::Handled;
    });
    set_post_routing_handler([this](const httplib::Request&, httplib::Response& out) {
      if (has_no_body(out.status) || response_.stream) out.headers.erase("Content-Length");
      if (out.headers.count("X-Ranges") == 0) out.headers.erase("Accept-Ranges");
      out.headers.erase("X-Ranges");
      if (response_.type.empty() || has_no_body(out.status)) out.headers.erase("Content-Type");
    });
    const bool small = response.body.size() < http::kCompressedFrom || response.status == 206;
    const std::string request =
        fmt::format("{} / HTTP/1.1\r\n{}\r\n", method == Method::kHead ? "HEAD" : "GET",
                    coding == Coding::kGzip && !small ? "Accept-Encoding: gzip\r\n" : "");
    Memory stream(request);
    bool closed = false;
    process_request(stream, after == After::kClose || response.stream != nullptr, closed, nullptr);
    written = std::move(stream.output);
  }

  std::string written;

 private:
  void fill(httplib::Response& out) const {
    out.status = response_.status;
    for (const http::Pair& header : response_.headers) {
      out.headers.emplace(header.name, header.value);
      if (header.name == "Accept-Ranges") out.headers.emplace("X-Ranges", "yes");
    }
    const bool differs = !response_.body.empty() && http::is_compressible(response_.type);
    if (differs) {
      const auto own = out.headers.find("Vary");
      const std::string vary = own == out.headers.end() ? "" : own->second + ", ";
      out.headers.erase("Vary");
      out.headers.emplace("Vary", vary + "Accept-Encoding");
    }
    out.headers.emplace("Date", "now");
    out.headers.emplace("Server", "chirp");
    if (has_no_body(response_.status)) return;
    if (!response_.type.empty()) out.headers.emplace("Content-Type", response_.type);
    out.body = response_.body;
  }

  const Response& response_;
};

std::string without_date(std::string text) {
  const std::size_t at = text.find("\r\nDate: ");
  REQUIRE(at != std::string::npos);
  return text.erase(at, text.find("\r\n", at + 2) - at);
}

// The statuses that the program answers with.
constexpr std::array kStatuses{200, 201, 204, 206, 304, 400, 401, 403, 404, 405, 408, 409, 411,
                               413, 414, 415, 416, 421, 422, 429, 431, 500, 501, 503, 507, 599};

Response drawn(std::mt19937& random) {
  const auto once_in = [&](std::uint32_t n) { return random() % n == 0; };
  Response response;
  response.status = kStatuses.at(random() % kStatuses.size());
  if (!once_in(4)) {
    constexpr std::array kTypes{"application/json", "text/plain", "image/png"};
    response.type = kTypes.at(random() % kTypes.size());
    response.body.assign(once_in(2) ? random() % 300 : random() % 5000, 'x');
  }
  constexpr std::array kNames{"ETag",          "Cache-Control", "RateLimit-Limit", "Request-Id",
                              "Content-Range", "a-Thing",       "Accept-Ranges",   "Zone",
                              "retry-after",   "Vary"};
  std::uint32_t value = 0;
  for (const char* name : kNames) {
    if (once_in(3)) response.headers.push_back({name, fmt::format("v{}", ++value)});
  }
  if (once_in(6)) response.headers.push_back({"ETag", "another"});
  std::shuffle(response.headers.begin(), response.headers.end(), random);
  if (once_in(8)) {
    response.stream = [](const auto&) {};
    response.body.clear();
  }
  return response;
}

}  // namespace

TEST_CASE("answers: they are written as the HTTP library writes them") {
  std::mt19937 random(first_seed());
  const StillClock clock;
  http::AnswerWriter writer(clock, kKept);
  for (int i = 0; i < 3000; ++i) {
    Response response = drawn(random);
    const auto method = random() % 3 == 0 ? Method::kHead : Method::kGet;
    // What the library compresses by itself, among types of ours.
    const bool zips = response.type == "text/plain" && random() % 2 == 0;
    const auto coding = zips ? Coding::kGzip : Coding::kIdentity;
    const auto after = random() % 4 == 0 ? After::kClose : After::kKeep;
    const std::string expected = Library(method, coding, after, response).written;
    INFO("seed " << first_seed() << ", answer " << i);
    REQUIRE(without_date(writer.write(method, coding, after, response)) == without_date(expected));
  }
}

}  // namespace chirp::test
