#include "tests/support/postgres_nodes.h"

#include "store/postgres/connection/connection.h"
#include "tests/support/postgres_models.h"

namespace chirp::test {

PostgresNodes::PostgresNodes(Rows rows) {
  const auto models = nodes_models(rows == Rows::kWithBuckets);
  home_ = PostgresDatabase::like(models.front());
  postgres::Connection home({home_->url()});
  for (std::size_t i = 1; i < models.size(); ++i) {
    nodes_.push_back(PostgresDatabase::like(models[i]));
    home.run("update nodes set url = $2::text where node = $1::int4",
             postgres::Params().int4(static_cast<std::int32_t>(i)).text(nodes_.back()->url()));
  }
}

}  // namespace chirp::test
