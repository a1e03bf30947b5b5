#include "tests/support/postgres_models.h"

#include <fmt/format.h>

#include "store/postgres/cluster/places.h"
#include "store/postgres/cluster/schema.h"
#include "store/postgres/connection/connection.h"
#include "tests/support/stores.h"

namespace chirp::test {
namespace {

constexpr int kNodes = 3;

// The first session after tables are made writes down what every session needs to know of them, in
// a file that copies of the database have too: the first session of each would make its own.
void warm_up(const std::string& url) { postgres::Connection({url}).run("select 1"); }

void make_database(const PostgresServer& server, const std::string& name) {
  postgres::Connection({server.url("postgres")})
      .script(fmt::format("create database {} strategy = file_copy", name));
}

// With as many buckets as there have to be where rows say theirs, since each is asked by itself.
void make_nodes(const PostgresServer& server, bool buckets_in_rows) {
  std::vector<std::string> urls;
  for (const std::string& name : nodes_models(buckets_in_rows)) {
    make_database(server, name);
    urls.push_back(server.url(name));
  }
  postgres::init_nodes(
      urls.front(), {urls.begin() + 1, urls.end()},
      {postgres::kFormatVersion, "test", kTestMachine, "nodes"},
      {buckets_in_rows ? postgres::kBucketsLeast : postgres::kBucketsUsual, buckets_in_rows});
  for (const std::string& url : urls) warm_up(url);
}

}  // namespace

std::vector<std::string> nodes_models(bool buckets_in_rows) {
  std::vector<std::string> names;
  for (int i = 0; i <= kNodes; ++i) {
    names.push_back(fmt::format("chirp_model_{}_{}", buckets_in_rows ? "buckets" : "plain", i));
  }
  return names;
}

void make_models(const PostgresServer& server) {
  make_database(server, kDatabaseModel);
  const std::string url = server.url(kDatabaseModel);
  {
    postgres::Connection connection({url});
    postgres::init(connection, {postgres::kFormatVersion, "test", kTestMachine});
  }
  warm_up(url);
  make_nodes(server, false);
  make_nodes(server, true);
}

}  // namespace chirp::test
