// Goal: a store over several servers is one store: all of a commit is seen or nothing, whoever ends
// at which step, and each safeguard of its protocol is needed.
// Method: stores on home and three databases, whose writers end at each step or go on late; what is
// right with a safeguard goes wrong, in the same scene, without it.
#include "tests/support/postgres_nodes.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "store/postgres/commit/rows_as_values.h"
#include "store/postgres/rows/placing.h"
#include "store/postgres/rows/sql.h"
#include "store/postgres/rows/writes.h"
#include "store/postgres/storage.h"
#include "tests/support/storage_contract.h"

namespace chirp::test::postgres_nodes_test {
namespace {

using postgres::Array;
using postgres::Connection;
using postgres::open_storage;
using postgres::Params;
using postgres::PostgresStorage;
using postgres::Safeguard;
using postgres::Step;
using postgres::StorageOptions;
using postgres::Type;
using postgres::Write;

struct Stopped {};

PostId publish(Storage& storage, std::uint32_t author, const std::string& text) {
  const Change change{Publish{UserNumber{author}, text}};
  const auto outcome = storage.write({&change, 1}, kStart).front();
  CHECK(outcome.result == Result::kDone);
  return outcome.post;
}

std::size_t posts_in(const Storage& storage) {
  return reads::rows_above<tables::Posts>(*storage.snapshot(), {kBelowAllPosts}, kAll).size();
}

// A batch whose rows lie on all nodes: follows of everybody by one, and a post of each.
std::vector<Change> on_all_nodes(std::uint32_t users) {
  std::vector<Change> changes;
  for (std::uint32_t user = 2; user <= users; ++user) {
    changes.emplace_back(Follow{UserNumber{1}, UserNumber{user}});
    changes.emplace_back(Publish{UserNumber{user}, "text"});
  }
  return changes;
}

constexpr std::uint32_t kUsers = 9;
constexpr std::size_t kPosts = kUsers - 1;

// Makes a process look like one that has ended: its sessions are cut, and it does nothing more.
void cut_home(const PostgresNodes& nodes) {
  Connection({nodes.url()})
      .run(
          "select pg_terminate_backend(pid) from pg_stat_activity"
          " where datname = current_database() and pid <> pg_backend_pid()");
}

// The steady clock of a test.
struct Clock {
  std::shared_ptr<std::atomic<std::chrono::seconds>> at =
      std::make_shared<std::atomic<std::chrono::seconds>>(std::chrono::hours(1));
  [[nodiscard]] StorageOptions options() const {
    StorageOptions options;
    options.now = [at = at] { return std::chrono::steady_clock::time_point(at->load()); };
    return options;
  }
  void pass(std::chrono::seconds time) { at->store(at->load() + time); }
};

}  // namespace

TEST_CASE("postgres: buckets take users in turns, ids by their time and hashes by all of them") {
  using postgres::bucket_of;
  CHECK(bucket_of(UserNumber{65}, 64) == 1);
  std::vector<int> ids(64);
  std::vector<int> sources(64);
  for (std::uint64_t i = 0; i < 6400; ++i) {
    ++ids[bucket_of(PostId{snowflake::make(i * 7, 1, 0)}, 64)];
    ++sources[bucket_of(SourceId{i}, 64)];
  }
  for (const auto& spread : {ids, sources}) {
    CHECK(*std::ranges::min_element(spread) > 50);
    CHECK(*std::ranges::max_element(spread) < 200);
  }
}

TEST_CASE("postgres: a statement says its bucket where rows do, and nothing of it elsewhere") {
  constexpr std::string_view kSql =
      "insert into t (/*b, */id) select /*bucket, */x from y t where x > $1 /*and t.b = bucket*/";
  CHECK(postgres::in_bucket(kSql, 1).sql ==
        "insert into t (b, id) select $2::int4, x from y t where x > $1 and t.b = $2::int4");
  const auto plain = postgres::in_bucket("select 1 /*and b*/", 0);
  CHECK(plain.sql == "select 1 and b");
  CHECK_FALSE(plain.names_bucket);
}

TEST_CASE("postgres: rows in arrays are rows of values, in statements of few texts") {
  Array ids(Type::kInt8);
  Array texts(Type::kText);
  for (std::int64_t id = 1; id <= 3; ++id) {
    ids.number(id);
    id == 2 ? texts.null() : texts.raw("text");
  }
  const Write end{"update t set died = $1::int8", Params().int8(9)};
  const Write insert{
      "insert into t (/*b, */id, text, born) select /*bucket, */x.k0, x.k1, $1::int8 from"
      " unnest($2::int8[], $3::text[]) x(k0, k1) on conflict do nothing",
      Params().int8(9).add(ids).add(texts)};
  const auto writes = postgres::rows_as_values({end, insert});
  REQUIRE(writes.size() == 3);
  CHECK(writes[0].sql == end.sql);
  CHECK(writes[1].sql ==
        "insert into t (/*b, */id, text, born) values (/*bucket, */$2::int8, $3::text, $1::int8),"
        " (/*bucket, */$4::int8, $5::text, $1::int8) on conflict do nothing");
  const auto two = Params().int8(9).int8(1).text("text").int8(2).null();
  CHECK(writes[1].params.values() == two.values());
  CHECK(writes[2].sql ==
        "insert into t (/*b, */id, text, born) values (/*bucket, */$2::int8, $3::text, $1::int8)"
        " on conflict do nothing");
  CHECK(writes[2].params.values() == Params().int8(9).int8(3).text("text").values());
}

TEST_CASE("postgres: a row of values may have a part of an array") {
  Array all(Type::kInt4);
  for (std::int32_t i = 11; i <= 15; ++i) all.number(i);
  Array users(Type::kInt4);
  Array from(Type::kInt4);
  Array to(Type::kInt4);
  const auto add = [&](std::int32_t user, std::int32_t first, std::int32_t last) {
    users.number(user);
    from.number(first);
    to.number(last);
  };
  add(1, 1, 2);
  add(2, 3, 5);
  const Write insert{
      "insert into e (/*b, */usr, others) select /*bucket, */x.u, ($1::int4[])[x.f:x.t]"
      " from unnest($2::int4[], $3::int4[], $4::int4[]) x(u, f, t)",
      Params().add(all).add(users).add(from).add(to)};
  const auto writes = postgres::rows_as_values({insert});
  REQUIRE(writes.size() == 1);
  CHECK(writes[0].sql ==
        "insert into e (/*b, */usr, others) values (/*bucket, */$1::int4, $2::int4[]),"
        " (/*bucket, */$3::int4, $4::int4[])");
  CHECK(postgres::numbers_in(writes[0].params.values()[1].value()) ==
        std::vector<std::int64_t>{11, 12});
  CHECK(postgres::numbers_in(writes[0].params.values()[3].value()) ==
        std::vector<std::int64_t>{13, 14, 15});
}

TEST_CASE("postgres: a journal is what was to be written, but for what is of home") {
  postgres::Writes writes;
  writes.add(postgres::kHome, "at home", {});
  writes.add(2, "deliver", postgres::Params().int8(-1).null().text("é"), true);
  writes.add(1, "put", postgres::Params().bytes(std::string("\0x", 2)));
  const auto read = postgres::Writes::from_journal(writes.journal());
  REQUIRE(read.of_groups().size() == 2);
  const auto& put = read.of_groups().at(1).front();
  CHECK(put.sql == "put");
  CHECK_FALSE(put.delivers);
  CHECK(put.params.values() == writes.of_groups().at(1).front().params.values());
  const auto& deliver = read.of_groups().at(2).front();
  CHECK(deliver.delivers);
  CHECK(deliver.params.values() == writes.of_groups().at(2).front().params.values());
  CHECK_THROWS_AS((void)postgres::Writes::from_journal("\x01"), Error);
}

TEST_CASE("postgres: a writer over several servers who ends at any step has done all or nothing") {
  if (!has_postgres()) return;
  for (const auto rows : {PostgresNodes::Rows::kPlain, PostgresNodes::Rows::kWithBuckets}) {
    for (const Step last : {Step::kLocked, Step::kFetched, Step::kWritten, Step::kDecided,
                            Step::kApplied, Step::kPublished, Step::kCommitted}) {
      CAPTURE(static_cast<int>(last));
      const PostgresNodes nodes(rows);
      bool armed = false;
      StorageOptions options;
      options.at_step = [&](Step step) {
        if (armed && step == last) throw Stopped();
      };
      const auto one = open_storage(nodes.url(), options);
      const auto other = open_storage(nodes.url());
      sign_up(*one, kUsers);
      armed = true;
      CHECK_THROWS_AS(one->write(on_all_nodes(kUsers), kStart), Stopped);
      armed = false;
      const std::size_t seen = posts_in(*other);
      CHECK((seen == 0 || seen == kPosts));
      CHECK((seen == kPosts) == (last >= Step::kPublished));
      CHECK(first_breach(*other) == "");
      // Whoever writes next finishes what was decided.
      publish(*other, 1, "other");
      CHECK(posts_in(*one) == (last >= Step::kDecided ? kPosts : 0) + 1);
      publish(*one, 2, "again");
      CHECK(first_breach(*one) == "");
      CHECK(one->snapshot()->problems().empty());
    }
  }
}

TEST_CASE("postgres: a line that is cut while several servers are written to is found out about") {
  if (!has_postgres()) return;
  for (const Step last : {Step::kLocked, Step::kWritten, Step::kDecided, Step::kApplied}) {
    CAPTURE(static_cast<int>(last));
    const PostgresNodes nodes;
    bool armed = false;
    StorageOptions options;
    options.at_step = [&](Step step) {
      if (armed && step == last) {
        armed = false;
        cut_home(nodes);
      }
    };
    const auto one = open_storage(nodes.url(), options);
    sign_up(*one, kUsers);
    armed = true;
    if (last >= Step::kDecided) {
      CHECK(one->write(on_all_nodes(kUsers), kStart).front().result == Result::kDone);
      CHECK(posts_in(*one) == kPosts);
    } else {
      CHECK_THROWS_AS(one->write(on_all_nodes(kUsers), kStart), Error);
      CHECK(posts_in(*one) == 0);
    }
    CHECK(first_breach(*one) == "");
    publish(*one, 1, "next");
  }
}

// ---------------------------------------------------------------- each safeguard left out

namespace {

// Whether all is right where a writer ends at a step and another goes on.
bool is_finished(Safeguard without, Step last) {
  const PostgresNodes nodes;
  bool armed = false;
  StorageOptions options;
  options.at_step = [&](Step step) {
    if (armed && step == last) throw Stopped();
  };
  const auto one = open_storage(nodes.url(), options);
  StorageOptions left_out;
  left_out.without = without;
  const auto other = open_storage(nodes.url(), left_out);
  sign_up(*one, kUsers);
  armed = true;
  CHECK_THROWS_AS(one->write(on_all_nodes(kUsers), kStart), Stopped);
  try {
    const Change change{Publish{UserNumber{1}, "next"}};
    (void)other->write({&change, 1}, kStart);
  } catch (const Error&) {
    return false;
  }
  return posts_in(*other) == kPosts + 1 && first_breach(*other).empty();
}

// Whether who reads as soon as a number is published reads all of it.
bool is_applied_before(Safeguard without) {
  const PostgresNodes nodes;
  const auto reader = open_storage(nodes.url());
  bool armed = false;
  bool right = true;
  StorageOptions options;
  options.without = without;
  options.at_step = [&](Step step) {
    if (!armed || step != Step::kPublished) return;
    try {
      right = posts_in(*reader) == kPosts && first_breach(*reader).empty();
    } catch (const Error&) {
      right = false;
    }
  };
  const auto writer = open_storage(nodes.url(), options);
  sign_up(*writer, kUsers);
  armed = true;
  (void)writer->write(on_all_nodes(kUsers), kStart);
  return right;
}

// Whether a writer who decides, is overtaken and swept after, and then goes on, changes nothing.
bool does_nothing_late(Safeguard without) {
  const PostgresNodes nodes;
  Clock clock;
  const auto other = open_storage(nodes.url(), clock.options());
  bool armed = false;
  StorageOptions options;
  options.without = without;
  options.at_step = [&](Step step) {
    if (!armed || step != Step::kDecided) return;
    armed = false;
    cut_home(nodes);
    // Its own lines were cut as well.
    (void)posts_in(*other);
    // The next writer finishes it, all of it goes again, and is swept.
    publish(*other, 1, "next");
    std::vector<Change> removals;
    for (const Post& post :
         reads::rows_above<tables::Posts>(*other->snapshot(), {kBelowAllPosts}, kAll)) {
      removals.emplace_back(RemovePost{post.id});
    }
    (void)other->write(removals, kStart);
    clock.pass(std::chrono::seconds(200));
    publish(*other, 1, "after");
    clock.pass(std::chrono::seconds(200));
    publish(*other, 1, "after that");
    (void)other->sweep();
  };
  // The posts of this moment lie on the first server. It is its first commit, so nothing older is
  // missing there.
  const auto late = open_storage(nodes.url(), options);
  sign_up(*late, 1);
  armed = true;
  try {
    (void)late->write(std::vector<Change>(kPosts, Publish{UserNumber{1}, "text"}),
                      Time{kStart.ms + 1});
  } catch (const Error&) {
    // It may say that it does not know what came of it.
  }
  return posts_in(*other) == 2 && first_breach(*other).empty() &&
         other->snapshot()->problems().empty();
}

}  // namespace

TEST_CASE("postgres: each safeguard of a commit over several servers is needed") {
  if (!has_postgres()) return;
  CHECK(is_finished(Safeguard::kNone, Step::kDecided));
  CHECK_FALSE(is_finished(Safeguard::kFinishing, Step::kDecided));
  CHECK(is_finished(Safeguard::kNone, Step::kApplied));
  CHECK_FALSE(is_finished(Safeguard::kAppliedOnce, Step::kApplied));
  CHECK(is_applied_before(Safeguard::kNone));
  CHECK_FALSE(is_applied_before(Safeguard::kApplyBefore));
  CHECK(does_nothing_late(Safeguard::kNone));
  CHECK_FALSE(does_nothing_late(Safeguard::kNotTooLate));
}

}  // namespace chirp::test::postgres_nodes_test
