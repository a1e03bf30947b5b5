// Goal: a transaction that writes on a server of several begins with its write, so that Citus never
// goes on with what it knew before a shard moved, and a writer looks in its turn where buckets are.
// Method: the statements that go over the line to each server, while a world is written, its
// timelines grow, and what has died is swept; a server that gets another address.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/rules/writing.h"
#include "store/postgres/storage.h"
#include "tests/support/cut_line.h"
#include "tests/support/fake_clock.h"
#include "tests/support/postgres_nodes.h"
#include "tests/support/sent_statements.h"
#include "tests/support/storage_contract.h"

namespace chirp::test::postgres_worker_writes_test {
namespace {

using postgres::Connection;
using postgres::open_storage;
using postgres::Params;
using Rows = PostgresNodes::Rows;
using Transaction = SentStatements::Transaction;

constexpr std::uint32_t kPeople = 9;
constexpr std::uint32_t kPosts = 200;

// Servers of a store, each behind a line that tells what is sent to it.
class HeardNodes {
 public:
  explicit HeardNodes(Rows rows) : nodes_(rows) {
    Connection home({nodes_.url()});
    std::int32_t number = 0;
    for (const auto& node : nodes_.nodes()) {
      lines_.push_back(std::make_unique<CutLine>(node->url(), sent_.emplace_back().plan()));
      home.run("update nodes set url = $2::text where node = $1::int4",
               Params().int4(++number).text(lines_.back()->through(node->url())));
    }
  }
  [[nodiscard]] const std::string& url() const { return nodes_.url(); }
  // The transactions that write, over all servers.
  [[nodiscard]] std::vector<Transaction> writing() const {
    std::vector<Transaction> all;
    for (const SentStatements& sent : sent_) {
      for (auto& transaction : sent.transactions()) {
        if (std::ranges::any_of(transaction, writes_rows)) all.push_back(std::move(transaction));
      }
    }
    return all;
  }

 private:
  PostgresNodes nodes_;
  std::list<SentStatements> sent_;
  std::vector<std::unique_ptr<CutLine>> lines_;
};

void write(Storage& storage, const Change& change, Time now) { storage.write({&change, 1}, now); }

// Everything that makes rows on the servers, and takes them away.
void live_in(postgres::PostgresStorage& storage, std::chrono::steady_clock::time_point& now) {
  constexpr UserNumber kReader{1};
  FakeClock clock{kStart};
  sign_up(storage, kPeople);
  std::vector<Change> changes;
  for (std::uint32_t user = 2; user <= kPeople; ++user) {
    changes.emplace_back(Follow{kReader, UserNumber{user}});
  }
  for (std::uint32_t i = 0; i < kPosts; ++i) {
    changes.emplace_back(Publish{.author = UserNumber{2 + i % 4},
                                 .text = "#tag",
                                 .idempotency_key = fmt::format("key-{}", i)});
  }
  storage.write(changes, clock.now());
  events::drain(storage, clock);
  const auto built = feed::build_timeline(*storage.snapshot(), kReader, clock);
  REQUIRE(rules::store(storage, built.value(), Replace::kAlways, clock.now()));
  const PostId post = storage.snapshot()
                          ->author_entries(std::vector{UserNumber{2}},
                                           {kBelowAllPosts, kAboveAllPosts}, Direction::kDown, 1)[0]
                          .id;
  write(storage, React{kReader, post}, clock.now());
  write(storage, AddComment{kReader, post, "text"}, clock.now());
  // A head that grows beyond its bound is put anew in the transaction that finds it so.
  storage.write(std::vector<Change>(kPosts, Publish{UserNumber{3}, "text"}), clock.now());
  events::drain(storage, clock);
  write(storage, RemovePost{post}, clock.now());
  write(storage, Unfollow{kReader, UserNumber{2}}, clock.now());
  events::drain(storage, clock);
  for (int i = 0; i < 2; ++i) {
    now += 2 * postgres::kSweepAfter;
    write(storage, Publish{UserNumber{4}, "text"}, clock.now());
  }
  (void)storage.repair_indexes(clock.now());
}

bool has_statement(const std::vector<Transaction>& transactions, std::string_view words) {
  return std::ranges::any_of(transactions, [&](const Transaction& transaction) {
    return std::ranges::any_of(transaction, [&](const std::string& statement) {
      return statement.find(words) != std::string::npos;
    });
  });
}

}  // namespace

TEST_CASE("postgres: every transaction that writes on a worker begins with its write") {
  if (!has_postgres()) return;
  for (const Rows rows : {Rows::kPlain, Rows::kWithBuckets}) {
    HeardNodes nodes(rows);
    std::chrono::steady_clock::time_point now{};
    const auto storage = open_storage(nodes.url(), {.now = [&now] { return now; }});
    live_in(*storage, now);
    const auto writing = nodes.writing();
    for (const Transaction& transaction : writing) {
      CHECK_MESSAGE(writes_rows(transaction.front()), transaction.front());
    }
    // All kinds of them were seen.
    for (const std::string_view words :
         {"insert into applied", "update node_floor", "delete from applied", "insert into posts",
          "set head = x.run", "insert into timeline_parts", "delete from timeline_parts p",
          "insert into keys", "where died <= "}) {
      CHECK_MESSAGE(has_statement(writing, words), words);
    }
  }
}

TEST_CASE("postgres: a writer looks in its turn where buckets are") {
  if (!has_postgres()) return;
  const PostgresNodes nodes(Rows::kWithBuckets);
  const auto storage = open_storage(nodes.url());
  sign_up(*storage, kPeople);
  // The buckets of the first server are at another address from now on.
  const std::string& url = nodes.nodes()[0]->url();
  SentStatements sent;
  const CutLine line(url, sent.plan());
  Connection home({nodes.url()});
  home.run("update nodes set url = $1::text where node = 1", Params().text(line.through(url)));
  std::vector<Change> changes;
  for (std::uint32_t user = 1; user <= kPeople; ++user) {
    changes.emplace_back(Publish{UserNumber{user}, "text"});
  }
  storage->write(changes, kStart);
  CHECK(has_statement(sent.transactions(), "insert into applied"));
}

}  // namespace chirp::test::postgres_worker_writes_test
