#include "store/postgres/cluster/places.h"

#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "store/postgres/cluster/citus_versions.h"
#include "store/postgres/rows/stored_tables.h"

namespace chirp::postgres {
namespace {

// `b` is null if rows have no bucket column.
constexpr std::string_view kNodeTables =
    "create table if not exists nodes (node int4 primary key, url text not null);"
    " create table if not exists bucket_map (bucket int4 primary key, node int4 not null, b int4);";

// A server of another store would return that store's rows.
void check_is_of(Connection& node, const Identity& home) {
  const Identity identity = identity_of(node);
  if (identity.uuid == home.uuid && identity.layout == home.layout) return;
  throw Error(ErrorCode::kVersion,
              fmt::format("The database {} belongs to another store ({}) than home ({}). Name the "
                          "right one in home's table `nodes`.",
                          node.shown(), identity.uuid, home.uuid));
}

// One group per bucket.
Placing by_bucket(std::size_t buckets) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < buckets; ++i) groups.push_back(static_cast<Group>(i + 1));
  return Placing(std::move(groups));
}

constexpr std::string_view kNodesInOrder = "select url from nodes order by node";
constexpr std::string_view kNodesOfBuckets =
    "select n.url from bucket_map m join nodes n on n.node = m.node order by m.bucket";

Placement nodes_of(Connections& home) {
  const auto connection = home.lend();
  const Identity identity = identity_of(*connection);
  const Result map = connection->run("select node, b from bucket_map order by bucket");
  std::vector<Group> groups;
  Placement layout;
  for (int row = 0; row < map.rows(); ++row) {
    groups.push_back(static_cast<Group>(map.number(row, 0)));
    if (!map.is_null(row, 1)) {
      layout.columns.push_back(static_cast<std::int32_t>(map.number(row, 1)));
    }
  }
  const bool in_rows = !layout.columns.empty();
  layout.placing = in_rows ? by_bucket(groups.size()) : Placing(std::move(groups));
  layout.ask_places = in_rows ? kNodesOfBuckets : kNodesInOrder;
  layout.places_in = [like = home.address()](const Result& answer) {
    std::vector<Address> places;
    for (int row = 0; row < answer.rows(); ++row) {
      Address& place = places.emplace_back(like);
      place.url = answer.text(row, 0);
      place.server = {};
    }
    return places;
  };
  layout.places = layout.places_in(connection->run(layout.ask_places));
  layout.beginning = [identity](Connection& node) { check_is_of(node, identity); };
  return layout;
}

// Creates a node's tables, and the floor of its applied commits.
void init_node(Connection& node, const Identity& identity, std::uint32_t number,
               std::uint32_t nodes, const Buckets& buckets) {
  const std::string tables = node_schema() + applied_schema();
  if (!buckets.in_rows) {
    init(node, identity, tables + " insert into node_floor (floor) values (0);");
    return;
  }
  init(node, identity,
       fmt::format("{} insert into node_floor (floor, b) select 0, b from generate_series(0, {}) b"
                   " where b % {} = {};",
                   in_bucket(tables, 0).sql, buckets.count - 1, nodes, number - 1));
}

// ---------------------------------------------------------------- Citus

// A plan that covers all buckets makes distributed joins slower, and some versions of Citus add a
// plan at each run of such a statement (citus_versions.h). A shard move waits for writers elsewhere
// while a writer waits for the move. Neither server knows of the other, so without lock_timeout the
// wait would never end.
constexpr std::string_view kCitusSettings =
    "set jit = off; set plan_cache_mode = force_custom_plan; set lock_timeout = '3s'";

constexpr std::string_view kHasCitus = "select from pg_extension where extname = 'citus'";
constexpr std::string_view kWorkers =
    "select count(*) from pg_dist_node where noderole = 'primary' and shouldhaveshards";
constexpr std::string_view kBucketMap =
    "create table if not exists bucket_map (bucket int4 primary key, node int4 not null, b int4);";
// Settings of a transaction that creates and distributes tables.
constexpr std::string_view kCitusTables =
    " set local citus.multi_shard_modify_mode to 'sequential';"
    " set local citus.shard_replication_factor to 1; ";
// For each shard, the lowest `b` in it, in the order of the shards.
constexpr std::string_view kMapBuckets =
    " insert into bucket_map (bucket, node, b) select row_number() over (order by least) - 1, 0, b"
    " from (select distinct on (s.shardid) v.b, d.shardminvalue::int8 as least"
    " from generate_series(0, 65535) v(b) cross join lateral"
    " (select get_shard_id_for_distribution_column('{}'::regclass, v.b) as shardid) s"
    " join pg_dist_shard d on d.shardid = s.shardid order by s.shardid, v.b) x;";
constexpr std::string_view kPlaces =
    "select n.nodename::text, n.nodeport::int4 from bucket_map m cross join lateral"
    " (select get_shard_id_for_distribution_column('cards'::regclass, m.b) as shardid) s"
    " join pg_dist_placement p on p.shardid = s.shardid and p.shardstate = 1"
    " join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary' order by m.bucket";

Placement citus_of(Connections& home) {
  const auto connection = home.lend();
  Placement layout;
  const Result map = connection->run("select b from bucket_map order by bucket");
  for (int row = 0; row < map.rows(); ++row) {
    layout.columns.push_back(static_cast<std::int32_t>(map.number(row, 0)));
  }
  layout.placing = by_bucket(layout.columns.size());
  layout.marks_all = true;
  layout.ask_places = kPlaces;
  layout.places_in = [like = home.address(), buckets = layout.columns.size()](const Result& found) {
    std::vector<Address> places;
    for (int row = 0; row < found.rows(); ++row) {
      Address& place = places.emplace_back(like);
      place.settings = kCitusSettings;
      place.server = {found.text(row, 0), std::to_string(found.number(row, 1))};
    }
    if (places.size() == buckets) return places;
    throw Error(ErrorCode::kUnavailable,
                fmt::format("Citus says of {} buckets where they are, and there are {}. Look at "
                            "its `citus_shards`.",
                            places.size(), buckets));
  };
  return layout;
}

std::vector<std::string> spread_tables() {
  std::vector<std::string> names;
  for (const StoredTable& table : stored_tables()) {
    if (!table.side && !table.is_at_home) names.push_back(table.text.name);
  }
  for (const auto* const name :
       {"following", "followers", "timelines", "timeline_parts", "keys", "applied", "node_floor"}) {
    names.emplace_back(name);
  }
  return names;
}

// Distributes a table in the same way as the first of spread_tables().
std::string spread_along(const std::string& name) {
  return fmt::format(" select create_distributed_table('{}', 'b', colocate_with := '{}');", name,
                     spread_tables().front());
}

// Distributes the tables; the first one sets the number of shards.
std::string spreading(std::uint32_t buckets) {
  const auto names = spread_tables();
  std::string sql;
  for (const std::string& name : names) {
    sql += name == names.front()
               ? fmt::format(
                     " select create_distributed_table('{}', 'b', shard_count := {},"
                     " colocate_with := 'none');",
                     name, buckets)
               : spread_along(name);
  }
  return sql + fmt::format(kMapBuckets, names.front());
}

void check_citus(Connection& connection) {
  if (connection.run(kHasCitus).empty()) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("The database {} has no Citus. Say `create extension citus` there and in "
                    "the same database of each worker, or leave out --citus.",
                    connection.shown()),
        "citus");
  }
  const std::string version = citus_version_of(connection);
  if (verdict_on_citus(version) == CitusVerdict::kTooOld) {
    throw Error(ErrorCode::kVersion,
                fmt::format("The database {}: {}", connection.shown(), remark_on_citus(version)));
  }
  if (connection.run(kWorkers).number(0, 0) == 0) {
    throw Error(ErrorCode::kConflict,
                fmt::format("Citus in the database {} has no workers. Say there `select "
                            "citus_set_coordinator_host(…)`, and `select citus_add_node(…)` for "
                            "each of them.",
                            connection.shown()));
  }
}

}  // namespace

bool init_citus(Connection& coordinator, const Identity& identity, std::uint32_t buckets) {
  if (find_identity(coordinator)) return false;
  check_citus(coordinator);
  std::string tables = home_schema() + users_schema() + std::string(kBucketMap);
  tables += kCitusTables;
  tables += in_bucket(node_schema() + applied_schema(), 0).sql + spreading(buckets);
  // One insert per row, which Citus runs without involving other servers.
  tables +=
      " do $$ declare bucket int4; begin for bucket in select b from bucket_map loop"
      " execute format('insert into node_floor (floor, b) values (0, %s)', bucket);"
      " end loop; end $$;";
  return init(coordinator, identity, tables);
}

namespace {

// Returns the tables of distributed rows that the database lacks.
std::vector<const StoredTable*> missing_tables(Connection& connection) {
  std::vector<const StoredTable*> missing;
  for (const StoredTable& table : stored_tables()) {
    if (table.side || table.is_at_home) continue;
    const auto is_missing = connection.run("select (to_regclass($1::text) is null)::int4",
                                           Params().text(table.text.name));
    if (is_missing.number(0, 0) != 0) missing.push_back(&table);
  }
  return missing;
}

// Creates all missing tables, or none.
void add_missing(Connection& connection, bool in_rows, bool is_citus) {
  std::string sql;
  for (const StoredTable* table : missing_tables(connection)) {
    sql += in_rows ? in_bucket(table->sql.create, 0).sql : table->sql.create;
    if (is_citus) sql += spread_along(table->text.name);
  }
  if (sql.empty()) return;
  connection.begin();
  try {
    connection.script(is_citus ? std::string(kCitusTables) + sql : sql);
    connection.commit();
  } catch (...) {
    connection.rollback();
    throw;
  }
}

void add_to_nodes(Connection& home) {
  const bool in_rows =
      home.run("select count(*) from bucket_map where b is not null").number(0, 0) != 0;
  const Result nodes = home.run(kNodesInOrder);
  for (int row = 0; row < nodes.rows(); ++row) {
    Connection node({nodes.text(row, 0)});
    add_missing(node, in_rows, false);
  }
}

}  // namespace

void add_tables(Connection& home) {
  const Identity identity = identity_of(home);
  if (identity.layout == kNodes) return add_to_nodes(home);
  const bool is_citus = identity.layout == kCitus;
  add_missing(home, is_citus, is_citus);
}

Placement layout_of(Connections& home, std::string_view name) {
  if (name == kNodes) return nodes_of(home);
  if (name == kCitus) return citus_of(home);
  return {};
}

void init_nodes(const std::string& home, const std::vector<std::string>& nodes,
                const Identity& identity, const Buckets& buckets) {
  Connection connection({home});
  init(connection, identity, home_schema() + users_schema() + std::string(kNodeTables));
  // Home has stored the identity; a repeated call after an interruption uses the same.
  const Identity made = identity_of(connection);
  const auto count = static_cast<std::uint32_t>(nodes.size());
  for (std::uint32_t number = 1; number <= count; ++number) {
    const std::string& url = nodes[number - 1];
    Connection node({url});
    init_node(node, made, number, count, buckets);
    check_is_of(node, made);
    connection.run(
        "insert into nodes (node, url) values ($1::int4, $2::text) on conflict do nothing",
        Params().int4(static_cast<std::int32_t>(number)).text(url));
  }
  connection.run(
      "insert into bucket_map (bucket, node, b) select i, i % $1::int4 + 1,"
      " case when $3::bool then i end from generate_series(0, $2::int4 - 1) i"
      " on conflict do nothing",
      Params()
          .int4(static_cast<std::int32_t>(count))
          .int4(static_cast<std::int32_t>(buckets.count))
          .boolean(buckets.in_rows));
}

}  // namespace chirp::postgres
