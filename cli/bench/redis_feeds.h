// Home feeds in Redis in their usual form, on the data of a world: a sorted set of at most 800 ids
// for each reader, and a string for each post and each author's card. A post is pushed into the set
// of every follower. A page is the newest ids, their posts, and their authors' cards. There are no
// rules and no counts, and nothing is on disk unless requested.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/bench/figure.h"
#include "cli/bench/page_readers.h"
#include "cli/bench/redis.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::cli::bench {

[[nodiscard]] std::string feed_key(UserNumber reader);
// The command that stores a post.
[[nodiscard]] std::vector<std::string> post_in(PostId id, UserNumber author, Time time,
                                               std::string_view text);

// Each page takes three successive commands: ids, posts, cards.
class PagesInFlight {
 public:
  using Moment = BenchClock::time_point;
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

  // Reads pages of 20 posts with 16 requests in flight.
  [[nodiscard]] Figure pages(const PageReaders& readers, double seconds);
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
