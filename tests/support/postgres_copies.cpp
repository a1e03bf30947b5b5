#include "tests/support/postgres_copies.h"

#include <cstddef>
#include <stdexcept>

#include "core/error.h"
#include "store/postgres/cluster/schema.h"
#include "store/postgres/connection/connection.h"
#include "tests/support/eventually.h"

namespace chirp::test {
namespace {

std::int64_t newest(const std::string& url) {
  return postgres::Connection({url}).run("select max(n) from commits").number(0, 0);
}

}  // namespace

CopiedDatabase::CopiedDatabase(const std::vector<PostgresServer::Settings>& copies)
    : home_(PostgresServer::streaming()) {
  postgres::Connection({home_->url("postgres")}).script("create database copied");
  postgres::Connection connection({home_url()});
  postgres::init(connection, {postgres::kFormatVersion, "test", kTestMachine});
  for (const auto& settings : copies) copies_.push_back(home_->copy(settings));
}

std::string CopiedDatabase::url() const {
  std::vector<const PostgresServer*> servers{home_.get()};
  for (const auto& copy : copies_) servers.push_back(copy.get());
  return url_of(servers, kName);
}

void CopiedDatabase::catch_up(std::size_t which) const {
  const std::int64_t all = newest(home_url());
  if (!eventually([&] { return newest(copy_url(which)) >= all; })) {
    throw std::runtime_error("a copy does not catch up");
  }
}

Asks asks_of(const postgres::PostgresStorage& storage, std::size_t copy) {
  const auto uses = storage.copies();
  const auto& use = uses.at(copy + 1);
  return {use.rounds, use.answered};
}

}  // namespace chirp::test
