#include "core/feed/delivery.h"

#include <algorithm>

namespace chirp::feed {
namespace {

AuthorMark mark_of(const Snapshot& snapshot, UserNumber author) {
  return snapshot.find(tables::Marks::Key{author}).value_or(AuthorMark{author});
}

// P(a) of core/model/policy.h.
PostId push_from(const Snapshot& snapshot, const AuthorMark& mark) {
  return std::max(snapshot.state().push_from_all, mark.push_from);
}

}  // namespace

AuthorDelivery delivery_of(const Snapshot& snapshot, UserNumber author) {
  const AuthorMark mark = mark_of(snapshot, author);
  AuthorDelivery delivery;
  delivery.tier = mark.tier;
  delivery.followers = std::max<std::int64_t>(snapshot.counters({&author, 1}).front().followers, 0);
  const bool never = push_from(snapshot, mark) == kNeverPushed;
  delivery.how = never ? DeliveryMode::kPull : DeliveryMode::kPush;
  return delivery;
}

DeliveryState arrival_of(const Snapshot& snapshot, PostId post, UserNumber author) {
  const auto pending = snapshot.feed_sources(author).pending;
  if (std::ranges::find(pending, post, &Entry::id) != pending.end()) return DeliveryState::kPending;
  const bool is_pulled = post < push_from(snapshot, mark_of(snapshot, author));
  return is_pulled ? DeliveryState::kPulled : DeliveryState::kPushed;
}

}  // namespace chirp::feed
