#include "tests/support/cut_line.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace chirp::test {
namespace {

constexpr std::string_view kHost = "?host=";
constexpr const char* kSocket = "/.s.PGSQL.5432";

constexpr char kSync = 'S';
constexpr char kQuery = 'Q';
constexpr char kTerminate = 'X';
constexpr char kReady = 'Z';  // of a server: nothing more comes before it is asked again

int socket_at(const std::string& path, int (*use)(int, const sockaddr*, socklen_t)) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::copy_n(path.c_str(), std::min(path.size() + 1, sizeof address.sun_path - 1),
              static_cast<char*>(address.sun_path));
  if (fd >= 0 && use(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return fd;
  }
  if (fd >= 0) ::close(fd);
  throw std::runtime_error("no socket at " + path);
}

pid_t at_other_end(int fd) {
  ucred who{};
  socklen_t size = sizeof who;
  return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 ? who.pid : 0;
}

// The size of the first part of `bytes`, of which there is a letter in front of its length, or
// none; nothing if it is not whole.
std::optional<std::size_t> first_part(std::string_view bytes, bool has_letter) {
  const std::size_t letter = has_letter ? 1 : 0;
  if (bytes.size() < letter + 4) return std::nullopt;
  std::size_t size = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    size = size << 8U | static_cast<unsigned char>(bytes[letter + i]);
  }
  if (bytes.size() < letter + size) return std::nullopt;
  return letter + size;
}

void write_some(int fd, std::string& bytes) {
  const ssize_t size = ::send(fd, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (size >= 0) {
    bytes.erase(0, static_cast<std::size_t>(size));
  } else if (errno != EAGAIN && errno != EINTR) {
    bytes.clear();  // whoever is to have it is gone, which reading tells
  }
}

// False at the end.
bool read_some(int fd, std::string& into) {
  std::array<char, 65'536> bytes{};
  const ssize_t size = ::recv(fd, bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (size < 0) return errno == EAGAIN || errno == EINTR;
  into.append(bytes.data(), static_cast<std::size_t>(size));
  return size > 0;
}

void close_at(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

std::string socket_of(const std::string& url) {
  return url.substr(url.find(kHost) + kHost.size()) + kSocket;
}

}  // namespace

CutLine::CutLine(const std::string& url, CutPlan plan)
    : server_(socket_of(url)),
      listening_(socket_at(folder_.path().string() + kSocket, ::bind)),
      plan_(std::move(plan)) {
  if (::listen(listening_, 8) != 0 || ::pipe(stop_.data()) != 0) std::terminate();
  thread_ = std::thread([this] { run(); });
}

CutLine::~CutLine() {
  (void)!::write(stop_[1], "s", 1);
  thread_.join();
  for (const int fd : {listening_, stop_[0], stop_[1]}) ::close(fd);
}

std::string CutLine::through(const std::string& url) const {
  return url.substr(0, url.find(kHost) + kHost.size()) + folder_.path().string();
}

void CutLine::plan(CutPlan plan) {
  const std::lock_guard guard(mutex_);
  plan_ = std::move(plan);
}

std::uint64_t CutLine::messages() const {
  const std::lock_guard guard(mutex_);
  return messages_;
}

void CutLine::wait_quiet() {
  std::unique_lock guard(mutex_);
  quiet_.wait(guard, [this] { return open_ == 0; });
}

void CutLine::run() {
  for (;;) {
    std::vector<pollfd> waiting{{stop_[0], POLLIN, 0}, {listening_, POLLIN, 0}};
    for (const Connection& each : connections_) {
      const auto events = [](bool reads, bool writes) {
        return static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0));
      };
      waiting.push_back({each.program, events(!each.program_ended, !each.to_program.empty()), 0});
      waiting.push_back({each.server, events(!each.server_ended, !each.to_server.empty()), 0});
    }
    (void)::poll(waiting.data(), waiting.size(), -1);
    if (waiting[0].revents != 0) break;
    std::size_t i = 2;
    for (Connection& each : connections_) {
      if (waiting[i++].revents != 0 && !each.program_ended) read_program(each);
      if (waiting[i++].revents != 0 && !each.server_ended) read_server(each);
      hand_on(each);
    }
    for (Connection& each : connections_) {
      if (!is_over(each)) continue;
      close_at(each.program);
      close_at(each.server);
    }
    std::erase_if(connections_, is_over);
    if (waiting[1].revents != 0) take_in();
    const std::lock_guard guard(mutex_);
    open_ = connections_.size();
    if (open_ == 0) quiet_.notify_all();
  }
  for (Connection& each : connections_) {
    close_at(each.program);
    close_at(each.server);
  }
}

void CutLine::take_in() {
  Connection connection;
  connection.program = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection.program < 0) return;
  connection.pid = at_other_end(connection.program);
  connection.number = ++connected_;
  try {
    connection.server = socket_at(server_, ::connect);
    connections_.push_back(std::move(connection));
  } catch (const std::runtime_error&) {
    close_at(connection.program);  // where there is no server
  }
}

void CutLine::read_program(Connection& connection) {
  connection.program_ended = !read_some(connection.program, connection.said);
  take_messages(connection);
  if (connection.program_ended) close_at(connection.program);
}

// Each part has a letter and a length, but for the start, which has no letter.
void CutLine::take_messages(Connection& connection) {
  std::string& said = connection.said;
  while (connection.cut.when == Cut::When::kNever) {
    const std::string_view rest = std::string_view(said).substr(connection.looked);
    const auto size = first_part(rest, connection.is_started);
    if (!size) return;
    const char letter = connection.is_started ? rest.front() : kQuery;
    connection.is_started = true;
    connection.looked += *size;
    if (letter != kSync && letter != kQuery && letter != kTerminate) continue;
    std::string message = said.substr(0, std::exchange(connection.looked, 0));
    said.erase(0, message.size());
    if (letter == kTerminate) {
      connection.to_server += message;
    } else {
      decide(connection, std::move(message));
    }
  }
}

void CutLine::decide(Connection& connection, std::string message) {
  {
    const std::lock_guard guard(mutex_);
    connection.cut = plan_({++messages_, message, connection.pid, connection.number});
  }
  const Cut::When when = connection.cut.when;
  if (when == Cut::When::kBefore) return cut(connection);
  if (when == Cut::When::kHalf) message.resize(message.size() / 2);
  connection.to_server += message;
  if (when == Cut::When::kHalf) cut(connection);
}

// At the moment that was planned.
void CutLine::cut(Connection& connection) {
  if (connection.cut.act) connection.cut.act();
  connection.was_cut = true;
  if (connection.cut.is_silent) return;
  close_at(connection.program);
  connection.program_ended = true;
}

void CutLine::read_server(Connection& connection) {
  std::string& answered = connection.answered;
  connection.server_ended = !read_some(connection.server, answered);
  bool is_ready = connection.server_ended;
  std::size_t whole = 0;
  while (const auto size = first_part(std::string_view(answered).substr(whole), true)) {
    is_ready = is_ready || answered[whole] == kReady;
    whole += *size;
  }
  const bool is_heard = connection.cut.when == Cut::When::kNever;
  if (is_heard) connection.to_program.append(answered, 0, whole);
  answered.erase(0, whole);
  const bool is_next = connection.cut.when == Cut::When::kAfter && !connection.was_cut;
  if (is_next && is_ready) cut(connection);
}

void CutLine::hand_on(Connection& connection) {
  if (connection.program < 0) connection.to_program.clear();
  if (!connection.to_program.empty()) write_some(connection.program, connection.to_program);
  if (!connection.to_server.empty()) write_some(connection.server, connection.to_server);
  if (connection.program_ended && connection.to_server.empty() && !connection.told_end) {
    ::shutdown(connection.server, SHUT_WR);
    connection.told_end = true;
  }
}

// What the server has ended is over for the program, too, once it has heard all of it.
bool CutLine::is_over(const Connection& connection) {
  return connection.server_ended && connection.to_program.empty();
}

}  // namespace chirp::test
