// A connection to PostgreSQL: the only code that calls libpq.
//
// Statements are prepared when a connection first runs them, with binary parameters and results.
// Queued statements are sent together (pipeline mode) and take one round trip. An example:
//
//   connection.begin();  // one transaction from here to commit() or rollback()
//   connection.send("select name from people where id = $1::bigint", Params().int8(7));
//   connection.send("select count(*) from people", {});
//   const auto results = connection.receive();  // begin and both: one round trip
//   connection.commit();                        // another one
//
// Failures throw PostgresError. Outside begin() and commit(), each pipeline is one transaction: all
// of it is committed, or nothing. Not thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/error.h"
#include "store/postgres/connection/patience.h"
#include "store/postgres/connection/values.h"

struct pg_conn;
struct pg_result;

namespace chirp::postgres {

// The codes: kUnavailable if the server is unreachable, shutting down or out of connections, or if
// the caller waited too long for a lock (the connection may then be broken); kStorageFull;
// kReadOnly; kNotLetIn for a missing privilege or a wrong password; kIo for a missing database;
// kConflict for a unique violation; kCorrupt; kInternal otherwise. If a connection is dropped
// because the server is silent, and its statements may have changed something, the field is
// `outcome` (errors.h).
class PostgresError : public Error {
 public:
  PostgresError(ErrorCode code, const std::string& message, std::string sqlstate,
                std::string constraint, std::string field = {})
      : Error(code, message, std::move(field)),
        sqlstate_(std::move(sqlstate)),
        constraint_(std::move(constraint)) {}
  // Five characters; empty if the connection is lost.
  [[nodiscard]] const std::string& sqlstate() const { return sqlstate_; }
  // The violated constraint or unique index, or empty.
  [[nodiscard]] const std::string& constraint() const { return constraint_; }

 private:
  std::string sqlstate_;
  std::string constraint_;
};

inline constexpr std::string_view kUniqueViolation = "23505";
inline constexpr std::string_view kDivisionByZero = "22012";

// Rows and columns count from 0. Views are valid as long as the result.
class Result {
 public:
  explicit Result(pg_result* result);

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] bool empty() const { return rows_ == 0; }
  // The number of rows that an insert, update or delete changed.
  [[nodiscard]] std::int64_t changed() const;
  [[nodiscard]] bool is_null(int row, int column) const;
  // The raw bytes: text and bytea as they are, other types in their binary format.
  [[nodiscard]] std::string_view bytes(int row, int column) const;
  [[nodiscard]] std::string text(int row, int column) const {
    return std::string(bytes(row, column));
  }
  // int2, int4, int8 and boolean; 0 for null.
  [[nodiscard]] std::int64_t number(int row, int column) const;
  [[nodiscard]] const pg_result* get() const { return result_.get(); }

 private:
  struct Clear {
    void operator()(pg_result* result) const;
  };
  std::unique_ptr<pg_result, Clear> result_;
  int rows_;
};

// One of the servers of an address. libpq's defaults replace empty fields.
struct Server {
  std::string host;
  std::string port;

  // For messages: "db.example.org:5432"; for a socket, its folder and the port.
  [[nodiscard]] std::string name() const { return port.empty() ? host : host + ":" + port; }
  bool operator==(const Server&) const = default;
};

// The address of a database: `postgresql://[user@][host][:port]/database[?option=value…]`, as in
// libpq. Missing parts come from the environment (PGPASSFILE, PGHOST, …).
struct Address {
  std::string url;
  // Statements that every new connection runs first, such as "set jit = off".
  std::string settings{};
  // The server to connect to, if the URL names several.
  Server server{};
  // How long the server may be silent while an answer is pending; 0: without limit.
  std::chrono::milliseconds patience{0};
  // How long this process waits for the server; null: without limit.
  std::shared_ptr<Patience> waits{};
  // Accepts commits that the server acknowledges before they are on its disk.
  bool may_lose = false;
};

class Connection {
 public:
  // Counts each round trip in `trips` too, if given. Throws what connect() throws (connecting.h).
  explicit Connection(const Address& address, std::atomic<std::uint64_t>* trips = nullptr);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Queues a statement. Each text is prepared once, so pass values that vary as parameters.
  void send(std::string_view sql, Params params = {});
  // Sends the queued statements in one round trip. Returns a result for each statement, in order,
  // except for begin() and the end of a transaction.
  std::vector<Result> receive();
  // Sends the queued statements without waiting, so that several servers work at once. The next
  // receive() returns the results.
  void dispatch();
  // Outside a transaction: later statements form a new transaction, which runs whatever the result
  // of the earlier ones.
  void separate();
  // Runs one statement, together with those queued before it.
  Result run(std::string_view sql, Params params = {});
  // Runs statements given as text, without parameters or results, in one round trip. They are one
  // transaction unless the text says otherwise. The queue must be empty.
  void script(const std::string& sql);

  // Queue the start of a transaction. begin() is read committed; the other is a read-only,
  // repeatable-read transaction.
  void begin();
  void begin_reading();
  // Queues the end of the transaction.
  void end();
  // Commits, together with all queued statements, in one round trip.
  std::vector<Result> commit();
  // Never throws. If it fails, the connection is broken.
  void rollback() noexcept;

  // The database, for messages: "chirp at db.example.org".
  [[nodiscard]] const std::string& shown() const { return shown_; }
  // Round trips so far.
  [[nodiscard]] std::uint64_t round_trips() const { return round_trips_; }
  // Whether others on the network can read the traffic (connecting.h).
  [[nodiscard]] bool is_in_the_clear() const;
  // How long this process waits for the server; null: without limit.
  [[nodiscard]] const Patience* waits() const { return address_.waits.get(); }
  // Whether the connection was lost because the server did not answer.
  [[nodiscard]] bool was_silent() const { return silent_; }
  // Lost, or in an unknown state: discard it.
  [[nodiscard]] bool broken() const { return broken_; }
  // Marks it as broken, because its session may hold locks that can't be released.
  void give_up() { broken_ = true; }
  // Whether its server is known to have the required commits (cluster.h). Checked once per
  // connection: a server that is restored to an older state closes its connections.
  [[nodiscard]] bool is_trusted() const { return trusted_; }
  void trust() { trusted_ = true; }
  // Whether the server has closed the idle session, as far as this machine knows.
  [[nodiscard]] bool has_ended() const;
  // Returns the socket, for waiting on it elsewhere.
  [[nodiscard]] int socket() const;

 private:
  struct Queued {
    std::string sql;
    Params params;
    bool is_silent = false;  // no caller wants its result
    bool separates = false;  // separates transactions; not a statement
  };

  const std::string& prepare(const std::string& sql);
  void hand_over(const Queued& queued);
  void flush();
  void wait_for_answer();
  // Waits for the socket. Returns the events that it is ready for.
  short wait(short events);
  [[nodiscard]] bool is_at_work() const;
  void note_changes(const std::string& sql);
  void set_up_session(const Address& address);
  std::vector<Result> collect();
  void count_trip();
  [[noreturn]] void lost();
  [[noreturn]] void lost(const std::string& why);

  pg_conn* connection_ = nullptr;
  std::string shown_;  // the address for messages
  Address address_;
  std::vector<Queued> queued_;
  // Pending statements: whether each result is wanted, and the number of transactions.
  std::vector<bool> wanted_;
  std::size_t syncs_ = 0;
  std::unordered_map<std::string, std::string> prepared_;  // names of prepared statements
  // Statements sent to be prepared, without an answer yet, with their positions in the pipeline.
  std::vector<std::pair<std::size_t, std::string>> fresh_;
  std::uint64_t names_ = 0;
  std::uint64_t round_trips_ = 0;
  std::atomic<std::uint64_t>* trips_;
  bool broken_ = false;
  bool silent_ = false;
  bool trusted_ = false;
  // State of the open transaction: whether it has begun and has changed rows. is_in_doubt_: a
  // change sent to the server may be committed although no answer came.
  bool is_begun_ = false;
  bool has_changed_ = false;
  bool is_in_doubt_ = false;
  bool in_transaction_ = false;
  bool ends_ = false;  // with the queued statements
};

}  // namespace chirp::postgres
