#include "tests/support/far_storage.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/rules/content.h"

namespace chirp::test {
namespace {

using rules::kLastComment;

// ---------------------------------------------------------------- answers

template <class T>
std::vector<AnyRow> kept(const RowPairs<T>& pairs) {
  std::vector<AnyRow> rows;
  for (const auto& [key, row] : pairs) rows.push_back(any_row<T>(key, &row));
  return rows;
}

void answer_chain(const Rows& rows, CommentId from, far::Known& known) {
  for (CommentId above = from; above != kNoComment;) {
    const tables::Comments::Key key{above};
    const auto comment = rows.find(key);
    known.rows.learn<tables::Comments>(key, comment);
    if (!comment || comment->state != CommentState::kRemoved) break;
    const auto learn = [&]<class Thread>() {
      const typename Thread::Key first{comment->post, above, kNoComment};
      const typename Thread::Key last{comment->post, above, kLastComment};
      known.rows.learn(far::stretch_of<Thread>(first, last), 2,
                       kept<Thread>(rows.range(first, last, Direction::kUp, 2)));
    };
    learn.operator()<tables::Threads>();
    learn.operator()<tables::HiddenThreads>();
    above = comment->parent;
  }
  known.chains.insert(from);
}

template <class T>
void answer_table(const Rows& rows, const far::MissingRows& lacked, far::Known& known) {
  for (const auto& [bytes, any] : lacked.keys) {
    if (any.type != &table_type<T>()) continue;
    const auto& key = key_of<T>(any);
    known.rows.learn<T>(key, rows.find(key));
  }
  for (const auto& [stretch, range] : lacked.ranges) {
    if (range.first.type != &table_type<T>()) continue;
    known.rows.learn(stretch, range.limit,
                     kept<T>(rows.range(key_of<T>(range.first), key_of<T>(range.last),
                                        stretch.direction, range.limit)));
  }
}
template <class... T>
void answer_tables(const Rows& rows, const far::MissingRows& lacked, far::Known& known,
                   TableList<T...> /*tables*/) {
  (answer_table<T>(rows, lacked, known), ...);
}

template <class T>
void answer_edges(const Rows& rows, const std::vector<far::EdgeEnds>& edges,
                  far::KnownEdges& known) {
  std::vector<bool> there;
  for (const auto& [user, other] : edges) {
    there.push_back(rows.find(typename T::Key{user, other}).has_value());
  }
  known.learn(edges, there);
}

// Counting is forgetting in a transaction that is undone.
void answer_requests(Rows& rows, const far::MissingRows& lacked, far::Known& known) {
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
  for (const auto& [bytes, row] : written.rows) {
    if (row.row != nullptr) {
      rows.put_row(*row.type, row.key, row.row);
    } else {
      rows.discard_row(*row.type, row.key);
    }
  }
  for (const auto& [edge, since] : written.edges[0]) {
    rows.put(tables::Following::Key{edge.first, edge.second}, since);
  }
  for (const auto& [edge, since] : written.edges[1]) {
    rows.put(tables::Followers::Key{edge.first, edge.second}, since);
  }
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
      far::settle(overlay, decision, [&](const far::MissingRows& lacked, far::Known& known) {
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

void FarStorage::fetch(const far::MissingRows& lacked, far::Known& known, Time now) {
  inner_.decide(now, Purpose::kChange, [&](Rows& rows) {
    answer_tables(rows, lacked, known, AllTables{});
    answer_edges<tables::Following>(rows, lacked.edges[0], known.edges[0]);
    answer_edges<tables::Followers>(rows, lacked.edges[1], known.edges[1]);
    for (const CommentId from : lacked.chains) answer_chain(rows, from, known);
    for (const UserNumber viewer : lacked.timelines)
      known.timelines[viewer] = rows.timeline(viewer);
    answer_requests(rows, lacked, known);
    return false;
  });
}

int FarStorage::take_most_fetches() { return std::exchange(most_, 0); }

}  // namespace chirp::test
