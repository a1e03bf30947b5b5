// The world in a scratch database that the benchmarks on PostgreSQL share.
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
#include "store/postgres/connection.h"
#include "store/postgres/storage.h"

namespace chirp::cli::bench {

// Users who follow as many each; posts and reactions by anybody; besides, stars, of whom each
// reader with a timeline follows one, so that a post of every star is one delivery a reader.
class PostgresScene {
 public:
  // Makes chirp's tables, the world, and the plain tables with what it shows: in one database, or
  // in home, which is the first, and as many nodes as there are more.
  PostgresScene(Context& context, const Request& request, const std::vector<std::string>& urls);

  [[nodiscard]] Context& context() { return context_; }
  [[nodiscard]] const Clock& clock() { return context_.clock(); }
  [[nodiscard]] const Request& request() const { return request_; }
  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] postgres::PostgresStorage& storage() { return *storage_; }
  // With a timeline, ascending.
  [[nodiscard]] std::span<const UserNumber> readers() const { return readers_; }
  [[nodiscard]] std::span<const UserNumber> stars() const { return stars_; }
  [[nodiscard]] UserNumber star_of(std::size_t reader) const {
    return stars_[reader % stars_.size()];
  }
  // How many users there are besides the stars.
  [[nodiscard]] std::uint32_t users() const { return users_; }
  // One of the users besides the stars.
  [[nodiscard]] UserNumber user(std::uint64_t n) const;
  // For questions about home.
  [[nodiscard]] postgres::Connection& connection() { return *connections_.front(); }
  // To whatever has rows by their keys: home where it is alone.
  [[nodiscard]] std::span<const std::unique_ptr<postgres::Connection>> of_rows() const {
    return std::span(connections_).subspan(is_spread() ? 1 : 0);
  }
  [[nodiscard]] bool is_spread() const { return connections_.size() > 1; }
  // The sum over these of what a statement counts.
  [[nodiscard]] double count(std::string_view sql, const postgres::Params& params = {});
  // Of tables with their indexes.
  [[nodiscard]] double bytes_of(std::span<const std::string_view> tables);
  // Times a call of a store that tells the rounds in which its batches asked for what they lacked.
  [[nodiscard]] std::uint64_t fetches() const { return fetches_; }

 private:
  void make_tables(const std::vector<std::string>& urls);
  void let_nodes_wait(bool for_disk);
  void make_world();
  void add_stars(Storage& storage);
  void add_reactions(Storage& storage);
  void build_timelines(Storage& storage);

  Context& context_;
  const Request& request_;
  std::string url_;
  std::vector<std::unique_ptr<postgres::Connection>> connections_;  // home first
  std::uint64_t fetches_ = 0;
  std::unique_ptr<postgres::PostgresStorage> storage_;
  std::uint32_t users_;
  std::vector<UserNumber> readers_;
  std::vector<UserNumber> stars_;
};

// How often each of the two is measured, by turns; the best of each counts.
inline constexpr int kRounds = 3;

// `ours` with the best of `reference` beside it.
[[nodiscard]] Figure best_of(const std::function<Figure()>& ours,
                             const std::function<Figure()>& reference);

// Holds pages against the plain ones, then measures pages and the viewer's step of them.
void run_postgres_pages(PostgresScene& scene);
// Deliveries of a step, one a viewer and ten, and the write-ahead log of each.
void run_postgres_deliveries(PostgresScene& scene);
// Changes in batches, and lone ones.
void run_postgres_writes(PostgresScene& scene);
// A load of follows.
void run_postgres_follows(PostgresScene& scene);
// Bytes of what the world has made; to be measured before anything else is written.
void run_postgres_bytes(PostgresScene& scene);
// Round trips of pages and batches.
void run_postgres_trips(PostgresScene& scene);

}  // namespace chirp::cli::bench
