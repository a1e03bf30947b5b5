#include "store/postgres/batch.h"

#include <string>
#include <type_traits>

#include <fmt/format.h>

#include "core/error.h"
#include "core/rules/content.h"
#include "store/postgres/keys.h"
#include "store/postgres/locks.h"
#include "store/postgres/questions.h"
#include "store/postgres/timelines.h"

namespace chirp::postgres {
namespace {

constexpr std::string_view kPatience = "select set_config('lock_timeout', $1::text, true)";
constexpr std::string_view kLockTimeout = "55P03";
constexpr std::string_view kCommit =
    "insert into commits (n, writer, published, marks, pending, state) values ($1::int8,"
    " $2::int8, true, $3::int8, $4::int8, $5::bytea)";
constexpr std::string_view kWriter = "select writer from commits where n = $1::int8";

// The comments above these, as long as they are removed.
constexpr std::string_view kChain =
    "with recursive chain as (select t.id, t.post, t.parent, t.state from comments t"
    " where t.id = any($1::int8[]) and t.died is null"
    " union select t.id, t.post, t.parent, t.state from chain c join comments t on t.id = c.parent"
    " and t.died is null where c.state = 1) select id, post from chain";

template <class T>
EdgeChunks::Changes changes_of(const far::Written& written) {
  EdgeChunks::Changes changes;
  for (const auto& [key, since] : far::of<T>(written).rows) changes.emplace(ends_of<T>(key), since);
  return changes;
}

template <class T>
void ask_unknown(Questions& questions, const EdgeChunks& chunks,
                 const EdgeChunks::Changes& changes) {
  std::vector<typename T::Key> unknown;
  for (const auto& [edge, since] : changes) {
    if (!chunks.knows(kSideOf<T>, edge)) unknown.push_back({edge.first, edge.second});
  }
  if (!unknown.empty()) questions.rows<T>(std::move(unknown), [](const auto&) {});
}

}  // namespace

Batch::Batch(Connection& connection, std::chrono::milliseconds patience) : connection_(connection) {
  connection_.begin();
  connection_.send(kPatience,
                   Params().text(fmt::format("{}ms", std::max<std::int64_t>(patience.count(), 1))));
  connection_.send(kLockWriters);
  connection_.send(kNewest);
  try {
    state_ = newest_in(connection_.receive().back());
  } catch (const PostgresError& error) {
    if (error.sqlstate() != kLockTimeout) throw;
    throw Error(ErrorCode::kUnavailable,
                "The database is busy: others have been writing for too long. Try again.");
  }
}

// ---------------------------------------------------------------- fetching

template <class T>
void Batch::fetch_table(Questions& questions, const far::LackedOf<T>& lacked,
                        far::KnownOf<T>& known) {
  if (!lacked.keys.empty()) {
    std::vector<typename T::Key> keys(lacked.keys.begin(), lacked.keys.end());
    auto copy = keys;
    questions.rows<T>(std::move(copy), [&known, keys = std::move(keys)](auto rows) {
      for (std::size_t i = 0; i < keys.size(); ++i) known.learn(keys[i], std::move(rows[i]));
    });
  }
  for (const Direction direction : {Direction::kUp, Direction::kDown}) {
    std::vector<far::Stretch<T>> stretches;
    std::vector<KeyRange<T>> ranges;
    std::vector<std::uint32_t> limits;
    for (const auto& [stretch, limit] : lacked.ranges) {
      if (stretch.direction != direction) continue;
      stretches.push_back(stretch);
      ranges.push_back({stretch.first, stretch.last});
      limits.push_back(limit);
    }
    if (ranges.empty()) continue;
    questions.ranges<T>(std::move(ranges), limits, direction, ~std::uint64_t{0},
                        [&known, stretches, limits](const std::vector<RowPairs<T>>& found) {
                          for (std::size_t i = 0; i < stretches.size(); ++i) {
                            known.learn(stretches[i], limits[i], found[i]);
                          }
                        });
  }
}

void Batch::fetch_chains(Questions& questions, const far::Lacked& lacked, far::Known& known) {
  if (lacked.chains.empty()) return;
  using tables::Comments;
  using tables::Threads;
  Array from(Type::kInt8);
  for (const CommentId comment : lacked.chains) {
    add_key(from, comment);
    known.chains.insert(comment);
  }
  questions.other(kChain, Params().add(from),
                  [&questions, &known, starts = lacked.chains](const Result& result) {
                    far::LackedOf<Comments> comments;
                    std::vector<far::Stretch<Threads>> replies;
                    for (const CommentId start : starts) comments.keys.insert({start});
                    std::vector<KeyRange<Threads>> ranges;
                    for (int row = 0; row < result.rows(); ++row) {
                      const CommentId id{static_cast<std::uint64_t>(result.number(row, 0))};
                      const PostId post{static_cast<std::uint64_t>(result.number(row, 1))};
                      comments.keys.insert({id});
                      replies.push_back({{post, id, kNoComment}, {post, id, rules::kLastComment}});
                      ranges.push_back({replies.back().first, replies.back().last});
                    }
                    std::vector<Comments::Key> keys(comments.keys.begin(), comments.keys.end());
                    auto copy = keys;
                    questions.rows<Comments>(std::move(copy), [&known, keys](auto rows) {
                      for (std::size_t i = 0; i < keys.size(); ++i) {
                        far::of<Comments>(known).learn(keys[i], std::move(rows[i]));
                      }
                    });
                    const std::vector<std::uint32_t> limits(ranges.size(), 2);
                    if (ranges.empty()) return;
                    questions.ranges<Threads>(
                        std::move(ranges), limits, Direction::kUp, ~std::uint64_t{0},
                        [&known, replies](const auto& found) {
                          for (std::size_t i = 0; i < replies.size(); ++i) {
                            far::of<Threads>(known).learn(replies[i], 2, found[i]);
                          }
                        });
                  });
}

void Batch::fetch(const far::Lacked& lacked, far::Known& known) {
  Questions questions(connection_, point_of(state_), &chunks_);
  far::for_each_table(lacked.tables, [&](const auto& of_table) {
    using T = typename std::remove_cvref_t<decltype(of_table)>::Table;
    fetch_table<T>(questions, of_table, far::of<T>(known));
  });
  fetch_chains(questions, lacked, known);
  if (!lacked.timelines.empty()) {
    std::vector<UserNumber> viewers(lacked.timelines.begin(), lacked.timelines.end());
    auto copy = viewers;
    find_heads(questions, copy, [&known, viewers = std::move(viewers)](const auto& heads) {
      for (const UserNumber viewer : viewers) {
        const auto found = heads.find(viewer);
        known.timelines[viewer] =
            found == heads.end() ? std::nullopt : std::optional(found->second);
      }
    });
  }
  find_keys(questions, lacked, known);
  questions.ask();
}

// ---------------------------------------------------------------- writing

template <class T>
void Batch::write_table(const far::WrittenOf<T>& written, const far::KnownOf<T>& known) {
  if (written.rows.empty()) return;
  KeyArrays<T> ended;
  KeyArrays<T> keys;
  ColumnWriter columns(table_of<T>().columns);
  std::size_t ends = 0;
  std::size_t puts = 0;
  for (const auto& [key, row] : written.rows) {
    // What is known not to be there need not end.
    const std::optional<typename T::Row>* const before = known.find(key);
    if (before == nullptr || before->has_value()) {
      ended.add(key);
      ++ends;
    }
    if (!row) continue;
    keys.add(key);
    columns.next_row();
    Shape<T>::row(columns, key, *row);
    ++puts;
  }
  constexpr bool kHasNumber = Shape<T>::kSeen == Seen::kVersioned;
  // Of the log what is too old is swept, once nobody can ask for it.
  if (kHasNumber && ends != 0) {
    Params params;
    params.int8(number());
    ended.add_to(params);
    connection_.send(sql_of<T>().end, std::move(params));
  }
  if (puts != 0) {
    Params params;
    if (kHasNumber) params.int8(number());
    keys.add_to(params);
    columns.add_to(params);
    connection_.send(sql_of<T>().insert, std::move(params));
  }
}

// How many follows there are more.
std::int64_t Batch::write_edges(const far::Written& written) {
  const auto following = changes_of<tables::Following>(written);
  const auto followers = changes_of<tables::Followers>(written);
  Questions questions(connection_, point_of(state_), &chunks_);
  ask_unknown<tables::Following>(questions, chunks_, following);
  ask_unknown<tables::Followers>(questions, chunks_, followers);
  questions.ask();
  const auto more = chunks_.write(connection_, EdgeSide::kFollowing, following, number());
  chunks_.write(connection_, EdgeSide::kFollowers, followers, number());
  return more;
}

void Batch::write(far::Overlay& overlay, std::int64_t writer) {
  const far::Written& written = overlay.written();
  StoredState after{written.state, state_.follows, state_.marks};
  after.follows += write_edges(written);
  if (!far::of<tables::Marks>(written).rows.empty()) after.marks = number();
  far::for_each_table(written.tables, [&](const auto& of_table) {
    using T = typename std::remove_cvref_t<decltype(of_table)>::Table;
    if constexpr (!kIsEdges<T>) write_table<T>(of_table, far::of<T>(overlay.known()));
  });
  write_keys(connection_, written, overlay.turn().now);
  write_timelines(connection_, written.timelines, after.settings.cap, number());
  write_state(after, writer);
}

void Batch::write_state(const StoredState& after, std::int64_t writer) {
  const auto pending = static_cast<std::int64_t>(first_pending(after).value);
  connection_.send(kCommit, Params()
                                .int8(number())
                                .int8(writer)
                                .int8(after.marks)
                                .int8(pending)
                                .bytes(packed_state(after)));
}

bool Batch::recount_follows(std::int64_t writer) {
  const auto counted = connection_.run(kCountFollows, Params().int8(point_of(state_).number));
  StoredState after = state_;
  after.follows = counted.number(0, 0);
  if (after.follows == state_.follows) return false;
  write_state(after, writer);
  return true;
}

std::int64_t writer_of(Connection& connection, std::int64_t number) {
  connection.begin();
  connection.send(kLockWriters);
  connection.send(kWriter, Params().int8(number));
  const auto results = connection.commit();
  return results[1].empty() ? 0 : results[1].number(0, 0);
}

}  // namespace chirp::postgres
