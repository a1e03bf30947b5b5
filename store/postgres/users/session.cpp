#include "store/postgres/users/session.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/limits.h"
#include "core/model/names.h"
#include "store/users/user_row.h"

namespace chirp::postgres {
namespace {

constexpr users::Dialect kDialect{.state = "users_state",
                                  .token_user = "usr",
                                  .suspended = "suspended",
                                  .lower = "lower",
                                  .for_update = " for update",
                                  .not_doomed = "",
                                  .select_searched = ", u.searched",
                                  .set_searched = ", searched = $9::text"};

Params params_of(std::span<const users::SqlValue> values) {
  Params params;
  for (const users::SqlValue& value : values) {
    if (const auto* number = std::get_if<std::int64_t>(&value.get())) {
      params.int8(*number);
    } else if (const auto* text = std::get_if<std::string_view>(&value.get())) {
      params.text(*text);
    } else {
      params.null();
    }
  }
  return params;
}

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
    return !text || users::can_be_text(*text);
  };
  return !std::ranges::all_of(plan.words, users::can_be_text) || !is_text(query.email) ||
         !is_text(query.after);
}

}  // namespace

PostgresSession::PostgresSession(Connections& connections)
    : connections_(connections), loan_(std::in_place, connections), connection_(&**loan_) {}

PostgresSession::PostgresSession(Connections& connections, std::optional<Connections::Loan>& held)
    : connections_(connections) {
  if (!held) loan_.emplace(connections);
  connection_ = &**(held ? held : loan_);
}

void PostgresSession::begin(Turn turn, SpaceUse /*use*/) {
  if (turn == Turn::kNone || transaction_) return;
  transaction_.emplace(connections_, *connection_);
  table_.emplace(*this, transaction_->state());
}

void PostgresSession::commit(users::CachedRows cached) {
  if (!transaction_) {
    connection_->receive();
    return;
  }
  transaction_->commit(cached);
  transaction_.reset();
}

bool PostgresSession::is_common(const std::vector<std::string>& texts) {
  if (!std::ranges::all_of(texts, users::can_be_text)) return false;
  Conditions where("select count(*) from (select 1 from users u where true");
  add_trigrams(where, texts);
  where.number(" limit ?", limits::kMatchCandidatesMax + 1).plain(") few");
  const Result few = search(*connection_, where.sql(), where.take_params());
  return few.number(0, 0) > limits::kMatchCandidatesMax;
}

std::vector<User> PostgresSession::listed(const UserQuery& query, const users::Plan& plan) {
  if (is_of_nobody(query, plan)) return {};
  Conditions where = walked(query, plan);
  add_place(where, plan);
  if (query.email) where.text(" and lower(u.email) = ?", folded(*query.email));
  // The sum prevents the use of an index on the column, which would sort the whole range.
  if (plan.walk != users::ListWalk::kSignUps) add_times(where, query, "u.created_at + 0");
  if (query.suspended) where.plain(" and u.suspended");
  if (query.after) where.text(" and lower(u.username) > ?", folded(*query.after));
  where.number(" order by lower(u.username) limit ?", std::int64_t{query.limit} + 1);
  ResultRows rows(search(*connection_, users::select_users(where.sql()), where.take_params()));
  return users::users_of(*this, rows);
}

const users::Dialect& PostgresSession::dialect() const { return kDialect; }

Error PostgresSession::damage(std::string_view fault) const {
  return {ErrorCode::kCorrupt,
          fmt::format("The database is damaged: {}. Run `chirp doctor`.", fault)};
}

std::unique_ptr<users::SqlRows> PostgresSession::query(std::string_view sql,
                                                       std::span<const users::SqlValue> values) {
  return std::make_unique<ResultRows>(connection_->run(sql, params_of(values)));
}

std::int64_t PostgresSession::run(std::string_view sql, std::span<const users::SqlValue> values) {
  return connection_->run(sql, params_of(values)).changed();
}

void PostgresSession::enqueue(std::string_view sql, std::span<const users::SqlValue> values) {
  connection_->send(sql, params_of(values));
}

}  // namespace chirp::postgres
