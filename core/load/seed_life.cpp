#include "core/load/seed_life.h"

#include <algorithm>
#include <utility>

#include "core/load/seed_words.h"

namespace chirp::load {
namespace {

// Streams of random numbers.
constexpr std::uint64_t kAnswerDraws = 31;
constexpr std::uint64_t kReactions = 32;

constexpr std::uint64_t kLivelyShare = 25;    // the newest posts, as a percentage
constexpr std::int64_t kAnsweredMs = kDayMs;  // after a post

// Activity on a post: the maximum number, and the percentage of posts with any.
struct Frequency {
  std::uint64_t most;
  std::uint64_t percent;
};
struct Echo {
  Frequency comments;
  Frequency reposts;
  Frequency reactions;
};
constexpr Echo kOfCommunity{{8, 25}, {12, 20}, {40, 60}};
constexpr Echo kOfEverybody{{24, 100}, {36, 100}, {600, 100}};

constexpr std::uint64_t kIdsAPost = 64;
static_assert(kOfCommunity.comments.most + kOfCommunity.reposts.most <= kIdsAPost);
static_assert(kOfEverybody.comments.most + kOfEverybody.reposts.most <= kIdsAPost);
constexpr unsigned kAnswerBits = 38;  // of all answers of a world
static_assert(kSeedRowsMax < (std::uint64_t{1} << kAnswerBits) / kIdsAPost);

std::uint64_t drawn(const Frequency& share, SeedRandom& random) {
  return random.percent(share.percent) ? 1 + random.very_skewed(share.most) : 0;
}

ReactionType some_type(SeedRandom& random) {
  const std::uint64_t place = random.below(100);
  if (place < 70) return ReactionType::kLike;
  if (place < 85) return ReactionType::kLove;
  if (place < 94) return ReactionType::kLaugh;
  return place < 97 ? ReactionType::kAngry : ReactionType::kSad;
}

}  // namespace

SeedLife::SeedLife(const SeedWorld& world) : world_(world) {}

// Depends on the position and not on the time: a world that is generated again later has a later
// end, and the same posts must get answers.
bool SeedLife::is_lively(const SourcePost& post) const {
  const std::uint64_t posts = world_.options().posts;
  return post.privacy == Privacy::kPublic &&
         world_.ordinal_of(post) >= posts - posts * kLivelyShare / 100;
}

SeedLife::Crowd SeedLife::crowd_of(const SourcePost& post) const {
  const std::uint32_t author = world_.user_of(*post.author_id);
  if (author == world_.celebrity()) {
    return {.first = 0,
            .size = static_cast<std::uint32_t>(world_.options().users),
            .author = author,
            .is_everybody = true};
  }
  const SeedGraph::Community home = world_.community(author);
  return {.first = home.first, .size = home.size, .author = author, .is_everybody = false};
}

std::vector<std::uint32_t> SeedLife::some_of(const Crowd& crowd, std::uint64_t count,
                                             SeedRandom& random) {
  std::vector<std::uint32_t> some;
  const std::uint64_t start = random.below(crowd.size);
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, crowd.size); ++i) {
    const auto user = crowd.first + static_cast<std::uint32_t>((start + i) % crowd.size);
    if (user != crowd.author) some.push_back(user);
  }
  return some;
}

Time SeedLife::time_after(const SourcePost& post, SeedRandom& random) const {
  const std::int64_t left = std::min(world_.options().until.ms - post.created_at.ms, kAnsweredMs);
  const auto after = random.skewed(static_cast<std::uint64_t>(left));
  return {post.created_at.ms + static_cast<std::int64_t>(after)};
}

std::vector<Time> SeedLife::times_after(const SourcePost& post, std::size_t count,
                                        SeedRandom& random) const {
  std::vector<Time> times;
  times.reserve(count);
  for (std::size_t i = 0; i < count; ++i) times.push_back(time_after(post, random));
  std::ranges::sort(times);
  return times;
}

SourcePost SeedLife::answer(const SourcePost& post, std::uint64_t n, std::uint32_t user,
                            Time time) const {
  // No post of the world has such an id: the bits above those of the answers differ.
  constexpr std::uint64_t kAbove =
      ((std::uint64_t{1} << 62) - 1) & ~((std::uint64_t{1} << kAnswerBits) - 1);
  const std::uint64_t base = (std::uint64_t{1} << 62) | (~world_.post_base() & kAbove);
  SourcePost said;
  said.id = {base + world_.ordinal_of(post) * kIdsAPost + n};
  said.author_id = world_.user_source(user);
  said.created_at = time;
  return said;
}

void SeedLife::each_answer(const SourcePost& post,
                           const std::function<void(SourcePost&&)>& take) const {
  if (!is_lively(post)) return;
  SeedRandom random(world_.options().seed, kAnswerDraws, world_.ordinal_of(post));
  const Crowd crowd = crowd_of(post);
  const Echo& echo = crowd.is_everybody ? kOfEverybody : kOfCommunity;
  std::uint64_t n = 0;

  const auto commenters = some_of(crowd, drawn(echo.comments, random), random);
  const auto said_at = times_after(post, commenters.size(), random);
  SourceId last = post.id;
  for (std::size_t i = 0; i < commenters.size(); ++i) {
    SourcePost comment = answer(post, n++, commenters[i], said_at[i]);
    const bool is_reply = i > 0 && random.percent(25);
    comment.reply_to = is_reply ? last : post.id;
    comment.text = seed_comment(
        post.text, world_.username(is_reply ? commenters[i - 1] : crowd.author), random);
    last = comment.id;
    take(std::move(comment));
  }

  const auto reposters = some_of(crowd, drawn(echo.reposts, random), random);
  const auto repeated_at = times_after(post, reposters.size(), random);
  for (std::size_t i = 0; i < reposters.size(); ++i) {
    SourcePost repost = answer(post, n++, reposters[i], repeated_at[i]);
    repost.repost_of = post.id;
    take(std::move(repost));
  }
}

void SeedLife::add_reactions(const SourcePost& post, std::vector<SeedReaction>& reactions) const {
  if (!is_lively(post)) return;
  SeedRandom random(world_.options().seed, kReactions, world_.ordinal_of(post));
  const Crowd crowd = crowd_of(post);
  const Echo& echo = crowd.is_everybody ? kOfEverybody : kOfCommunity;
  for (const std::uint32_t user : some_of(crowd, drawn(echo.reactions, random), random)) {
    const ReactionType type = some_type(random);
    reactions.push_back({world_.user_source(user), post.id, type, time_after(post, random)});
  }
}

}  // namespace chirp::load
