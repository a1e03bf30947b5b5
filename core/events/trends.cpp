#include "core/events/consumers.h"
#include "core/model/entities.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::events {
namespace {

// Tags dropped in one transaction: short enough that other writers hardly wait.
constexpr std::uint32_t kDropRows = 4000;

std::vector<TaggedPost> tagged(const Snapshot& snapshot, const Inbox& inbox, Time since) {
  std::vector<Entry> entries;
  for (const Event& event : inbox.events) {
    if (event.topic != Topic::kPostCreated || event.privacy != Privacy::kPublic) continue;
    if (snowflake::time_of(event.post.value) < since) continue;
    entries.push_back({event.post, event.actor});
  }
  std::vector<TaggedPost> posts;
  for (const auto& post : snapshot.posts(entries)) {
    if (!post) continue;
    std::vector<std::string> tags = tags_in(post->text);
    if (!tags.empty()) posts.push_back({post->id, post->author, std::move(tags)});
  }
  return posts;
}

}  // namespace

Trends::Trends(Storage& storage, const Clock& clock, std::uint32_t events)
    : storage_(storage), clock_(clock), bindings_(kBindings), events_(events) {}

Progress Trends::step() {
  auto snapshot = storage_.snapshot();
  const StoreState state = snapshot->state();
  TrendStep step;
  step.from = state.trends;
  step.since = Time{state.passed.at(clock_.now()).ms - kTagsKeptMs};
  step.drop = kDropRows;
  const auto oldest = reads::oldest_tagged_post(*snapshot);
  const bool any_old = oldest && snowflake::time_of(oldest->value) < step.since;
  if (state.trends == state.log_end && !any_old) return Progress::kIdle;
  const Inbox inbox = take_in(*snapshot, state.trends, events_, bindings_);
  step.to = inbox.next;
  step.posts = tagged(*snapshot, inbox, step.since);
  snapshot.reset();
  return rules::commit(storage_, step, clock_.now()) ? Progress::kMoved : Progress::kOvertaken;
}

}  // namespace chirp::events
