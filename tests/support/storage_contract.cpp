#include "tests/support/storage_contract.h"

#include <algorithm>
#include <map>

#include <doctest/doctest.h>

#include "core/events/notifications_of.h"
#include "core/model/entities.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/naive_notices.h"

namespace chirp::test {
namespace {

std::vector<UserNumber> followers_of(const Snapshot& snapshot, UserNumber author) {
  std::vector<UserNumber> result;
  for (const Edge& edge : reads::followers(snapshot, author, kNobody, kAll).edges) {
    result.push_back(edge.other);
  }
  return result;
}

std::vector<events::Event> events_between(const Snapshot& snapshot, Sequence from, Sequence to) {
  return reads::events(snapshot, from, static_cast<std::uint32_t>(to.value - from.value));
}

// What an event changes of posts and comments, by the definition of the counters.
void count_content(const events::Event& event, std::map<ContentId, ContentCounters>& contents) {
  using events::Topic;
  switch (event.topic) {
    case Topic::kReactionSet:
    case Topic::kReactionRemoved: {
      const auto content =
          event.comment == kNoComment ? content_of(event.post) : content_of(event.comment);
      auto& reactions = contents[content].reactions;
      reactions[index_of(*event.reaction)] += event.topic == Topic::kReactionSet ? 1 : -1;
      if (event.reaction_before) --reactions[index_of(*event.reaction_before)];
      break;
    }
    case Topic::kCommentCreated:
    case Topic::kCommentRemoved: {
      const std::int64_t sign = event.topic == Topic::kCommentCreated ? 1 : -1;
      contents[content_of(event.post)].comments += sign;
      if (event.parent != kNoComment) contents[content_of(event.parent)].comments += sign;
      break;
    }
    case Topic::kRepostCreated:
      ++contents[content_of(event.original)].reposts;
      break;
    case Topic::kRepostRemoved:
      --contents[content_of(event.original)].reposts;
      break;
    default:
      break;
  }
}

}  // namespace

AuthorCard card(std::uint32_t number) {
  return {.number = UserNumber{number},
          .id = UserId{snowflake::make(number, kTestMachine, 0)},
          .username = "user" + std::to_string(number),
          .display_name = "User " + std::to_string(number),
          .source = std::nullopt};
}

void sign_up(Storage& storage, std::uint32_t count) {
  std::vector<Change> changes;
  for (std::uint32_t number = 1; number <= count; ++number) {
    changes.emplace_back(PutCard{card(number)});
  }
  storage.write(changes, kStart);
}

Subject::Subject(const StoreKind& kind) : store_(kind.make()) {}

Outcome Subject::apply(const Change& change) { return storage().write({&change, 1}, now).front(); }

std::vector<UserNumber> Subject::users(std::uint32_t count) {
  std::vector<UserNumber> numbers;
  std::vector<Change> changes;
  for (std::uint32_t i = 0; i < count; ++i) {
    numbers.push_back(UserNumber{++users_});
    changes.emplace_back(PutCard{card(users_)});
  }
  storage().write(changes, now);
  return numbers;
}

PostId Subject::post(UserNumber author) {
  const Outcome outcome = apply(Publish{author, "text"});
  REQUIRE(outcome.result == Result::kDone);
  return outcome.post;
}

void Subject::follow(UserNumber follower, UserNumber followee) {
  REQUIRE(apply(Follow{follower, followee}).result == Result::kDone);
}

std::vector<events::Event> Subject::events(Sequence from) const {
  return reads::events(*see(), from, kAll);
}

std::vector<std::uint64_t> Subject::timeline_ids(UserNumber viewer) const {
  std::vector<std::uint64_t> ids;
  if (const auto timeline = see()->timeline(viewer)) {
    for (const Entry& entry : timeline->entries) ids.push_back(entry.id.value);
  }
  return ids;
}

feed::AuthorMark Subject::mark(UserNumber author) const {
  return see()->find(tables::Marks::Key{author}).value_or(feed::AuthorMark{author});
}

UserCounters Subject::counters(UserNumber user) const {
  return see()->counters({&user, 1}).front();
}

ContentCounters Subject::counted(ContentId content) const {
  return see()->content_counters({&content, 1}).front();
}

void Subject::change_settings(const std::function<void(feed::FeedSettings&)>& edit) {
  feed::FeedSettings settings = state().settings;
  edit(settings);
  rules::change_settings(storage(), settings, now);
}

void Subject::drain() {
  REQUIRE(rules::commit(storage(), fan_out_step(*see(), log_end()), now));
  while (state().counters < state().log_end) {  // a changed tier is an event again
    REQUIRE(rules::commit(storage(), counter_step(*see(), log_end()), now));
  }
  REQUIRE(rules::commit(storage(), fan_out_step(*see(), log_end()), now));
  REQUIRE(rules::commit(storage(), naive_notification_step(*see()), now));
  REQUIRE(rules::commit(storage(), naive_trend_step(*see(), now), now));
}

void for_each_store(const std::function<void(Subject&)>& body) {
  for (const StoreKind& kind : store_kinds()) {
    CAPTURE(kind.name);
    Subject subject(kind);
    body(subject);
  }
}

FanOutStep fan_out_step(const Snapshot& snapshot, Sequence to) {
  const StoreState state = snapshot.state();
  FanOutStep step;
  step.from = state.fan_out;
  step.to = to;
  for (const events::Event& event : events_between(snapshot, step.from, to)) {
    if (!events::makes_entry(event.topic)) continue;
    const auto mark =
        snapshot.find(tables::Marks::Key{event.actor}).value_or(feed::AuthorMark{event.actor});
    if (event.post < std::max(mark.push_from, state.push_from_all)) continue;
    std::vector<UserNumber> viewers;
    if (event.privacy != Privacy::kPrivate) viewers = followers_of(snapshot, event.actor);
    viewers.push_back(event.actor);
    for (const UserNumber viewer : viewers) {
      step.deliveries.push_back({viewer, event.post, event.actor});
    }
  }
  std::sort(step.deliveries.begin(), step.deliveries.end(),
            [](const Delivery& a, const Delivery& b) {
              return a.viewer != b.viewer ? a.viewer < b.viewer : a.post > b.post;
            });
  return step;
}

CounterStep counter_step(const Snapshot& snapshot, Sequence to) {
  using events::Topic;
  CounterStep step;
  step.from = snapshot.state().counters;
  step.to = to;
  std::map<UserNumber, CounterDelta> deltas;
  std::map<ContentId, ContentCounters> contents;
  for (const events::Event& event : events_between(snapshot, step.from, to)) {
    if (event.privacy == Privacy::kPrivate) continue;
    count_content(event, contents);
    const std::int64_t sign =
        events::makes_entry(event.topic) || event.topic == Topic::kFollowAdded ? 1 : -1;
    if (events::makes_entry(event.topic) || event.topic == Topic::kPostRemoved ||
        event.topic == Topic::kRepostRemoved) {
      deltas[event.actor].posts += sign;
    } else if (event.topic == Topic::kFollowAdded || event.topic == Topic::kFollowRemoved) {
      deltas[event.actor].following += sign;
      deltas[event.other].followers += sign;
    }
  }
  for (auto& [user, delta] : deltas) {
    delta.user = user;
    step.deltas.push_back(delta);
  }
  for (const auto& [content, change] : contents) step.contents.push_back({content, change});
  return step;
}

TrendStep trend_step(const Snapshot& snapshot, Time since, std::uint32_t drop) {
  const StoreState state = snapshot.state();
  TrendStep step{state.trends, state.log_end, {}, since, drop};
  for (const events::Event& event : reads::events(snapshot, state.trends, kAll)) {
    if (event.topic != events::Topic::kPostCreated) continue;
    const auto post = snapshot.post(event.post);
    if (post) step.posts.push_back({post->id, post->author, tags_in(post->text)});
  }
  return step;
}

NotificationStep notification_step(const Snapshot& snapshot, std::uint32_t keep) {
  const StoreState state = snapshot.state();
  NotificationStep step{state.notifications, state.log_end, {}, keep};
  step.notifications =
      notifications_of(snapshot, reads::events(snapshot, state.notifications, kAll));
  std::stable_sort(step.notifications.begin(), step.notifications.end(),
                   [](const auto& a, const auto& b) { return a.user < b.user; });
  return step;
}

BuiltTimeline built_timeline(const Snapshot& snapshot, UserNumber viewer) {
  const FeedSources sources = snapshot.feed_sources(viewer);
  std::vector<UserNumber> authors = sources.following;
  authors.insert(std::lower_bound(authors.begin(), authors.end(), viewer), viewer);
  BuiltTimeline built;
  built.viewer = viewer;
  built.log_end = sources.state.log_end;
  built.following = sources.following;
  built.timeline.generation = sources.state.generation;
  built.timeline.last_read = kStart;
  built.timeline.entries = snapshot.author_entries(feed_logs(authors, viewer), {}, Direction::kDown,
                                                   sources.state.settings.cap + 1);
  for (Entry& entry : built.timeline.entries) entry.origin = Origin::kBackfilled;
  trim(built.timeline, sources.state.settings.cap);
  return built;
}

}  // namespace chirp::test
