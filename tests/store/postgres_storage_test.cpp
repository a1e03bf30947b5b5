// Goal: a store on PostgreSQL is right beside other writers, after whoever ended at any step, after
// a line or a server that was cut, and for snapshots that grow old.
// Method: several stores on one database, whose writers are stopped at each step, whose sessions
// and server end at any moment, and whose clock is the test's.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "store/postgres/cluster/schema.h"
#include "store/postgres/storage.h"
#include "tests/support/postgres_server.h"
#include "tests/support/storage_contract.h"

namespace chirp::test::postgres_storage_test {
namespace {

using postgres::Connection;
using postgres::open_storage;
using postgres::PostgresStorage;
using postgres::Step;
using postgres::StorageOptions;

std::vector<Outcome> write(Storage& storage, const Change& change) {
  return storage.write({&change, 1}, kStart);
}

// Texts of all posts that are there.
std::vector<std::string> texts_in(const Storage& storage) {
  std::vector<std::string> texts;
  const auto snapshot = storage.snapshot();
  for (const Post& post : reads::rows_above<tables::Posts>(*snapshot, {kBelowAllPosts}, kAll)) {
    texts.push_back(post.text);
  }
  return texts;
}

// Ends every session of the database but that of whoever asks.
void cut_all(const std::string& url) {
  Connection connection({url});
  connection.run(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
      " and pid <> pg_backend_pid()");
}

// What can be read of a state, as text.
std::string everything(const Snapshot& snapshot) {
  std::string all =
      fmt::format("{} {}\n", snapshot.state().version, snapshot.state().log_end.value);
  for (const Post& post : reads::rows_above<tables::Posts>(snapshot, {kBelowAllPosts}, kAll)) {
    all += fmt::format("post {} {}\n", post.id.value, post.text);
  }
  for (const AuthorCard& card : reads::rows_above<tables::Cards>(snapshot, {kNobody}, kAll)) {
    all += fmt::format("card {} {}:", card.number.value, card.display_name);
    for (const Edge& edge : reads::following(snapshot, card.number, kNobody, kAll).edges) {
      all += fmt::format(" {}", edge.other.value);
    }
    const auto counters = snapshot.counters({&card.number, 1}).front();
    all += fmt::format(" {} {}\n", counters.followers, counters.posts);
  }
  for (const events::Event& event : reads::events(snapshot, Sequence{1}, kAll)) {
    all += fmt::format("event {} {}\n", event.sequence.value, events::name(event.topic));
  }
  return all;
}

// A steady clock that the test moves.
class StandingClock {
 public:
  [[nodiscard]] StorageOptions options() const {
    return {[at = at_] { return std::chrono::steady_clock::time_point(at->load()); }, {}};
  }
  void pass(std::chrono::seconds time) { at_->store(at_->load() + time); }

 private:
  std::shared_ptr<std::atomic<std::chrono::seconds>> at_ =
      std::make_shared<std::atomic<std::chrono::seconds>>(std::chrono::hours(1));
};

struct Stopped {};

}  // namespace

TEST_CASE("postgres: a writer who ends at any step has done all or nothing") {
  if (!has_postgres()) return;
  for (const Step last : {Step::kLocked, Step::kFetched, Step::kWritten, Step::kCommitted}) {
    CAPTURE(static_cast<int>(last));
    const PostgresDatabase database(kTestMachine);
    bool armed = false;
    StorageOptions options;
    options.at_step = [&](Step step) {
      if (armed && step == last) throw Stopped();
    };
    const auto one = open_storage(database.url(), options);
    const auto other = open_storage(database.url());
    sign_up(*one, 2);
    armed = true;
    CHECK_THROWS_AS(write(*one, Publish{UserNumber{1}, "half"}), Stopped);
    armed = false;
    const bool came_through = last == Step::kCommitted;
    CHECK(texts_in(*other).size() == (came_through ? 1 : 0));
    // Nobody waits for who is gone.
    CHECK(write(*other, Publish{UserNumber{1}, "other"}).front().result == Result::kDone);
    CHECK(write(*one, Publish{UserNumber{2}, "again"}).front().result == Result::kDone);
    CHECK(breaches(*other->snapshot()).empty());
    CHECK(texts_in(*one).size() == (came_through ? 3 : 2));
  }
}

TEST_CASE("postgres: a session that is cut at any step has done nothing, and says so") {
  if (!has_postgres()) return;
  for (const Step last : {Step::kLocked, Step::kFetched, Step::kWritten}) {
    CAPTURE(static_cast<int>(last));
    const PostgresDatabase database(kTestMachine);
    bool armed = false;
    StorageOptions options;
    options.at_step = [&](Step step) {
      if (armed && step == last) cut_all(database.url());
    };
    const auto storage = open_storage(database.url(), options);
    sign_up(*storage, 1);
    armed = true;
    try {
      write(*storage, Publish{UserNumber{1}, "cut"});
      FAIL("the session has ended");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kUnavailable);
    }
    armed = false;
    CHECK(texts_in(*storage).empty());
    CHECK(write(*storage, Publish{UserNumber{1}, "whole"}).front().result == Result::kDone);
  }
}

TEST_CASE("postgres: two writers at once wait for each other; waiting too long is an error") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  StorageOptions options;
  std::function<void()> meanwhile;
  options.at_step = [&](Step step) {
    if (step == Step::kLocked && meanwhile) std::exchange(meanwhile, {})();
  };
  const auto one = open_storage(database.url(), options);
  const auto other = open_storage(database.url());
  sign_up(*one, 1);
  meanwhile = [&] {
    try {
      // This write waits only briefly.
      rules::note_read(*other, UserNumber{1}, Time{kStart.ms + kDayMs});
      FAIL("the turn is another's");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kUnavailable);
    }
  };
  CHECK(write(*one, Publish{UserNumber{1}, "first"}).front().result == Result::kDone);
  CHECK(write(*other, Publish{UserNumber{1}, "second"}).front().result == Result::kDone);
}

TEST_CASE("postgres: snapshots stay what they were while all changes and is swept") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  StandingClock clock;
  const auto storage = open_storage(database.url(), clock.options());
  sign_up(*storage, 5);
  std::vector<PostId> posts;
  for (std::uint32_t user = 2; user <= 5; ++user) {
    write(*storage, Follow{UserNumber{1}, UserNumber{user}});
    posts.push_back(write(*storage, Publish{UserNumber{user}, "text"}).front().post);
    clock.pass(std::chrono::seconds(1));
  }
  const auto quiet = storage->snapshot();
  const auto old = storage->snapshot();
  const auto asked = storage->snapshot();
  const std::string before = everything(*quiet);
  CHECK(everything(*old) == before);
  CHECK(everything(*asked) == before);
  for (std::uint32_t user = 2; user <= 5; ++user) {
    write(*storage, Unfollow{UserNumber{1}, UserNumber{user}});
    write(*storage, RemovePost{posts[user - 2]});
    AuthorCard other = card(user);
    other.display_name = "Somebody else";
    write(*storage, PutCard{other});
    clock.pass(std::chrono::seconds(1));
  }
  CHECK(everything(*storage->snapshot()) != before);

  clock.pass(std::chrono::seconds(25));  // 29 in all
  storage->sweep();
  CHECK(everything(*old) == before);
  clock.pass(std::chrono::seconds(2));  // 31
  try {
    everything(*quiet);
    FAIL("it has grown too old");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kUnavailable);
  }
}

TEST_CASE("postgres: a long read keeps what it reads, and what nobody reads is swept") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  StandingClock clock;
  const auto storage = open_storage(database.url(), clock.options());
  sign_up(*storage, 2);
  const PostId post = write(*storage, Publish{UserNumber{1}, "text"}).front().post;
  auto reader = storage->snapshot();
  const std::string before = everything(*reader);
  clock.pass(std::chrono::seconds(1));
  write(*storage, RemovePost{post});
  for (int i = 0; i < 20; ++i) {
    clock.pass(std::chrono::seconds(15));
    write(*storage, Follow{UserNumber{1}, UserNumber{2}});
    write(*storage, Unfollow{UserNumber{1}, UserNumber{2}});
    storage->sweep();
    CHECK(everything(*reader) == before);
  }
  reader.reset();
  Connection connection({database.url()});
  connection.run("delete from pins");
  clock.pass(std::chrono::seconds(150));
  CHECK(storage->sweep() > 0);
  CHECK(connection.run("select count(*) from posts").number(0, 0) == 0);
  CHECK(connection.run("select count(*) from following").number(0, 0) <= 3);
  CHECK(connection.run("select count(*) from commits").number(0, 0) <= 3);
  CHECK(breaches(*storage->snapshot()).empty());
}

TEST_CASE("postgres: a database is made once, and refused if it is another version's") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  Connection connection({database.url()});
  const auto identity = postgres::identity_of(connection);
  CHECK(identity.machine == kTestMachine);
  CHECK_FALSE(postgres::init(connection, {postgres::kFormatVersion, "another", 9}));
  CHECK(postgres::identity_of(connection) == identity);
  connection.run("update meta set format = format + 1");
  CHECK_THROWS_AS(static_cast<void>(open_storage(database.url())), Error);
  connection.run("delete from meta");
  CHECK_THROWS_AS(static_cast<void>(open_storage(database.url())), Error);
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("postgres: readers beside several writers never see half of a commit") {
  if (!has_postgres()) return;
  constexpr std::uint32_t kUsers = 6;
  constexpr int kRounds = 40;
  const PostgresDatabase database(kTestMachine);
  const auto first = open_storage(database.url());
  sign_up(*first, kUsers);
  std::atomic<int> writing = 2;
  std::vector<std::string> wrong;
  const auto writer = [&](std::uint32_t who) {
    const auto storage = open_storage(database.url());
    for (int round = 0; round < kRounds; ++round) {
      const UserNumber user{1 + (who + static_cast<std::uint32_t>(round)) % kUsers};
      const UserNumber other{1 + (user.value + 1) % kUsers};
      const std::vector<Change> changes{Follow{user, other}, Publish{user, "text"},
                                        Publish{other, "other"}};
      const auto outcomes = storage->write(changes, kStart);
      if (round % 3 == 0) write(*storage, RemovePost{outcomes[1].post});
      if (round % 4 == 0) write(*storage, Unfollow{user, other});
    }
    --writing;
  };
  std::thread one(writer, 0);
  std::thread two(writer, 3);
  while (writing != 0 && wrong.empty()) {
    const auto snapshot = first->snapshot();
    wrong = breaches(*snapshot);
    // Two posts of each commit, one of which may have gone with one that follows.
    std::uint64_t others = 0;
    std::uint64_t created = 0;
    for (const events::Event& event : reads::events(*snapshot, Sequence{1}, kAll)) {
      if (event.topic == events::Topic::kPostCreated) ++created;
    }
    for (const Post& post : reads::rows_above<tables::Posts>(*snapshot, {kBelowAllPosts}, kAll)) {
      if (post.text == "other") ++others;
    }
    if (created != 2 * others) wrong.push_back("half of a commit");
  }
  one.join();
  two.join();
  CHECK(wrong == std::vector<std::string>{});
}

TEST_CASE("postgres: what was answered is there after sessions and the server were cut") {
  if (!has_postgres()) return;
  constexpr int kPosts = 60;
  PostgresServer server;
  {
    Connection administrator({server.url("postgres")});
    administrator.script("create database cut");
    Connection connection({server.url("cut")});
    postgres::init(connection, {postgres::kFormatVersion, "test", kTestMachine});
  }
  const std::string url = server.url("cut");
  sign_up(*open_storage(url), 1);
  std::atomic<int> tried = 0;
  std::vector<std::string> answered;
  std::thread writer([&] {
    std::unique_ptr<PostgresStorage> storage;
    while (tried < kPosts) {
      const std::string text = fmt::format("{}", tried++);
      try {
        if (!storage) storage = open_storage(url);
        write(*storage, Publish{UserNumber{1}, text});
        answered.push_back(text);
      } catch (const Error&) {
        // No caller has seen it.
      }
    }
  });
  for (int cut = 1; cut <= 4; ++cut) {
    while (tried < cut * kPosts / 5) std::this_thread::yield();
    if (cut % 2 == 0) {
      server.stop_at_once();
      server.start();
    } else {
      cut_all(url);
    }
  }
  writer.join();
  const auto storage = open_storage(url);
  const auto there = texts_in(*storage);
  for (const std::string& text : answered) {
    CHECK_MESSAGE(std::ranges::count(there, text) == 1, text);
  }
  CHECK(breaches(*storage->snapshot()).empty());
}

TEST_SUITE_END();

}  // namespace chirp::test::postgres_storage_test
