#include "store/postgres/commit/batch.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/rules/content.h"
#include "store/postgres/rows/questions.h"
#include "store/postgres/rows/timelines.h"

namespace chirp::postgres {
namespace {

// In one database: the comments, and their ancestors as long as the comment below is removed.
constexpr std::string_view kChain =
    "with recursive chain as (select t.id, t.post, t.parent, t.state, t.author from comments t"
    " where t.id = any($1::int8[]) and t.died is null"
    " union select t.id, t.post, t.parent, t.state, t.author from chain c"
    " join comments t on t.id = c.parent"
    " and t.died is null where c.state = 1) select id, post, author from chain";

EdgeChunks::Changes changes_of(const far::Written& written, EdgeSide side, const TableType& type) {
  EdgeChunks::Changes changes;
  const auto [begin, end] = rows_of_table(written.rows, type);
  for (auto at = begin; at != end; ++at) {
    const auto* const since = static_cast<const Time*>(at->second.row);
    changes.emplace_back(ends_of(side, at->second.key),
                         since == nullptr ? std::nullopt : std::optional(*since));
  }
  const auto& loaded = written.edges[static_cast<std::size_t>(side)];
  changes.insert(changes.end(), loaded.begin(), loaded.end());
  if (!loaded.empty()) std::ranges::sort(changes, {}, &EdgeChunks::Changes::value_type::first);
  return changes;
}

template <class T>
void ask_unknown(Questions& questions, const EdgeChunks& chunks, EdgeSide side,
                 const EdgeChunks::Changes& changes) {
  std::vector<AnyRow> unknown;
  for (const auto& [edge, since] : changes) {
    if (!chunks.knows(side, edge)) unknown.push_back(any_row<T>({edge.first, edge.second}));
  }
  if (!unknown.empty()) questions.rows(table_type<T>(), std::move(unknown), [](const auto&) {});
}

}  // namespace

Questions Batch::questions() {
  return {[this](std::span<const GroupQuery> asked) { return turn_.ask(asked); }, placing_,
          point_of(turn_.state()), &chunks_};
}

// ---------------------------------------------------------------- fetching

namespace {

// One query for all keys of a table.
void ask_keys(Questions& questions, const far::MissingRows& lacked, far::Known& known) {
  std::map<std::size_t, std::vector<AnyRow>> tables;
  for (const auto& [bytes, key] : lacked.keys) tables[key.type->index].push_back(key);
  for (auto& [index, keys] : tables) {
    questions.rows(table_type(index), std::move(keys), [&known](std::vector<AnyRow> rows) {
      for (AnyRow& row : rows) known.rows.learn(std::move(row));
    });
  }
}

void ask_edges(Questions& questions, const far::MissingRows& lacked, EdgeChunks& chunks,
               far::Known& known) {
  for (const EdgeSide side : {EdgeSide::kFollowing, EdgeSide::kFollowers}) {
    const auto at = static_cast<std::size_t>(side);
    const auto& asked = lacked.edges[at];
    if (asked.empty()) continue;
    find_edges(questions, side, asked, &chunks, [&known, &asked, at](const auto& times) {
      std::vector<bool> there;
      for (const auto& since : times) there.push_back(since.has_value());
      known.edges[at].learn(asked, there);
    });
  }
}

// One query for all ranges of a table and direction.
void ask_ranges(Questions& questions, const far::MissingRows& lacked, far::Known& known) {
  struct GroupQuery {
    std::vector<far::Stretch> stretches;
    std::vector<AnyRange> ranges;
  };
  std::map<std::pair<std::size_t, Direction>, GroupQuery> tables;
  for (const auto& [stretch, range] : lacked.ranges) {
    GroupQuery& asked = tables[{range.first.type->index, stretch.direction}];
    asked.stretches.push_back(stretch);
    asked.ranges.push_back(range);
  }
  for (auto& [of, asked] : tables) {
    const auto& [index, direction] = of;
    auto ranges = asked.ranges;
    questions.ranges(table_type(index), std::move(ranges), direction, ~std::uint64_t{0},
                     [&known, asked = std::move(asked)](const auto& found) {
                       for (std::size_t i = 0; i < found.size(); ++i) {
                         known.rows.learn(asked.stretches[i], asked.ranges[i].limit, found[i]);
                       }
                     });
  }
}

}  // namespace

namespace {

using tables::Comments;
using tables::HiddenThreads;
using tables::Threads;

using ReplyKeys = std::vector<std::pair<PostId, CommentId>>;

// The first two replies to each comment, in one of the tables.
template <class Thread>
void fetch_replies(Questions& questions, const ReplyKeys& comments, far::Known& known) {
  std::vector<far::Stretch> replies;
  std::vector<AnyRange> ranges;
  for (const auto& [post, id] : comments) {
    const typename Thread::Key first{post, id, kNoComment};
    const typename Thread::Key last{post, id, rules::kLastComment};
    replies.push_back(far::stretch_of<Thread>(first, last));
    ranges.push_back({any_row<Thread>(first), any_row<Thread>(last), 2});
  }
  if (ranges.empty()) return;
  questions.ranges(table_type<Thread>(), std::move(ranges), Direction::kUp, ~std::uint64_t{0},
                   [&known, replies](const auto& found) {
                     for (std::size_t i = 0; i < replies.size(); ++i) {
                       known.rows.learn(replies[i], 2, found[i]);
                     }
                   });
}

std::vector<AnyRow> keys_of(const std::set<CommentId>& comments) {
  std::vector<AnyRow> keys;
  for (const CommentId comment : comments) keys.push_back(any_row<Comments>({comment}));
  return keys;
}

// Cards of the authors of comments, whose presence decides whether the comments are hidden.
void fetch_authors(Questions& questions, const std::set<UserNumber>& authors, far::Known& known) {
  std::vector<AnyRow> keys;
  for (const UserNumber author : authors) {
    if (author != kNobody) keys.push_back(any_row<tables::Cards>({author}));
  }
  if (keys.empty()) return;
  questions.rows(table_type<tables::Cards>(), std::move(keys), [&known](const auto& rows) {
    for (const AnyRow& row : rows) known.rows.learn(row);
  });
}

// Comments, the first two replies to each, and the ancestors of removed comments.
void fetch_chains(Questions& questions, const std::set<CommentId>& comments, far::Known& known) {
  questions.rows(table_type<Comments>(), keys_of(comments),
                 [&questions, &known](const std::vector<AnyRow>& rows) {
                   std::set<CommentId> above;
                   ReplyKeys places;
                   std::set<UserNumber> authors;
                   for (const AnyRow& row : rows) {
                     const Comment* const comment = row_of<Comments>(row);
                     if (comment == nullptr) continue;
                     authors.insert(comment->author);
                     places.emplace_back(comment->post, comment->id);
                     const bool goes_on = comment->state == CommentState::kRemoved;
                     if (!goes_on || comment->parent == kNoComment) continue;
                     if (known.rows.find<Comments>({comment->parent}) == nullptr) {
                       above.insert(comment->parent);
                     }
                   }
                   fetch_replies<Threads>(questions, places, known);
                   fetch_replies<HiddenThreads>(questions, places, known);
                   fetch_authors(questions, authors, known);
                   for (const AnyRow& row : rows) {
                     above.erase(key_of<Comments>(row).id);
                     known.rows.learn(row);
                   }
                   if (!above.empty()) fetch_chains(questions, above, known);
                 });
}

void fetch_chains_at_once(Questions& questions, std::set<CommentId> comments, far::Known& known) {
  Array from(Type::kInt8);
  for (const CommentId comment : comments) add_key(from, comment);
  questions.other(
      kChain, Params().add(from),
      [&questions, &known, comments = std::move(comments)](const Result& result) {
        std::set<CommentId> all = comments;
        ReplyKeys places;
        std::set<UserNumber> authors;
        for (int row = 0; row < result.rows(); ++row) {
          const CommentId id{static_cast<std::uint64_t>(result.number(row, 0))};
          places.emplace_back(PostId{static_cast<std::uint64_t>(result.number(row, 1))}, id);
          authors.insert(UserNumber{static_cast<std::uint32_t>(result.number(row, 2))});
          all.insert(id);
        }
        fetch_replies<Threads>(questions, places, known);
        fetch_replies<HiddenThreads>(questions, places, known);
        fetch_authors(questions, authors, known);
        questions.rows(table_type<Comments>(), keys_of(all), [&known](const auto& rows) {
          for (const AnyRow& row : rows) known.rows.learn(row);
        });
      });
}

}  // namespace

void Batch::fetch(const far::MissingRows& lacked, far::Known& known) {
  Questions questions = this->questions();
  ask_keys(questions, lacked, known);
  ask_edges(questions, lacked, chunks_, known);
  ask_ranges(questions, lacked, known);
  if (!lacked.chains.empty()) {
    known.chains.insert(lacked.chains.begin(), lacked.chains.end());
    if (placing_.is_one()) {
      fetch_chains_at_once(questions, lacked.chains, known);
    } else {
      fetch_chains(questions, lacked.chains, known);
    }
  }
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
  find_keys(questions, lacked, known, stale_times_);
  questions.ask();
}

// ---------------------------------------------------------------- writing

namespace {

// The changes of one table in one group.
struct RowsOfGroup {
  explicit RowsOfGroup(const StoredTable& table)
      : ended(table), keys(table), columns(table.text.columns) {}

  KeyArrays ended;
  KeyArrays keys;
  ColumnWriter columns;
  std::size_t ends = 0;
  std::size_t puts = 0;
};

}  // namespace

void Batch::write_table(const StoredTable& table, Span rows, const far::KnownRows& known) {
  std::map<Group, RowsOfGroup> groups;
  // The old row must end before the new one is inserted, because ending picks the newest row.
  const auto write = [&](Group group, const RowsOfGroup& of) {
    // The log is not versioned: its old rows are swept once no snapshot can read them.
    if (table.is_versioned() && of.ends != 0) {
      Params params;
      params.int8(turn_.number());
      of.ended.add_to(params);
      writes_.add(group, table.sql.end, std::move(params));
    }
    if (of.puts == 0) return;
    Params params;
    if (table.is_versioned()) params.int8(turn_.number());
    of.keys.add_to(params);
    of.columns.add_to(params);
    writes_.add(group, table.sql.insert, std::move(params));
  };
  for (const AnyRow* const row : rows) {
    const Group group = table.group_of(placing_, row->key);
    RowsOfGroup& of = groups.try_emplace(group, table).first->second;
    // Skip ending a row that is known not to exist.
    const AnyRow* const before = known.find(table.type->bytes(row->key));
    if (before == nullptr || before->row != nullptr) {
      of.ended.add(row->key);
      ++of.ends;
    }
    if (row->row != nullptr) {
      of.keys.add(row->key);
      table.write_row(of.columns, row->key, row->row);
      ++of.puts;
    }
    if (of.ends + of.puts < kKeysAtOnce) continue;
    write(group, of);
    groups.erase(group);
  }
  for (const auto& [group, of] : groups) write(group, of);
}

// Returns by how many the number of follows grows.
std::int64_t Batch::write_edges(const far::Written& written) {
  using tables::Followers;
  using tables::Following;
  const auto following = changes_of(written, EdgeSide::kFollowing, table_type<Following>());
  const auto followers = changes_of(written, EdgeSide::kFollowers, table_type<Followers>());
  Questions questions = this->questions();
  ask_unknown<Following>(questions, chunks_, EdgeSide::kFollowing, following);
  ask_unknown<Followers>(questions, chunks_, EdgeSide::kFollowers, followers);
  questions.ask();
  const std::int64_t number = turn_.number();
  const auto more = chunks_.write(writes_, placing_, EdgeSide::kFollowing, following, number);
  chunks_.write(writes_, placing_, EdgeSide::kFollowers, followers, number);
  return more;
}

void Batch::commit(far::Overlay& overlay, std::int64_t writer) {
  const far::Written& written = overlay.written();
  StoredState after{written.state, turn_.state().follows, turn_.state().marks};
  after.follows += write_edges(written);
  std::map<std::size_t, std::vector<const AnyRow*>> by_table;
  for (const auto& [bytes, row] : written.rows) by_table[row.type->index].push_back(&row);
  if (by_table.contains(kIndexOf<tables::Marks>)) after.marks = turn_.number();
  for (const auto& [index, rows] : by_table) {
    const StoredTable& table = stored_table(table_type(index));
    if (!table.side) write_table(table, rows, overlay.known().rows);
  }
  write_keys(writes_, placing_, written, overlay.turn().now, stale_times_);
  write_timelines(writes_, placing_, written.timelines, after.settings.cap, turn_.number());
  turn_.commit(writes_, after, writer);
}

bool Batch::recount_follows(std::int64_t writer) {
  StoredState after = turn_.state();
  after.follows = 0;
  Questions questions = this->questions();
  questions.at_all(kCountFollows, Params().int8(point_of(after).number),
                   [&after](const Result& result) { after.follows += result.number(0, 0); });
  questions.ask();
  if (after.follows == turn_.state().follows) return false;
  turn_.commit({}, after, writer);
  return true;
}

}  // namespace chirp::postgres
