#include "server/http/listener.h"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "server/limits.h"

namespace chirp::http {
namespace {

constexpr int kBacklog = 1024;

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Addresses addresses_of(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int failure = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (failure != 0 || list == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" is no address to listen on: {}. Name one of this machine, such "
                            "as 127.0.0.1.",
                            host, ::gai_strerror(failure)),
                "host");
  }
  return Addresses(list);
}

[[noreturn]] void fail(const std::string& host, std::uint16_t port, int error) {
  if (error == EADDRNOTAVAIL) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("{} is no address of this machine. Name one that is, such as 127.0.0.1.", host),
        "host");
  }
  const char* advice = error == EACCES ? "Take a port above 1023, or let a proxy listen there."
                                       : "Another program has it: stop that one, or take another "
                                         "port (0 for any that is free).";
  throw Error(ErrorCode::kUnavailable, fmt::format("Can't listen on {} port {}: {}. {}", host, port,
                                                   std::strerror(error), advice));
}

std::uint16_t port_of(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  std::array<char, 16> service{};
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (::getsockname(socket, generic, &size) != 0 ||
      ::getnameinfo(generic, size, nullptr, 0, service.data(), service.size(), NI_NUMERICSERV) !=
          0) {
    return 0;
  }
  return static_cast<std::uint16_t>(std::stoul(service.data()));
}

std::string text_of(const sockaddr_storage& address, socklen_t size) {
  std::array<char, INET6_ADDRSTRLEN + 20> host{};
  if (::getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host.data(), host.size(),
                    nullptr, 0, NI_NUMERICHOST) != 0) {
    return "unknown";
  }
  std::string text = host.data();
  // How a socket for both families writes an address of IPv4.
  constexpr std::string_view kMapped = "::ffff:";
  if (text.starts_with(kMapped) && text.find('.') != std::string::npos) {
    text.erase(0, kMapped.size());
  }
  return text;
}

void set(int socket, int level, int option, int value) {
  ::setsockopt(socket, level, option, &value, sizeof value);
}

int open_spare() { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }

}  // namespace

Listener::Listener(const std::string& host, std::uint16_t port) {
  const Addresses list = addresses_of(host, port);
  socket_ = ::socket(list->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket_ < 0) fail(host, port, errno);
  // So that a restart need not wait for old connections to time out. Never SO_REUSEPORT, with which
  // two servers would share a port and not know.
  set(socket_, SOL_SOCKET, SO_REUSEADDR, 1);
  if (::bind(socket_, list->ai_addr, list->ai_addrlen) != 0 || ::listen(socket_, kBacklog) != 0) {
    const int error = errno;
    close();
    fail(host, port, error);
  }
  port_ = port_of(socket_);
  spare_ = open_spare();
}

Listener::~Listener() {
  close();
  if (spare_ >= 0) ::close(spare_);
}

void Listener::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

std::optional<Accepted> Listener::accept() {
  // Another thread may have taken the spare while hang_up_on_one() had closed it.
  if (spare_ < 0) spare_ = open_spare();
  while (socket_ >= 0) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    const int socket = ::accept4(socket_, reinterpret_cast<sockaddr*>(&address), &size,
                                 SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket >= 0) {
      set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
      // What the system holds for a client that does not read is memory, too.
      set(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, limits::kUnsentBytesMax);
      return Accepted{socket, text_of(address, size)};
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) return std::nullopt;
    if (errno == EINTR || errno == ECONNABORTED) continue;
    if ((errno == EMFILE || errno == ENFILE) && hang_up_on_one()) continue;
    return std::nullopt;  // the rest passes: no memory, a network that is down
  }
  return std::nullopt;
}

bool Listener::hang_up_on_one() {
  if (spare_ < 0) return false;
  ::close(spare_);
  const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (socket >= 0) ::close(socket);
  spare_ = open_spare();
  return socket >= 0;
}

}  // namespace chirp::http
