// A listening socket, and what it accepts. For one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace chirp::http {

struct Accepted {
  int socket;
  std::string address;  // of the other end, without the port
};

class Listener {
 public:
  // Throws what Front throws.
  Listener(const std::string& host, std::uint16_t port);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] int descriptor() const { return socket_; }
  [[nodiscard]] std::uint16_t port() const { return port_; }

  // Accepts a connection if one waits; its socket never blocks. When the process has no file
  // descriptors left, connections that wait are closed, so that their clients notice.
  [[nodiscard]] std::optional<Accepted> accept();
  void close();

 private:
  bool hang_up_on_one();

  int socket_ = -1;
  int spare_ = -1;  // a descriptor to accept with when there is no other
  std::uint16_t port_ = 0;
};

}  // namespace chirp::http
