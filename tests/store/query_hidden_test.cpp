// Goal: `chirp query` tells nothing of who is suspended, and all of it again afterwards.
// Method: a random world; every row of every table before, while somebody is suspended, and after.
#include <map>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/query/table.h"
#include "tests/support/query_world.h"

namespace chirp::test {
namespace {

std::map<std::string, Lines> all_of(QueryWorld& world) {
  std::map<std::string, Lines> tables;
  for (const query::QueryTable& table : query::tables()) {
    const std::string name(table.name);
    tables[name] = world.sorted("SELECT * FROM " + name);
  }
  return tables;
}

}  // namespace

TEST_CASE("query: who is suspended is in no table, and is back in all of them") {
  QueryWorld world(7);
  for (const std::size_t at : {1U, 4U, 5U}) {
    CAPTURE(at);
    const User user = world.all[at];
    const auto before = all_of(world);
    (void)world.accounts.suspend(user);
    const std::string id = std::to_string(user.id.value);
    std::size_t hidden = 0;
    for (const auto& [name, lines] : all_of(world)) {
      for (const Line& line : lines) {
        CHECK_MESSAGE(std::find(line.begin(), line.end(), id) == line.end(), name);
      }
      if (name != "events") hidden += before.at(name).size() - lines.size();
    }
    CHECK(hidden > 3);
    CHECK(world.ask("SELECT 1 FROM users WHERE id = " + id).empty());
    CHECK(world.ask("SELECT 1 FROM posts WHERE author = " + id).empty());
    CHECK(world.ask("SELECT 1 FROM counters WHERE user = " + id).empty());
    // Reposts of what is hidden, and what hangs on it, are hidden too.
    CHECK(world
              .ask("SELECT 1 FROM posts r WHERE r.repost_of IS NOT NULL AND NOT EXISTS "
                   "(SELECT 1 FROM posts o WHERE o.id = r.repost_of)")
              .empty());
    CHECK(world
              .ask("SELECT 1 FROM comments WHERE NOT EXISTS "
                   "(SELECT 1 FROM posts WHERE id = comments.post)")
              .empty());
    (void)world.accounts.unsuspend(user);
    CHECK(all_of(world) == before);
  }
}

}  // namespace chirp::test
