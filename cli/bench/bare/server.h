// The HTTP library alone, as a reference for benchmarks: its own loop and threads, one route, and
// the same bytes for every client.
//
// The program contains it as a file: a module that is loaded when a server starts, because that
// library depends on five others that no other command needs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace chirp::cli::bench {

class BareServer {
 public:
  // Serves `body` as JSON at `path`, on 127.0.0.1 and any free port. Each open connection takes a
  // thread. Throws Error{kUnavailable} if the library is missing.
  BareServer(const std::string& path, const std::string& body, unsigned threads);

  [[nodiscard]] std::uint16_t port() const;

 private:
  std::unique_ptr<void, void (*)(void*)> loop_;
  std::uint16_t port_ = 0;
};

}  // namespace chirp::cli::bench
