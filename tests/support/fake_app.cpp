#include "tests/support/fake_app.h"

#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/ports/caller.h"
#include "server/limits.h"
#include "tests/support/eventually.h"
#include "tests/support/http_client.h"

namespace chirp::test {
namespace {

constexpr std::string_view kQuick = "/quick/";

http::Response text(std::string body) {
  http::Response response;
  response.type = "text/plain";
  response.body = std::move(body);
  return response;
}

http::Response empty(int status) {
  http::Response response;
  response.status = status;
  return response;
}

std::string seen(const http::Request& request) {
  std::string text =
      fmt::format("{} {} from {}\n", http::name(request.method), request.path, request.address);
  for (const auto& segment : request.segments) text += fmt::format("segment [{}]\n", segment);
  for (const auto& pair : request.query)
    text += fmt::format("query [{}={}]\n", pair.name, pair.value);
  for (const auto& pair : request.headers) {
    text += fmt::format("header [{}: {}]\n", pair.name, pair.value);
  }
  return text + fmt::format("body [{}]\n", request.body);
}

http::Response letters(const http::Request& request) {
  http::Response response = text(std::string(std::stoul(request.query.at(0).value), 'x'));
  if (request.query.size() > 1) response.type = request.query[1].value;
  return response;
}

// The alphabet over and over.
class Letters final : public http::Source {
 public:
  explicit Letters(std::uint64_t sound) : sound_(sound) {}

  void read(std::uint64_t offset, std::span<char> into) const override {
    if (offset + into.size() > sound_) throw std::runtime_error("a secret");
    for (char& letter : into) letter = static_cast<char>('a' + offset++ % 26);
  }

 private:
  std::uint64_t sound_;
};

http::Response file(const http::Request& request) {
  http::Response response;
  response.type = "video/mp4";
  response.source_bytes = std::stoul(request.query.at(0).value);
  response.source = std::make_shared<Letters>(
      request.query.size() > 1 ? std::stoul(request.query[1].value) : response.source_bytes);
  return response;
}

http::Holder holder_of(const http::Head& head) {
  return {std::string(head.header("from").value_or("")),
          std::string(head.header("user").value_or(""))};
}

http::Response part() {
  http::Response response = text(std::string(1000, 'p'));
  response.status = 206;
  response.headers.push_back({"Content-Range", "bytes 0-999/2000"});
  response.headers.push_back({"Accept-Ranges", "bytes"});
  return response;
}

http::Response split() {
  http::Response response = text("x");
  response.headers.push_back({"Location", "/a\r\nSet-Cookie: b=c"});
  return response;
}

}  // namespace

http::Admission FakeApp::admit(const http::Head& head) const {
  http::Admission admission;
  if (head.method == http::Method::kPost) admission.lane = http::Lane::kWrite;
  if (head.path.starts_with("/password")) admission.lane = http::Lane::kPassword;
  admission.body_max = head.path == "/upload" ? kUploadMax : limits::kJsonBodyMax;
  admission.may_be_at_once = head.path.starts_with(kQuick);
  return admission;
}

std::optional<std::size_t> FakeApp::connections_of(const std::string& address) const {
  if (address == kProxy) return std::nullopt;
  return connections;
}

http::Entry FakeApp::enter(const http::Request& bodiless) {
  ++entered_;
  http::Entry entry{{}, holder_of(bodiless)};
  if (!bodiless.header("stranger")) return entry;
  entry.refusal = text("who are you");
  entry.refusal->status = 401;
  return entry;
}

http::Response FakeApp::answer(const http::Request& request) {
  http::Response response = answer_to(request);
  response.holder = holder_of(request);
  return response;
}

std::optional<http::Response> FakeApp::answer_at_once(http::Request& request) {
  if (request.path == "/quick/cold") return std::nullopt;
  if (request.path == "/quick/cold/looks") {
    (void)look();
    return std::nullopt;
  }
  return answer(request);
}

std::string FakeApp::look() {
  RequestVersions& glance = *RequestVersions::current();
  if (!glance.seen()) glance.see({this, ++looks_, {}, {}});
  return std::to_string(glance.seen()->changes);
}

http::Response FakeApp::answer_to(const http::Request& request) {
  ++answered_;
  if (request.path.ends_with("/hello") || request.path == "/quick/cold") return text("hello");
  if (request.path == "/echo" || request.path == "/upload") return text(request.body);
  if (request.path == "/seen") return text(seen(request));
  if (request.path.ends_with("/looks")) return text(look());
  if (request.path == "/hosts") return text(fmt::format("{}", fmt::join(request.hosts, " ")));
  if (request.path.ends_with("/letters")) return letters(request);
  if (request.path == "/file") return file(request);
  if (request.path == "/nothing") return empty(204);
  if (request.path == "/unchanged") return empty(304);
  if (request.path == "/part") return part();
  if (request.path == "/throw") throw std::runtime_error("a secret");
  if (request.path == "/split") return split();
  if (request.path.ends_with("/wait")) return wait();
  if (!request.path.ends_with("/stream") && request.path != "/throw-late") return empty(404);
  http::Response response;
  response.type = "text/event-stream";
  response.headers = {{"Cache-Control", "no-store"}, {"X-Accel-Buffering", "no"}};
  response.stream = [this, fails = request.path == "/throw-late"](auto outlet) {
    if (fails) throw std::runtime_error("a secret");
    const std::lock_guard lock(mutex_);
    streams_.push_back(std::move(outlet));
    changed_.notify_all();
  };
  return response;
}

http::Response FakeApp::refuse(const http::Refusal& refusal) {
  http::Response response;
  response.status = refusal.status;
  response.type = "application/problem+json";
  response.body = fmt::format(R"({{"status":{},"detail":"{}"}})", refusal.status, refusal.detail);
  response.headers = {{"RateLimit-Limit", "100"}};
  if (refusal.status == 503) response.headers.push_back({"Retry-After", "1"});
  return response;
}

http::Response FakeApp::wait() {
  std::unique_lock lock(mutex_);
  ++waiting_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return open_; });
  return text("waited");
}

void FakeApp::wait_for_waiting(std::size_t count) {
  std::unique_lock lock(mutex_);
  if (!eventually(changed_, lock, [&] { return waiting_ >= count; })) {
    throw std::runtime_error("too few requests came to wait");
  }
}

void FakeApp::let_go() {
  const std::lock_guard lock(mutex_);
  open_ = true;
  changed_.notify_all();
}

std::shared_ptr<http::Outlet> FakeApp::stream(std::size_t n) {
  std::unique_lock lock(mutex_);
  if (!eventually(changed_, lock, [&] { return streams_.size() > n; })) {
    throw std::runtime_error("there is no such stream");
  }
  return streams_[n];
}

http::FrontOptions any_port() {
  http::FrontOptions options;
  options.port = 0;
  options.write_threads = 4;
  options.password_threads = 2;
  return options;
}

RunningFront::RunningFront(FakeApp& app, http::FrontOptions options)
    : app_(app), front_(app, clock_, std::move(options)), thread_([this] { front_.run(); }) {}

RunningFront::~RunningFront() {
  if (!thread_.joinable()) return;
  app_.let_go();  // for a test that has failed
  front_.stop();
  front_.stop();
  thread_.join();
}

void RunningFront::join() { thread_.join(); }

void RunningFront::advance(std::chrono::milliseconds time) {
  settle();
  clock_.advance(time.count());
  settle();
}

// The turn that answers the first request sees all that was there before; the second is answered
// in a later one.
void RunningFront::settle() const {
  HttpClient client(port());
  for (int i = 0; i < 2; ++i) {
    client.send(get("/quick/hello"));
    if (client.read().status != 200) throw std::runtime_error("the front takes no request");
  }
}

bool comes_true(const std::function<bool()>& condition) { return eventually(condition); }

}  // namespace chirp::test
