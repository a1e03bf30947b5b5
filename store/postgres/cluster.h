// The servers of one store, asked together: home, and in layouts of several the nodes.
//
// An example, of two users who lie on different nodes: both are asked before either answers.
//
//   const auto results = cluster.ask(std::array{
//       Asked{sql, Params().int4(6), placing.group_of(UserNumber{6})},
//       Asked{sql, Params().int4(7), placing.group_of(UserNumber{7})}});
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
#include "store/postgres/connections.h"
#include "store/postgres/places.h"
#include "store/postgres/questions.h"

namespace chirp::postgres {

// Asks for the newest commit that a group has.
inline constexpr std::string_view kReach =
    "select coalesce(max(n), 0) from applied t where true /*and t.b = bucket*/";

// Why a server may lack commits: a clause for messages, with its full stop.
[[nodiscard]] std::string_view why_commits_lack();

class Cluster {
 public:
  // One database.
  explicit Cluster(std::shared_ptr<Connections> home) : home_(std::move(home)) {}
  Cluster(std::shared_ptr<Connections> home, Layout layout);

  [[nodiscard]] Connections& home() const { return *home_; }
  [[nodiscard]] const Placing& placing() const { return layout_.placing; }
  [[nodiscard]] bool is_one() const { return layout_.placing.is_one(); }
  // Whether buckets may move from server to server by themselves.
  [[nodiscard]] bool can_move() const { return !layout_.columns.empty(); }

  // Where a line is lost all is asked again, once, by other connections. `touched` says of each
  // group, from 1 on, which commit it has to have: a bucket that has moved may be answered for by
  // who had it before, and a server may have been put back to an older state. The first is asked
  // each time, the second of each connection once. Throws Error{kUnavailable} for one that is
  // behind twice.
  [[nodiscard]] std::vector<Result> ask(std::span<const Asked> asked,
                                        std::span<const std::int64_t> touched = {});
  // The same, with what is of home asked by this connection.
  [[nodiscard]] std::vector<Result> ask(Connection& home, std::span<const Asked> asked,
                                        std::span<const std::int64_t> touched = {});

  // Connections to who has some groups, no two of them the same server: one of each server at a
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
  // Queues a statement as that group has it. Throws Error{kInternal} for one that does not say its
  // bucket where it has to: it would ask all servers for all rows.
  void send(Connection& connection, const Asked& asked) const;

  // Looks anew where buckets are, as after an error that may come of their having moved.
  void doubt_places();
  // Queues the question where buckets are now, if they can move. The answer is for learn_places().
  // A writer asks it in its turn, so that it sends nothing to a server that had a bucket before.
  void ask_places(Connection& home) const;
  void learn_places(const Result& answer);
  // What each server but home says of itself, one after the other; empty in one database. `touched`
  // is that of the newest commit that is published. Throws what home says.
  [[nodiscard]] std::vector<store::WorkerStatus> look_at_workers(
      std::span<const std::int64_t> touched);
  // Of all servers, home too: why a crash may lose what was acknowledged (durability.h). Throws
  // what they say.
  [[nodiscard]] std::vector<std::string> losses();
  // Sets a restore point of this name on all servers, home by this connection: their names. Throws
  // what they say.
  [[nodiscard]] std::vector<std::string> mark(Connection& home, const std::string& name);
  // Rounds in which home was not asked, and home's round trips.
  [[nodiscard]] std::uint64_t round_trips() const { return home_->round_trips() + rounds_; }

 private:
  class Round;

  [[nodiscard]] Connections& server_of(Group group);
  void set_places(std::vector<Address> places);
  // All but home, each with the groups that it has.
  using Servers = std::vector<std::pair<Connections*, std::vector<Group>>>;
  [[nodiscard]] Servers servers();
  [[nodiscard]] std::vector<Result> ask_all(Connection* home, std::span<const Asked> asked,
                                            std::span<const std::int64_t> touched);

  std::shared_ptr<Connections> home_;
  Layout layout_;
  std::atomic<std::uint64_t> rounds_{0};
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Connections>> servers_;  // by their names
  std::vector<std::string> places_;                              // of each group its server's
  std::optional<std::int64_t> looked_ns_;                        // by the machine's clock
};

}  // namespace chirp::postgres
