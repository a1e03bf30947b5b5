#include "store/postgres/rows/timelines.h"

#include <algorithm>

#include "core/error.h"
#include "store/postgres/rows/state.h"
#include "store/postgres/rows/timeline_runs.h"

namespace chirp::postgres {
namespace {

// Entries in a rewritten head; a head or part grows to twice as many. A block is an eighth of the
// cap at most, so that a trimmed timeline keeps most of its cap.
constexpr std::uint32_t kBlockMax = 64;

std::uint32_t block_of(std::uint32_t cap) {
  return std::clamp<std::uint32_t>(cap / 8, 1, kBlockMax);
}

std::int32_t day_of(Time time) { return static_cast<std::int32_t>(start_of_day(time).ms / kDayMs); }
Time time_of_day(std::int64_t day) { return {day * kDayMs}; }

// Sorts the entries of runs, from an id on. If an id occurs twice, keeps the oldest delivery, the
// last in the bytes.
void put_in_order(std::vector<Entry>& entries, PostId from) {
  std::ranges::reverse(entries);
  std::ranges::stable_sort(entries, newer);
  const auto same = [](const Entry& a, const Entry& b) { return a.id == b.id; };
  entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
  std::erase_if(entries, [&](const Entry& entry) { return entry.id < from; });
}

// ---------------------------------------------------------------- statements

constexpr std::string_view kHeads =
    "select viewer, generation, complete_from, last_day from timelines"
    " t where viewer = any($1::int4[]) /*and t.b = bucket*/";
constexpr std::string_view kNewestEntries =
    "select viewer, generation, complete_from, last_day, since, head, parts from timelines t"
    " where viewer = $1::int4 /*and t.b = bucket*/";
constexpr std::string_view kWhole =
    "select viewer, generation, complete_from, last_day, since, head, (select"
    " string_agg(p.run, ''::bytea order by p.newest desc) from timeline_parts p"
    " where p.viewer = t.viewer /*and p.b = bucket*/) from timelines t"
    " where viewer = any($1::int4[]) /*and t.b = bucket*/";
constexpr std::string_view kDropParts =
    "delete from timeline_parts t where viewer = any($1::int4[]) /*and t.b = bucket*/";
constexpr std::string_view kDrop =
    "delete from timelines t where viewer = any($1::int4[]) /*and t.b = bucket*/";
constexpr std::string_view kPut =
    "insert into timelines (/*b, */viewer, generation, complete_from, last_day, n, parts, since,"
    " head) select /*bucket, */x.viewer, x.generation, x.complete_from, x.last_day, x.n, x.parts,"
    " x.since, x.head from unnest($1::int4[], $2::int8[], $3::int8[], $4::int4[], $5::int4[],"
    " $6::int4[], $7::int8[], $8::bytea[]) x(viewer, generation, complete_from, last_day, n, parts,"
    " since, head)";
constexpr std::string_view kPutParts =
    "insert into timeline_parts (/*b, */viewer, newest, run) select /*bucket, */x.viewer, x.newest,"
    " x.run from unnest($1::int4[], $2::int8[], $3::bytea[]) x(viewer, newest, run)";
constexpr std::string_view kRead =
    "update timelines t set last_day = x.day from unnest($1::int4[], $2::int4[]) x(viewer, day)"
    " where t.viewer = x.viewer /*and t.b = bucket*/";
// Prepends to the head without reading it; returns the timelines that have become too long.
constexpr std::string_view kDeliver =
    "with grown as (update timelines t set head = x.run || t.head, n = t.n + x.k"
    " from unnest($1::int4[], $2::int8[], $3::int8[], $4::int4[], $5::bytea[])"
    " x(viewer, generation, newest, k, run) where t.viewer = x.viewer"
    " and t.generation = x.generation and x.newest >= t.complete_from /*and t.b = bucket*/"
    " returning t.viewer, t.n, t.parts)"
    " select viewer from grown where n > $6::int4 or n + parts > $7::int4";

Array viewers_in(const std::vector<UserNumber>& viewers) {
  Array array(Type::kInt4);
  for (const UserNumber viewer : viewers) add_key(array, viewer);
  return array;
}

// Reads everything but the entries.
StoredTimeline marks_in(const Result& result, int row) {
  StoredTimeline stored;
  stored.timeline.generation = static_cast<std::uint64_t>(result.number(row, 1));
  stored.timeline.complete_from = {static_cast<std::uint64_t>(result.number(row, 2))};
  stored.timeline.last_read = time_of_day(result.number(row, 3));
  stored.since = result.number(row, 4);
  return stored;
}

StoredTimeline whole_in(const Result& result, int row) {
  StoredTimeline stored = marks_in(result, row);
  Timeline& timeline = stored.timeline;
  std::string runs = result.text(row, 5);
  if (!result.is_null(row, 6)) runs += result.bytes(row, 6);
  timeline.entries = entries_in(runs);
  put_in_order(timeline.entries, timeline.complete_from);
  return stored;
}

// Parts are older than the run that was written with them, the last one of the head.
StoredTimeline newest_entries_in(const Result& result, int row) {
  StoredTimeline stored = marks_in(result, row);
  Timeline& timeline = stored.timeline;
  timeline.entries = entries_in(result.bytes(row, 5));
  if (result.number(row, 6) != 0) {
    stored.known_from = timeline.entries.empty() ? kAboveAllPosts : timeline.entries.back().id;
  }
  put_in_order(timeline.entries, std::max(timeline.complete_from, stored.known_from));
  return stored;
}

// ---------------------------------------------------------------- writing

class Puts {
 public:
  explicit Puts(std::uint32_t block) : block_(block) {}

  void put(UserNumber viewer, const Timeline& timeline, std::int64_t since) {
    const std::span<const Entry> all(timeline.entries);
    const auto head = all.first(std::min<std::size_t>(all.size(), block_));
    add_key(viewers_, viewer);
    generations_.number(static_cast<std::int64_t>(timeline.generation));
    complete_from_.number(static_cast<std::int64_t>(timeline.complete_from.value));
    days_.number(day_of(timeline.last_read));
    counts_.number(static_cast<std::int32_t>(head.size()));
    in_parts_.number(static_cast<std::int32_t>(all.size() - head.size()));
    since_.number(since);
    heads_.raw(packed_run(head));
    for (auto rest = all.subspan(head.size()); !rest.empty();) {
      const auto part = rest.first(std::min(rest.size(), std::size_t{2} * block_));
      rest = rest.subspan(part.size());
      add_key(part_viewers_, viewer);
      part_newest_.number(static_cast<std::int64_t>(part.front().id.value));
      runs_.raw(packed_run(part));
    }
  }
  void put_into(Writes& writes, Group group) const {
    if (viewers_.size() != 0) {
      writes.add(group, kPut,
                 Params()
                     .add(viewers_)
                     .add(generations_)
                     .add(complete_from_)
                     .add(days_)
                     .add(counts_)
                     .add(in_parts_)
                     .add(since_)
                     .add(heads_));
    }
    if (runs_.size() != 0) {
      writes.add(group, kPutParts, Params().add(part_viewers_).add(part_newest_).add(runs_));
    }
  }

 private:
  std::uint32_t block_;
  Array viewers_{Type::kInt4};
  Array generations_{Type::kInt8};
  Array complete_from_{Type::kInt8};
  Array days_{Type::kInt4};
  Array counts_{Type::kInt4};
  Array in_parts_{Type::kInt4};
  Array since_{Type::kInt8};
  Array heads_{Type::kBytea};
  Array part_viewers_{Type::kInt4};
  Array part_newest_{Type::kInt8};
  Array runs_{Type::kBytea};
};

void drop(Writes& writes, Group group, const std::vector<UserNumber>& viewers) {
  if (viewers.empty()) return;
  writes.add(group, kDropParts, Params().add(viewers_in(viewers)));
  writes.add(group, kDrop, Params().add(viewers_in(viewers)));
}

// Runs to prepend to heads.
class TimelinePrepends {
 public:
  void add(UserNumber viewer, const far::WrittenTimeline& timeline) {
    add_key(viewers_, viewer);
    generations_.number(static_cast<std::int64_t>(timeline.generation));
    newest_.number(static_cast<std::int64_t>(timeline.delivered.front().id.value));
    counts_.number(static_cast<std::int32_t>(timeline.delivered.size()));
    runs_.raw(packed_run(timeline.delivered));
  }
  void put_into(Writes& writes, Group group, std::uint32_t cap) const {
    if (viewers_.size() == 0) return;
    writes.add(group, kDeliver,
               Params()
                   .add(viewers_)
                   .add(generations_)
                   .add(newest_)
                   .add(counts_)
                   .add(runs_)
                   .int4(static_cast<std::int32_t>(2 * block_of(cap)))
                   .int4(static_cast<std::int32_t>(cap)),
               true);
  }

 private:
  Array viewers_{Type::kInt4};
  Array generations_{Type::kInt8};
  Array newest_{Type::kInt8};
  Array counts_{Type::kInt4};
  Array runs_{Type::kBytea};
};

// The changes to the timelines of one group.
struct OfGroup {
  explicit OfGroup(std::uint32_t cap) : puts(block_of(cap)) {}

  std::vector<UserNumber> gone;
  Puts puts;
  Array readers{Type::kInt4};
  Array days{Type::kInt4};
  TimelinePrepends deliveries;
};

}  // namespace

// With each page less than half full, the new version of an updated row fits on its page: a HOT
// update, which changes no index, and the WAL records only the new bytes.
std::string timelines_schema() {
  return "create table if not exists timelines (generation int8 not null,"
         " complete_from int8 not null, since int8 not null, viewer int4 not null,"
         " last_day int4 not null, n int4 not null, parts int4 not null, head bytea not null"
         "/*, b int4 not null*/, primary key (/*b, */viewer)) with (fillfactor = 45);"
         " alter table timelines alter column head set storage external;"
         " create table if not exists timeline_parts (newest int8 not null, viewer int4 not null,"
         " run bytea not null/*, b int4 not null*/, primary key (/*b, */viewer, newest));"
         " alter table timeline_parts alter column run set storage external;";
}

void find_heads(Questions& questions, const std::vector<UserNumber>& viewers,
                std::function<void(std::map<UserNumber, TimelineHead>)> then) {
  const Placing& placing = questions.placing();
  const auto parts =
      grouped(viewers, placing.any(), [&](UserNumber viewer) { return placing.group_of(viewer); });
  using Heads = std::map<UserNumber, TimelineHead>;
  const auto gathered = std::make_shared<GatheredParts<Heads>>(parts.size(), std::move(then));
  for (const auto& [group, which] : parts) {
    std::vector<UserNumber> asked;
    for (const std::size_t i : which) asked.push_back(viewers[i]);
    questions.at(group, kHeads, Params().add(viewers_in(asked)), [gathered](const Result& result) {
      for (int row = 0; row < result.rows(); ++row) {
        const UserNumber viewer{static_cast<std::uint32_t>(result.number(row, 0))};
        gathered->found[viewer] = {{static_cast<std::uint64_t>(result.number(row, 2))},
                                   static_cast<std::uint64_t>(result.number(row, 1)),
                                   time_of_day(result.number(row, 3))};
      }
      gathered->one_is_there();
    });
  }
}

void find_newest(Questions& questions, UserNumber viewer,
                 std::function<void(std::optional<StoredTimeline>)> then) {
  questions.at(questions.placing().group_of(viewer), kNewestEntries,
               Params().int4(static_cast<std::int32_t>(viewer.value)),
               [then = std::move(then)](const Result& result) {
                 then(result.empty() ? std::nullopt : std::optional(newest_entries_in(result, 0)));
               });
}

void find_timeline(Questions& questions, UserNumber viewer,
                   std::function<void(std::optional<StoredTimeline>)> then) {
  questions.at(questions.placing().group_of(viewer), kWhole, Params().add(viewers_in({viewer})),
               [then = std::move(then)](const Result& result) {
                 then(result.empty() ? std::nullopt : std::optional(whole_in(result, 0)));
               });
}

void write_timelines(Writes& writes, const Placing& placing,
                     const std::map<UserNumber, far::WrittenTimeline>& written, std::uint32_t cap,
                     std::int64_t number) {
  std::map<Group, OfGroup> groups;
  for (const auto& [viewer, timeline] : written) {
    OfGroup& of = groups.try_emplace(placing.group_of(viewer), cap).first->second;
    if (timeline.gone) of.gone.push_back(viewer);
    if (timeline.put) of.puts.put(viewer, *timeline.put, number);
    if (timeline.read) {
      add_key(of.readers, viewer);
      of.days.number(day_of(*timeline.read));
    }
    if (!timeline.delivered.empty()) of.deliveries.add(viewer, timeline);
  }
  for (const auto& [group, of] : groups) {
    drop(writes, group, of.gone);
    of.puts.put_into(writes, group);
    if (of.readers.size() != 0) writes.add(group, kRead, Params().add(of.readers).add(of.days));
    of.deliveries.put_into(writes, group, cap);
  }
}

std::vector<UserNumber> too_long_in(const Result& delivered) {
  std::vector<UserNumber> viewers;
  for (int row = 0; row < delivered.rows(); ++row) viewers.push_back(user_in(delivered, row, 0));
  return viewers;
}

GroupQuery whole_timelines(Group group, const std::vector<UserNumber>& viewers) {
  return {std::string(kWhole), Params().add(viewers_in(viewers)), group};
}

// Timelines over the cap lose their oldest entries, and one block more, so that the next deliveries
// do not trim again.
void put_anew(Writes& writes, Group group, const Result& whole, std::uint32_t cap) {
  const std::uint32_t block = block_of(cap);
  Puts puts(block);
  std::vector<UserNumber> viewers;
  for (int row = 0; row < whole.rows(); ++row) {
    auto stored = whole_in(whole, row);
    Timeline& timeline = stored.timeline;
    if (timeline.entries.size() > cap) {
      trim(timeline, std::max<std::uint32_t>(1, cap > block ? cap - block + 1 : cap));
    }
    viewers.push_back(user_in(whole, row, 0));
    puts.put(viewers.back(), timeline, stored.since);
  }
  drop(writes, group, viewers);
  puts.put_into(writes, group);
}

}  // namespace chirp::postgres
