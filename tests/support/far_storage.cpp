#include "tests/support/far_storage.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/rules/content.h"

namespace chirp::test {
namespace {

using rules::kLastComment;

// ---------------------------------------------------------------- answers

void answer_chain(const Rows& rows, CommentId from, far::Known& known) {
  for (CommentId above = from; above != kNoComment;) {
    const tables::Comments::Key key{above};
    const auto comment = rows.find(key);
    far::of<tables::Comments>(known).learn(key, comment);
    if (!comment || comment->state != CommentState::kRemoved) break;
    const far::Stretch<tables::Threads> replies{{comment->post, above, kNoComment},
                                                {comment->post, above, kLastComment}};
    far::of<tables::Threads>(known).learn(
        replies, 2, rows.range(replies.first, replies.last, replies.direction, 2));
    above = comment->parent;
  }
  known.chains.insert(from);
}

void answer_tables(const Rows& rows, const far::Lacked& lacked, far::Known& known) {
  far::for_each_table(lacked.tables, [&](const auto& asked) {
    using T = typename std::remove_cvref_t<decltype(asked)>::Table;
    auto& table = far::of<T>(known);
    for (const auto& key : asked.keys) table.learn(key, rows.find(key));
    for (const auto& [range, limit] : asked.ranges) {
      table.learn(range, limit, rows.range(range.first, range.last, range.direction, limit));
    }
  });
}

// Counting is forgetting in a transaction that is undone.
void answer_requests(Rows& rows, const far::Lacked& lacked, far::Known& known) {
  for (const far::RequestKey& key : lacked.requests) {
    known.requests[key] = rows.earlier({key.user, key.key, key.canonical});
  }
  for (const auto& [which, limit] : lacked.stale_requests) {
    known.stale_requests[which] = {limit, rows.forget_requests(which, limit)};
  }
}

// ---------------------------------------------------------------- keeping

void keep_timeline(Rows& rows, UserNumber viewer, const far::WrittenTimeline& written) {
  if (written.gone) rows.erase_timeline(viewer);
  if (written.put) rows.put_timeline(viewer, *written.put);
  if (written.read) rows.note_read(viewer, *written.read);
  if (written.delivered.empty()) return;
  const auto head = rows.timeline(viewer);
  if (head && head->generation == written.generation) rows.deliver(viewer, written.delivered);
}

void keep(Rows& rows, const far::Written& written) {
  rows.state() = written.state;
  far::for_each_table(written.tables, [&](const auto& table) {
    for (const auto& [key, row] : table.rows) {
      if (row) {
        rows.put(key, *row);
      } else {
        rows.discard(key);
      }
    }
  });
  for (const auto& [viewer, timeline] : written.timelines) keep_timeline(rows, viewer, timeline);
  for (const auto& [key, kept] : written.requests) {
    rows.remember({key.first, key.second, kept.canonical}, kept.post);
  }
  for (const auto& [which, count] : written.forgotten) rows.forget_requests(which, count);
}

}  // namespace

bool FarStorage::decide(Time now, Purpose purpose, const Decision& decision) {
  const std::lock_guard turn(turn_);
  rounds_ = fetches_ = 0;
  begin_round();
  StoreState state;
  Turn in_turn;
  inner_.decide(now, purpose, [&](Rows& rows) {
    state = rows.state();
    in_turn = rows.turn();
    return false;
  });
  far::Overlay overlay(state, in_turn);
  const bool changed =
      far::settle(overlay, decision, [&](const far::Lacked& lacked, far::Known& known) {
        begin_round();
        most_ = std::max(most_, ++fetches_);
        fetch(lacked, known, now);
      });
  if (!changed) return false;
  begin_round();
  return inner_.decide(now, purpose, [&](Rows& rows) {
    keep(rows, overlay.written());
    return true;
  });
}

void FarStorage::begin_round() {
  if (rounds_++ == failing_) throw Error(ErrorCode::kUnavailable, "The store does not answer.");
}

void FarStorage::fetch(const far::Lacked& lacked, far::Known& known, Time now) {
  inner_.decide(now, Purpose::kChange, [&](Rows& rows) {
    answer_tables(rows, lacked, known);
    for (const CommentId from : lacked.chains) answer_chain(rows, from, known);
    for (const UserNumber viewer : lacked.timelines)
      known.timelines[viewer] = rows.timeline(viewer);
    answer_requests(rows, lacked, known);
    return false;
  });
}

int FarStorage::take_most_fetches() { return std::exchange(most_, 0); }

}  // namespace chirp::test
