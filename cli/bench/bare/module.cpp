#include "cli/bench/bare/module.h"

#include <httplib.h>
#include <limits>
#include <string>
#include <thread>

// The library's header must be compiled with the library's options, as pkg-config gives them:
// otherwise the layouts of its types differ.
static_assert(sizeof(httplib::Request) == 608);

namespace {

class Loop {
 public:
  Loop(const std::string& path, std::string body, unsigned threads) {
    server_.set_keep_alive_max_count(std::numeric_limits<std::size_t>::max());
    server_.set_tcp_nodelay(true);
    server_.new_task_queue = [threads] { return new httplib::ThreadPool(threads); };
    server_.Get(path, [text = std::move(body)](const httplib::Request&, httplib::Response& out) {
      out.set_content(text, "application/json");
    });
    port_ = server_.bind_to_any_port("127.0.0.1");
    if (port_ <= 0) return;
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    // An earlier stop() would be lost.
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~Loop() {
    if (!thread_.joinable()) return;
    server_.stop();
    thread_.join();
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  [[nodiscard]] int port() const { return port_; }

 private:
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

}  // namespace

void* chirp_bare_start(const char* path, const char* body, std::size_t body_size, unsigned threads,
                       std::uint16_t* port) {
  auto loop = std::make_unique<Loop>(path, std::string(body, body_size), threads);
  if (loop->port() <= 0) return nullptr;
  *port = static_cast<std::uint16_t>(loop->port());
  return loop.release();
}

void chirp_bare_stop(void* started) { delete static_cast<Loop*>(started); }
