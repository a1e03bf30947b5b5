// Keys and commands of feeds in Redis, and pages that are being read.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/bench/redis.h"
#include "core/model/ids.h"
#include "core/model/time.h"

namespace chirp::cli::bench {

[[nodiscard]] std::string feed_key(UserNumber reader);
[[nodiscard]] std::string card_key(UserNumber user);
// The commands that read the ids of a page, and that store a post.
[[nodiscard]] std::vector<std::string> newest_in(UserNumber reader);
[[nodiscard]] std::vector<std::string> post_in(PostId id, UserNumber author, Time time,
                                               std::string_view text);
// The strings of an array reply; valid as long as the reply.
[[nodiscard]] std::vector<std::string_view> texts_of(const redisReply& reply);

// Each page takes three successive commands: ids, posts, cards.
class PagesInFlight {
 public:
  using Moment = std::chrono::steady_clock::time_point;
  explicit PagesInFlight(RedisConnection& redis) : redis_(redis) {}

  // The page's time is measured from `since`.
  void ask(UserNumber reader, Moment since);
  [[nodiscard]] std::size_t size() const { return pages_.size(); }
  // Receives one answer. If it completes a page, returns the page's `since`.
  std::optional<Moment> take_in();

 private:
  enum class Step : std::uint8_t { kIds, kPosts, kCards };
  struct Page {
    Step step;
    Moment since;
  };

  RedisConnection& redis_;
  std::deque<Page> pages_;
};

}  // namespace chirp::cli::bench
