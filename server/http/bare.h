// The HTTP library by itself, as a reference for benchmarks: its own loop and threads, one route,
// the same bytes to everybody.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace chirp::http {

class BareServer {
 public:
  // Answers `path` with `body` as JSON, on 127.0.0.1 and any port that is free. Each connection
  // takes a thread while it is open.
  BareServer(const std::string& path, std::string body, unsigned threads);
  ~BareServer();
  BareServer(const BareServer&) = delete;
  BareServer& operator=(const BareServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace chirp::http
