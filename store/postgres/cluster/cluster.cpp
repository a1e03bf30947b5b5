#include "store/postgres/cluster/cluster.h"

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "store/deadline.h"
#include "store/postgres/cluster/durability.h"
#include "store/postgres/rows/sql.h"

namespace chirp::postgres {
namespace {

// A stale place only costs time: the previous server of a bucket forwards the query.
constexpr std::chrono::minutes kPlacesHold{1};

constexpr std::string_view kSetMark = "select pg_create_restore_point($1::text)";

// The shard was dropped, or the server does not know its new place yet.
bool may_come_of_a_move(const PostgresError& error) {
  constexpr std::array<std::string_view, 4> kStates{"42P01", "0A000", "XX000", "40001"};
  return std::ranges::find(kStates, error.sqlstate()) != kStates.end();
}

}  // namespace

std::string_view why_commits_lack() {
  return "it answers for rows that have moved away from it, it was put back to an older state, or "
         "Citus lost the commit while it moved a shard.";
}

Cluster::Cluster(std::shared_ptr<Connections> home, Placement layout)
    : home_(std::move(home)), layout_(std::move(layout)) {
  if (!layout_.places.empty()) set_places(layout_.places);
}

// ---------------------------------------------------------------- places of buckets

void Cluster::doubt_places() {
  const std::lock_guard guard(mutex_);
  looked_ns_.reset();
}

Connections& Cluster::server_of(Group group) {
  if (group == kHome) return *home_;
  const std::int64_t now = store::machine_clock().steady_ns();
  {
    const std::lock_guard guard(mutex_);
    if (looked_ns_ && std::chrono::nanoseconds(now - *looked_ns_) < kPlacesHold)
      return *servers_.at(places_[group - 1]);
  }
  // Concurrent callers may look up the places too, which does no harm.
  set_places(home_->read(
      [this](Connection& home) { return layout_.places_in(home.run(layout_.ask_places)); }));
  const std::lock_guard guard(mutex_);
  return *servers_.at(places_[group - 1]);
}

void Cluster::set_places(std::vector<Address> places) {
  const std::lock_guard guard(mutex_);
  places_.clear();
  looked_ns_ = store::machine_clock().steady_ns();
  for (Address& place : places) {
    places_.push_back(place.url + ' ' + place.server.name());
    auto& server = servers_[places_.back()];
    if (server) continue;
    server = std::make_unique<Connections>(std::move(place));
    server->begin_with(layout_.beginning);
  }
}

void Cluster::ask_places(Connection& home) const {
  if (can_move()) home.send(layout_.ask_places);
}

void Cluster::learn_places(const Result& answer) { set_places(layout_.places_in(answer)); }

// ---------------------------------------------------------------- queries

void Cluster::send(Connection& connection, const GroupQuery& asked) const {
  if (asked.group == kHome || !can_move()) {
    connection.send(asked.sql, asked.params);
    return;
  }
  Params params = asked.params;
  const InBucket text = in_bucket(asked.sql, params.values().size());
  if (!text.names_bucket) {
    throw Error(ErrorCode::kInternal,
                "A statement does not say which bucket it asks: " + asked.sql);
  }
  params.int4(layout_.columns[asked.group - 1]);
  connection.send(text.sql, std::move(params));
}

// One round of queries, with one connection per server.
class Cluster::Round {
 public:
  Round(Cluster& cluster, Connection* home, std::span<const std::int64_t> touched)
      : cluster_(cluster), home_(home), touched_(touched) {}

  std::vector<Result> ask(std::span<const GroupQuery> asked) {
    for (std::size_t i = 0; i < asked.size(); ++i) {
      parts_[&cluster_.server_of(asked[i].group)].which.push_back(i);
    }
    for (auto& entry : parts_) {
      attempt(entry.second, [&] { begin(*entry.first, entry.second, asked); });
    }
    for (auto& entry : parts_) {
      Part& part = entry.second;
      attempt(part, [&part] { part.connection->dispatch(); });
    }
    std::map<std::size_t, Result> found;
    for (auto& entry : parts_) {
      Part& part = entry.second;
      // After a failure the other results are received all the same, so that the connections stay
      // usable.
      attempt(part, [&] { take(part, part.connection->receive(), found); });
    }
    if (failure_) std::rethrow_exception(failure_);
    std::vector<Result> results;
    for (auto& [which, result] : found) results.push_back(std::move(result));
    return results;
  }
  [[nodiscard]] bool is_lost() const { return is_lost_; }
  // A server lacks a required commit.
  [[nodiscard]] bool is_behind() const { return is_behind_; }

 private:
  struct Part {
    std::vector<std::size_t> which{};
    std::vector<Group> checked{};  // groups whose newest commit is checked first
    std::unique_ptr<Connections::Loan> loan{};
    Connection* connection = nullptr;
    bool has_failed = false;
  };

  // All threads borrow connections in the order of the servers, which prevents deadlocks.
  void begin(Connections& server, Part& part, std::span<const GroupQuery> asked) {
    if (&server == cluster_.home_.get() && home_ != nullptr) {
      part.connection = home_;
    } else {
      part.loan = std::make_unique<Connections::Loan>(server);
      part.connection = &**part.loan;
    }
    const bool checks =
        !touched_.empty() && (cluster_.can_move() || !part.connection->is_trusted());
    for (const std::size_t i : part.which) {
      const Group group = asked[i].group;
      if (!checks || group == kHome) continue;
      if (std::ranges::find(part.checked, group) != part.checked.end()) continue;
      part.checked.push_back(group);
      cluster_.send(*part.connection, {std::string(kReach), {}, group});
    }
    for (const std::size_t i : part.which) cluster_.send(*part.connection, asked[i]);
  }
  void take(const Part& part, std::vector<Result> results, std::map<std::size_t, Result>& found) {
    for (std::size_t i = 0; i < part.checked.size(); ++i) {
      if (results[i].number(0, 0) >= touched_[part.checked[i] - 1]) continue;
      is_behind_ = true;
      // A new connection checks the server again.
      part.connection->give_up();
    }
    if (!part.checked.empty()) part.connection->trust();
    for (std::size_t i = 0; i < part.which.size(); ++i) {
      found.emplace(part.which[i], std::move(results[part.checked.size() + i]));
    }
  }
  template <class Try>
  void attempt(Part& part, Try go) {
    if (part.has_failed) return;
    try {
      go();
    } catch (const PostgresError&) {
      part.has_failed = true;
      // If connecting failed, the bucket may have moved away from this server.
      is_lost_ |= part.connection != nullptr ? part.connection->broken() : cluster_.can_move();
      if (!failure_) failure_ = std::current_exception();
    }
  }

  Cluster& cluster_;
  Connection* home_;
  std::span<const std::int64_t> touched_;
  std::map<Connections*, Part> parts_;
  std::exception_ptr failure_;
  bool is_lost_ = false;
  bool is_behind_ = false;
};

std::vector<Result> Cluster::ask(Connection& home, std::span<const GroupQuery> asked,
                                 std::span<const std::int64_t> touched) {
  return is_one() ? answers_of(home, asked) : ask_all(&home, asked, touched);
}

std::vector<Result> Cluster::ask(std::span<const GroupQuery> asked,
                                 std::span<const std::int64_t> touched) {
  if (!is_one()) return ask_all(nullptr, asked, touched);
  return home_->read([&](Connection& connection) { return answers_of(connection, asked); });
}

std::vector<Result> Cluster::ask_all(Connection* home, std::span<const GroupQuery> asked,
                                     std::span<const std::int64_t> touched) {
  if (std::ranges::none_of(asked, [](const GroupQuery& one) { return one.group == kHome; }))
    ++rounds_;
  {
    Round round(*this, home, touched);
    try {
      auto results = round.ask(asked);
      if (!round.is_behind()) return results;
    } catch (const PostgresError& error) {
      const bool may_have_moved = may_come_of_a_move(error);
      if (!may_have_moved && !round.is_lost()) throw;
      if (home != nullptr && home->broken()) throw;
    }
  }
  doubt_places();
  Round again(*this, home, touched);
  auto results = again.ask(asked);
  if (!again.is_behind()) return results;
  throw Error(ErrorCode::kUnavailable,
              fmt::format("A server lacks what was committed there: {} Try again, and ask `chirp "
                          "status` which one if that does not help.",
                          why_commits_lack()));
}

Cluster::Servers Cluster::servers() {
  Servers servers;
  for (const Group group : placing().all()) {
    if (group == kHome) continue;
    Connections* const server = &server_of(group);
    const auto known = std::ranges::find(servers, server, &Servers::value_type::first);
    (known == servers.end() ? servers.emplace_back(server, std::vector<Group>{}) : *known)
        .second.push_back(group);
  }
  return servers;
}

// Citus creates the restore points of all its servers itself, blocking moves and its own commits.
std::vector<std::string> Cluster::mark(Connection& home, const std::string& name) {
  std::vector<std::string> marked{home.shown()};
  if (layout_.marks_all) {
    home.run("select citus_create_restore_point($1::text)", Params().text(name));
  } else {
    home.run(kSetMark, Params().text(name));
  }
  for (const auto& [server, its] : servers()) {
    const auto lent = server->lend();
    if (!layout_.marks_all) lent->run(kSetMark, Params().text(name));
    marked.push_back(lent->shown());
  }
  return marked;
}

std::vector<std::string> Cluster::losses() {
  std::vector<std::string> losses;
  const auto look = [&losses](Connection& connection) {
    const auto found = losses_in(connection.run(kDurability), connection.shown());
    losses.insert(losses.end(), found.begin(), found.end());
  };
  home_->read(look);
  for (const auto& [server, its] : servers()) server->read(look);
  return losses;
}

std::vector<store::WorkerStatus> Cluster::look_at_workers(std::span<const std::int64_t> touched) {
  std::vector<store::WorkerStatus> workers;
  for (const auto& [server, its] : servers()) {
    store::WorkerStatus& worker = workers.emplace_back();
    const Address& address = server->address();
    worker.address = address.server.host.empty() ? address.url : address.server.name();
    for (const Group group : its) worker.buckets += placing().buckets_of(group);
    try {
      const auto lent = server->lend();
      worker.address = lent->shown();
      for (const Group group : its) send(*lent, {std::string(kReach), {}, group});
      const auto reached = lent->receive();
      worker.lacking = 0;
      for (std::size_t i = 0; i < its.size(); ++i) {
        const std::int64_t least = touched.empty() ? 0 : touched[its[i] - 1];
        const std::int64_t reaches = reached[i].number(0, 0);
        if (reaches < least) *worker.lacking += placing().buckets_of(its[i]);
        worker.reached = std::max(worker.reached, static_cast<std::uint64_t>(reaches));
      }
    } catch (const Error& error) {
      worker.trouble = error.what();
    }
  }
  return workers;
}

void Cluster::in_turns(std::span<const Group> groups,
                       const std::function<void(std::vector<Lent>& lent)>& take) {
  std::vector<Group> left(groups.begin(), groups.end());
  while (!left.empty()) {
    std::vector<Lent> lent;
    std::vector<Connections*> busy;
    std::vector<Group> later;
    for (const Group group : left) {
      Connections& server = server_of(group);
      if (std::ranges::find(busy, &server) != busy.end()) {
        later.push_back(group);
        continue;
      }
      busy.push_back(&server);
      lent.emplace_back(group, std::make_unique<Connections::Loan>(server));
    }
    ++rounds_;
    take(lent);
    left = std::move(later);
  }
}

}  // namespace chirp::postgres
