#include "store/postgres/connection/connection.h"

#include <cerrno>
#include <optional>
#include <poll.h>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/ports/caller.h"
#include "store/deadline.h"
#include "store/postgres/connection/connecting.h"
#include "store/postgres/connection/errors.h"
#include "store/postgres/connection/libpq.h"

namespace chirp::postgres {
namespace {

std::string field(const PGresult* result, int code) {
  const char* const text = libpq().error_field(result, code);
  return text == nullptr ? std::string() : std::string(text);
}

PostgresError error_of(const PGresult* result, const PGconn& connection, const std::string& shown) {
  const std::string state = field(result, PG_DIAG_SQLSTATE);
  const std::string detail = field(result, PG_DIAG_MESSAGE_DETAIL);
  const ErrorCode code = code_of(state);
  const std::string message =
      fmt::format("The database {} has refused: {}{}{}.{}", shown,
                  in_one_line(field(result, PG_DIAG_MESSAGE_PRIMARY)), detail.empty() ? "" : "; ",
                  in_one_line(detail), advice(state, role_of(connection)));
  return {code, message, state, field(result, PG_DIAG_CONSTRAINT_NAME)};
}

bool changes_rows(std::string_view sql) {
  for (const std::string_view word : {"insert ", "update ", "delete "}) {
    if (sql.starts_with(word)) return true;
  }
  return sql.starts_with("with ") && (sql.find("update ") != std::string_view::npos ||
                                      sql.find("delete ") != std::string_view::npos);
}

// As a server_version_num.
constexpr int kTransactionTimeoutSince = 170'000;

void ignore_notice(void* /*nothing*/, const char* /*message*/) {}

}  // namespace

// ---------------------------------------------------------------- results

Result::Result(pg_result* result) : result_(result), rows_(libpq().rows(result)) {}

void Result::Clear::operator()(pg_result* result) const { libpq().clear(result); }

std::int64_t Result::changed() const {
  std::int64_t rows = 0;
  for (const char* digit = libpq().command_rows(result_.get()); *digit != '\0'; ++digit) {
    rows = rows * 10 + (*digit - '0');
  }
  return rows;
}

bool Result::is_null(int row, int column) const {
  return libpq().is_null(result_.get(), row, column) != 0;
}

std::string_view Result::bytes(int row, int column) const {
  const int size = libpq().length(result_.get(), row, column);
  return {libpq().value(result_.get(), row, column), static_cast<std::size_t>(size)};
}

std::int64_t Result::number(int row, int column) const {
  return is_null(row, column) ? 0 : number_in(bytes(row, column));
}

// ---------------------------------------------------------------- connections

Connection::Connection(const Address& address, std::atomic<std::uint64_t>* trips)
    : address_(address), trips_(trips) {
  std::tie(connection_, shown_) = connect(address);
  libpq().set_notices(connection_, ignore_notice, nullptr);
  try {
    if (libpq().set_nonblocking(connection_, 1) != 0 || libpq().enter_pipeline(connection_) != 1) {
      lost();
    }
    set_up_session(address);
  } catch (...) {
    libpq().finish(connection_);
    throw;
  }
}

// Overrides role and server settings. Time limits for interactive users would end long loads and
// sessions that wait while holding a lock. A commit acknowledged before it is on disk is lost in a
// crash. Values of synchronous_commit other than `off` wait for the disk or more, and stay.
void Connection::set_up_session(const Address& address) {
  std::string settings = fmt::format(
      "set statement_timeout = 0; set lock_timeout = {}; set idle_session_timeout = 0;"
      " set idle_in_transaction_session_timeout = 0",
      address.waits ? address.waits->timeout().count() : 0);
  if (libpq().server_version(connection_) >= kTransactionTimeoutSince) {
    settings += "; set transaction_timeout = 0";
  }
  if (!address.may_lose) {
    settings +=
        "; select set_config('synchronous_commit', 'on', false)"
        " where current_setting('synchronous_commit') = 'off'";
  }
  if (!address.settings.empty()) settings += "; " + address.settings;
  script(settings);
}

Connection::~Connection() { libpq().finish(connection_); }

bool Connection::is_in_the_clear() const {
  const char* const address = libpq().host_address(connection_);
  const bool is_encrypted =
      libpq().ssl_in_use(connection_) != 0 || libpq().gss_in_use(connection_) != 0;
  return postgres::is_in_the_clear(address == nullptr ? "" : address, is_encrypted);
}

// A server sends data to an idle session only when it closes the session or reloads its settings.
// In the second case a new session does no harm.
bool Connection::has_ended() const {
  pollfd socket{libpq().socket(connection_), POLLIN, 0};
  return ::poll(&socket, 1, 0) != 0;
}

int Connection::socket() const { return libpq().socket(connection_); }

void Connection::count_trip() {
  ++round_trips_;
  if (trips_ != nullptr) ++*trips_;
}

void Connection::lost() { lost(in_one_line(libpq().error_message(connection_))); }

void Connection::lost(const std::string& why) {
  broken_ = true;
  queued_.clear();
  syncs_ = 0;
  const PostgresError error(
      ErrorCode::kUnavailable,
      fmt::format("The connection to the database {} is lost: {}.{}", shown_, why, advice("", {})),
      "", "");
  // After a lost connection, the writer asks for the outcome of its change. A silent server can't
  // be asked.
  throw is_in_doubt_ && silent_ ? outcome_unknown(error) : error;
}

// ---------------------------------------------------------------- statements

void Connection::send(std::string_view sql, Params params) {
  queued_.push_back({std::string(sql), std::move(params)});
}

Result Connection::run(std::string_view sql, Params params) {
  send(sql, std::move(params));
  return std::move(receive().back());
}

void Connection::begin() {
  queued_.push_back({"begin isolation level read committed", {}, true});
  in_transaction_ = true;
}

void Connection::begin_reading() {
  queued_.push_back({"begin isolation level repeatable read, read only", {}, true});
  in_transaction_ = true;
}

void Connection::end() {
  queued_.push_back({"commit", {}, true});
  ends_ = true;
}

std::vector<Result> Connection::commit() {
  end();
  return receive();
}

void Connection::rollback() noexcept {
  queued_.clear();
  ends_ = false;
  // The outcome of statements in transit is unknown.
  if (syncs_ != 0) broken_ = true;
  if (!in_transaction_ || broken_) return;
  try {
    queued_.push_back({"rollback", {}, true});
    receive();
    in_transaction_ = false;
  } catch (...) {
    broken_ = true;
  }
}

const std::string& Connection::prepare(const std::string& sql) {
  const auto known = prepared_.find(sql);
  if (known != prepared_.end()) return known->second;
  const std::string name = fmt::format("s{}", ++names_);
  if (libpq().send_prepare(connection_, name.c_str(), sql.c_str(), 0, nullptr) != 1) lost();
  return prepared_.emplace(sql, name).first->second;
}

void Connection::hand_over(const Queued& queued) {
  const std::string& name = prepare(queued.sql);
  const auto& given = queued.params.values();
  std::vector<const char*> values;
  std::vector<int> lengths;
  for (const auto& value : given) {
    values.push_back(value ? value->data() : nullptr);
    lengths.push_back(value ? static_cast<int>(value->size()) : 0);
  }
  const std::vector<int> binary(given.size(), 1);
  if (libpq().send_prepared(connection_, name.c_str(), static_cast<int>(given.size()),
                            values.data(), lengths.data(), binary.data(), 1) != 1) {
    lost();
  }
}

// Reads while it writes, or both sides could block on full buffers.
void Connection::flush() {
  for (;;) {
    const int left = libpq().flush(connection_);
    if (left == 0) return;
    if (left < 0) lost();
    const short ready = wait(POLLIN | POLLOUT);
    if ((ready & POLLIN) != 0 && libpq().consume_input(connection_) != 1) lost();
  }
}

void Connection::wait_for_answer() {
  while (libpq().is_busy(connection_) != 0) {
    (void)wait(POLLIN);
    if (libpq().consume_input(connection_) != 1) lost();
  }
}

short Connection::wait(short events) {
  WaitBounds bounds{.patience = address_.waits.get()};
  if (address_.patience.count() != 0) {
    bounds.end_ns =
        store::machine_clock().steady_ns() + std::chrono::nanoseconds(address_.patience).count();
  }
  if (address_.waits) bounds.is_at_work = [this] { return is_at_work(); };
  short ready = 0;
  const std::string why = wait_for_socket(libpq().socket(connection_), events, ready, bounds);
  if (why.empty()) return ready;
  silent_ = true;
  lost(why);
}

// Checks in another session whether the server works on the last statement. A session that has not
// started by now never will. A session that is not listed belongs to a pooler.
bool Connection::is_at_work() const {
  try {
    const CallerDeadline deadline(address_.waits->look_deadline());
    Connection beside(address_);
    const Result state = beside.run(
        "select coalesce(state = 'active', true) from pg_stat_activity where pid ="
        " $1::int4",
        Params().int4(libpq().process(connection_)));
    return state.empty() || state.number(0, 0) != 0;
  } catch (const PostgresError& error) {
    return !error.sqlstate().empty();  // the server answers, but has no free connection
  } catch (const Error&) {
    return false;
  }
}

std::vector<Result> Connection::collect() {
  const std::vector<bool> wanted = std::exchange(wanted_, {});
  std::size_t syncs = std::exchange(syncs_, 0);
  std::vector<Result> results;
  std::optional<PostgresError> first;
  std::size_t failed_at = 0;
  for (std::size_t i = 0;; ++i) {
    wait_for_answer();
    pg_result* const got = libpq().get_result(connection_);
    if (got == nullptr) lost();
    Result result(got);
    const ExecStatusType status = libpq().result_status(got);
    if (status == PGRES_PIPELINE_SYNC) {
      if (--syncs == 0) break;
      continue;
    }
    if (status == PGRES_FATAL_ERROR) {
      if (!first) {
        first = error_of(got, *connection_, shown_);
        failed_at = i;
      }
      if (libpq().status(connection_) != CONNECTION_OK) broken_ = true;
      if (broken_) break;
    }
    if (i < wanted.size() && wanted[i]) results.push_back(std::move(result));
    while (pg_result* const more = libpq().get_result(connection_)) libpq().clear(more);
  }
  // libpq also returns a result for a lost connection, without an SQLSTATE.
  if (first && broken_ && first->sqlstate().empty()) lost();
  is_in_doubt_ = false;
  const auto fresh = std::exchange(fresh_, {});
  if (first) {
    // Statements after the failed one were not prepared. chirp's own checks fail with a division by
    // zero. After other errors, the session may have lost all its prepared statements.
    if (first->sqlstate() == kDivisionByZero) {
      for (const auto& [place, sql] : fresh) {
        if (place >= failed_at) prepared_.erase(sql);
      }
    } else {
      prepared_.clear();
    }
    throw PostgresError(*first);
  }
  return results;
}

// A statement outside a transaction takes effect as soon as the server has it, one inside at the
// commit.
void Connection::note_changes(const std::string& sql) {
  if (sql.starts_with("begin")) {
    is_begun_ = true;
    has_changed_ = false;
  } else if (sql == "commit" || sql == "rollback") {
    is_in_doubt_ = is_in_doubt_ || (has_changed_ && sql == "commit");
    is_begun_ = false;
  } else if (changes_rows(sql)) {
    has_changed_ = true;
    is_in_doubt_ = is_in_doubt_ || !is_begun_;
  }
}

void Connection::separate() { queued_.push_back({"", {}, true, true}); }

void Connection::dispatch() {
  if (broken_) lost();
  if (queued_.empty()) return;
  for (const Queued& queued : queued_) {
    note_changes(queued.sql);
    if (queued.separates) {
      if (libpq().sync(connection_) != 1) lost();
      ++syncs_;
      wanted_.push_back(false);
      continue;
    }
    if (!prepared_.contains(queued.sql)) {
      fresh_.emplace_back(wanted_.size(), queued.sql);
      wanted_.push_back(false);
    }
    wanted_.push_back(!queued.is_silent);
    hand_over(queued);
  }
  queued_.clear();
  if (libpq().sync(connection_) != 1) lost();
  ++syncs_;
  count_trip();
  flush();
}

std::vector<Result> Connection::receive() {
  if (broken_) lost();
  dispatch();
  if (syncs_ == 0) return {};
  const bool ends = std::exchange(ends_, false);
  auto results = collect();
  if (ends) in_transaction_ = false;
  return results;
}

void Connection::script(const std::string& sql) {
  if (broken_) lost();
  // The connection may still count as open although the server has gone; then this fails.
  if (libpq().exit_pipeline(connection_) != 1 ||
      libpq().send_query(connection_, sql.c_str()) != 1) {
    lost();
  }
  count_trip();
  flush();
  std::optional<PostgresError> error;
  for (;;) {
    wait_for_answer();
    pg_result* const got = libpq().get_result(connection_);
    if (got == nullptr) break;
    const Result result(got);
    if (libpq().result_status(got) == PGRES_FATAL_ERROR && !error) {
      error = error_of(got, *connection_, shown_);
    }
    if (libpq().status(connection_) != CONNECTION_OK) break;
  }
  // A server that ends a session sends an error first, or nothing at all.
  const bool has_ended =
      error && (error->sqlstate().empty() || error->sqlstate().starts_with("57P"));
  if (has_ended || libpq().status(connection_) != CONNECTION_OK) lost();
  libpq().enter_pipeline(connection_);
  if (error) throw PostgresError(*error);
}

}  // namespace chirp::postgres
