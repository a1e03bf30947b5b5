#include "core/model/deltas.h"

#include <algorithm>

namespace chirp::events {
namespace {

void append_reaction(const Event& event, std::int64_t sign, std::vector<ContentDelta>& deltas) {
  if (!event.reaction) return;
  const bool of_comment = event.comment != kNoComment;
  ContentDelta delta{of_comment ? content_of(event.comment) : content_of(event.post), {}};
  delta.change.reactions[index_of(*event.reaction)] += sign;
  if (event.reaction_before) delta.change.reactions[index_of(*event.reaction_before)] -= 1;
  deltas.push_back(delta);
}

// A comment counts for its post, and as a reply for its parent.
void append_comment(const Event& event, std::int64_t sign, std::vector<ContentDelta>& deltas) {
  ContentDelta delta{content_of(event.post), {}};
  delta.change.comments = sign;
  deltas.push_back(delta);
  if (event.parent == kNoComment) return;
  delta.content = content_of(event.parent);
  deltas.push_back(delta);
}

void append_repost(const Event& event, std::int64_t sign, std::vector<ContentDelta>& deltas) {
  ContentDelta delta{content_of(event.original), {}};
  delta.change.reposts = sign;
  deltas.push_back(delta);
}

}  // namespace

void append_content_deltas(const Event& event, std::vector<ContentDelta>& deltas) {
  switch (event.topic) {
    case Topic::kReactionSet:
      return append_reaction(event, 1, deltas);
    case Topic::kReactionRemoved:
      return append_reaction(event, -1, deltas);
    case Topic::kCommentCreated:
      return append_comment(event, 1, deltas);
    case Topic::kCommentRemoved:
      return append_comment(event, -1, deltas);
    case Topic::kRepostCreated:
      return append_repost(event, 1, deltas);
    case Topic::kRepostRemoved:
      return append_repost(event, -1, deltas);
    default:
      return;
  }
}

void combine(std::vector<ContentDelta>& deltas) {
  std::sort(deltas.begin(), deltas.end(),
            [](const ContentDelta& a, const ContentDelta& b) { return a.content < b.content; });
  std::size_t kept = 0;
  for (std::size_t at = 0; at < deltas.size();) {
    ContentDelta sum{deltas[at].content, {}};
    for (; at < deltas.size() && deltas[at].content == sum.content; ++at) {
      sum.change += deltas[at].change;
    }
    if (sum.change != ContentCounters{}) deltas[kept++] = sum;
  }
  deltas.resize(kept);
}

void append_user_deltas(const Event& event, std::vector<CounterDelta>& deltas) {
  switch (event.topic) {
    case Topic::kPostCreated:
    case Topic::kRepostCreated:
      if (counts_for_author(event.privacy)) deltas.push_back({event.actor, 0, 0, 1});
      break;
    case Topic::kPostRemoved:
    case Topic::kRepostRemoved:
      if (counts_for_author(event.privacy)) deltas.push_back({event.actor, 0, 0, -1});
      break;
    case Topic::kFollowAdded:
      deltas.push_back({event.actor, 0, 1, 0});
      deltas.push_back({event.other, 1, 0, 0});
      break;
    case Topic::kFollowRemoved:
      deltas.push_back({event.actor, 0, -1, 0});
      deltas.push_back({event.other, -1, 0, 0});
      break;
    default:
      break;
  }
}

void combine(std::vector<CounterDelta>& deltas) {
  std::sort(deltas.begin(), deltas.end(),
            [](const CounterDelta& a, const CounterDelta& b) { return a.user < b.user; });
  std::size_t kept = 0;
  for (std::size_t at = 0; at < deltas.size();) {
    CounterDelta sum{deltas[at].user};
    for (; at < deltas.size() && deltas[at].user == sum.user; ++at) {
      sum.followers += deltas[at].followers;
      sum.following += deltas[at].following;
      sum.posts += deltas[at].posts;
    }
    if (sum.followers != 0 || sum.following != 0 || sum.posts != 0) deltas[kept++] = sum;
  }
  deltas.resize(kept);
}

}  // namespace chirp::events
