// Cards: sign-up, profile edits, suspension and removal.
#include <utility>

#include "core/rules/changes.h"

namespace chirp::rules {

using namespace tables;
using events::Topic;

void put_card(Rows& rows, const AuthorCard& card) {
  rows.put(Cards::Key{card.number}, card);
  rows.put(UserIds::Key{card.id}, card.number);
  if (!card.source) return;
  with_source_key<UserSources, UserWords>(*card.source,
                                          [&](const auto& key) { rows.put(key, card.number); });
}

Outcome apply(Rows& rows, const PutCard& change) {
  const AuthorCard& card = change.card;
  const auto there = rows.find(Cards::Key{card.number});
  if (there && there->presence == Presence::kRemoved) return {.result = Result::kMissing};
  if (there && *there == card) return {.result = Result::kAlready};
  put_card(rows, card);
  AuthorCard before = there.value_or(card);
  if (!there) {
    // A new user follows no one, so an empty timeline is complete.
    rows.put_timeline(card.number, {kBelowAllPosts, rows.state().generation, rows.now(), {}});
    rows.log({.topic = Topic::kUserCreated, .actor = card.number});
    before.presence = Presence::kPresent;
  }
  const Presence presence_before = std::exchange(before.presence, card.presence);
  if (before != card) rows.log({.topic = Topic::kUserEdited, .actor = card.number});
  if (presence_before == card.presence) return {};
  const bool suspended = card.presence == Presence::kSuspended;
  rows.log(
      {.topic = suspended ? Topic::kUserSuspended : Topic::kUserUnsuspended, .actor = card.number});
  return {};
}

Outcome apply(Rows& rows, const MarkRemoved& change) {
  auto card = rows.find(Cards::Key{change.user});
  if (!card) return {.result = Result::kMissing};
  if (card->presence == Presence::kRemoved) return {.result = Result::kAlready};
  card->presence = Presence::kRemoved;
  // The source id is free at once: from now on it means a new user.
  if (card->source) {
    with_source_key<UserSources, UserWords>(*card->source,
                                            [&](const auto& key) { rows.discard(key); });
  }
  card->source.reset();
  put_card(rows, *card);
  rows.put(Removals::Key{change.user}, {});
  ++rows.state().removals;
  rows.log({.topic = Topic::kUserRemoved, .actor = change.user});
  return {};
}

}  // namespace chirp::rules
