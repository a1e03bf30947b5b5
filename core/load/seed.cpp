#include "core/load/seed.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/load/graph_loader.h"
#include "core/load/people.h"
#include "core/load/post_loader.h"
#include "core/load/seed_life.h"
#include "core/load/seed_words.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::load {
namespace {

// Streams of random numbers.
constexpr std::uint64_t kSignUps = 11;
constexpr std::uint64_t kProfiles = 12;
constexpr std::uint64_t kSeedTopics = 13;
constexpr std::uint64_t kPosts = 14;
constexpr std::uint64_t kDays = 15;
constexpr std::uint64_t kHours = 16;
// For lively worlds.
constexpr std::uint64_t kFans = 17;
constexpr std::uint64_t kNews = 18;
constexpr std::uint64_t kLivePosts = 19;

constexpr std::int64_t kPostingMs = 90 * kDayMs;    // before the end
constexpr std::int64_t kSignUpMs = 1'095 * kDayMs;  // before the first post
constexpr std::size_t kUsersAtOnce = 4'096;
constexpr std::size_t kEdgesAtOnce = 16'384;
constexpr std::size_t kReactionsAtOnce = 16'384;
// Reactions in a transaction.
constexpr std::size_t kLeastReactions = 2'048;
constexpr std::size_t kMostReactions = 32'768;

// For lively worlds; shares are percentages.
constexpr std::uint64_t kBusyHours = 48;  // before the end
constexpr std::uint64_t kBusyWeight = 8;
constexpr std::uint64_t kFanShare = 60;       // of the users
constexpr std::uint64_t kFollowersShare = 6;  // of the posts, for followers
constexpr std::uint64_t kNewsShare = 35;      // of the posts of the last day
constexpr std::uint64_t kNewsTags = 6;
constexpr std::uint64_t kCelebrityEvery = 40;  // posts

// Activity by hour of the day: low at night, highest in the evening.
constexpr std::array<std::uint64_t, 24> kByHour{4,  3,  2,  2,  2,  3,  6,  10, 14, 15, 14, 14,
                                                16, 15, 14, 14, 15, 17, 20, 23, 24, 21, 14, 8};
constexpr std::array<std::uint64_t, 7> kByDay{9, 10, 10, 10, 11, 12, 11};  // Monday first

// Below the ids of a world; no real source has such ids.
constexpr std::uint64_t base_of(std::uint64_t number) {
  return (std::uint64_t{1} << 62) | ((mixed(number) & 0x3FFF'FFFF) << 32);
}

}  // namespace

void check_seed(const SeedOptions& options, Time now) {
  const auto refuse = [](const std::string& why, const char* field) {
    throw Error(ErrorCode::kInvalidArgument, why, field);
  };
  if (options.users > kSeedUsersMax) {
    refuse(fmt::format("--users is at most {}.", kSeedUsersMax), "users");
  }
  const std::uint64_t pairs = options.users * (options.users > 0 ? options.users - 1 : 0);
  if (options.follows > std::min(pairs, kSeedRowsMax)) {
    refuse(fmt::format("--follows is at most {} for {} users: nobody follows anybody twice.",
                       std::min(pairs, kSeedRowsMax), options.users),
           "follows");
  }
  if (options.posts > (options.users > 0 ? kSeedRowsMax : 0)) {
    refuse(fmt::format("--posts is at most {}, and needs users to write them.", kSeedRowsMax),
           "posts");
  }
  if (options.until > now || options.until.ms < snowflake::kEpochMs + kDayMs) {
    refuse("--until takes a time from 2000-01-02 to now.", "until");
  }
}

SeedWorld::SeedWorld(const SeedOptions& options)
    : options_(options),
      graph_(static_cast<std::uint32_t>(options.users), options.follows, options.seed),
      source_base_(base_of(options.seed)),
      post_base_(options.alive ? base_of(mixed(options.seed) ^ kLivePosts) : source_base_) {
  const std::int64_t life = options.until.ms - snowflake::kEpochMs;
  hours_ = std::max<std::int64_t>(1, std::min(kPostingMs, life / 2) / kHourMs);
  first_hour_ = {options.until.ms - hours_ * kHourMs};
  first_sign_up_ = {std::max(snowflake::kEpochMs, first_hour_.ms - kSignUpMs)};
  for (stride_ = 1'597'334'677u;
       options.users > 0 && std::gcd<std::uint64_t>(stride_, options.users) != 1;) {
    ++stride_;
  }
}

SourceId SeedWorld::user_source(std::uint32_t user) const { return {source_base_ + user + 1}; }

std::uint32_t SeedWorld::user_of(SourceId source) const {
  return static_cast<std::uint32_t>(source.value - source_base_ - 1);
}

std::string SeedWorld::username(std::uint32_t user) const {
  return seed_username(options_.seed, user);
}

// The first user that SeedGraph makes famous.
std::uint32_t SeedWorld::celebrity() const {
  return static_cast<std::uint32_t>(options_.seed % options_.users);
}

LoadedUser SeedWorld::user(std::uint32_t user) const {
  const auto span = static_cast<std::uint64_t>(first_hour_.ms - first_sign_up_.ms);
  SeedRandom random(options_.seed, kSignUps, user);
  const std::uint64_t share = span / options_.users;
  const std::uint64_t jitter =
      share > 0 ? random.below(std::min(share, std::uint64_t{1} << 32)) : 0;
  const std::uint64_t after = span / options_.users * user + jitter;
  SeedRandom profile(options_.seed, kProfiles, user);
  const std::uint64_t topic = mixed(options_.seed ^ kSeedTopics) + graph_.community(user).ordinal;
  return {.source = user_source(user),
          .username = seed_username(options_.seed, user),
          .display_name = seed_display_name(options_.seed, user),
          .bio = seed_bio(topic, profile),
          .created_at = Time{first_sign_up_.ms + static_cast<std::int64_t>(after)}};
}

void SeedWorld::add_follows(std::uint32_t user, std::vector<SourceEdge>& edges) {
  const std::span<const std::uint32_t> followees = graph_.followees(user);
  for (const std::uint32_t followee : followees) {
    edges.push_back({user_source(user), user_source(followee)});
  }
  if (!options_.alive || user == celebrity()) return;
  const bool is_fan = SeedRandom(options_.seed, kFans, user).percent(kFanShare);
  if (is_fan && std::ranges::count(followees, celebrity()) == 0) {
    edges.push_back({user_source(user), user_source(celebrity())});
  }
}

// Some days have news, and sometimes an hour has much of it.
std::uint64_t SeedWorld::hour_weight(std::uint64_t hour) const {
  const Time time{first_hour_.ms + static_cast<std::int64_t>(hour) * kHourMs};
  const auto day = static_cast<std::uint64_t>(time.ms / kDayMs);
  std::uint64_t weight = kByHour[static_cast<std::uint64_t>(time.ms / kHourMs) % 24];
  weight *= kByDay[(day + 3) % 7];  // 1970-01-01 was a Thursday
  if (SeedRandom(options_.seed, kDays, day).percent(7)) weight *= 3;
  if (SeedRandom(options_.seed, kHours, hour).percent(2)) weight *= 5;
  const bool is_late = hour + kBusyHours >= static_cast<std::uint64_t>(hours_);
  return options_.alive && is_late ? weight * kBusyWeight : weight;
}

std::uint32_t SeedWorld::author_of(SeedRandom& random) const {
  return static_cast<std::uint32_t>(random.skewed(options_.users) * stride_ % options_.users);
}

SourcePost SeedWorld::post(std::uint64_t ordinal, std::uint32_t author, Time time,
                           SeedRandom& random) const {
  const SeedGraph::Community home = graph_.community(author);
  const auto mentioned = home.first + static_cast<std::uint32_t>(random.skewed(home.size));
  const std::uint64_t topic = mixed(options_.seed ^ kSeedTopics) + home.ordinal;
  SourcePost post;
  post.id = {post_base_ + ordinal + 1};
  post.author_id = user_source(author);
  post.text = seed_text(topic, seed_username(options_.seed, mentioned), random);
  post.created_at = time;
  return post;
}

// Some posts are for followers, and on the last day many are about a few subjects.
void SeedWorld::enliven(SourcePost& post, std::uint64_t ordinal) const {
  SeedRandom random(options_.seed, kNews, ordinal);
  if (random.percent(kFollowersShare)) post.privacy = Privacy::kFollowers;
  const bool is_news = random.percent(kNewsShare);
  if (!is_news || post.created_at.ms < options_.until.ms - kDayMs) return;
  const std::uint64_t tag = mixed(options_.seed ^ kNews) + random.skewed(kNewsTags);
  post.text = seed_news(tag, random);
}

void SeedWorld::each_post(const std::function<void(SourcePost&&)>& take) const {
  std::uint64_t total = 0;
  const auto hours = static_cast<std::uint64_t>(hours_);
  for (std::uint64_t hour = 0; hour < hours; ++hour) total += hour_weight(hour);
  std::array<std::uint32_t, 8> recent{};  // users who have just posted often post again
  std::uint64_t ordinal = 0;
  std::uint64_t rest = 0;
  for (std::uint64_t hour = 0; hour < hours; ++hour) {
    rest += options_.posts * hour_weight(hour);
    const std::uint64_t posts = rest / total;
    rest %= total;
    const std::int64_t start = first_hour_.ms + static_cast<std::int64_t>(hour) * kHourMs;
    for (std::uint64_t i = 0; i < posts; ++i, ++ordinal) {
      SeedRandom random(options_.seed, options_.alive ? kLivePosts : kPosts, ordinal);
      const bool again = ordinal >= recent.size() && random.percent(20);
      std::uint32_t author = again ? recent[random.below(recent.size())] : author_of(random);
      if (options_.alive && ordinal % kCelebrityEvery == 0) author = celebrity();
      recent[ordinal % recent.size()] = author;
      const std::uint64_t within = i * kHourMs + random.below(kHourMs);
      const Time time{start + static_cast<std::int64_t>(within / posts)};
      SourcePost made = post(ordinal, author, time, random);
      if (options_.alive) enliven(made, ordinal);
      take(std::move(made));
    }
  }
}

namespace {

void plant_people(const SeedWorld& world, Storage& storage, UserDirectory& directory,
                  const Clock& clock, Turns& turns, Tally& tally, const SeedProgress& progress) {
  const auto users = static_cast<std::uint32_t>(world.options().users);
  People people(storage, directory, clock, turns, tally);
  std::vector<LoadedUser> batch;
  for (std::uint32_t user = 0; user < users; ++user) {
    batch.push_back(world.user(user));
    if (batch.size() < kUsersAtOnce && user + 1 < users) continue;
    people.add(batch);
    progress.made(batch.size());
    batch.clear();
  }
}

Counts plant_follows(SeedWorld& world, Storage& storage, UserDirectory& directory,
                     const Clock& clock, const SeedProgress& progress) {
  const auto users = static_cast<std::uint32_t>(world.options().users);
  GraphLoader graph(storage, directory, clock, progress.pause,
                    {.since = world.options().until, .people = {}});
  std::vector<SourceEdge> edges;
  for (std::uint32_t user = 0; user < users; ++user) {
    world.add_follows(user, edges);
    if (edges.size() < kEdgesAtOnce && user + 1 < users) continue;
    graph.add(edges);
    progress.made(edges.size());
    edges.clear();
  }
  graph.finish();
  return graph.counts();
}

// Posts, and in a lively world the comments and reposts.
Counts plant_posts(const SeedWorld& world, Storage& storage, UserDirectory& directory,
                   const Clock& clock, const SeedProgress& progress) {
  PostLoader posts(storage, directory, clock, progress.pause);
  const auto take = [&](SourcePost&& post) {
    const auto problem = posts.add(std::move(post));
    check(!problem, "a made-up post keeps the rules");
    progress.made(1);
  };
  const SeedLife life(world);
  world.each_post([&](SourcePost&& post) {
    if (!world.options().alive) return take(std::move(post));
    take(SourcePost(post));
    life.each_answer(post, take);
  });
  posts.finish();
  return posts.counts();
}

// The ids that the reactions have for `of`, without duplicates, ascending.
std::vector<SourceId> ids_of(std::span<const SeedReaction> reactions, SourceId SeedReaction::*of) {
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

std::vector<LoadedReaction> resolved(const Snapshot& snapshot,
                                     std::span<const SeedReaction> reactions) {
  const auto users = ids_of(reactions, &SeedReaction::user);
  const auto posts = ids_of(reactions, &SeedReaction::post);
  const auto numbers = reads::numbers_of(snapshot, users);
  const auto contents = reads::contents_of(snapshot, posts);
  std::vector<LoadedReaction> known;
  known.reserve(reactions.size());
  for (const SeedReaction& reaction : reactions) {
    const auto& number = numbers[place_of(users, reaction.user)];
    const auto& content = contents[place_of(posts, reaction.post)];
    if (!number || !content) continue;
    known.push_back({*number, content->post, reaction.type, kNoComment, reaction.since});
  }
  return known;
}

// For lively worlds, whose posts are stored. Reactions that are there count as duplicates, and
// those of users or to posts that are not there (any more) as missing.
Counts plant_reactions(const SeedWorld& world, Storage& storage, const Clock& clock, Turns& turns,
                       const SeedProgress& progress) {
  Tally tally;
  Pace pace(kLeastReactions, kLeastReactions, kMostReactions);
  const SeedLife life(world);
  std::vector<SeedReaction> gathered;
  // Users and posts are looked up for thousands of reactions together.
  const auto store = [&] {
    const auto known = resolved(*storage.snapshot(), gathered);
    tally.missing += gathered.size() - known.size();
    turns.take_all(pace, std::span(known), [&](std::span<const LoadedReaction> some) {
      tally.add(rules::load_reactions(storage, some, clock.now()));
    });
    progress.made(gathered.size());
    gathered.clear();
  };
  world.each_post([&](const SourcePost& post) {
    life.add_reactions(post, gathered);
    if (gathered.size() >= kReactionsAtOnce) store();
  });
  store();
  return tally.counts();
}

}  // namespace

std::uint64_t rows_of(const SeedOptions& options) {
  if (!options.alive) return options.users + options.follows + options.posts;
  SeedWorld world(options);
  const SeedLife life(world);
  std::uint64_t rows = options.users + options.posts;
  std::vector<SourceEdge> edges;
  for (std::uint32_t user = 0; user < options.users; ++user) {
    edges.clear();
    world.add_follows(user, edges);
    rows += edges.size();
  }
  std::vector<SeedReaction> reactions;
  world.each_post([&](const SourcePost& post) {
    life.each_answer(post, [&](SourcePost&&) { ++rows; });
    reactions.clear();
    life.add_reactions(post, reactions);
    rows += reactions.size();
  });
  return rows;
}

Counts plant(const SeedOptions& options, Storage& storage, UserDirectory& directory,
             const Clock& clock, const SeedProgress& progress) {
  check_seed(options, clock.now());
  SeedWorld world(options);
  Tally tally;
  Turns turns(clock, progress.pause);
  plant_people(world, storage, directory, clock, turns, tally, progress);
  const Counts follows = plant_follows(world, storage, directory, clock, progress);
  const Counts posts = plant_posts(world, storage, directory, clock, progress);
  Counts reactions;
  if (options.alive) reactions = plant_reactions(world, storage, clock, turns, progress);

  Counts counts = tally.counts();
  counts.stored = counts.users_added + follows.stored + posts.stored + reactions.stored;
  counts.duplicates = options.users - counts.users_added + follows.duplicates + posts.duplicates +
                      reactions.duplicates;
  counts.severed = follows.severed;
  counts.missing = follows.missing + posts.missing + reactions.missing;
  counts.unknown_originals = posts.unknown_originals;
  counts.reposts = posts.reposts;
  counts.comments = posts.comments;
  counts.reactions = reactions.stored;
  return counts;
}

}  // namespace chirp::load
