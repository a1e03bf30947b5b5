// The HTTP library by itself, as a reference for benchmarks: its own loop and threads, one route,
// the same bytes to everybody.
//
// It is a part of the program as a file is: a module that is loaded when a server is started, since
// that library brings five others along, which no other command needs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace chirp::cli::bench {

class BareServer {
 public:
  // Answers `path` with `body` as JSON, on 127.0.0.1 and any port that is free. Each connection
  // takes a thread while it is open. Throws Error{kUnavailable} where the library is missing.
  BareServer(const std::string& path, const std::string& body, unsigned threads);

  [[nodiscard]] std::uint16_t port() const;

 private:
  std::unique_ptr<void, void (*)(void*)> loop_;
  std::uint16_t port_ = 0;
};

}  // namespace chirp::cli::bench
