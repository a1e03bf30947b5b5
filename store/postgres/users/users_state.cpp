#include "store/postgres/users/users_state.h"

#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "core/limits.h"
#include "store/deadline.h"
#include "store/postgres/connection/errors.h"
#include "store/postgres/connection/waiting.h"

namespace chirp::postgres {
namespace {

constexpr auto kAskAgain = std::chrono::milliseconds(20);

// Returns "committed", "aborted" or "in progress"; empty if the server can't be queried or no
// longer knows. Another server may have used the number for another transaction.
std::string status_of(Home& home, const std::string& server, std::int64_t transaction) {
  try {
    const auto connection = home.connect(nullptr);
    if (connection->shown() != server) return {};
    const Result status =
        connection->run("select pg_xact_status($1::int8::text::xid8)", Params().int8(transaction));
    return status.text(0, 0);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

UsersTransaction::UsersTransaction(Connections& all, Connection& connection)
    : all_(all), connection_(connection) {
  const Time here = machine_time();
  begin_waiting(connection_);
  try {
    connection_.send(
        "select last_id, last_number, last_due, present, pg_current_xact_id() from users_state "
        "for update");
    const auto results = connection_.receive();
    check_clock(results.front(), here);
    const Result& row = results.back();
    if (row.empty()) {
      throw Error(ErrorCode::kCorrupt,
                  "The table users_state has no row. Restore a backup of the database.");
    }
    before_ = {row.number(0, 0), row.number(0, 1), row.number(0, 2), row.number(0, 3)};
    state_ = before_;
    number_ = row.number(0, 4);
  } catch (...) {
    connection_.rollback();
    throw;
  }
}

UsersTransaction::~UsersTransaction() {
  if (open_) connection_.rollback();
  // Whatever the outcome: an unnecessary look does no harm.
  all_.note_change();
}

void UsersTransaction::commit(users::CachedRows cached) {
  const bool is_stale = cached == users::CachedRows::kStale;
  if (is_stale || state_ != before_) {
    connection_.send(
        "update users_state set version = version + $1::int8, last_id = $2::int8, "
        "last_number = $3::int8, last_due = $4::int8, present = $5::int8",
        Params()
            .int8(is_stale ? 1 : 0)
            .int8(state_.last_id)
            .int8(state_.last_number)
            .int8(state_.last_due)
            .int8(state_.present));
  }
  try {
    connection_.commit();
  } catch (const PostgresError& error) {
    if (!connection_.broken()) throw;
    ask_what_came_of_it(error);
  }
  open_ = false;
}

void UsersTransaction::ask_what_came_of_it(const PostgresError& lost) const {
  const store::Deadline deadline(store::machine_clock(),
                                 std::chrono::milliseconds(limits::kBusyMs));
  do {
    const std::string status = status_of(all_.home(), connection_.shown(), number_);
    if (status == "committed") return;
    if (status == "aborted") throw outcome_nothing(lost);
    if (is_caller_late()) break;
    std::this_thread::sleep_for(kAskAgain);
  } while (!deadline.over());
  throw outcome_unknown(lost);
}

}  // namespace chirp::postgres
