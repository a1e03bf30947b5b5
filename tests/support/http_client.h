// A client of raw sockets: sends any bytes, and reads answers strictly. Nothing waits for ever:
// what does not come before everything stands still fails the test.
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
  std::map<std::string, std::string> headers;  // by name in lower case; those given twice with ", "
  std::string body;

  [[nodiscard]] std::string header(const std::string& name) const;  // empty if there is none
};

class HttpClient {
 public:
  // Of 127.0.0.1. `receive_buffer`: bytes that the system takes for it; 0: as it likes.
  explicit HttpClient(std::uint16_t port, int receive_buffer = 0);
  // Of a socket that is connected; it is this client's from now on.
  struct Connected {
    int socket;
  };
  explicit HttpClient(Connected connected) : socket_(connected.socket) {}
  // Of a socket that is not yet.
  static void connect(int socket, std::uint16_t port);
  // To a socket of the file system.
  [[nodiscard]] static int connect_to(const std::string& path);

  ~HttpClient();
  HttpClient(HttpClient&& other) noexcept;
  HttpClient& operator=(HttpClient&&) = delete;

  // False if the server has hung up.
  bool send(std::string_view bytes) const;
  // Sends as much as is taken at once.
  std::size_t send_some(std::string_view bytes) const;
  void finish_sending() const;

  enum class Body : std::uint8_t { kSent, kLeftOut };
  // The next answer; of one to HEAD the body is left out.
  Reply read(Body body = Body::kSent);
  // The next head alone.
  Reply read_head();
  // The next so many bytes, or fewer at the end.
  std::string read_bytes(std::size_t count);
  // The next bytes up to and with `mark`, or fewer at the end.
  std::string read_through(std::string_view mark);
  // All bytes to the end.
  std::string read_to_end();
  // Whether something, or the end, comes within this time.
  [[nodiscard]] bool hears_within(std::chrono::milliseconds time) const;
  // Whether nothing but the end comes.
  bool is_closed();

  [[nodiscard]] int socket() const { return socket_; }

 private:
  bool fill();  // false at the end

  int socket_;
  std::string unread_;
};

// Whole requests.
[[nodiscard]] std::string get(std::string_view target, std::string_view more_headers = {});
[[nodiscard]] std::string post(std::string_view target, std::string_view body,
                               std::string_view more_headers = {});

// Bytes of this process's memory that are in use (VmRSS).
[[nodiscard]] std::size_t resident_bytes();

}  // namespace chirp::test
