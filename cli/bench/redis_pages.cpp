#include "cli/bench/redis_pages.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"

namespace chirp::cli::bench {
namespace {

using RedisWords = std::vector<std::string>;

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

}  // namespace

std::string feed_key(UserNumber reader) { return fmt::format("feed:{}", reader.value); }
std::string card_key(UserNumber user) { return fmt::format("user:{}", user.value); }

std::vector<std::string> newest_in(UserNumber reader) {
  return {"ZREVRANGE", feed_key(reader), "0", fmt::format("{}", limits::kPostPageDefault - 1)};
}

std::vector<std::string> post_in(PostId id, UserNumber author, Time time, std::string_view text) {
  return {"SET", fmt::format("post:{}", id.value),
          fmt::format("{} {} {}", author.value, time.ms, text)};
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

}  // namespace chirp::cli::bench
