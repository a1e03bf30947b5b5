#include "core/rules/repairs.h"

#include <limits>
#include <vector>

#include "core/model/deltas.h"
#include "core/rules/content.h"
#include "core/rules/counters.h"
#include "core/rules/steps.h"

namespace chirp::rules {

using namespace tables;

namespace {

// Events that are pending for counters.
std::vector<std::pair<Events::Key, events::Event>> pending(const Rows& rows) {
  const StoreState& state = rows.state();
  if (state.counters >= state.log_end) return {};
  return rows.range(Events::Key{state.counters}, Events::Key{{state.log_end.value - 1}},
                    Direction::kUp, kNoLimit);
}

}  // namespace

bool repair_counters(Rows& rows, UserNumber user, const UserCounters& actual) {
  UserCounters stored = actual;
  std::vector<CounterDelta> deltas;
  for (const auto& [key, event] : pending(rows)) events::append_user_deltas(event, deltas);
  for (const CounterDelta& delta : deltas) {
    if (delta.user != user) continue;
    stored.followers -= delta.followers;
    stored.following -= delta.following;
    stored.posts -= delta.posts;
  }
  if (!rows.kept(user)) return false;
  stored.posts += rows.entries_without_post(user);
  rows.put(UserCounts::Key{user}, stored);
  ++rows.state().unlogged;
  retier(rows, user, stored.followers);
  return true;
}

void repair_counters(Rows& rows, ContentId content, const ContentCounters& actual) {
  ContentCounters stored = actual;
  std::vector<ContentDelta> deltas;
  for (const auto& [key, event] : pending(rows)) events::append_content_deltas(event, deltas);
  for (const ContentDelta& delta : deltas) {
    if (delta.content == content) stored -= delta.change;
  }
  put_counters(rows, content, stored);
  ++rows.state().unlogged;
}

void repair_logs(Rows& rows, std::span<const Post> posts) {
  for (const Post& post : posts) {
    rows.discard(AuthorLogs::Key{post.author, post.id});
    rows.discard(FollowersLogs::Key{post.author, post.id});
    rows.discard(PrivateLogs::Key{post.author, post.id});
    put_in_log(rows, post);
  }
  ++rows.state().unlogged;
}

void repair_tags(Rows& rows, std::span<const TaggedPost> posts,
                 std::span<const TagPosts::Key> stray) {
  for (const TaggedPost& post : posts) {
    if (const auto before = rows.find(TagUses::Key{post.post})) {
      unlist(rows, post.post, before->tags);
    }
    rows.discard(TagUses::Key{post.post});
    put_tags(rows, post);
  }
  for (const TagPosts::Key& key : stray) rows.discard(key);
}

void repair_threads(Rows& rows, std::span<const CommentId> comments) {
  settle_comments(rows, comments);
  ++rows.state().unlogged;
}

void repair_notifications(Rows& rows, std::span<const events::Notification> wrong,
                          std::span<const events::Notification> missing) {
  for (const events::Notification& one : wrong) take_back(rows, one);
  for (const events::Notification& one : missing) {
    if (rows.kept(one.user)) tell(rows, {&one, 1}, std::numeric_limits<std::uint32_t>::max());
  }
}

}  // namespace chirp::rules
