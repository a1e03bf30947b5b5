// Home feeds in Redis in their usual form, on the data of a world: a sorted set of at most 800 ids
// for each reader, and a string for each post and each author's card. A post is pushed into the set
// of every follower. A page is the newest ids, their posts, and their authors' cards. There are no
// rules and no counts, and nothing is on disk unless requested.
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

// A post, and the sets it is pushed to.
struct PostDelivery {
  PostId post;
  std::vector<UserNumber> to;
};

class RedisFeeds {
 public:
  explicit RedisFeeds(Append append = Append::kNo) : server_(append), redis_(server_.socket()) {}

  [[nodiscard]] const std::string& socket() const { return server_.socket(); }

  // Loads the current feeds of `readers`, at most 800 entries each, with posts and cards.
  void load(const Storage& storage, const Clock& clock, std::span<const UserNumber> readers);
  // Throws Error{kInternal} if the first page of any reader differs from chirp's.
  void compare(const Storage& storage, const Clock& clock, std::span<const UserNumber> readers);

  // Reads pages of 20 posts, for the readers `reader_of(n)`, with 16 requests in flight.
  [[nodiscard]] Figure pages(const std::function<UserNumber(std::uint64_t)>& reader_of,
                             double seconds);
  // Adds each post to each of its sets and trims them, with 16 in flight. Returns seconds.
  double deliver(std::span<const PostDelivery> deliveries);

  void put_card(const AuthorCard& card);
  // Waits until all commands are answered.
  void settle();

 private:
  // Sends a command whose answer is ignored. If too many are in flight, waits for the oldest.
  void put(const std::vector<std::string>& words);

  RedisServer server_;
  RedisConnection redis_;
  std::size_t in_flight_ = 0;
};

}  // namespace chirp::cli::bench
