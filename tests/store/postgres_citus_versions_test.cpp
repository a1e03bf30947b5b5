// Goal: what is said of a version of Citus is said by one table, and sessions on Citus make no
// plans that pile up. Method: versions of the table and beside it; the page that shows the table;
// the layout of Citus, made of a database that has its map of buckets.
#include <string>

#include <doctest/doctest.h>

#include "store/postgres/cluster/citus_versions.h"
#include "store/postgres/cluster/places.h"
#include "tests/support/postgres_nodes.h"
#include "tests/support/source_tree.h"

namespace chirp::test::postgres_citus_versions_test {

using postgres::CitusVerdict;
using postgres::verdict_on_citus;

TEST_CASE("citus: a version is judged by the table, and others by their age") {
  CHECK(verdict_on_citus("11.3.1") == CitusVerdict::kTooOld);
  CHECK(verdict_on_citus("12.0.9") == CitusVerdict::kTooOld);
  CHECK(verdict_on_citus("12.1.9") == CitusVerdict::kUntried);
  CHECK(verdict_on_citus("12.1.10") == CitusVerdict::kGood);
  CHECK(verdict_on_citus("15.0.0") == CitusVerdict::kUntried);
  for (const char* const grows : {"12.1.11", "12.1.12", "13.2.1", "13.2.2", "14.0.0", "14.0.1"}) {
    CHECK(verdict_on_citus(grows) == CitusVerdict::kPlansGrow);
    CHECK(postgres::remark_on_citus(grows).find("8824") != std::string::npos);
  }
  CHECK(postgres::remark_on_citus("12.1.10") == "");
  CHECK(postgres::remark_on_citus("12.0.0").find("12.1 or later") != std::string::npos);
}

TEST_CASE("citus: docs/scale-out.md has the table of versions") {
  const std::string text(source_file("docs/scale-out.md").text);
  CHECK(text.find(postgres::citus_versions_in_markdown()) != std::string::npos);
}

TEST_CASE("citus: sessions on workers plan each statement anew") {
  if (!has_postgres()) return;
  const PostgresNodes nodes(PostgresNodes::Rows::kWithBuckets);
  postgres::Connections home({nodes.url()});
  const postgres::Placement layout = postgres::layout_of(home, postgres::kCitus);
  const auto places =
      layout.places_in(home.lend()->run("select 'w1'::text, 5432::int4 from bucket_map"));
  REQUIRE(places.size() == layout.columns.size());
  CHECK(places.front().server == postgres::Server{"w1", "5432"});
  CHECK(places.front().settings.find("set plan_cache_mode = force_custom_plan") !=
        std::string::npos);
}

}  // namespace chirp::test::postgres_citus_versions_test
