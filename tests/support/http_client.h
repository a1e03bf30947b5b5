// A client with raw sockets: sends any bytes, and parses answers strictly. No wait is endless: if
// nothing moves any more, the test fails.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace chirp::test {

struct Reply {
  int status = 0;  // 0: the connection was closed instead
  std::string head;
  std::map<std::string, std::string> headers;  // by lower-case name; repeated ones joined with ", "
  std::string body;

  [[nodiscard]] std::string header(const std::string& name) const;  // empty if missing
};

class HttpClient {
 public:
  // Connects to 127.0.0.1. `receive_buffer` is the system's buffer size in bytes; 0: its default.
  explicit HttpClient(std::uint16_t port, int receive_buffer = 0);
  // Takes over a connected socket.
  struct Connected {
    int socket;
  };
  explicit HttpClient(Connected connected) : socket_(connected.socket) {}
  // Connects a socket.
  static void connect(int socket, std::uint16_t port);
  // Connects to a Unix socket.
  [[nodiscard]] static int connect_to(const std::string& path);

  ~HttpClient();
  HttpClient(HttpClient&& other) noexcept;
  HttpClient& operator=(HttpClient&&) = delete;

  // False if the server has hung up.
  bool send(std::string_view bytes) const;
  // Sends as much as possible without blocking.
  std::size_t send_some(std::string_view bytes) const;
  void finish_sending() const;

  enum class Body : std::uint8_t { kSent, kLeftOut };
  // The next answer; without a body for HEAD.
  Reply read(Body body = Body::kSent);
  // The next head only.
  Reply read_head();
  // The next `count` bytes, or fewer at the end.
  std::string read_bytes(std::size_t count);
  // The next bytes up to and including `mark`, or fewer at the end.
  std::string read_through(std::string_view mark);
  // All bytes to the end.
  std::string read_to_end();
  // Whether data, or the end, arrive within this time.
  [[nodiscard]] bool hears_within(std::chrono::milliseconds time) const;
  // Whether the connection ends without further data.
  bool is_closed();

  [[nodiscard]] int socket() const { return socket_; }

 private:
  bool fill();  // false at the end

  int socket_;
  std::string unread_;
};

// Complete requests.
[[nodiscard]] std::string get(std::string_view target, std::string_view more_headers = {});
[[nodiscard]] std::string post(std::string_view target, std::string_view body,
                               std::string_view more_headers = {});

// Resident memory of this process in bytes (VmRSS).
[[nodiscard]] std::size_t resident_bytes();

}  // namespace chirp::test
