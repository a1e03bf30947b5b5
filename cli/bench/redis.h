// A private Redis server to measure beside chirp, and a connection to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <hiredis/hiredis.h>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "cli/bench/processes.h"
#include "cli/bench/world.h"

namespace chirp::cli::bench {

// The append-only file of a redis-server: none, or one synced once a second (`CONFIG SET
// appendfsync` changes that).
enum class Append : std::uint8_t { kNo, kEverySecond };

// A redis-server on a Unix socket in a temporary folder, without a port. A guard process ends it
// and removes the folder when this process closes a pipe, however it ends. Make it before threads
// start and stores are opened: they do not survive a fork.
class RedisServer {
 public:
  // Throws Error{kUnavailable} if no redis-server is installed, or if it does not start.
  explicit RedisServer(Append append = Append::kNo);
  ~RedisServer();
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  [[nodiscard]] const std::string& socket() const { return socket_; }

 private:
  TemporaryFolder folder_;
  std::string socket_;
  StopPipe stop_;  // makes the guard end the server
  pid_t guard_ = -1;
};

struct FreeReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using RedisReply = std::unique_ptr<redisReply, FreeReply>;

class RedisConnection {
 public:
  // Throws Error{kUnavailable} if the server does not answer.
  explicit RedisConnection(const std::string& socket);

  // Adds a command to the pipeline. It is sent by the next receive() that has to wait.
  void send(std::span<const std::string> words);
  // Returns the next answer, in the order of the commands. Throws Error{kIo} if it is an error.
  [[nodiscard]] RedisReply receive();

 private:
  struct Free {
    void operator()(redisContext* context) const { redisFree(context); }
  };
  std::unique_ptr<redisContext, Free> context_;
};

}  // namespace chirp::cli::bench
