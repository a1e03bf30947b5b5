#include "cli/bench/redis.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::cli::bench {
namespace {

constexpr const char* kProgram = "redis-server";
constexpr auto kStartMax = std::chrono::seconds(10);
constexpr auto kBetweenTries = std::chrono::milliseconds(10);

bool is_installed() {
  const char* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const auto file = std::filesystem::path(rest.substr(0, colon)) / kProgram;
    if (::access(file.c_str(), X_OK) == 0) return true;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return false;
}

// In the server's process, before exec. It ends with its guard.
[[noreturn]] void become_server(pid_t guard, const std::string& socket,
                                const std::filesystem::path& folder, Append append) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != guard) ::_exit(1);
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
  ::execlp(kProgram, kProgram, "--port", "0", "--unixsocket", socket.c_str(), "--unixsocketperm",
           "700", "--save", "", "--appendonly", append == Append::kNo ? "no" : "yes",
           "--appendfsync", "everysec", "--auto-aof-rewrite-percentage", "0", "--dir",
           folder.c_str(), "--daemonize", "no", nullptr);
  ::_exit(127);
}

// In the guard: starts the server, and ends it when `stop` is closed. A session of its own protects
// both from signals of the terminal.
[[noreturn]] void watch(StopPipe& stop, const std::string& socket,
                        const std::filesystem::path& folder, Append append) {
  ::setsid();
  const pid_t guard = ::getpid();
  const pid_t server = ::fork();
  if (server == 0) become_server(guard, socket, folder, append);
  stop.wait();
  if (server > 0) {
    ::kill(server, SIGKILL);
    ::waitpid(server, nullptr, 0);
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  ::_exit(0);
}

std::optional<RedisConnection> connected(const std::string& socket) {
  try {
    RedisConnection connection(socket);
    connection.send(std::vector<std::string>{"PING"});
    (void)connection.receive();
    return connection;
  } catch (const Error&) {
    return std::nullopt;  // it has not started yet
  }
}

}  // namespace

RedisServer::RedisServer(Append append) : socket_(folder_.path() / "redis.sock") {
  if (!is_installed()) {
    throw Error(ErrorCode::kUnavailable,
                "redis-server was not found. Install it (on Debian: apt-get install redis-server), "
                "or leave --beside out.");
  }
  guard_ = ::fork();
  if (guard_ == 0) watch(stop_, socket_, folder_.path(), append);
  if (guard_ < 0) {
    throw Error(ErrorCode::kUnavailable,
                "A process for redis-server could not be started. Try again.");
  }
  const auto end = std::chrono::steady_clock::now() + kStartMax;
  while (!connected(socket_)) {
    if (std::chrono::steady_clock::now() > end) {
      stop_.close();
      ::waitpid(guard_, nullptr, 0);
      throw Error(ErrorCode::kUnavailable,
                  fmt::format("redis-server does not answer at {}. Check whether it runs when you "
                              "start it yourself.",
                              socket_));
    }
    std::this_thread::sleep_for(kBetweenTries);
  }
}

RedisServer::~RedisServer() {
  stop_.close();
  ::waitpid(guard_, nullptr, 0);
}

RedisConnection::RedisConnection(const std::string& socket)
    : context_(redisConnectUnix(socket.c_str())) {
  if (!context_ || context_->err != 0) {
    throw Error(ErrorCode::kUnavailable,
                fmt::format("redis-server does not answer at {}.", socket));
  }
}

void RedisConnection::send(std::span<const std::string> words) {
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  for (const std::string& word : words) {
    texts.push_back(word.data());
    sizes.push_back(word.size());
  }
  redisAppendCommandArgv(context_.get(), static_cast<int>(words.size()), texts.data(),
                         sizes.data());
}

RedisReply RedisConnection::receive() {
  void* answer = nullptr;
  if (redisGetReply(context_.get(), &answer) != REDIS_OK) {
    throw Error(ErrorCode::kIo,
                fmt::format("redis-server closed the connection: {}.", context_->errstr));
  }
  RedisReply reply(static_cast<redisReply*>(answer));
  if (reply->type == REDIS_REPLY_ERROR) {
    throw Error(ErrorCode::kIo, fmt::format("redis-server refused a command: {}.", reply->str));
  }
  return reply;
}

}  // namespace chirp::cli::bench
