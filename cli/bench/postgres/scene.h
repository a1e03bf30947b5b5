// The world in a scratch database, shared by the benchmarks on PostgreSQL.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/bench/figure.h"
#include "cli/bench/runs.h"
#include "cli/context.h"
#include "core/model/ids.h"
#include "store/postgres/connection/connection.h"
#include "store/postgres/storage.h"

namespace chirp::cli::bench {

// Users with equal numbers of follows, random posts and reactions, and `stars`. Each reader with a
// timeline follows one star, so that a post by every star is one delivery for each reader.
class PostgresScene {
 public:
  // Makes chirp's tables, the world, and the plain tables with the same data: in one database, or
  // in home, which is the first, and the other ones as nodes.
  PostgresScene(Context& context, const BenchRequest& request,
                const std::vector<std::string>& urls);

  [[nodiscard]] Context& context() { return context_; }
  [[nodiscard]] const Clock& clock() { return context_.clock(); }
  [[nodiscard]] const BenchRequest& request() const { return request_; }
  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] postgres::PostgresStorage& storage() { return *storage_; }
  // Users with a timeline, ascending.
  [[nodiscard]] std::span<const UserNumber> readers() const { return readers_; }
  [[nodiscard]] std::span<const UserNumber> stars() const { return stars_; }
  [[nodiscard]] UserNumber star_of(std::size_t reader) const {
    return stars_[reader % stars_.size()];
  }
  // The number of users without the stars.
  [[nodiscard]] std::uint32_t users() const { return users_; }
  // One of the users that are not stars.
  [[nodiscard]] UserNumber user(std::uint64_t n) const;
  // The connection to home.
  [[nodiscard]] postgres::Connection& connection() { return *connections_.front(); }
  // The connections to the databases that hold rows by key: the nodes, or home without nodes.
  [[nodiscard]] std::span<const std::unique_ptr<postgres::Connection>> of_rows() const {
    return std::span(connections_).subspan(is_spread() ? 1 : 0);
  }
  [[nodiscard]] bool is_spread() const { return connections_.size() > 1; }
  // The sum of a statement's count over these databases.
  [[nodiscard]] double count(std::string_view sql, const postgres::Params& params = {});
  // The size of tables with their indexes.
  [[nodiscard]] double bytes_of(std::span<const std::string_view> tables);
  // The number of times that batches fetched missing rows.
  [[nodiscard]] std::uint64_t fetches() const { return fetches_; }

 private:
  void make_tables(const std::vector<std::string>& urls);
  void let_nodes_wait(bool for_disk);
  void make_world();
  void add_stars(Storage& storage);
  void add_reactions(Storage& storage);
  void build_timelines(Storage& storage);

  Context& context_;
  const BenchRequest& request_;
  std::string url_;
  std::vector<std::unique_ptr<postgres::Connection>> connections_;  // home first
  std::uint64_t fetches_ = 0;
  std::unique_ptr<postgres::PostgresStorage> storage_;
  std::uint32_t users_;
  std::vector<UserNumber> readers_;
  std::vector<UserNumber> stars_;
};

// The number of alternating runs of each side; the best one of each counts.
inline constexpr int kRounds = 3;

// Returns `ours` with the best of `reference` beside it.
[[nodiscard]] Figure best_of(const std::function<Figure()>& ours,
                             const std::function<Figure()>& reference);

// Compares pages with the plain ones, then measures pages and the step that reads the viewer.
void run_postgres_pages(PostgresScene& scene);
// Deliveries in a step, one or ten for each viewer, and the write-ahead log of each.
void run_postgres_deliveries(PostgresScene& scene);
// Changes in batches, and single ones.
void run_postgres_writes(PostgresScene& scene);
// A load of follows.
void run_postgres_follows(PostgresScene& scene);
// The stored bytes of the world; must run before anything else is written.
void run_postgres_bytes(PostgresScene& scene);
// Round trips of pages and batches.
void run_postgres_trips(PostgresScene& scene);

}  // namespace chirp::cli::bench
