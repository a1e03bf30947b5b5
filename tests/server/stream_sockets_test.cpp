// Goal: streams over sockets send what the command line writes, to all readers at once, and end
// when they should.
// Method: the service on a free port and a directory of its own; raw clients; the program itself
// beside it. The test moves the service's clock, so that nothing waits for a stall.
#include <atomic>
#include <set>
#include <thread>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/social/tokens.h"
#include "server/limits.h"
#include "server/service.h"
#include "store/data_directory.h"
#include "tests/support/child.h"
#include "tests/support/eventually.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_outlet.h"
#include "tests/support/http_client.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

class Served {
 public:
  Served() {
    chirp({"init"});
    directory_ = store::DataDirectory::open(data_);
    ServiceOptions options;
    options.port = 0;
    options.requests = Log::Requests::kQuiet;
    service_ = std::make_unique<Service>(ServicePorts{directory_->storage(),
                                                      directory_->users(),
                                                      *hasher_,
                                                      clock_,
                                                      [] { return std::shared_ptr<void>(); },
                                                      [] { return StoreUse{}; },
                                                      {},
                                                      {},
                                                      directory_->uuid()},
                                         options);
    thread_ = std::thread([this] { service_->run(); });
  }
  ~Served() {
    service_->stop();
    thread_.join();
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  // The program, on the same directory; what it prints.
  std::string chirp(std::vector<std::string> arguments) {
    const Ended ended = run(chirp_command(data_, std::move(arguments)));
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    return ended.out;
  }
  std::string token(const std::string& name) {
    const std::string out = chirp({"user", "token", name});
    return out.substr(0, out.find('\n'));
  }
  void add(const std::string& name) { chirp({"user", "add", name}); }
  [[nodiscard]] HttpClient client(int receive_buffer = 0) const {
    return HttpClient(service_->port(), receive_buffer);
  }
  [[nodiscard]] Storage& storage() { return directory_->storage(); }
  [[nodiscard]] FakeClock& clock() { return clock_; }

 private:
  TempFolder folder_;
  std::string data_ = (folder_ / "data").string();
  std::unique_ptr<store::DataDirectory> directory_;
  std::unique_ptr<PasswordHasher> hasher_ = store::bcrypt_hasher();
  StillClock clock_{store::system_clock()->now()};  // about that of the program
  std::unique_ptr<Service> service_;
  std::thread thread_;
};

// A reader of a stream.
class Listener {
 public:
  Listener(const Served& served, const std::string& token, const std::string& after = {},
           int receive_buffer = 0)
      : client_(served.client(receive_buffer)) {
    const std::string last = after.empty() ? "" : "Last-Event-ID: " + after + "\r\n";
    client_.send(get("/v1/stream", "Authorization: Bearer " + token + "\r\n" + last));
    const Reply head = client_.read_head();
    status = head.status;
    type = head.header("content-type");
  }

  // The next one that is no heartbeat; empty at the end of the stream.
  Block next() {
    for (;;) {
      const std::string text = client_.read_through("\n\n");
      if (text.empty()) return {};
      Block block = parse_block(text);
      if (block.id) last_id = block.id_text;
      if (!block.event.empty()) return block;
    }
  }
  bool ends() {
    while (!next().event.empty()) continue;
    return true;
  }

  int status = 0;
  std::string type;
  std::string last_id;

 private:
  HttpClient client_;
};

std::string content(const Block& block) { return json_value(block.data, "content"); }

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("stream: what the command line posts arrives, and what was missed does on coming back") {
  Served served;
  served.add("ann");
  served.add("ben");
  served.chirp({"follow", "add", "ben", "ann"});
  const std::string token = served.token("ben");
  std::string last_id;
  {
    Listener ben(served, token);
    CHECK(ben.status == 200);
    CHECK(ben.type == "text/event-stream");
    served.chirp({"post", "add", "ann", "first"});
    const Block block = ben.next();
    CHECK(block.event == "post");
    CHECK(content(block) == "first");
    last_id = ben.last_id;
  }
  served.chirp({"post", "add", "ann", "second"});
  served.chirp({"post", "add", "ben", "third"});
  Listener ben(served, token, last_id);
  CHECK(content(ben.next()) == "second");
  CHECK(content(ben.next()) == "third");
  served.chirp({"follow", "add", "ann", "ben"});
  CHECK(json_value(ben.next().data, "type") == "follow");
}

TEST_CASE("stream: ends when the token is revoked, or its user removed") {
  Served served;
  served.add("ann");
  served.add("ben");
  Listener ann(served, served.token("ann"));
  Listener ben(served, served.token("ben"));
  served.chirp({"user", "token", "ann", "--revoke"});
  served.clock().advance(limits::kStreamAllowedMs);
  CHECK(ann.ends());
  served.chirp({"post", "add", "ben", "still here"});
  CHECK(content(ben.next()) == "still here");
  served.chirp({"user", "remove", "ben"});
  served.clock().advance(limits::kStreamAllowedMs);
  CHECK(ben.ends());
}

TEST_CASE("stream: two hundred at once get the same messages, and no user has too many") {
  Served served;
  served.add("ann");
  std::vector<std::string> tokens;
  constexpr std::size_t kStreams = 200;
  for (std::size_t i = 0; i * limits::kStreamsPerUserMax < kStreams; ++i) {
    const std::string name = fmt::format("reader{}", i);
    served.add(name);
    served.chirp({"follow", "add", name, "ann"});
    tokens.push_back(served.token(name));
  }
  std::vector<std::unique_ptr<Listener>> listeners;
  for (std::size_t i = 0; i < kStreams; ++i) {
    listeners.push_back(std::make_unique<Listener>(served, tokens[i / limits::kStreamsPerUserMax]));
    REQUIRE(listeners.back()->status == 200);
  }
  CHECK(Listener(served, tokens.front()).status == 429);
  served.chirp({"post", "add", "ann", "to all"});
  std::set<std::uint64_t> ids;
  for (const auto& listener : listeners) {
    const Block block = listener->next();
    CHECK(content(block) == "to all");
    ids.insert(block.id.value_or(0));
  }
  CHECK(ids.size() == 1);
}

TEST_CASE("stream: a client that stalls is dropped, and the others read on") {
  Served served;
  served.add("ann");
  served.add("ben");
  served.chirp({"follow", "add", "ben", "ann"});
  const std::string token = served.token("ben");
  Listener good(served, token);
  Listener stalled(served, token, {}, 4096);
  constexpr std::size_t kPosts = 3200;
  std::string text;
  for (int i = 0; i < 280; ++i) text += "\xf0\x9f\x90\xa6";  // four bytes each
  const std::vector<Change> batch(kPosts / 8, Publish{UserNumber{1}, text});
  std::atomic<std::size_t> received = 0;
  std::thread reader([&] {
    try {
      while (received < kPosts && !good.next().event.empty()) ++received;
    } catch (const std::exception& silence) {
      MESSAGE(silence.what());
    }
  });
  const Time now{1'790'000'000'000};
  for (int i = 0; i < 8; ++i) served.storage().write(batch, now);
  reader.join();
  CHECK(received == kPosts);
  const auto open = [&] {
    served.clock().advance(1'000);
    HttpClient client = served.client();
    client.send(get("/metrics"));
    const std::string metrics = client.read().body;
    return metrics.find("chirp_streams_open 1\n") != std::string::npos;
  };
  CHECK(eventually(open));
  served.chirp({"post", "add", "ann", "after all"});
  CHECK(content(good.next()) == "after all");
}

TEST_SUITE_END();

}  // namespace chirp::test
