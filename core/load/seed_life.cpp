#include "core/load/seed_life.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/load/seed_words.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::load {
namespace {

// Streams of random numbers.
constexpr std::uint64_t kAnswers = 31;
constexpr std::uint64_t kReactions = 32;

constexpr std::int64_t kLivelyMs = 14 * kDayMs;  // before the end
constexpr std::int64_t kAnsweredMs = kDayMs;     // after a post
// Of a post, at most, by its author's community; to the celebrity's more come.
constexpr std::uint64_t kReactionsMax = 40;
constexpr std::uint64_t kReactionsToAllMax = 600;
constexpr std::uint64_t kCommentsMax = 8;
constexpr std::uint64_t kRepostsMax = 12;
constexpr std::uint64_t kIdsAPost = 64;
static_assert(kCommentsMax + kRepostsMax + 2 <= kIdsAPost);
static_assert(kSeedRowsMax <= (std::uint64_t{1} << 38) / kIdsAPost);
constexpr std::size_t kReactionsAtOnce = 16'384;

ReactionType some_type(SeedRandom& random) {
  const std::uint64_t drawn = random.below(100);
  if (drawn < 70) return ReactionType::kLike;
  if (drawn < 85) return ReactionType::kLove;
  if (drawn < 94) return ReactionType::kLaugh;
  return drawn < 97 ? ReactionType::kAngry : ReactionType::kSad;
}

// The reaction's user and post, each different id once.
template <class Of>
std::vector<SourceId> ids_of(std::span<const SeedReaction> reactions, Of of) {
  std::vector<SourceId> ids;
  ids.reserve(reactions.size());
  for (const SeedReaction& reaction : reactions) ids.push_back(reaction.*of);
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::size_t place_of(const std::vector<SourceId>& ids, SourceId id) {
  return static_cast<std::size_t>(std::ranges::lower_bound(ids, id) - ids.begin());
}

}  // namespace

SeedLife::SeedLife(const SeedWorld& world) : world_(world) {}

bool SeedLife::is_lively(const SourcePost& post) const {
  const Time until = world_.options().until;
  return post.privacy == Privacy::kPublic && post.created_at.ms >= until.ms - kLivelyMs &&
         post.created_at.ms + 1 < until.ms;
}

SeedLife::Crowd SeedLife::crowd_of(const SourcePost& post) const {
  const std::uint32_t author = world_.user_of(*post.author_id);
  if (author == world_.celebrity()) {
    return {0, static_cast<std::uint32_t>(world_.options().users), author};
  }
  const SeedGraph::Community home = world_.community(author);
  return {home.first, home.size, author};
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

std::vector<Time> SeedLife::times_after(const SourcePost& post, std::size_t count,
                                        SeedRandom& random) const {
  const std::int64_t left =
      std::min(world_.options().until.ms - post.created_at.ms - 1, kAnsweredMs);
  std::vector<Time> times;
  for (std::size_t i = 0; i < count; ++i) {
    const auto after = random.skewed(static_cast<std::uint64_t>(left));
    times.push_back({post.created_at.ms + 1 + static_cast<std::int64_t>(after)});
  }
  std::ranges::sort(times);
  return times;
}

// No id of a user or a post of the world: the bits in the middle are others.
SourceId SeedLife::next_id(const SourcePost& post, std::uint64_t n) const {
  constexpr std::uint64_t kMiddle = ((std::uint64_t{1} << 24) - 1) << 38;
  const std::uint64_t base = (std::uint64_t{1} << 62) | (~world_.source_base() & kMiddle);
  return {base + (post.id.value - world_.source_base()) * kIdsAPost + n};
}

void SeedLife::each_answer(const SourcePost& post,
                           const std::function<void(SourcePost&&)>& take) const {
  if (!is_lively(post)) return;
  SeedRandom random(world_.options().seed, kAnswers, post.id.value);
  const Crowd crowd = crowd_of(post);
  std::uint64_t ids = 0;
  const auto say = [&](std::uint32_t user, Time time) {
    SourcePost said;
    said.id = next_id(post, ids++);
    said.author_id = world_.user_source(user);
    said.created_at = time;
    return said;
  };
  const std::uint64_t comments = random.percent(25) ? 1 + random.very_skewed(kCommentsMax) : 0;
  const auto commenters = some_of(crowd, comments, random);
  const auto times = times_after(post, commenters.size(), random);
  SourceId last = post.id;
  for (std::size_t i = 0; i < commenters.size(); ++i) {
    SourcePost comment = say(commenters[i], times[i]);
    comment.text = seed_comment(world_.username(crowd.author), random);
    comment.reply_to = random.percent(25) ? last : post.id;
    last = comment.id;
    take(std::move(comment));
  }
  const std::uint64_t reposts = random.percent(20) ? 1 + random.very_skewed(kRepostsMax) : 0;
  const auto reposters = some_of(crowd, reposts, random);
  const auto when = times_after(post, reposters.size(), random);
  for (std::size_t i = 0; i < reposters.size(); ++i) {
    SourcePost repost = say(reposters[i], when[i]);
    repost.repost_of = post.id;
    take(std::move(repost));
  }
}

void SeedLife::add_reactions(const SourcePost& post, std::vector<SeedReaction>& reactions) const {
  if (!is_lively(post)) return;
  SeedRandom random(world_.options().seed, kReactions, post.id.value);
  const Crowd crowd = crowd_of(post);
  const std::uint64_t most =
      crowd.author == world_.celebrity() ? kReactionsToAllMax : kReactionsMax;
  if (random.percent(40)) return;
  for (const std::uint32_t user : some_of(crowd, 1 + random.very_skewed(most), random)) {
    reactions.push_back({world_.user_source(user), post.id, some_type(random)});
  }
}

SeedReactions::SeedReactions(Storage& storage, const Clock& clock, Turns& turns, Tally& tally)
    : storage_(storage), clock_(clock), turns_(turns), tally_(tally), pace_(2'048, 2'048, 32'768) {}

void SeedReactions::add(const SourcePost& post, const SeedLife& life) {
  life.add_reactions(post, gathered_);
}

bool SeedReactions::is_full() const { return gathered_.size() >= kReactionsAtOnce; }

std::uint64_t SeedReactions::flush() {
  const auto reactions = std::exchange(gathered_, {});
  const auto users = ids_of(reactions, &SeedReaction::user);
  const auto posts = ids_of(reactions, &SeedReaction::post);
  std::vector<LoadedReaction> known;
  {
    const auto snapshot = storage_.snapshot();
    const auto numbers = reads::numbers_of(*snapshot, users);
    const auto contents = reads::contents_of(*snapshot, posts);
    for (const SeedReaction& reaction : reactions) {
      const auto& number = numbers[place_of(users, reaction.user)];
      const auto& content = contents[place_of(posts, reaction.post)];
      if (number && content) known.push_back({*number, content->post, reaction.type});
    }
  }
  tally_.missing += reactions.size() - known.size();
  for (std::span<const LoadedReaction> left = known; !left.empty();) {
    const std::size_t count = std::min(pace_.rows(), left.size());
    const LoadCounts counts = turns_.take(pace_, count, [&] {
      return rules::load_reactions(storage_, left.first(count), clock_.now());
    });
    tally_.reactions += counts.stored;
    tally_.duplicates += counts.duplicates;
    tally_.missing += counts.missing;
    left = left.subspan(count);
  }
  return reactions.size();
}

}  // namespace chirp::load
