// A Redis of our own to measure beside chirp: a server that goes with us, and a connection to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <hiredis/hiredis.h>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "cli/bench/world.h"
#include "cli/descriptor.h"

namespace chirp::cli::bench {

// What a redis-server writes down of what it is told: nothing, or all of it into a file, synced
// once a second (`CONFIG SET appendfsync` changes that).
enum class Append : std::uint8_t { kNo, kEverySecond };

// A redis-server on a Unix socket in a temporary folder: no port.
// A guard process ends it and removes the folder as soon as this process lets go of a pipe, which
// the system does for it however it ends. Make it before there are threads and open stores: they
// do not survive a fork.
class RedisServer {
 public:
  // Throws Error{kUnavailable} where no redis-server is installed, or it does not start.
  explicit RedisServer(Append append = Append::kNo);
  ~RedisServer();
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  [[nodiscard]] const std::string& socket() const { return socket_; }

 private:
  TemporaryFolder folder_;
  std::string socket_;
  Descriptor alive_;  // closed: the guard ends the server
  pid_t guard_ = -1;
};

struct FreeReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using RedisReply = std::unique_ptr<redisReply, FreeReply>;

class RedisConnection {
 public:
  // Throws Error{kUnavailable} if nobody answers.
  explicit RedisConnection(const std::string& socket);

  // Puts a command into the pipeline. It leaves with the next receive() that has to wait.
  void send(std::span<const std::string> words);
  // The answer to the oldest command that has none yet. Throws Error{kIo} if it is an error.
  [[nodiscard]] RedisReply receive();

 private:
  struct Free {
    void operator()(redisContext* context) const { redisFree(context); }
  };
  std::unique_ptr<redisContext, Free> context_;
};

}  // namespace chirp::cli::bench
