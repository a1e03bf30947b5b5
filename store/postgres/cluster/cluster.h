// The servers of one store, queried together: home, and in layouts with several servers the nodes.
//
// An example with two users on different nodes: both are queried before either answers.
//
//   const auto results = cluster.ask(std::array{
//       GroupQuery{sql, Params().int4(6), placing.group_of(UserNumber{6})},
//       GroupQuery{sql, Params().int4(7), placing.group_of(UserNumber{7})}});
//
// Safe to call from any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/directory_status.h"
#include "store/postgres/cluster/connections.h"
#include "store/postgres/cluster/places.h"
#include "store/postgres/rows/questions.h"

namespace chirp::postgres {

// Selects the newest commit that a group has.
inline constexpr std::string_view kReach =
    "select coalesce(max(n), 0) from applied t where true /*and t.b = bucket*/";

// Returns why a server may lack commits: a clause for messages, with its full stop.
[[nodiscard]] std::string_view why_commits_lack();

class Cluster {
 public:
  // A store in one database.
  explicit Cluster(std::shared_ptr<Connections> home) : home_(std::move(home)) {}
  Cluster(std::shared_ptr<Connections> home, Placement layout);

  [[nodiscard]] Connections& home() const { return *home_; }
  [[nodiscard]] const Placing& placing() const { return layout_.placing; }
  [[nodiscard]] bool is_one() const { return layout_.placing.is_one(); }
  // Whether buckets may move from server to server by themselves.
  [[nodiscard]] bool can_move() const { return !layout_.columns.empty(); }

  // If a connection is lost, all queries are sent once more over other connections. `touched` gives
  // the commit that each group, from 1 on, must have: the previous server of a moved bucket may
  // answer, and a server may have been restored to an older state. The first case is checked each
  // time, the second once per connection. Throws Error{kUnavailable} for a group that is behind
  // twice.
  [[nodiscard]] std::vector<Result> ask(std::span<const GroupQuery> asked,
                                        std::span<const std::int64_t> touched = {});
  // The same, with home queried on this connection.
  [[nodiscard]] std::vector<Result> ask(Connection& home, std::span<const GroupQuery> asked,
                                        std::span<const std::int64_t> touched = {});

  // Connections to the servers of some groups, never two to the same server: one per server at a
  // time, and the rest in turns.
  class Lent {
   public:
    Lent(Group of, std::unique_ptr<Connections::Loan> loan) : group(of), loan_(std::move(loan)) {}
    [[nodiscard]] Connection& connection() const { return **loan_; }

    Group group;

   private:
    std::unique_ptr<Connections::Loan> loan_;
  };
  void in_turns(std::span<const Group> groups,
                const std::function<void(std::vector<Lent>& lent)>& take);
  // Queues a statement in the form for its group. Throws Error{kInternal} if it has to name its
  // bucket and does not: it would read all rows of all servers.
  void send(Connection& connection, const GroupQuery& asked) const;

  // Looks up the places of buckets again, as after an error that a move may have caused.
  void doubt_places();
  // Queues the query for the current places of buckets, if they can move. Pass its result to
  // learn_places(). A writer runs it while holding its turn, so that it sends nothing to the
  // previous server of a bucket.
  void ask_places(Connection& home) const;
  void learn_places(const Result& answer);
  // Returns the status of each server except home, in order; empty in one database. `touched` is
  // that of the newest published commit. Throws home's errors.
  [[nodiscard]] std::vector<store::WorkerStatus> look_at_workers(
      std::span<const std::int64_t> touched);
  // Returns why a crash may lose acknowledged changes, for all servers including home
  // (durability.h). Throws the servers' errors.
  [[nodiscard]] std::vector<std::string> losses();
  // Creates a restore point with this name on all servers; home uses `home`. Returns the servers'
  // names. Throws their errors.
  [[nodiscard]] std::vector<std::string> mark(Connection& home, const std::string& name);
  // Rounds that did not include home, plus home's round trips.
  [[nodiscard]] std::uint64_t round_trips() const { return home_->round_trips() + rounds_; }

 private:
  class Round;

  [[nodiscard]] Connections& server_of(Group group);
  void set_places(std::vector<Address> places);
  // All servers except home, each with its groups.
  using Servers = std::vector<std::pair<Connections*, std::vector<Group>>>;
  [[nodiscard]] Servers servers();
  [[nodiscard]] std::vector<Result> ask_all(Connection* home, std::span<const GroupQuery> asked,
                                            std::span<const std::int64_t> touched);

  std::shared_ptr<Connections> home_;
  Placement layout_;
  std::atomic<std::uint64_t> rounds_{0};
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Connections>> servers_;  // by name
  std::vector<std::string> places_;                              // server of each group
  std::optional<std::int64_t> looked_ns_;                        // machine's clock
};

}  // namespace chirp::postgres
