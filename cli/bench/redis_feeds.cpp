#include "cli/bench/redis_feeds.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "core/error.h"
#include "core/feed/home_feed.h"
#include "core/limits.h"

namespace chirp::cli::bench {
namespace {

using RedisWords = std::vector<std::string>;

constexpr std::size_t kInFlight = 16;
constexpr std::size_t kCommandsInFlight = 2 * kInFlight;  // a delivery takes two
constexpr std::size_t kEntriesMax = 800;

std::string card_key(UserNumber user) { return fmt::format("user:{}", user.value); }

// The command that reads the ids of a page.
RedisWords newest_in(UserNumber reader) {
  return {"ZREVRANGE", feed_key(reader), "0", fmt::format("{}", limits::kPostPageDefault - 1)};
}

// The strings of an array reply; valid as long as the reply.
std::vector<std::string_view> texts_of(const redisReply& reply) {
  std::vector<std::string_view> texts;
  for (std::size_t i = 0; i < reply.elements; ++i) {
    const redisReply& element = *reply.element[i];
    check(element.type == REDIS_REPLY_STRING, "what a page in Redis names is there");
    texts.emplace_back(element.str, element.len);
  }
  return texts;
}

RedisWords posts_named(std::span<const std::string_view> ids) {
  RedisWords words{"MGET"};
  for (const std::string_view id : ids) words.push_back(fmt::format("post:{}", id));
  return words;
}
// A post's string begins with its author's number and a blank.
RedisWords cards_named(std::span<const std::string_view> posts) {
  RedisWords words{"MGET"};
  for (const std::string_view post : posts) {
    words.push_back(fmt::format("user:{}", post.substr(0, post.find(' '))));
  }
  std::sort(words.begin() + 1, words.end());
  words.erase(std::unique(words.begin() + 1, words.end()), words.end());
  return words;
}

feed::Page page_of(const Snapshot& snapshot, const Clock& clock, UserNumber reader,
                   std::uint32_t limit, std::optional<PostId> before) {
  feed::PageRequest request;
  request.viewer = reader;
  request.limit = limit;
  request.before = before;
  return feed::home_feed(snapshot, request, clock);
}

}  // namespace

std::string feed_key(UserNumber reader) { return fmt::format("feed:{}", reader.value); }

std::vector<std::string> post_in(PostId id, UserNumber author, Time time, std::string_view text) {
  return {"SET", fmt::format("post:{}", id.value),
          fmt::format("{} {} {}", author.value, time.ms, text)};
}

void PagesInFlight::ask(UserNumber reader, Moment since) {
  redis_.send(newest_in(reader));
  pages_.push_back({Step::kIds, since});
}

std::optional<PagesInFlight::Moment> PagesInFlight::take_in() {
  const RedisReply reply = redis_.receive();
  Page page = pages_.front();
  pages_.pop_front();
  const auto texts = texts_of(*reply);
  if (page.step == Step::kCards || texts.empty()) return page.since;
  redis_.send(page.step == Step::kIds ? posts_named(texts) : cards_named(texts));
  page.step = page.step == Step::kIds ? Step::kPosts : Step::kCards;
  pages_.push_back(page);
  return std::nullopt;
}

void RedisFeeds::put(const RedisWords& words) {
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

void RedisFeeds::put_card(const AuthorCard& card) {
  put({"SET", card_key(card.number),
       fmt::format("{} {} {}", card.id.value, card.username, card.display_name)});
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
      RedisWords entries{"ZADD", feed_key(reader)};
      for (const feed::FeedItem& item : page.items) {
        const std::string id = fmt::format("{}", item.entry.value);
        entries.insert(entries.end(), {id, id});
        if (posts.insert(item.entry.value).second) {
          put(post_in(item.entry, item.author->number, item.post->created_at, item.post->text));
        }
        if (cards.insert(item.author->number.value).second) put_card(*item.author);
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
    redis_.send(newest_in(reader));
    const RedisReply reply = redis_.receive();
    const auto found = texts_of(*reply);
    if (!std::equal(found.begin(), found.end(), expected.begin(), expected.end())) {
      throw Error(
          ErrorCode::kInternal,
          fmt::format(
              "Redis and chirp show user number {} different pages, so they are not compared.",
              reader.value));
    }
  }
}

Figure RedisFeeds::pages(const PageReaders& readers, double seconds) {
  Figure figure{.name = "feed, Redis", .policy = "push"};
  std::vector<std::uint32_t> nanos;
  PagesInFlight pages(redis_);
  const auto start = BenchClock::now();
  const auto end = later(start, seconds);
  for (;;) {
    for (auto now = BenchClock::now(); pages.size() < kInFlight && now < end;
         now = BenchClock::now()) {
      pages.ask(readers.all()[readers.index(0, figure.operations++)], now);
    }
    if (pages.size() == 0) break;
    if (const auto since = pages.take_in()) nanos.push_back(nanos_since(*since));
  }
  figure.seconds = seconds_since(start);
  set_percentiles(figure, std::move(nanos));
  return figure;
}

double RedisFeeds::deliver(std::span<const PostDelivery> deliveries) {
  const auto start = BenchClock::now();
  const std::string lowest = fmt::format("-{}", kEntriesMax + 1);
  for (const PostDelivery& delivery : deliveries) {
    const std::string id = fmt::format("{}", delivery.post.value);
    for (const UserNumber reader : delivery.to) {
      const std::string key = feed_key(reader);
      put({"ZADD", key, id, id});
      put({"ZREMRANGEBYRANK", key, "0", lowest});
    }
  }
  settle();
  return seconds_since(start);
}

}  // namespace chirp::cli::bench
