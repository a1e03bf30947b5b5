#include "store/postgres/batch.h"

#include <map>
#include <set>
#include <string>
#include <type_traits>

#include "core/rules/content.h"
#include "store/postgres/questions.h"
#include "store/postgres/timelines.h"

namespace chirp::postgres {
namespace {

// In one database the comments above these, as long as they are removed, are found at once.
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

Questions Batch::questions() {
  return {[this](std::span<const Asked> asked) { return turn_.ask(asked); }, placing_,
          point_of(turn_.state()), &chunks_};
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

namespace {

using tables::Comments;
using tables::Threads;

using Places = std::vector<std::pair<PostId, CommentId>>;

// The first two replies of each comment.
void fetch_replies(Questions& questions, const Places& comments, far::Known& known) {
  std::vector<far::Stretch<Threads>> replies;
  std::vector<KeyRange<Threads>> ranges;
  for (const auto& [post, id] : comments) {
    replies.push_back({{post, id, kNoComment}, {post, id, rules::kLastComment}});
    ranges.push_back({replies.back().first, replies.back().last});
  }
  if (ranges.empty()) return;
  const std::vector<std::uint32_t> limits(ranges.size(), 2);
  questions.ranges<Threads>(std::move(ranges), limits, Direction::kUp, ~std::uint64_t{0},
                            [&known, replies](const auto& found) {
                              for (std::size_t i = 0; i < replies.size(); ++i) {
                                far::of<Threads>(known).learn(replies[i], 2, found[i]);
                              }
                            });
}

// Comments, the first two replies of each, and as long as they are removed the comments above them.
void fetch_chains(Questions& questions, const std::set<CommentId>& comments, far::Known& known) {
  std::vector<Comments::Key> keys;
  for (const CommentId comment : comments) keys.push_back({comment});
  auto copy = keys;
  questions.rows<Comments>(
      std::move(copy), [&questions, &known, keys = std::move(keys)](auto rows) {
        std::set<CommentId> above;
        for (const auto& comment : rows) {
          const bool goes_on = comment && comment->state == CommentState::kRemoved;
          if (!goes_on || comment->parent == kNoComment) continue;
          const Comments::Key parent{comment->parent};
          if (far::of<Comments>(known).find(parent) == nullptr) above.insert(comment->parent);
        }
        Places places;
        for (const auto& comment : rows) {
          if (comment) places.emplace_back(comment->post, comment->id);
        }
        fetch_replies(questions, places, known);
        for (std::size_t i = 0; i < keys.size(); ++i) {
          above.erase(keys[i].id);
          far::of<Comments>(known).learn(keys[i], std::move(rows[i]));
        }
        if (!above.empty()) fetch_chains(questions, above, known);
      });
}

void fetch_chains_at_once(Questions& questions, std::set<CommentId> comments, far::Known& known) {
  Array from(Type::kInt8);
  for (const CommentId comment : comments) add_key(from, comment);
  questions.other(kChain, Params().add(from),
                  [&questions, &known, comments = std::move(comments)](const Result& result) {
                    std::set<CommentId> all = comments;
                    Places places;
                    for (int row = 0; row < result.rows(); ++row) {
                      const CommentId id{static_cast<std::uint64_t>(result.number(row, 0))};
                      places.emplace_back(PostId{static_cast<std::uint64_t>(result.number(row, 1))},
                                          id);
                      all.insert(id);
                    }
                    fetch_replies(questions, places, known);
                    std::vector<Comments::Key> keys;
                    for (const CommentId id : all) keys.push_back({id});
                    auto copy = keys;
                    questions.rows<Comments>(std::move(copy), [&known, keys](auto rows) {
                      for (std::size_t i = 0; i < keys.size(); ++i) {
                        far::of<Comments>(known).learn(keys[i], std::move(rows[i]));
                      }
                    });
                  });
}

}  // namespace

void Batch::fetch(const far::Lacked& lacked, far::Known& known) {
  Questions questions = this->questions();
  far::for_each_table(lacked.tables, [&](const auto& of_table) {
    using T = typename std::remove_cvref_t<decltype(of_table)>::Table;
    fetch_table<T>(questions, of_table, far::of<T>(known));
  });
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

// What of a table goes to one group.
template <class T>
struct RowsOfGroup {
  KeyArrays<T> ended;
  KeyArrays<T> keys;
  ColumnWriter columns{table_of<T>().columns};
  std::size_t ends = 0;
  std::size_t puts = 0;
};

}  // namespace

template <class T>
void Batch::write_table(const far::WrittenOf<T>& written, const far::KnownOf<T>& known) {
  std::map<Group, RowsOfGroup<T>> groups;
  for (const auto& [key, row] : written.rows) {
    RowsOfGroup<T>& of = groups[placing_.group_of_row<T>(key)];
    // What is known not to be there need not end.
    const std::optional<typename T::Row>* const before = known.find(key);
    if (before == nullptr || before->has_value()) {
      of.ended.add(key);
      ++of.ends;
    }
    if (!row) continue;
    of.keys.add(key);
    of.columns.next_row();
    Shape<T>::row(of.columns, key, *row);
    ++of.puts;
  }
  constexpr bool kHasNumber = Shape<T>::kSeen == Seen::kVersioned;
  for (const auto& [group, of] : groups) {
    // Of the log what is too old is swept, once nobody can ask for it.
    if (kHasNumber && of.ends != 0) {
      Params params;
      params.int8(turn_.number());
      of.ended.add_to(params);
      writes_.add(group, sql_of<T>().end, std::move(params));
    }
    if (of.puts == 0) continue;
    Params params;
    if (kHasNumber) params.int8(turn_.number());
    of.keys.add_to(params);
    of.columns.add_to(params);
    writes_.add(group, sql_of<T>().insert, std::move(params));
  }
}

// How many follows there are more.
std::int64_t Batch::write_edges(const far::Written& written) {
  const auto following = changes_of<tables::Following>(written);
  const auto followers = changes_of<tables::Followers>(written);
  Questions questions = this->questions();
  ask_unknown<tables::Following>(questions, chunks_, following);
  ask_unknown<tables::Followers>(questions, chunks_, followers);
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
  if (!far::of<tables::Marks>(written).rows.empty()) after.marks = turn_.number();
  far::for_each_table(written.tables, [&](const auto& of_table) {
    using T = typename std::remove_cvref_t<decltype(of_table)>::Table;
    if constexpr (!kIsEdges<T>) write_table<T>(of_table, far::of<T>(overlay.known()));
  });
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
