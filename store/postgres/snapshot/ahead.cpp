#include "store/postgres/snapshot/ahead.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "store/postgres/rows/state.h"

namespace chirp::postgres {
namespace {

using namespace tables;

// The largest query of a walk, which doubles its limit each time (core/feed/merge.h).
constexpr std::uint32_t kLogsMost = 1024;

// For fewer authors, the newest entry of each is found on its own.
constexpr std::size_t kFewAuthors = 8;

// Selects the entries in one author's logs of some levels; for the owner, $7, in all logs.
std::string logs_of_author(Levels levels, std::string_view columns, std::string_view more,
                           std::string_view order, std::string_view limit) {
  std::string sql;
  const auto add = [&](Privacy level, std::string_view log) {
    sql += fmt::format(
        "{}(select {} from {} t where t.author = x.a and t.id > $3::int8 and t.id < $4::int8{}{}"
        " /*and t.b = bucket*/ and t.born <= $1::int8 and (t.died is null or t.died > $1::int8)"
        " order by t.id{} limit {}::int8)",
        sql.empty() ? "" : " union all ", columns, log, more,
        // Every statement uses $7, even where it makes no difference.
        levels.has(level) ? " and (x.a = $7::int4 or true)" : " and x.a = $7::int4", order, limit);
  };
  add(Privacy::kPublic, stored<AuthorLogs>().text.name);
  add(Privacy::kFollowers, stored<FollowersLogs>().text.name);
  add(Privacy::kPrivate, stored<PrivateLogs>().text.name);
  return sql;
}

// A first pass finds the id that bounds the wanted entries, from at most $6 entries of each author;
// the second reads no further than that. (Upwards likewise.)
std::string merged_logs_sql(Levels levels, std::string_view order) {
  const bool is_down = !order.empty();
  const auto nearest = [&](std::string_view columns, std::string_view more,
                           std::string_view limit) {
    return fmt::format("unnest($2::int4[]) x(a) cross join lateral ({}) e order by e.id{}",
                       logs_of_author(levels, columns, more, order, limit), order);
  };
  const std::string bound =
      fmt::format("select e.id from {} offset $5::int8 - 1 limit 1", nearest("t.id", "", "$6"));
  const std::string inside = fmt::format(" and t.id {} coalesce(({}), {}::int8)",
                                         is_down ? ">=" : "<=", bound, is_down ? "$3" : "$4");
  return fmt::format("select e.id, e.author from {} limit $5::int8",
                     nearest("t.id, t.author", inside, "$5"));
}

const std::string& logs_sql(Levels levels, Direction direction) {
  using Which = std::pair<std::uint8_t, Direction>;
  static const std::map<Which, std::string> kAll = [] {
    std::map<Which, std::string> all;
    for (std::uint8_t bits = 0; bits < kAllLevels.bits() + 1; ++bits) {
      all.emplace(Which{bits, Direction::kDown}, merged_logs_sql(Levels::of(bits), " desc"));
      all.emplace(Which{bits, Direction::kUp}, merged_logs_sql(Levels::of(bits), ""));
    }
    return all;
  }();
  return kAll.at({levels.bits(), direction});
}

// The columns of a joined table. The first is null if there is no row.
std::string joined_columns(const StoredTable& table, std::string_view name) {
  std::string columns = fmt::format(", {}.{}", name, table.text.keys.front().name);
  for (const Column& column : table.text.columns) {
    columns += fmt::format(", {}.{}", name, column.name);
  }
  return columns;
}
std::string joined_rows(const StoredTable& table, std::string_view name) {
  const auto& keys = table.text.keys;
  std::string where = fmt::format("{}.{} = x.id", name, keys.front().name);
  if (keys.size() > 1) where += fmt::format(" and {}.{} = $3::int4", name, keys[1].name);
  return fmt::format(
      " left join {1} {0} on {2} /*and {0}.b = bucket*/ and {0}.born <= $1::int8"
      " and ({0}.died is null or {0}.died > $1::int8)",
      name, table.text.name, where);
}
AnyRow joined_row(const StoredTable& table, const Result& result, int row, int& column,
                  const void* key) {
  AnyRow found = table.type->keep(key, nullptr);
  if (!result.is_null(row, column)) {
    ColumnReader reader(result, row, column + 1);
    found = table.read_row(reader, key);
  }
  column += 1 + static_cast<int>(table.text.columns.size());
  return found;
}

// Counters of contents, and a user's reactions and reposts, all stored by the contents' ids.
std::string stats_sql() {
  const StoredTable& counts = stored<ContentCounts>();
  const StoredTable& reactions = stored<Reactions>();
  const StoredTable& reposts = stored<RepostsOf>();
  return "select x.i" + joined_columns(counts, "c") + joined_columns(reactions, "r") +
         joined_columns(reposts, "s") + " from unnest($2::int8[]) with ordinality x(id, i)" +
         joined_rows(counts, "c") + joined_rows(reactions, "r") + joined_rows(reposts, "s");
}

std::int64_t int8_of(PostId id) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::min(id.value, kMost));
}

bool is_same_walk(const Logs& a, const Logs& b) {
  if (a.direction != b.direction || a.authors != b.authors) return false;
  if (a.levels != b.levels || a.owner != b.owner) return false;
  return a.direction == Direction::kDown ? a.range.below == b.range.below
                                         : a.range.above == b.range.above;
}

}  // namespace

void ask_logs(Questions& questions, const Logs& logs,
              std::function<void(std::vector<Entry>)> then) {
  const std::string& sql = logs_sql(logs.levels, logs.direction);
  const bool is_down = logs.direction == Direction::kDown;
  const Placing& placing = questions.placing();
  const auto parts = grouped(logs.authors, placing.any(),
                             [&](UserNumber author) { return placing.group_of(author); });
  const auto put_together = [is_down, limit = logs.limit, parts = parts.size(),
                             then = std::move(then)](std::vector<Entry> entries) {
    if (parts > 1) {
      std::ranges::sort(entries, [is_down](const Entry& a, const Entry& b) {
        return is_down ? newer(a, b) : newer(b, a);
      });
      if (entries.size() > limit) entries.resize(limit);
    }
    then(std::move(entries));
  };
  const auto gathered =
      std::make_shared<GatheredParts<std::vector<Entry>>>(parts.size(), put_together);
  for (const auto& [group, which] : parts) {
    Array authors(Type::kInt4);
    for (const std::size_t i : which) add_key(authors, logs.authors[i]);
    Params params;
    params.int8(questions.point().number).add(authors);
    params.int8(int8_of(logs.range.above)).int8(int8_of(logs.range.below)).int8(logs.limit);
    params.int8(which.size() < kFewAuthors
                    ? 0
                    : 1 + 2 * std::int64_t{logs.limit} / static_cast<std::int64_t>(which.size()));
    params.int4(static_cast<std::int32_t>(logs.owner.value));
    questions.at(group, sql, std::move(params), [gathered](const Result& result) {
      for (int row = 0; row < result.rows(); ++row) {
        gathered->found.push_back(
            {PostId{static_cast<std::uint64_t>(result.number(row, 0))}, user_in(result, row, 1)});
      }
      gathered->one_is_there();
    });
  }
}

BondKeys::BondKeys(UserNumber viewer, std::span<const UserNumber> others) {
  for (const UserNumber other : others) {
    for (const Relation kind : kKinds) sets.push_back({viewer, kind, other});
    blocks.push_back({viewer, Relation::kBlock, other});
  }
}

void ReadAhead::begin(UserNumber viewer, std::vector<UserNumber> authors,
                      const FeedSources& sources) {
  *this = ReadAhead();
  viewer_ = viewer;
  authors_ = std::move(authors);
  if (!sources.has_timeline) return;
  complete_from_ = sources.complete_from;
  for (const feed::AuthorMark& mark : sources.marks) {
    if (mark.push_from > sources.complete_from) pulled_.push_back(mark.author);
  }
  std::ranges::sort(pulled_);
}

// ---------------------------------------------------------------- results that the page has
// received

void ReadAhead::told_entries(std::span<const Entry> entries) {
  if (!begun()) return;
  for (const Entry& entry : entries) written_by_.emplace(entry.id, entry.author);
}

void ReadAhead::told_posts(std::span<const std::optional<Post>> posts) {
  if (!begun()) return;
  for (const auto& post : posts) {
    if (!post || !post->is_repost()) continue;
    originals_.insert(post->original);
    written_by_.emplace(post->original, post->original_author);
  }
}

// At the end of a timeline the page continues in the author logs below it.
void ReadAhead::told_timeline(IdRange range, Direction direction, std::uint32_t limit,
                              std::span<const Entry> entries) {
  if (!begun()) return;
  told_entries(entries);
  if (batch_ == 0) batch_ = limit;
  const bool goes_on = direction == Direction::kDown && entries.size() < limit && complete_from_ &&
                       range.above.value + 1 == complete_from_->value;
  if (!goes_on || looked_deeper_) return;
  looked_deeper_ = true;
  next_.push_back(
      {authors_, kSharedLevels, viewer_, {kBelowAllPosts, *complete_from_}, direction, batch_});
}

void ReadAhead::told_logs(const Logs& logs, std::span<const Entry> entries) {
  if (!begun()) return;
  told_entries(entries);
  if (windows_ == 0 || entries.size() < logs.limit) return;
  Logs next = logs;
  (logs.direction == Direction::kDown ? next.range.below : next.range.above) = entries.back().id;
  next.limit = std::min(logs.limit * 2, std::max(logs.limit, kLogsMost));
  next_.push_back(std::move(next));
}

std::optional<std::vector<Entry>> ReadAhead::find_logs(const Logs& wanted) const {
  for (const auto& [logs, known] : logs_) {
    if (!is_same_walk(logs, wanted)) continue;
    std::vector<Entry> entries;
    bool is_end = known.size() < logs.limit;
    for (const Entry& entry : known) {
      if (entry.id <= wanted.range.above || entry.id >= wanted.range.below) {
        is_end = true;
      } else if (entries.size() < wanted.limit) {
        entries.push_back(entry);
      }
    }
    if (is_end || entries.size() == wanted.limit) return entries;
  }
  return std::nullopt;
}

// ---------------------------------------------------------------- additions to queries

template <class T>
void ReadAhead::ask(Questions& questions, const std::vector<typename T::Key>& keys) {
  std::vector<AnyRow> unknown;
  for (const auto& key : keys) {
    if (find<T>(key) == nullptr) unknown.push_back(any_row<T>(key));
  }
  if (unknown.empty()) return;
  questions.rows(table_type<T>(), std::move(unknown), [this](std::vector<AnyRow> rows) {
    for (AnyRow& row : rows) known_.learn(std::move(row));
  });
}

void ReadAhead::ask_next(Questions& questions) {
  for (Logs& logs : next_) {
    ask_logs(questions, logs, [this, logs](std::vector<Entry> entries) {
      logs_.emplace_back(logs, std::move(entries));
    });
  }
  next_.clear();
}

void ReadAhead::ask_with_timeline(Questions& questions, IdRange range, Direction direction,
                                  std::uint32_t limit) {
  const bool is_first = batch_ == 0;
  if (is_first && !pulled_.empty()) {
    next_.push_back({pulled_, kSharedLevels, viewer_, range, direction, limit});
  }
  ask_next(questions);
}

void ReadAhead::ask_with_logs(Questions& questions, const Logs& asked) {
  std::erase_if(next_, [&](const Logs& logs) { return is_same_walk(logs, asked); });
  ask_next(questions);
}

void ReadAhead::ask_with_posts(Questions& questions, std::span<const PostId> ids,
                               bool has_relations) {
  const auto is_original = [&](PostId id) { return originals_.contains(id); };
  if (!std::ranges::all_of(ids, is_original)) ++windows_;
  std::set<UserNumber> authors;
  std::vector<ContentId> contents;
  for (const PostId id : ids) {
    contents.push_back(content_of(id));
    const auto author = written_by_.find(id);
    if (author != written_by_.end()) authors.insert(author->second);
  }
  std::vector<Cards::Key> cards;
  for (const UserNumber author : authors) cards.push_back({author});
  ask<Cards>(questions, cards);
  if (has_relations) {
    BondKeys bonds(viewer_, std::vector(authors.begin(), authors.end()));
    ask<Relations>(questions, bonds.sets);
    ask<Related>(questions, bonds.blocks);
  }
  ask_stats(questions, contents);
  ask_next(questions);
}

void ReadAhead::ask_stats(Questions& questions, std::span<const ContentId> contents) {
  static const std::string kStats = stats_sql();
  std::map<Group, std::vector<ContentId>> groups;
  for (const ContentId content : contents) {
    if (find<ContentCounts>({content}) != nullptr) continue;
    groups[questions.placing().group_of(content)].push_back(content);
  }
  for (auto& [group, unknown] : groups) {
    Array ids(Type::kInt8);
    for (const ContentId content : unknown) add_key(ids, content);
    questions.at(group, kStats,
                 Params()
                     .int8(questions.point().number)
                     .add(ids)
                     .int4(static_cast<std::int32_t>(viewer_.value)),
                 [this, unknown = std::move(unknown)](const Result& result) {
                   learn_stats(unknown, result);
                 });
  }
}

void ReadAhead::learn_stats(const std::vector<ContentId>& contents, const Result& result) {
  for (int row = 0; row < result.rows(); ++row) {
    const ContentId content = contents[static_cast<std::size_t>(result.number(row, 0) - 1)];
    int column = 1;
    const auto learn = [&]<class T>(const typename T::Key& key) {
      known_.learn(joined_row(stored<T>(), result, row, column, &key));
    };
    learn.operator()<ContentCounts>({content});
    learn.operator()<Reactions>({content, viewer_});
    learn.operator()<RepostsOf>({PostId{content.value}, viewer_});
  }
}

}  // namespace chirp::postgres
