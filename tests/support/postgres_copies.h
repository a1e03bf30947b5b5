// A chirp database with streaming copies, on servers of the test.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store/postgres/storage.h"
#include "tests/support/postgres_server.h"
#include "tests/support/stores.h"

namespace chirp::test {

class CopiedDatabase {
 public:
  // A copy for each of these settings.
  explicit CopiedDatabase(const std::vector<PostgresServer::Settings>& copies = {{}});

  [[nodiscard]] PostgresServer& home() { return *home_; }
  [[nodiscard]] PostgresServer& copy(std::size_t which = 0) { return *copies_[which]; }
  // The address with all of them, home first.
  [[nodiscard]] std::string url() const;
  // The address of one of them.
  [[nodiscard]] std::string home_url() const { return home_->url(kName); }
  [[nodiscard]] std::string copy_url(std::size_t which = 0) const {
    return copies_[which]->url(kName);
  }
  // Waits until a copy has replayed all commits of home.
  void catch_up(std::size_t which = 0) const;

  [[nodiscard]] std::unique_ptr<postgres::PostgresStorage> open(
      postgres::StorageOptions options = {}) const {
    return postgres::open_storage(url(), std::move(options));
  }

  static constexpr const char* kName = "copied";

 private:
  std::unique_ptr<PostgresServer> home_;
  std::vector<std::unique_ptr<PostgresServer>> copies_;
};

// Counts of queries to a copy of a store. Home comes first and is not a copy.
struct Asks {
  std::uint64_t rounds = 0;
  std::uint64_t answered = 0;
};
[[nodiscard]] Asks asks_of(const postgres::PostgresStorage& storage, std::size_t copy = 0);

}  // namespace chirp::test
