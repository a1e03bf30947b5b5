// Snapshot queries for doctor, upkeep and statistics.
#include <algorithm>
#include <limits>

#include "store/postgres/rows/keys.h"
#include "store/postgres/snapshot/snapshot.h"

namespace chirp::postgres {
namespace {

using namespace tables;

constexpr std::string_view kViewers =
    "select viewer from timelines t where viewer > $1::int4 and since <= $2::int8"
    " /*and t.b = bucket*/ order by viewer limit $3::int8";
constexpr std::string_view kTimelines =
    "select count(*) from timelines t where since <= $1::int8 /*and t.b = bucket*/";

// The greatest value of a key's field.
template <class Tag, class Number>
void make_greatest(StrongId<Tag, Number>& id) {
  id.value = std::numeric_limits<Number>::max();
}
void make_greatest(Relation& relation) {
  relation = static_cast<Relation>(std::numeric_limits<std::int8_t>::max());
}

}  // namespace

std::optional<Timeline> PostgresSnapshot::timeline(UserNumber viewer) const {
  const auto& timeline = stored(viewer);
  if (is_seen(timeline) && timeline->known_from != kBelowAllPosts) {
    complete(viewer, [](Questions&) {});
  }
  return is_seen(timeline) ? std::optional(timeline->timeline) : std::nullopt;
}

std::vector<UserNumber> PostgresSnapshot::scan_timelines(UserNumber after,
                                                         std::uint32_t limit) const {
  std::vector<UserNumber> viewers;
  Array bound(Type::kInt4);
  in_round([&](Questions& questions) {
    const auto above = static_cast<std::int32_t>(
        std::min<std::uint32_t>(after.value, std::numeric_limits<std::int32_t>::max()));
    questions.at_all(kViewers, Params().int4(above).int8(questions.point().number).int8(limit),
                     [&](const Result& result) {
                       for (int row = 0; row < result.rows(); ++row) {
                         viewers.push_back(user_in(result, row, 0));
                       }
                     });
  });
  std::ranges::sort(viewers);
  if (viewers.size() > limit) viewers.resize(limit);
  return viewers;
}

std::optional<Time> PostgresSnapshot::oldest_key() const {
  std::optional<Time> oldest;
  const auto ask = [&](Questions& questions) {
    questions.at_all(kOldestKey, {}, [&](const Result& result) {
      if (result.is_null(0, 0)) return;
      const Time here{result.number(0, 0)};
      if (!oldest || here.ms < oldest->ms) oldest = here;
    });
  };
  in_round(ask, Where::kAtHome);
  return oldest;
}

std::vector<std::string_view> PostgresSnapshot::traces_of(UserNumber user) const {
  std::vector<std::pair<std::string_view, bool>> kinds;
  const auto ask = [&](Questions& questions) {
    kinds.reserve(14);
    const auto has = [&]<class T>(std::string_view name) {
      typename T::Key first{};
      typename T::Key last{};
      with_fields(first, [&](auto& of_user, auto&... /*rest*/) { of_user = user; });
      with_fields(last, [&](auto& of_user, auto&... rest) {
        of_user = user;
        (make_greatest(rest), ...);
      });
      bool& is_left = kinds.emplace_back(name, false).second;
      questions.range<T>({first, last}, 1,
                         [&is_left](const auto& rows) { is_left = !rows.empty(); });
    };
    has.operator()<AuthorLogs>("posts");
    has.operator()<FollowersLogs>("posts for followers");
    has.operator()<PrivateLogs>("private posts");
    has.operator()<Following>("follows");
    has.operator()<Followers>("followers");
    has.operator()<Relations>("blocks and mutes");
    has.operator()<Related>("blocks and mutes by others");
    has.operator()<ReactionsBy>("reactions");
    has.operator()<CommentsBy>("comments");
    bool& has_keys = kinds.emplace_back("idempotency keys", false).second;
    questions.at(questions.placing().group_of(user), kHasKeys,
                 Params().int4(static_cast<std::int32_t>(user.value)),
                 [&has_keys](const Result& result) { has_keys = result.number(0, 0) != 0; });
    has.operator()<Notifications>("notifications");
    bool& has_timeline = kinds.emplace_back("timeline", false).second;
    find_timeline(questions, user,
                  [&has_timeline](const auto& found) { has_timeline = found.has_value(); });
    has.operator()<Marks>("mark");
    has.operator()<Readers>("reading marks");
  };
  in_round(ask, Where::kAtHome);
  std::vector<std::string_view> traces;
  for (const auto& [name, is_left] : kinds) {
    if (is_left) traces.push_back(name);
  }
  return traces;
}

std::map<std::string, std::uint64_t> PostgresSnapshot::table_rows() const {
  std::map<std::string, std::uint64_t> rows;
  const auto ask = [&](Questions& questions) {
    const auto add_to = [&rows](const std::string& name) {
      rows[name] = 0;
      return [&rows, name](const Result& result) {
        rows[name] += static_cast<std::uint64_t>(result.number(0, 0));
      };
    };
    for (const StoredTable& table : stored_tables()) {
      if (table.side || !table.is_versioned()) continue;
      questions.at_all_of(table, table.sql.count, Params().int8(questions.point().number),
                          add_to(table.text.name));
    }
    questions.at_all(kTimelines, Params().int8(questions.point().number), add_to("timelines"));
  };
  // In a large database this takes longer than a standby may.
  in_round(ask, Where::kAtHome);
  rows["follows"] = static_cast<std::uint64_t>(stored_state().follows);
  rows["events"] = stored_state().log_end.value - stored_state().log_first.value;
  rows["queue"] = rows["fan_out_queue"];
  return rows;
}

}  // namespace chirp::postgres
