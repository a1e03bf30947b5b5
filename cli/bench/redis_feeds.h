// Home feeds as they are usually kept in Redis, on the data of a world: a sorted set of at most 800
// ids for each reader, and beside them a string for each post and for each author's card. A post is
// pushed into the set of every follower; a page is the newest ids, their posts, and the cards of
// those who wrote them. No rule is asked, nothing is counted, and nothing is on disk unless it
// is asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/bench/figure.h"
#include "cli/bench/redis.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::cli::bench {

// Somebody's post, and the sets it goes into.
struct Delivery {
  PostId post;
  std::vector<UserNumber> to;
};

class RedisFeeds {
 public:
  explicit RedisFeeds(Append append = Append::kNo) : server_(append), redis_(server_.socket()) {}

  [[nodiscard]] const std::string& socket() const { return server_.socket(); }

  // The feeds of `readers` as they are, down to 800 entries, with posts and cards.
  void load(const Storage& storage, const Clock& clock, std::span<const UserNumber> readers);
  // Throws Error{kInternal} unless the first page of each reader names what chirp's does.
  void compare(const Storage& storage, const Clock& clock, std::span<const UserNumber> readers);

  // Pages of 20, of the readers as `reader_of(n)` names them, 16 in flight.
  [[nodiscard]] Figure pages(const std::function<UserNumber(std::uint64_t)>& reader_of,
                             double seconds);
  // Puts each post into each of its sets and trims them, 16 in flight. Seconds.
  double deliver(std::span<const Delivery> deliveries);

  void put_card(const AuthorCard& card);
  // Waits until all that was put is there.
  void settle();

 private:
  // Sends a command whose answer says nothing. When too many are on their way, the oldest is waited
  // for.
  void put(const std::vector<std::string>& words);

  RedisServer server_;
  RedisConnection redis_;
  std::size_t in_flight_ = 0;
};

}  // namespace chirp::cli::bench
