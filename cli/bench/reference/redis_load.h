// The reference load on a Redis that keeps the same feeds, and writes down what it is told.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/bench/redis_feeds.h"
#include "cli/bench/reference/load.h"

namespace chirp::cli::bench {

class RedisLoad {
 public:
  // Loads the feeds of all readers and the cards of all authors, and remembers who follows whom, so
  // that nobody has to be asked for it. `redis` was made before anything was opened.
  RedisLoad(RedisFeeds& redis, const Crowd& crowd, const Storage& storage, const Clock& clock);

  // Pages, posts, and deliveries of posts that have been acknowledged, each by a connection and a
  // thread of its own; nothing is trimmed meanwhile. Prints what came of it. `synced` is when the
  // file of Redis is, in its words: `everysec` or `always`.
  void run(Output& out, const LoadPlan& plan, const std::string& synced);

 private:
  class Queue;
  class Pacer;

  [[nodiscard]] Paced read(const LoadPlan& plan, Pacer pacer) const;
  [[nodiscard]] Paced post(const LoadPlan& plan, Pacer pacer, Queue& queue);
  // How many deliveries were made.
  [[nodiscard]] std::uint64_t deliver(Pacer pacer, Queue& queue) const;
  void load_followers(const Snapshot& snapshot);

  RedisFeeds& redis_;
  const Crowd& crowd_;
  const Clock& clock_;
  std::vector<std::uint32_t> begins_;  // of each author's in followers_, and the end of all
  std::vector<UserNumber> followers_;
  std::uint64_t last_id_ = 0;
};

}  // namespace chirp::cli::bench
