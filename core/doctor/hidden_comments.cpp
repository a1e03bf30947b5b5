// Checks whether each comment is in the right table, of shown or of hidden comments, by suspensions
// and blocks.
#include <functional>
#include <set>
#include <span>

#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/ports/comment_places.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::doctor {
namespace {

// Called for each comment that is in the wrong table, in none or in both, with whether it should be
// hidden.
using Differs = std::function<void(const Comment&, bool is_due_hidden)>;

// Users whose comments the consumer has not checked yet.
std::set<UserNumber> pending_users(const Snapshot& snapshot) {
  using events::Topic;
  std::set<UserNumber> users;
  for (Sequence from = snapshot.state().trends;;) {
    const auto events = reads::events(snapshot, from, kBlock);
    if (events.empty()) return users;
    for (const events::Event& event : events) {
      const bool is_block =
          event.topic == Topic::kBlockAdded || event.topic == Topic::kBlockRemoved;
      const bool is_suspension =
          event.topic == Topic::kUserSuspended || event.topic == Topic::kUserUnsuspended;
      if (is_block || is_suspension) users.insert(event.actor);
      if (is_block) users.insert(event.other);
    }
    from = Sequence{events.back().sequence.value + 1};
  }
}

void compare(const Snapshot& snapshot, std::span<const Comment> comments,
             const std::set<UserNumber>& pending, const Differs& differs) {
  const CommentPlaces places(snapshot, comments);
  for (std::size_t i = 0; i < comments.size(); ++i) {
    if (pending.contains(comments[i].author)) continue;
    if (const auto due = places.misplaced(i)) {
      differs(comments[i], *due == CommentPlaces::Due::kHidden);
    }
  }
}

}  // namespace

void check_hidden_comments(const CheckInput& stores, Examination& exam) {
  OfState<std::set<UserNumber>> pending;
  const Differs differs = [&](const Comment& comment, bool is_due_hidden) {
    exam.find(FindingKind::kHidden,
              fmt::format("comment {} is {} the comments shown to strangers", comment.id.value,
                          is_due_hidden ? "among" : "not among"));
  };
  for (CommentId after = kNoComment;;) {
    const auto comments = reads::rows_above<tables::Comments>(stores.snapshot, {after}, kBlock);
    if (comments.empty()) return;
    compare(stores.snapshot, comments, pending.get(stores.walk, &pending_users), differs);
    after = comments.back().id;
    stores.walk.rest(comments.size());
  }
}

void hide_comments(Storage& storage, Time now, const Walked& walked) {
  std::vector<CommentId> wrong;
  const auto flush = [&](std::size_t from) {
    if (wrong.size() < from) return;
    rules::repair_threads(storage, wrong, now);
    wrong.clear();
  };
  // Each block is read from a new state, as in separate_levels().
  for (CommentId after = kNoComment;;) {
    {
      const auto snapshot = storage.snapshot();
      const auto comments = reads::rows_above<tables::Comments>(*snapshot, {after}, kBlock);
      if (comments.empty()) break;
      compare(*snapshot, comments, {},
              [&](const Comment& comment, bool) { wrong.push_back(comment.id); });
      after = comments.back().id;
      if (walked) walked(comments.size());
    }
    flush(kRepairedAtOnce);
  }
  flush(1);
}

}  // namespace chirp::doctor
