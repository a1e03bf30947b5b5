// Goal: of several servers the one that takes changes is found, again when another one has taken
// over, and none is used that could lose or invent anything.
// Method: addresses; servers with copies, of which one is stopped, promoted, behind, or another
// database's.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "store/data_directory.h"
#include "store/postgres/cluster/servers.h"
#include "store/postgres/connection/connecting.h"
#include "store/postgres/storage.h"
#include "tests/support/postgres_copies.h"
#include "tests/support/storage_contract.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

using postgres::Connection;
using postgres::look_at_servers;
using postgres::Server;
using postgres::servers_in;

std::vector<std::string> texts_in(const Storage& storage) {
  std::vector<std::string> texts;
  const auto snapshot = storage.snapshot();
  for (const Post& post : reads::rows_above<tables::Posts>(*snapshot, {kBelowAllPosts}, kAll)) {
    texts.push_back(post.text);
  }
  std::ranges::sort(texts);
  return texts;
}

void publish(Storage& storage, const std::string& text) {
  const Change change = Publish{UserNumber{1}, text};
  storage.write({&change, 1}, kStart);
}

bool says(const std::optional<Error>& error, ErrorCode code, std::string_view what) {
  if (!error) return false;
  CAPTURE(error->what());
  CHECK(error->code() == code);
  CHECK(std::string_view(error->what()).find(what) != std::string_view::npos);
  return error->code() == code;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("postgres: an address names one server, or several with commas between them") {
  using Servers = std::vector<Server>;
  CHECK(servers_in("postgresql:///chirp") == Servers{{"", ""}});
  CHECK(servers_in("postgresql://mira@home/chirp") == Servers{{"home", ""}});
  CHECK(servers_in("postgresql://home:5433/chirp") == Servers{{"home", "5433"}});
  CHECK(servers_in("postgresql://home,copy1,copy2:5433/chirp") ==
        Servers{{"home", "5432"}, {"copy1", "5432"}, {"copy2", "5433"}});
  CHECK(servers_in("postgresql://[::1]:1,[::2]/chirp") == Servers{{"::1", "1"}, {"::2", "5432"}});
  CHECK(servers_in("postgresql://%2Frun%2Fa,%2Frun%2Fb/chirp") ==
        Servers{{"/run/a", "5432"}, {"/run/b", "5432"}});
  CHECK(servers_in("postgresql:///chirp?host=/run/a,/run/b&port=7") ==
        Servers{{"/run/a", "7"}, {"/run/b", "7"}});
  CHECK(servers_in("postgresql://one:5432,two:5433/chirp?target_session_attrs=primary").size() ==
        2);
  for (const char* const url :
       {"postgresql://home,/chirp", "postgresql://home,home/chirp",
        "postgresql://home:5432,home/chirp", "postgresql:///chirp?host=a&host=b",
        "postgresql://home,copy/chirp?host=a,b", "postgresql:///chirp?host=a,b&port=1,2,3",
        "postgresql://home,copy/chirp?hostaddr=10.0.0.1,10.0.0.2"}) {
    const auto error = thrown_by([&] { (void)servers_in(url); });
    CHECK_MESSAGE((error && error->code() == ErrorCode::kInvalidArgument), url);
  }
  // One of several is meant by its name, which the address of a machine would overrule.
  const postgres::Address worker{"postgresql://home/chirp?hostaddr=10.0.0.1", "", {"worker", ""}};
  const auto error = thrown_by([&] { const postgres::Connection connection(worker); });
  CHECK(says(error, ErrorCode::kInvalidArgument, "hostaddr"));
}

TEST_CASE("postgres copies: when home is gone, a copy that was promoted takes its place") {
  if (!has_postgres()) return;
  CopiedDatabase database({{}, {}});
  const auto storage = database.open();
  sign_up(*storage, 1);
  publish(*storage, "first");
  database.catch_up(0);
  database.catch_up(1);
  auto seen = look_at_servers({database.url()});
  REQUIRE(seen.size() == 3);
  CHECK(postgres::home_of(seen) == 0);
  CHECK_FALSE(seen[0].is_copy);
  for (const auto& server : seen) CHECK(server.newest == 2);
  CHECK((seen[1].is_copy && seen[2].is_copy));
  seen.clear();

  database.home().stop_at_once();
  CHECK(says(thrown_by([&] { publish(*storage, "nobody"); }), ErrorCode::kUnavailable, ""));
  CHECK(says(thrown_by([&] { publish(*storage, "nobody"); }), ErrorCode::kUnavailable,
             "it is a copy"));
  CHECK(says(thrown_by([&] { (void)database.open(); }), ErrorCode::kUnavailable, "promote"));
  database.copy(1).promote();
  publish(*storage, "second");
  CHECK(texts_in(*storage) == Texts{"first", "second"});
  CHECK(texts_in(*database.open()) == Texts{"first", "second"});
  CHECK(postgres::home_of(look_at_servers({database.url()})) == 2);

  // The old one comes back and knows nothing of it.
  database.home().start();
  CHECK(says(thrown_by([&] { (void)database.open(); }), ErrorCode::kUnavailable, "take changes"));
  const auto place = store::DataPlace::named(database.url());
  CHECK(says(thrown_by([&] { (void)store::DataDirectory::open(place); }), ErrorCode::kUnavailable,
             "take changes"));
  database.home().stop_at_once();
  const auto directory = store::DataDirectory::open(place);
  CHECK(directory->uuid() == "test");
  CHECK_FALSE(directory->is_in_the_clear());
}

TEST_CASE("postgres copies: readers notice a copy that takes changes beside home") {
  if (!has_postgres()) return;
  CopiedDatabase database;
  const auto storage = database.open();
  sign_up(*storage, 1);
  publish(*storage, "first");
  database.catch_up();
  CHECK(texts_in(*storage) == Texts{"first"});
  CHECK(asks_of(*storage).answered > 0);
  database.copy().promote();
  publish(*postgres::open_storage(database.copy_url()), "on the copy");
  // Which of them is right is not for this process to say.
  CHECK(
      says(thrown_by([&] { (void)texts_in(*storage); }), ErrorCode::kUnavailable, "take changes"));
  CHECK(
      says(thrown_by([&] { publish(*storage, "lost"); }), ErrorCode::kUnavailable, "take changes"));
  database.copy().stop_at_once();
  publish(*storage, "second");
  CHECK(texts_in(*storage) == Texts{"first", "second"});
}

TEST_CASE("postgres copies: a reader that has seen what was lost with home is refused") {
  if (!has_postgres()) return;
  CopiedDatabase database;
  const auto storage = database.open();
  sign_up(*storage, 1);
  publish(*storage, "kept");
  database.catch_up();
  database.copy().stop_at_once();
  publish(*storage, "lost");
  database.home().stop_at_once();
  database.copy().start();
  database.copy().promote();
  for (int again = 0; again < 2; ++again) {
    CHECK(says(thrown_by([&] { (void)texts_in(*storage); }), ErrorCode::kUnavailable, ""));
  }
  CHECK(says(thrown_by([&] { publish(*storage, "more"); }), ErrorCode::kUnavailable,
             "Start this process anew"));
  const auto anew = database.open();
  CHECK(texts_in(*anew) == Texts{"kept"});
  publish(*anew, "other");
  // A commit of the same number by somebody else is not the one that was seen.
  CHECK(says(thrown_by([&] { (void)texts_in(*storage); }), ErrorCode::kUnavailable,
             "Start this process anew"));
}

TEST_CASE("postgres copies: servers of another database are refused") {
  if (!has_postgres()) return;
  const CopiedDatabase database;
  const auto other = PostgresServer::streaming();
  Connection({other->url("postgres")}).script("create database copied");
  const std::string all = database.url() + "," + other->host();
  // Both take changes.
  CHECK(says(thrown_by([&] { (void)postgres::open_storage(all); }), ErrorCode::kUnavailable,
             "take changes"));
  {
    Connection connection({other->url(CopiedDatabase::kName)});
    postgres::init(connection, {postgres::kFormatVersion, "another", kTestMachine});
  }
  CHECK(says(thrown_by([&] { (void)postgres::open_storage(all); }), ErrorCode::kCorrupt,
             "two databases"));
  Connection({other->url(CopiedDatabase::kName)}).run("update meta set format = format + 1");
  CHECK(says(thrown_by([&] { (void)postgres::open_storage(all); }), ErrorCode::kVersion, "format"));
  const auto seen = look_at_servers({all});
  REQUIRE(seen.size() == 3);
  CHECK(seen[0].problem.empty());
  CHECK_FALSE(seen[2].is_reachable());
  CHECK_FALSE(seen[2].problem.empty());
}

}  // namespace chirp::test
