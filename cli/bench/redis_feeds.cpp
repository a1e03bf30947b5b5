#include "cli/bench/redis_feeds.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <deque>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "core/error.h"
#include "core/feed/home_feed.h"
#include "core/limits.h"

namespace chirp::cli::bench {
namespace {

using Watch = std::chrono::steady_clock;
using Words = std::vector<std::string>;

constexpr std::size_t kInFlight = 16;
constexpr std::size_t kCommandsInFlight = 2 * kInFlight;  // a delivery is two
constexpr std::size_t kEntriesMax = 800;

std::string feed_key(UserNumber reader) { return fmt::format("feed:{}", reader.value); }
std::string card_key(UserNumber user) { return fmt::format("user:{}", user.value); }

Words newest(UserNumber reader) {
  return {"ZREVRANGE", feed_key(reader), "0", fmt::format("{}", limits::kPostPageDefault - 1)};
}

feed::Page page_of(const Snapshot& snapshot, const Clock& clock, UserNumber reader,
                   std::uint32_t limit, std::optional<PostId> before) {
  feed::PageRequest request;
  request.viewer = reader;
  request.limit = limit;
  request.before = before;
  return feed::home_feed(snapshot, request, clock);
}

std::vector<std::string_view> texts_of(const redisReply& reply) {
  std::vector<std::string_view> texts;
  for (std::size_t i = 0; i < reply.elements; ++i) {
    const redisReply& element = *reply.element[i];
    check(element.type == REDIS_REPLY_STRING, "what a page in Redis names is there");
    texts.emplace_back(element.str, element.len);
  }
  return texts;
}

// Pages on their way. Each is three questions one after the other: ids, posts, cards.
class PagesInFlight {
 public:
  explicit PagesInFlight(RedisConnection& redis) : redis_(redis) {}

  void ask(UserNumber reader) {
    redis_.send(newest(reader));
    pages_.push_back({Step::kIds, Watch::now()});
  }
  [[nodiscard]] std::size_t size() const { return pages_.size(); }
  // Takes in one answer; the nanoseconds of the page if that was its last.
  std::optional<std::uint32_t> take_in() {
    const RedisReply reply = redis_.receive();
    Page page = pages_.front();
    pages_.pop_front();
    const auto texts = texts_of(*reply);
    if (page.step == Step::kCards || texts.empty()) {
      const auto nanos = std::chrono::nanoseconds(Watch::now() - page.start).count();
      return static_cast<std::uint32_t>(std::min<std::int64_t>(nanos, ~0u));
    }
    redis_.send(page.step == Step::kIds ? posts_named(texts) : cards_named(texts));
    page.step = page.step == Step::kIds ? Step::kPosts : Step::kCards;
    pages_.push_back(page);
    return std::nullopt;
  }

 private:
  enum class Step : std::uint8_t { kIds, kPosts, kCards };
  struct Page {
    Step step;
    Watch::time_point start;
  };

  static Words posts_named(std::span<const std::string_view> ids) {
    Words words{"MGET"};
    for (const std::string_view id : ids) words.push_back(fmt::format("post:{}", id));
    return words;
  }
  // A post's string begins with its author's number and a blank.
  static Words cards_named(std::span<const std::string_view> posts) {
    Words words{"MGET"};
    for (const std::string_view post : posts) {
      words.push_back(fmt::format("user:{}", post.substr(0, post.find(' '))));
    }
    std::sort(words.begin() + 1, words.end());
    words.erase(std::unique(words.begin() + 1, words.end()), words.end());
    return words;
  }

  RedisConnection& redis_;
  std::deque<Page> pages_;
};

}  // namespace

void RedisFeeds::put(const Words& words) {
  if (in_flight_ == kCommandsInFlight) {
    (void)redis_.receive();
    --in_flight_;
  }
  redis_.send(words);
  ++in_flight_;
}

void RedisFeeds::settle() {
  for (; in_flight_ > 0; --in_flight_) (void)redis_.receive();
}

void RedisFeeds::load(const Storage& storage, const Clock& clock,
                      std::span<const UserNumber> readers) {
  const auto snapshot = storage.snapshot();
  std::unordered_set<std::uint64_t> posts;
  std::unordered_set<std::uint32_t> cards;
  for (const UserNumber reader : readers) {
    std::optional<PostId> before;
    for (std::size_t left = kEntriesMax; left > 0;) {
      const auto limit =
          static_cast<std::uint32_t>(std::min<std::size_t>(left, limits::kPostPageMax));
      const feed::Page page = page_of(*snapshot, clock, reader, limit, before);
      Words entries{"ZADD", feed_key(reader)};
      for (const feed::FeedItem& item : page.items) {
        const std::string id = fmt::format("{}", item.entry.value);
        entries.insert(entries.end(), {id, id});
        if (posts.insert(item.entry.value).second) {
          put({"SET", "post:" + id,
               fmt::format("{} {} {}", item.author->number.value, item.post->created_at.ms,
                           item.post->text)});
        }
        if (cards.insert(item.author->number.value).second) {
          put({"SET", card_key(item.author->number),
               fmt::format("{} {} {}", item.author->id.value, item.author->username,
                           item.author->display_name)});
        }
      }
      if (!page.items.empty()) put(entries);
      if (!page.next_cursor) break;
      before = page.next_cursor;
      left -= page.items.size();
    }
  }
  settle();
}

void RedisFeeds::compare(const Storage& storage, const Clock& clock,
                         std::span<const UserNumber> readers) {
  const auto snapshot = storage.snapshot();
  for (const UserNumber reader : readers) {
    std::vector<std::string> expected;
    for (const feed::FeedItem& item :
         page_of(*snapshot, clock, reader, limits::kPostPageDefault, std::nullopt).items) {
      expected.push_back(fmt::format("{}", item.entry.value));
    }
    redis_.send(newest(reader));
    const RedisReply reply = redis_.receive();
    const auto found = texts_of(*reply);
    if (!std::equal(found.begin(), found.end(), expected.begin(), expected.end())) {
      throw Error(ErrorCode::kInternal,
                  fmt::format("Redis and chirp show user number {} different pages, so nothing is "
                              "measured beside.",
                              reader.value));
    }
  }
}

Figure RedisFeeds::pages(const std::function<UserNumber(std::uint64_t)>& reader_of,
                         double seconds) {
  Figure figure{.name = "feed, Redis", .policy = "push"};
  std::vector<std::uint32_t> nanos;
  PagesInFlight pages(redis_);
  const auto start = Watch::now();
  const auto end =
      start + std::chrono::duration_cast<Watch::duration>(std::chrono::duration<double>(seconds));
  std::uint64_t asked = 0;
  for (;;) {
    while (pages.size() < kInFlight && Watch::now() < end) pages.ask(reader_of(asked++));
    if (pages.size() == 0) break;
    if (const auto took = pages.take_in()) nanos.push_back(*took);
  }
  figure.seconds = std::chrono::duration<double>(Watch::now() - start).count();
  figure.operations = asked;
  set_percentiles(figure, std::move(nanos));
  return figure;
}

double RedisFeeds::deliver(std::span<const Delivery> deliveries) {
  const auto start = Watch::now();
  const std::string lowest = fmt::format("-{}", kEntriesMax + 1);
  for (const Delivery& delivery : deliveries) {
    const std::string id = fmt::format("{}", delivery.post.value);
    for (const UserNumber reader : delivery.to) {
      const std::string key = feed_key(reader);
      put({"ZADD", key, id, id});
      put({"ZREMRANGEBYRANK", key, "0", lowest});
    }
  }
  settle();
  return std::chrono::duration<double>(Watch::now() - start).count();
}

}  // namespace chirp::cli::bench
