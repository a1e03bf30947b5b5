// Filtered lists of users, and the search by name.
#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/limits.h"
#include "core/model/names.h"
#include "store/postgres/users/user_row.h"
#include "store/postgres/users/users.h"
#include "store/users/match.h"

namespace chirp::postgres {
namespace {

// Runs a query on the trigram index, which only bitmap scans can read; storage_address() turns
// those off.
Result search(Connection& connection, std::string_view sql, Params params) {
  connection.send("select set_config('enable_bitmapscan', 'on', true)");
  return connection.run(sql, std::move(params));
}

// SQL conditions and their values; `?` becomes the number of the next parameter.
class Conditions {
 public:
  explicit Conditions(std::string_view first) : sql_(first) {}

  Conditions& text(std::string_view condition, std::string_view value) {
    params_.text(value);
    return add(condition, "::text");
  }
  Conditions& number(std::string_view condition, std::int64_t value) {
    params_.int8(value);
    return add(condition, "::int8");
  }
  Conditions& plain(std::string_view condition) {
    sql_ += condition;
    return *this;
  }
  [[nodiscard]] const std::string& sql() const { return sql_; }
  [[nodiscard]] Params take_params() { return std::move(params_); }

 private:
  Conditions& add(std::string_view condition, std::string_view type) {
    const std::size_t place = condition.find('?');
    sql_ += fmt::format("{}${}{}{}", condition.substr(0, place), ++places_, type,
                        condition.substr(place + 1));
    return *this;
  }

  std::string sql_;
  Params params_;
  int places_ = 0;
};

// Adds the condition that names contain all trigrams of these texts.
void add_trigrams(Conditions& where, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    where.text(" and chirp_trigrams(u.searched) @> chirp_trigrams(?)", text);
  }
}

class PostgresMatchCounts final : public users::MatchCounts {
 public:
  explicit PostgresMatchCounts(Connection& connection) : connection_(connection) {}

  [[nodiscard]] bool is_common(const std::vector<std::string>& texts) override {
    if (!std::ranges::all_of(texts, can_be_text)) return false;
    Conditions where("select count(*) from (select 1 from users u where true");
    add_trigrams(where, texts);
    where.number(" limit ?", limits::kMatchCandidatesMax + 1).plain(") few");
    const Result few = search(connection_, where.sql(), where.take_params());
    return few.number(0, 0) > limits::kMatchCandidatesMax;
  }
  [[nodiscard]] bool are_few_sign_ups(const UserQuery& query) override {
    const Result few = connection_.run(
        "select count(*) from (select 1 from users where created_at >= $1::int8 and created_at < "
        "$2::int8 limit $3::int8) few",
        Params()
            .int8(query.since ? query.since->ms : std::numeric_limits<std::int64_t>::min())
            .int8(query.until ? query.until->ms : std::numeric_limits<std::int64_t>::max())
            .int8(users::kFewSignUps + 1));
    return few.number(0, 0) <= users::kFewSignUps;
  }

 private:
  Connection& connection_;
};

// Adds the query's time range on `column`.
void add_times(Conditions& where, const UserQuery& query, std::string_view column) {
  if (query.since) where.number(fmt::format(" and {} >= ?", column), query.since->ms);
  if (query.until) where.number(fmt::format(" and {} < ?", column), query.until->ms);
}

// The walked rows come from a subquery. `offset 0` keeps the planner from merging it with the
// list's order, so only these few rows are sorted.
Conditions walked(const UserQuery& query, const users::Plan& plan) {
  if (plan.walk == users::ListWalk::kNames) return Conditions("users u where true");
  Conditions from("(select * from users u where true");
  if (plan.walk == users::ListWalk::kSignUps) {
    add_times(from, query, "u.created_at");
  } else {
    add_trigrams(from, plan.walked);
  }
  return from.plain(" offset 0) u where true");
}

void add_place(Conditions& where, const users::Plan& plan) {
  const std::string part = plan.words.empty() ? "" : plan.words.front();
  switch (plan.place) {
    case users::NameScope::kNowhere:
      break;
    case users::NameScope::kAnywhere:
      for (const std::string& word : plan.words) {
        where.text(" and strpos(u.searched, ?) > 0", word);
      }
      break;
    case users::NameScope::kUsernames:  // '{' sorts after all characters of usernames
      where.text(" and lower(u.username) >= ?", part);
      where.text(" and lower(u.username) < ?", part + '{');
      break;
    case users::NameScope::kDisplayNames:
      where.text(" and strpos(u.searched, ?) > 0", '\n' + part);
      break;
  }
}

// Whether no user can match: names contain no invalid bytes.
bool is_of_nobody(const UserQuery& query, const users::Plan& plan) {
  const auto is_text = [](const std::optional<std::string>& text) {
    return !text || can_be_text(*text);
  };
  return !std::ranges::all_of(plan.words, can_be_text) || !is_text(query.email) ||
         !is_text(query.after);
}

}  // namespace

UserMatches PostgresUserDirectory::list(const UserQuery& query) const {
  const auto lent = lend();
  PostgresMatchCounts counts(*lent);
  const users::Plan plan = users::plan_of(query, counts);
  if (is_of_nobody(query, plan)) return {};
  Conditions where = walked(query, plan);
  add_place(where, plan);
  if (query.email) where.text(" and lower(u.email) = ?", folded(*query.email));
  // The sum prevents the use of an index on the column, which would sort the whole range.
  if (plan.walk != users::ListWalk::kSignUps) add_times(where, query, "u.created_at + 0");
  if (query.suspended) where.plain(" and u.suspended");
  if (query.after) where.text(" and lower(u.username) > ?", folded(*query.after));
  where.number(" order by lower(u.username) limit ?", std::int64_t{query.limit} + 1);
  UserMatches matches{users_of(search(*lent, select_users(where.sql()), where.take_params())),
                      false};
  if (matches.users.size() > query.limit) {
    matches.users.pop_back();
    matches.more = true;
  }
  return matches;
}

}  // namespace chirp::postgres
