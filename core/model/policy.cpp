#include "core/model/policy.h"

#include "core/model/value_names.h"

namespace chirp::feed {
namespace {

constexpr ValueNames<Policy, 4> kPolicies{{
    {Policy::kPush, "push"},
    {Policy::kPull, "pull"},
    {Policy::kHybrid, "hybrid"},
    {Policy::kCost, "cost"},
}};

constexpr ValueNames<Tier, 3> kTiers{{
    {Tier::kRegular, "regular"},
    {Tier::kInfluencer, "influencer"},
    {Tier::kCelebrity, "celebrity"},
}};

// A fifth below `bound`: the number of followers at which an author falls to the lower tier.
std::int64_t falls_below(std::uint64_t bound) {
  return static_cast<std::int64_t>(bound - bound / 5);
}

PostId push_again(PostId mark, PostId next_id) { return mark == kNeverPushed ? next_id : mark; }

}  // namespace

std::string_view name(Policy policy) { return name_in(kPolicies, policy); }

std::optional<Policy> policy_named(std::string_view name) { return value_in(kPolicies, name); }

std::string_view name(Tier tier) { return name_in(kTiers, tier); }

Tier next_tier(Tier current, std::int64_t followers, const FeedSettings& settings) {
  const auto influencer = static_cast<std::int64_t>(settings.influencer_from);
  const auto celebrity = static_cast<std::int64_t>(settings.celebrity_above);
  if (followers > celebrity) return Tier::kCelebrity;
  if (current == Tier::kCelebrity && followers >= falls_below(settings.celebrity_above)) {
    return Tier::kCelebrity;
  }
  if (followers >= influencer) return Tier::kInfluencer;
  if (current != Tier::kRegular && followers >= falls_below(settings.influencer_from)) {
    return Tier::kInfluencer;
  }
  return Tier::kRegular;
}

AuthorMark with_tier(const AuthorMark& mark, Tier tier, Policy policy, PostId next_id) {
  return under_policy({mark.author, tier, mark.push_from}, policy, next_id);
}

AuthorMark under_policy(const AuthorMark& mark, Policy policy, PostId next_id) {
  AuthorMark result = mark;
  switch (policy) {
    case Policy::kPush:
      result.push_from = push_again(mark.push_from, next_id);
      break;
    case Policy::kHybrid:
      result.push_from =
          mark.tier == Tier::kCelebrity ? kNeverPushed : push_again(mark.push_from, next_id);
      break;
    case Policy::kPull:
    case Policy::kCost:
      break;
  }
  return result;
}

PostId push_from_all(PostId current, Policy policy, PostId next_id) {
  if (policy == Policy::kPull) return kNeverPushed;
  return push_again(current, next_id);
}

DeliveryMode cheaper(const AuthorCost& cost, DeliveryMode now) {
  const double push = cost.posts_per_second * cost.active_followers * cost.delivery_ns;
  const double pull = cost.reads_per_second * cost.source_ns;
  const double margin = now == DeliveryMode::kPush ? 2.0 : 0.5;
  return push <= pull * margin ? DeliveryMode::kPush : DeliveryMode::kPull;
}

}  // namespace chirp::feed
