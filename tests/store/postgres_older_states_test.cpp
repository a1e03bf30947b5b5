// Goal: a server of several that is put back to an older state is found out: nobody reads less than
// was committed, and nothing is written on top of it.
// Method: a copy of one database takes its place in the middle; what is right with a safeguard goes
// wrong, in the same scene, without it.
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/ports/reads.h"
#include "store/postgres/storage.h"
#include "tests/support/postgres_nodes.h"
#include "tests/support/storage_contract.h"
#include "tests/support/stores.h"
#include "tests/support/thrown.h"

namespace chirp::test::postgres_older_states_test {
namespace {

using postgres::Connection;
using postgres::open_storage;
using postgres::Safeguard;
using postgres::Step;
using postgres::StorageOptions;
using Rows = PostgresNodes::Rows;

constexpr std::uint32_t kAuthors = 9;

// A post of everybody: rows on all servers.
std::vector<Change> posts_of_all() {
  std::vector<Change> changes;
  for (std::uint32_t user = 1; user <= kAuthors; ++user) {
    changes.emplace_back(Publish{UserNumber{user}, "text"});
  }
  return changes;
}

std::size_t posts_seen(const Storage& storage) {
  return reads::rows_above<tables::Posts>(*storage.snapshot(), {kBelowAllPosts}, kAll).size();
}

// Whether these posts are read, and every index of them.
bool is_right(const Storage& storage, std::size_t posts) {
  return posts_seen(storage) == posts && breaches(*storage.snapshot()).empty();
}

std::string name_in(const std::string& url) {
  const std::size_t begin = url.find("@/") + 2;
  return url.substr(begin, url.find('?') - begin);
}

bool has_card(const Storage& storage, UserNumber user) {
  return reads::cards(*storage.snapshot(), {&user, 1}).front().has_value();
}

// A database that lets nobody in, as a server that is down.
class Away {
 public:
  explicit Away(const std::string& url) : name_(name_in(url)) {
    admin_.run(fmt::format("alter database {} allow_connections false", name_));
    admin_.run(
        fmt::format("select pg_terminate_backend(pid, 10000) from pg_stat_activity where"
                    " datname = '{}'",
                    name_));
  }
  [[nodiscard]] const std::string& name() const { return name_; }
  void come_back() { admin_.run(fmt::format("alter database {} allow_connections true", name_)); }

 private:
  std::string name_;
  Connection admin_{{shared_postgres_url("postgres")}};
};

// A database as it is now, to be put back later.
class OlderState {
 public:
  explicit OlderState(const std::string& url, const PostgresDatabase& database)
      : url_(url), kept_((cut(), database.copy())) {}

  // Those who are connected are cut off, as where a server is put back.
  void put_back() {
    cut();
    const std::string now = name_in(url_);
    const std::string kept = name_in(kept_->url());
    rename(now, now + "_gone");
    rename(kept, now);
    rename(now + "_gone", kept);
  }

 private:
  void cut() {
    admin_.run(
        fmt::format("select pg_terminate_backend(pid, 10000) from pg_stat_activity where"
                    " datname = '{}'",
                    name_in(url_)));
  }
  void rename(const std::string& from, const std::string& to) {
    admin_.run(fmt::format("alter database {} rename to {}", from, to));
  }

  Connection admin_{{shared_postgres_url("postgres")}};
  std::string url_;
  std::unique_ptr<PostgresDatabase> kept_;
};

// What comes of a worker that is put back while a commit is decided and not applied yet.
struct Outcome {
  bool is_refused = false;  // every read and write gets an error
  bool is_right = false;    // what is read otherwise
};
Outcome of_worker_put_back_amid_a_commit(Safeguard without) {
  const PostgresNodes nodes;
  std::unique_ptr<OlderState> older;
  bool armed = false;
  StorageOptions options;
  options.without = without;
  options.at_step = [&](Step step) {
    if (!armed || step != Step::kDecided) return;
    armed = false;
    older->put_back();
  };
  const auto writer = open_storage(nodes.url(), options);
  sign_up(*writer, kAuthors);
  older = std::make_unique<OlderState>(nodes.nodes()[0]->url(), *nodes.nodes()[0]);
  (void)writer->write(posts_of_all(), kStart);
  armed = true;
  try {
    (void)writer->write(posts_of_all(), kStart);
  } catch (const Error&) {
    // It is refused, or not known.
  }
  try {
    return {false, is_right(*open_storage(nodes.url()), std::size_t{2} * kAuthors)};
  } catch (const Error&) {
    return {true, false};
  }
}

struct Stopped {};

// Throws Stopped at this step of a commit while `armed`.
StorageOptions stopped_at(Step last, const bool& armed) {
  StorageOptions options;
  options.at_step = [&armed, last](Step step) {
    if (armed && step == last) throw Stopped();
  };
  return options;
}

// By user number 1, whose rows are on the second server.
void follow(Storage& storage, UserNumber whom) {
  const Change change{Follow{UserNumber{1}, whom}};
  (void)storage.write({&change, 1}, kStart);
}
std::vector<UserNumber> followed(const Storage& storage) {
  return storage.snapshot()->feed_sources(UserNumber{1}).following;
}

// What comes of the server of a reader's follows being put back.
Outcome of_follows_put_back(Safeguard without) {
  const PostgresNodes nodes;
  StorageOptions options;
  options.without = without;
  const auto storage = open_storage(nodes.url(), options);
  sign_up(*storage, kAuthors);
  OlderState older(nodes.nodes()[1]->url(), *nodes.nodes()[1]);
  (void)posts_seen(*storage);  // whose line was cut
  follow(*storage, UserNumber{2});
  CHECK(followed(*storage) == std::vector{UserNumber{2}});
  older.put_back();
  try {
    (void)followed(*storage);  // whose line was cut, perhaps
  } catch (const Error&) {
    // It is asked again.
  }
  try {
    return {false, followed(*storage) == std::vector{UserNumber{2}}};
  } catch (const Error&) {
    return {true, false};
  }
}

// What comes of writing after home was put back.
Outcome of_home_put_back(Safeguard without) {
  const PostgresNodes nodes;
  const auto before = open_storage(nodes.url());
  sign_up(*before, kAuthors);
  OlderState older(nodes.url(), nodes.home());
  (void)posts_seen(*before);  // whose line was cut
  (void)before->write(posts_of_all(), kStart);
  older.put_back();
  StorageOptions options;
  options.without = without;
  const auto after = open_storage(nodes.url(), options);
  Outcome outcome;
  try {
    (void)after->write(posts_of_all(), Time{kStart.ms + kMinuteMs});
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kUnavailable);
    outcome.is_refused = true;
    const auto is_ahead = [](const store::WorkerStatus& worker) {
      return worker.trouble.find("home was put back") != std::string::npos;
    };
    CHECK(std::ranges::all_of(after->workers(), is_ahead));
  }
  // Where it is refused, the rows that home knows nothing of lie there, and nobody sees them.
  outcome.is_right = outcome.is_refused ? posts_seen(*after) == 0 : is_right(*after, kAuthors);
  return outcome;
}

}  // namespace

TEST_CASE("postgres: a reader of a worker that was put back gets an error that names the worker") {
  if (!has_postgres()) return;
  for (const Rows rows : {Rows::kPlain, Rows::kWithBuckets}) {
    const PostgresNodes nodes(rows);
    const auto storage = open_storage(nodes.url());
    sign_up(*storage, kAuthors);
    OlderState older(nodes.nodes()[1]->url(), *nodes.nodes()[1]);
    (void)storage->write(posts_of_all(), kStart);
    const auto held = open_storage(nodes.url());
    CHECK(posts_seen(*held) == kAuthors);
    const auto are_whole = [](const store::WorkerStatus& worker) {
      return worker.lacking == 0 && worker.trouble.empty();
    };
    REQUIRE(storage->workers().size() == 3);
    CHECK(std::ranges::all_of(storage->workers(), are_whole));

    older.put_back();
    CHECK(code_of([&] { (void)posts_seen(*held); }) == ErrorCode::kUnavailable);
    CHECK(code_of([&] { (void)posts_seen(*open_storage(nodes.url())); }) ==
          ErrorCode::kUnavailable);
    CHECK_THROWS_AS((void)storage->write(posts_of_all(), kStart), Error);
    const auto workers = storage->workers();
    CHECK(workers[0].lacking == 0);
    CHECK(workers[1].lacking.value_or(0) > 0);
    CHECK(workers[2].lacking == 0);

    // And it is whole again once it has all.
    older.put_back();
    CHECK(posts_seen(*held) == kAuthors);
    (void)storage->write(posts_of_all(), kStart);
    CHECK(posts_seen(*held) == 2 * kAuthors);
  }
}

TEST_CASE("postgres: a server read before the number is known is read again if it lacks rows") {
  if (!has_postgres()) return;
  CHECK(of_follows_put_back(Safeguard::kNone).is_refused);
  const Outcome lost = of_follows_put_back(Safeguard::kReachedFirst);
  CHECK_FALSE(lost.is_refused);
  CHECK_FALSE(lost.is_right);
}

TEST_CASE("postgres: an early reader does not see what is written and not published") {
  if (!has_postgres()) return;
  const PostgresNodes nodes;
  bool armed = false;
  const auto storage = open_storage(nodes.url(), stopped_at(Step::kApplied, armed));
  sign_up(*storage, kAuthors);
  follow(*storage, UserNumber{2});
  armed = true;
  CHECK_THROWS_AS(follow(*storage, UserNumber{3}), Stopped);
  armed = false;
  // As from another process, which knows nothing of it.
  const auto another = open_storage(nodes.url());
  CHECK(followed(*another) == std::vector{UserNumber{2}});
  follow(*another, UserNumber{4});  // which publishes the one before
  CHECK(followed(*storage) == std::vector{UserNumber{2}, UserNumber{3}, UserNumber{4}});
}

TEST_CASE("postgres: a mark includes whatever was decided before it") {
  if (!has_postgres()) return;
  const PostgresNodes nodes;
  bool armed = false;
  const auto storage = open_storage(nodes.url(), stopped_at(Step::kDecided, armed));
  sign_up(*storage, kAuthors);
  armed = true;
  CHECK_THROWS_AS(follow(*storage, UserNumber{2}), Stopped);
  // This server keeps too little of its log for a mark, and says so when all else is done.
  CHECK_THROWS_AS((void)open_storage(nodes.url())->mark("monday"), Error);
  CHECK(followed(*open_storage(nodes.url())) == std::vector{UserNumber{2}});
}

TEST_CASE("postgres: a commit is not applied on top of what a worker lacks") {
  if (!has_postgres()) return;
  CHECK(of_worker_put_back_amid_a_commit(Safeguard::kNone).is_refused);
  const Outcome hidden = of_worker_put_back_amid_a_commit(Safeguard::kNothingLacks);
  CHECK_FALSE(hidden.is_refused);
  CHECK_FALSE(hidden.is_right);
}

TEST_CASE("postgres: nothing is written by a home that was put back, and what it has is read") {
  if (!has_postgres()) return;
  const Outcome right = of_home_put_back(Safeguard::kNone);
  CHECK(right.is_refused);
  CHECK(right.is_right);
  const Outcome lost = of_home_put_back(Safeguard::kNewestHome);
  CHECK_FALSE(lost.is_refused);
  CHECK_FALSE(lost.is_right);
}

TEST_CASE("postgres: the status says why a worker is away, and the others are read") {
  if (!has_postgres()) return;
  const PostgresNodes nodes;
  const auto storage = open_storage(nodes.url());
  sign_up(*storage, kAuthors);
  Away away(nodes.nodes()[2]->url());
  (void)storage->workers();  // whose line was cut
  // Whoever comes meanwhile opens it all the same.
  const auto opened = open_storage(nodes.url());
  for (auto* const one : {&*storage, &*opened}) {
    const auto workers = one->workers();
    REQUIRE(workers.size() == 3);
    CHECK(workers[1].lacking == 0);
    CHECK(workers[1].buckets + workers[0].buckets + workers[2].buckets == 64);
    CHECK_FALSE(workers[2].lacking);
    CHECK(workers[2].trouble.find(away.name()) != std::string::npos);
    // Users are spread in turn: number 1 is on the second server, number 2 on the third.
    CHECK(has_card(*one, UserNumber{1}));
    CHECK(code_of([&] { (void)has_card(*one, UserNumber{2}); }) == ErrorCode::kUnavailable);
    CHECK(code_of([&] { (void)one->write(posts_of_all(), kStart); }) == ErrorCode::kUnavailable);
  }
  away.come_back();
  CHECK(has_card(*opened, UserNumber{2}));
  (void)opened->write(posts_of_all(), kStart);
  CHECK(is_right(*storage, kAuthors));
}

TEST_CASE("postgres: a worker of another store is refused") {
  if (!has_postgres()) return;
  const PostgresNodes nodes;
  const auto storage = open_storage(nodes.url());
  sign_up(*storage, kAuthors);
  Connection({nodes.nodes()[2]->url()}).run("update meta set uuid = 'another'");
  const auto opened = open_storage(nodes.url());
  CHECK(has_card(*opened, UserNumber{1}));
  CHECK(code_of([&] { (void)has_card(*opened, UserNumber{2}); }) == ErrorCode::kVersion);
  CHECK(opened->workers()[2].trouble.find("another store") != std::string::npos);
}

}  // namespace chirp::test::postgres_older_states_test
