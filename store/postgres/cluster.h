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
#include <vector>

#include "store/postgres/connections.h"
#include "store/postgres/places.h"
#include "store/postgres/questions.h"

namespace chirp::postgres {

class Cluster {
 public:
  // One database.
  explicit Cluster(std::shared_ptr<Connections> home) : home_(std::move(home)) {}
  Cluster(std::shared_ptr<Connections> home, Layout layout);

  [[nodiscard]] Connections& home() const { return *home_; }
  [[nodiscard]] const Placing& placing() const { return layout_.placing; }
  [[nodiscard]] bool is_one() const { return layout_.placing.is_one(); }

  // Where a line is lost all is asked again, once, by other connections. `touched` says of each
  // group, from 1 on, which commit it has to have: a bucket that has moved may be answered for by
  // who had it before. Throws Error{kUnavailable} for one that is behind twice.
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
  // Queues a statement as that group has it.
  void send(Connection& connection, const Asked& asked) const;

  // Looks anew where buckets are, as after an error that may come of their having moved.
  void doubt_places();
  // Rounds in which nodes were asked, and home's round trips.
  [[nodiscard]] std::uint64_t round_trips() const { return home_->round_trips() + rounds_; }

 private:
  class Round;

  [[nodiscard]] Connections& server_of(Group group);
  [[nodiscard]] std::vector<Result> ask_all(Connection* home, std::span<const Asked> asked,
                                            std::span<const std::int64_t> touched);

  std::shared_ptr<Connections> home_;
  Layout layout_;
  std::atomic<std::uint64_t> rounds_{0};
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Connections>> servers_;  // by their names
  std::vector<std::string> places_;                              // of each group its server's
  std::optional<std::chrono::steady_clock::time_point> looked_;
};

}  // namespace chirp::postgres
