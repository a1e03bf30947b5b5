#include "cli/bench/http_load.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <utility>

#include <fmt/format.h>

#include "cli/bench/figure.h"
#include "core/error.h"
#include "core/model/utf8.h"

namespace chirp::cli::bench {
namespace {

constexpr int kPatienceMs = 30'000;
constexpr std::size_t kBufferBytes = 64 << 10;

[[noreturn]] void fail(std::string_view what) {
  throw Error(ErrorCode::kInternal, fmt::format("The server measured {}. Try again.", what));
}

Descriptor connect_to(std::uint16_t port) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (!socket.is_open() ||
      ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    fail(fmt::format("can't be reached: {}", std::strerror(errno)));
  }
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return socket;
}

void send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) fail("hung up");
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

// Finds the end of an answer by its content length.
class AnswerScan {
 public:
  // Returns true when the answer is complete.
  bool add(std::string_view bytes) {
    if (left_) {
      *left_ -= std::min(*left_, bytes.size());
      return *left_ == 0;
    }
    head_ += bytes;
    const std::size_t end = head_.find("\r\n\r\n");
    if (end == std::string::npos) return false;
    if (!head_.starts_with("HTTP/1.1 2")) fail("refused: " + head_.substr(0, end));
    const std::size_t length = length_in(utf8::ascii_lower(head_.substr(0, end)));
    const std::size_t arrived = head_.size() - end - 4;
    left_ = length - std::min(length, arrived);
    return *left_ == 0;
  }
  void clear() {
    head_.clear();
    left_.reset();
  }

 private:
  static std::size_t length_in(const std::string& head) {
    constexpr std::string_view kLength = "\r\ncontent-length: ";
    const std::size_t at = head.find(kLength);
    if (at == std::string::npos) fail("gave no length");
    return std::strtoul(head.c_str() + at + kLength.size(), nullptr, 10);
  }

  std::string head_;  // and the bytes received with it
  std::optional<std::size_t> left_;
};

class Asker {
 public:
  explicit Asker(std::uint16_t port) : socket_(connect_to(port)) {}

  [[nodiscard]] int socket() const { return socket_.get(); }
  void ask(const std::string& request) {
    answer_.clear();
    asked_ = BenchClock::now();
    send_all(socket(), request);
  }
  // Reads once. Returns the duration when the answer is complete.
  std::optional<std::uint32_t> listen(std::span<char> buffer) {
    const ssize_t count = ::recv(socket(), buffer.data(), buffer.size(), 0);
    if (count <= 0) fail("hung up");
    if (!answer_.add({buffer.data(), static_cast<std::size_t>(count)})) return std::nullopt;
    return nanos_since(asked_);
  }

 private:
  Descriptor socket_;
  AnswerScan answer_;
  BenchClock::time_point asked_;
};

class Poll {
 public:
  void add(int socket, std::size_t index) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = index;
    if (::epoll_ctl(descriptor_.get(), EPOLL_CTL_ADD, socket, &event) != 0) {
      fail("can't be watched");
    }
  }
  // Calls `ready` with the index of each readable connection.
  template <class Ready>
  void wait(const Ready& ready) {
    const int count = ::epoll_wait(descriptor_.get(), events_.data(),
                                   static_cast<int>(events_.size()), kPatienceMs);
    if (count == 0) fail("is silent for half a minute");
    for (int i = 0; i < count; ++i) {
      ready(static_cast<std::size_t>(events_.at(static_cast<std::size_t>(i)).data.u64));
    }
  }

 private:
  Descriptor descriptor_{::epoll_create1(EPOLL_CLOEXEC)};
  std::array<epoll_event, 128> events_{};
};

}  // namespace

void measure(Figure& figure, const HttpLoad& load) {
  std::vector<char> buffer(kBufferBytes);
  std::vector<Asker> askers;
  Poll poll;
  std::size_t next = 0;
  const auto ask = [&](Asker& asker) { asker.ask(load.requests[next++ % load.requests.size()]); };
  for (std::size_t i = 0; i < load.connections; ++i) {
    poll.add(askers.emplace_back(load.port).socket(), i);
  }
  std::vector<std::uint32_t> nanos;
  const auto start = BenchClock::now();
  const auto end = later(start, load.seconds);
  for (Asker& asker : askers) ask(asker);
  std::size_t open = askers.size();
  while (open > 0) {
    poll.wait([&](std::size_t index) {
      const auto took = askers[index].listen(buffer);
      if (!took) return;
      nanos.push_back(*took);
      if (BenchClock::now() < end) {
        ask(askers[index]);
      } else {
        --open;
      }
    });
  }
  figure.operations = nanos.size();
  figure.seconds = seconds_since(start);
  set_percentiles(figure, std::move(nanos));
}

std::string fetch(std::uint16_t port, const std::string& request) {
  Asker asker(port);
  asker.ask(request);
  std::vector<char> buffer(kBufferBytes);
  std::string text;
  AnswerScan answer;
  for (bool whole = false; !whole;) {
    const ssize_t count = ::recv(asker.socket(), buffer.data(), buffer.size(), 0);
    if (count <= 0) fail("hung up");
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
    text += bytes;
    whole = answer.add(bytes);
  }
  return text.substr(text.find("\r\n\r\n") + 4);
}

double metric(const std::string& metrics, std::string_view name) {
  const std::string line = fmt::format("\n{} ", name);
  const std::size_t at = metrics.find(line);
  return at == std::string::npos ? 0 : std::strtod(metrics.c_str() + at + line.size(), nullptr);
}

IdleConnections::IdleConnections(std::uint16_t port, std::size_t connections,
                                 std::span<const std::string> requests) {
  for (std::size_t i = 0; i < connections; ++i) {
    sockets_.push_back(connect_to(port));
    const int socket = sockets_.back().get();
    send_all(socket, requests[i % requests.size()]);
    std::array<char, 4096> head{};
    if (::recv(socket, head.data(), head.size(), 0) <= 0) fail("hung up");
    if (!std::string_view(head.data(), head.size()).starts_with("HTTP/1.1 2")) {
      fail("refused one of many clients");
    }
  }
}

}  // namespace chirp::cli::bench
