// The reference load on a Redis with the same feeds and an append-only file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/bench/redis_feeds.h"
#include "cli/bench/reference/load.h"

namespace chirp::cli::bench {

class RedisLoad {
 public:
  // Loads the feeds of all readers and the cards of all authors, and keeps the follows in memory,
  // so that they cost no queries. `redis` must have been made before anything was opened.
  RedisLoad(RedisFeeds& redis, const Crowd& crowd, const Storage& storage, const Clock& clock);

  // Runs pages, posts, and deliveries of acknowledged posts, each on a connection and thread of its
  // own, without trimming. Prints the results. `synced` is Redis's setting for its file: `everysec`
  // or `always`.
  void run(Output& out, const LoadPlan& plan, const std::string& synced);

 private:
  class Queue;
  class Pacer;

  [[nodiscard]] Paced read(const LoadPlan& plan, Pacer pacer) const;
  [[nodiscard]] Paced post(const LoadPlan& plan, Pacer pacer, Queue& queue);
  // Returns the number of deliveries.
  [[nodiscard]] std::uint64_t deliver(Pacer pacer, Queue& queue) const;
  void load_followers(const Snapshot& snapshot);

  RedisFeeds& redis_;
  const Crowd& crowd_;
  const Clock& clock_;
  std::vector<std::uint32_t> begins_;  // first index in followers_ by author, and the end
  std::vector<UserNumber> followers_;
  std::uint64_t last_id_ = 0;
};

}  // namespace chirp::cli::bench
