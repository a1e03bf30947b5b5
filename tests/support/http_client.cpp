#include "tests/support/http_client.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "core/model/utf8.h"
#include "tests/support/progress.h"

namespace chirp::test {
namespace {

void await(int socket, short what) {
  if (!until_ready(socket, what))
    throw std::runtime_error("the server is silent, and nothing moves");
}

}  // namespace

std::string Reply::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

HttpClient::HttpClient(std::uint16_t port, int receive_buffer)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (receive_buffer > 0) {
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  }
  try {
    connect(socket_, port);
  } catch (...) {
    ::close(socket_);
    throw;
  }
}

void HttpClient::connect(int socket, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error(fmt::format("can't connect: {}", std::strerror(errno)));
  }
}

int HttpClient::connect_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return socket;
  }
  const int error = errno;
  ::close(socket);
  throw std::runtime_error(fmt::format("can't connect to {}: {}", path, std::strerror(error)));
}

HttpClient::~HttpClient() {
  if (socket_ >= 0) ::close(socket_);
}

HttpClient::HttpClient(HttpClient&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), unread_(std::move(other.unread_)) {}

bool HttpClient::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    await(socket_, POLLOUT);
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) return false;
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::size_t HttpClient::send_some(std::string_view bytes) const {
  const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return sent > 0 ? static_cast<std::size_t>(sent) : 0;
}

void HttpClient::finish_sending() const { ::shutdown(socket_, SHUT_WR); }

bool HttpClient::fill() {
  await(socket_, POLLIN);
  std::array<char, 64 << 10> bytes{};
  const ssize_t count = ::recv(socket_, bytes.data(), bytes.size(), 0);
  if (count > 0) unread_.append(bytes.data(), static_cast<std::size_t>(count));
  return count > 0;
}

Reply HttpClient::read_head() {
  Reply reply;
  std::size_t end = 0;
  while ((end = unread_.find("\r\n\r\n")) == std::string::npos) {
    if (fill()) continue;
    if (unread_.empty()) return reply;
    throw std::runtime_error("the answer ends within its head: " + unread_);
  }
  reply.head = unread_.substr(0, end + 2);
  unread_.erase(0, end + 4);
  if (!reply.head.starts_with("HTTP/1.1 ")) throw std::runtime_error("no answer: " + reply.head);
  reply.status = std::stoi(reply.head.substr(9, 3));
  for (std::size_t at = reply.head.find("\r\n") + 2; at < reply.head.size();) {
    const std::size_t line_end = reply.head.find("\r\n", at);
    const std::string line = reply.head.substr(at, line_end - at);
    at = line_end + 2;
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) throw std::runtime_error("no header: " + line);
    std::string& value = reply.headers[utf8::ascii_lower(line.substr(0, colon))];
    value += (value.empty() ? "" : ", ") + line.substr(colon + 2);
  }
  return reply;
}

Reply HttpClient::read(Body body) {
  Reply reply = read_head();
  if (body == Body::kLeftOut || reply.status == 204 || reply.status == 304 || reply.status < 200) {
    return reply;
  }
  if (!reply.headers.contains("content-length"))
    throw std::runtime_error("no length: " + reply.head);
  const std::size_t length = std::stoul(reply.header("content-length"));
  reply.body = read_bytes(length);
  if (reply.body.size() < length) throw std::runtime_error("the answer ends within its body");
  return reply;
}

std::string HttpClient::read_bytes(std::size_t count) {
  while (unread_.size() < count && fill()) {
  }
  std::string bytes = unread_.substr(0, count);
  unread_.erase(0, bytes.size());
  return bytes;
}

std::string HttpClient::read_through(std::string_view mark) {
  std::size_t found = 0;
  while ((found = unread_.find(mark)) == std::string::npos) {
    if (!fill()) return std::exchange(unread_, {});
  }
  return read_bytes(found + mark.size());
}

std::string HttpClient::read_to_end() {
  while (fill()) {
  }
  return std::exchange(unread_, {});
}

bool HttpClient::hears_within(std::chrono::milliseconds time) const {
  pollfd poll{socket_, POLLIN, 0};
  return ::poll(&poll, 1, static_cast<int>(time.count())) > 0;
}

bool HttpClient::is_closed() { return read_to_end().empty(); }

std::string get(std::string_view target, std::string_view more_headers) {
  return fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n{}\r\n", target, more_headers);
}

std::string post(std::string_view target, std::string_view body, std::string_view more_headers) {
  return fmt::format("POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n{}\r\n{}",
                     target, body.size(), more_headers, body);
}

std::size_t resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::stoul(line.substr(6)) * 1024;
  }
  return 0;
}

}  // namespace chirp::test
