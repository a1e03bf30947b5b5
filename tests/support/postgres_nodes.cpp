#include "tests/support/postgres_nodes.h"

#include "store/postgres/places.h"
#include "tests/support/stores.h"

namespace chirp::test {
namespace {

constexpr std::size_t kNodes = 3;

// Those without rows: as many buckets as there have to be, since each is asked by itself.
struct Empty {
  PostgresDatabase home;
  std::vector<std::unique_ptr<PostgresDatabase>> nodes;

  explicit Empty(PostgresNodes::Rows rows) {
    std::vector<std::string> urls;
    for (std::size_t i = 0; i < kNodes; ++i) {
      nodes.push_back(std::make_unique<PostgresDatabase>());
      urls.push_back(nodes.back()->url());
    }
    const bool in_rows = rows == PostgresNodes::Rows::kWithBuckets;
    postgres::init_nodes(home.url(), urls,
                         {postgres::kFormatVersion, "test", kTestMachine, "nodes"},
                         {in_rows ? postgres::kBucketsLeast : postgres::kBucketsUsual, in_rows});
    for (const std::string& url : urls) warm_up(url);
    warm_up(home.url());
  }
};

const Empty& empty(PostgresNodes::Rows rows) {
  if (rows == PostgresNodes::Rows::kPlain) {
    static const Empty kPlain(PostgresNodes::Rows::kPlain);
    return kPlain;
  }
  static const Empty kWithBuckets(PostgresNodes::Rows::kWithBuckets);
  return kWithBuckets;
}

}  // namespace

PostgresNodes::PostgresNodes(Rows rows) : home_(empty(rows).home.copy()) {
  postgres::Connection home({home_->url()});
  std::int32_t number = 0;
  for (const auto& node : empty(rows).nodes) {
    nodes_.push_back(node->copy());
    home.run("update nodes set url = $2::text where node = $1::int4",
             postgres::Params().int4(++number).text(nodes_.back()->url()));
  }
}

}  // namespace chirp::test
