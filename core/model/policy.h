// Which authors are pushed and which are pulled: policies, tiers, and the marks that make a switch
// harmless.
//
// P0 is the push-from mark of all authors, p(a) that of an author; P(a) = max(P0, p(a)). Posts of
// `a` with an id of at least P(a) are delivered to timelines; for the others readers merge the
// author's own log. A mark moves in the transaction that decides it, so a page is right whatever
// the policy.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/limits.h"
#include "core/model/ids.h"

namespace chirp::feed {

enum class Policy : std::uint8_t { kPush = 0, kPull = 1, kHybrid = 2, kCost = 3 };
enum class Tier : std::uint8_t { kRegular = 0, kInfluencer = 1, kCelebrity = 2 };

[[nodiscard]] std::string_view name(Policy policy);
[[nodiscard]] std::optional<Policy> policy_named(std::string_view name);
[[nodiscard]] std::string_view name(Tier tier);

// The settings that shape feeds, read from the same state as the timelines. For defaults, see
// docs/operations.md.
struct FeedSettings {
  Policy policy = Policy::kHybrid;
  std::uint32_t cap = limits::kFeedCapDefault;  // entries a timeline keeps
  std::uint64_t influencer_from = 1000;         // followers
  std::uint64_t celebrity_above = 100'000;      // followers
  std::uint32_t active_days = 30;
  std::int64_t log_keep_ms = 7 * kDayMs;

  bool operator==(const FeedSettings&) const = default;
};

inline constexpr PostId kAlwaysPushed = kBelowAllPosts;
inline constexpr PostId kNeverPushed = kAboveAllPosts;

// The mark of an author who is not regular or not always pushed. Other authors have no mark.
struct AuthorMark {
  UserNumber author;
  Tier tier = Tier::kRegular;
  PostId push_from = kAlwaysPushed;

  bool operator==(const AuthorMark&) const = default;
};

// The tier for a number of followers, with hysteresis: an author leaves a tier downwards only when
// a fifth below its bound, so one near a bound does not flap.
[[nodiscard]] Tier next_tier(Tier current, std::int64_t followers, const FeedSettings& settings);

// The mark for an author who changes to `tier` under `policy`. `next_id` is above every stored id.
// Under push no author is pulled. Under pull P0 decides alone. Under cost the fan-out decides from
// measured costs. Under hybrid celebrities are pulled.
[[nodiscard]] AuthorMark with_tier(const AuthorMark& mark, Tier tier, Policy policy,
                                   PostId next_id);

// The author's mark after a change to `policy`.
[[nodiscard]] AuthorMark under_policy(const AuthorMark& mark, Policy policy, PostId next_id);

// P0 after a change to `policy`: everything is pulled, or pushed from the next id on.
[[nodiscard]] PostId push_from_all(PostId current, Policy policy, PostId next_id);

// ---- the cost rule

// The input of the cost rule for one author, per second and in nanoseconds.
struct AuthorCost {
  double posts_per_second = 0;
  double active_followers = 0;
  double reads_per_second = 0;  // by all followers together
  double delivery_ns = 0;       // measured: one delivery
  double source_ns = 0;         // measured: one more merge source of a read
};

// Push or pull: an author is pushed while the deliveries cost less than the reads they save
// ("Feeding Frenzy", Silberstein et al., SIGMOD 2010). Hysteresis: a pushed author stays pushed up
// to twice the cost, a pulled author stays pulled down to half of it.
enum class DeliveryMode : std::uint8_t { kPush, kPull };
[[nodiscard]] DeliveryMode cheaper(const AuthorCost& cost, DeliveryMode now);

}  // namespace chirp::feed
