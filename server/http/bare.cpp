#include "server/http/bare.h"

#include <httplib.h>
#include <limits>
#include <thread>

#include "core/error.h"

namespace chirp::http {

// The library's header must be compiled with the options of the library, which pkg-config knows:
// otherwise its members lie in other places.
static_assert(sizeof(httplib::Request) == 608);

class BareServer::Loop {
 public:
  Loop(const std::string& path, std::string body, unsigned threads) {
    server_.set_keep_alive_max_count(std::numeric_limits<std::size_t>::max());
    server_.set_tcp_nodelay(true);
    server_.new_task_queue = [threads] { return new httplib::ThreadPool(threads); };
    server_.Get(path, [text = std::move(body)](const httplib::Request&, httplib::Response& out) {
      out.set_content(text, "application/json");
    });
    const int port = server_.bind_to_any_port("127.0.0.1");
    if (port <= 0) throw Error(ErrorCode::kUnavailable, "There is no free port on 127.0.0.1.");
    port_ = static_cast<std::uint16_t>(port);
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    // stop() before that would be lost.
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~Loop() {
    server_.stop();
    thread_.join();
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  httplib::Server server_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

BareServer::BareServer(const std::string& path, std::string body, unsigned threads)
    : loop_(std::make_unique<Loop>(path, std::move(body), threads)) {}

BareServer::~BareServer() = default;

std::uint16_t BareServer::port() const { return loop_->port(); }

}  // namespace chirp::http
