#include <algorithm>

#include "core/events/consumers.h"
#include "core/model/entities.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::events {
namespace {

struct Tagged {
  Sequence sequence;  // the post's event
  TaggedPost post;
};

// Sorted by event.
std::vector<Tagged> tagged(const Snapshot& snapshot, const Inbox& inbox, Time since) {
  std::vector<Entry> entries;
  std::vector<Sequence> sequences;
  for (const Event& event : inbox.events) {
    if (event.topic != Topic::kPostCreated || event.privacy != Privacy::kPublic) continue;
    if (snowflake::time_of(event.post.value) < since) continue;
    entries.push_back({event.post, event.actor});
    sequences.push_back(event.sequence);
  }
  const auto posts = snapshot.posts(entries);
  std::vector<Tagged> found;
  for (std::size_t i = 0; i < posts.size(); ++i) {
    if (!posts[i]) continue;
    std::vector<std::string> tags = tags_in(posts[i]->text);
    if (tags.empty()) continue;
    found.push_back({sequences[i], {posts[i]->id, posts[i]->author, std::move(tags)}});
  }
  return found;
}

}  // namespace

Progress TrendConsumer::step() {
  auto snapshot = storage_.snapshot();
  const StoreState state = snapshot->state();
  const Time since{state.passed.at(clock_.now()).ms - kTagsKeptMs};
  const auto oldest = reads::oldest_tagged_post(*snapshot);
  const bool any_old = oldest && snowflake::time_of(oldest->value) < since;
  if (state.trends == state.log_end && !any_old) return Progress::kIdle;
  Inbox inbox = take_in(*snapshot, state.trends, events_, bindings_);
  const auto other = std::ranges::find_if(inbox.events, [](const Event& event) {
    return event.topic != Topic::kPostCreated && event.topic != Topic::kPostRemoved;
  });
  if (other != inbox.events.end()) {
    const Event event = *other;
    if (other == inbox.events.begin()) {
      snapshot.reset();
      return settle(event, state.trends, since);
    }
    inbox.next = event.sequence;
    inbox.events.erase(other, inbox.events.end());
  }
  std::vector<Tagged> found = tagged(*snapshot, inbox, since);
  snapshot.reset();
  Sequence from = state.trends;
  auto next = found.begin();
  do {
    TrendStep step;
    step.from = from;
    step.since = since;
    std::size_t tags = 0;
    while (next != found.end() && (tags == 0 || tags + next->post.tags.size() <= turns_.rows())) {
      tags += next->post.tags.size();
      step.posts.push_back(std::move((next++)->post));
    }
    const bool last = next == found.end();
    step.to = last ? inbox.next : next->sequence;
    // Old tags are dropped when there is nothing else to do.
    if (last) step.drop = static_cast<std::uint32_t>(turns_.rows());
    if (!rules::commit(turns_.storage(), step, clock_.now())) return Progress::kOvertaken;
    turns_.took(tags);
    from = step.to;
  } while (from != inbox.next);
  return Progress::kMoved;
}

// After an interruption, the event is processed again from the start, and skips rows that are
// right.
Progress TrendConsumer::settle(const Event& event, Sequence from, Time since) {
  if (!affected_ || affected_->event() != event.sequence) affected_.emplace(event, since);
  const auto rows = static_cast<std::uint32_t>(turns_.rows());
  TrendStep step;
  step.from = from;
  step.since = since;
  // Only misplaced rows count, so a repeated walk makes progress.
  const auto taken = [&] { return step.listed.size() + step.settled.size(); };
  bool more = true;
  while (more && taken() == 0) more = affected_->add(*storage_.snapshot(), rows, step);
  step.to = more ? from : Sequence{event.sequence.value + 1};
  if (!rules::commit(turns_.storage(), step, clock_.now())) {
    affected_.reset();
    return Progress::kOvertaken;
  }
  turns_.took(taken());
  if (!more) affected_.reset();
  return Progress::kMoved;
}

}  // namespace chirp::events
