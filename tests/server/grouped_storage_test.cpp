// Goal: writers of many threads share transactions, and each learns what became of its own changes
// only, whatever happens to the others or to the storage.
// Method: threads write through a group over the stores, some of them behind a gate that holds the
// first transaction until the others wait, before its turn or in it, some that fail in the ways
// storage fails.

#include "server/engine/grouped_storage.h"

#include <atomic>
#include <functional>
#include <future>
#include <latch>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "server/limits.h"
#include "tests/support/eventually.h"
#include "tests/support/fake_clock.h"
#include "tests/support/scarce_memory.h"
#include "tests/support/stores.h"

using namespace chirp;

namespace {

constexpr Time kNow{snowflake::kEpochMs + 100 * kDayMs};

Change card(std::uint32_t number) {
  AuthorCard card;
  card.number = UserNumber{number};
  card.id = UserId{number};
  card.username = "u" + std::to_string(number);
  card.display_name = card.username;
  return PutCard{card};
}

Change post(std::uint32_t author, const std::string& text = "text") {
  return Publish{UserNumber{author}, text};
}

// How many events there are in all: each change of these tests that is done appends one.
std::uint64_t events_of(const Rows& rows) { return rows.state().log_end.value; }

bool has_posts_by(const Rows& rows, std::uint32_t author) {
  using Key = tables::AuthorLogs::Key;
  const UserNumber user{author};
  return !rows.range(Key{user, kBelowAllPosts}, Key{user, kAboveAllPosts}, Direction::kUp, 1)
              .empty();
}

// Holds the first transaction, before its turn has come or in it, and remembers what all were.
class Gate final : public ForwardingStorage {
 public:
  struct Transaction {
    std::uint64_t done = 0;  // changes
    Time now;
  };
  enum class Where : std::uint8_t { kBeforeTurn, kInTurn };
  using Fault = std::function<void(const Rows&)>;

  Gate(Storage& inner, Where where, Fault fault)
      : ForwardingStorage(inner), where_(where), fault_(std::move(fault)) {}

  bool decide(Time now, Purpose purpose, const Decision& decision) override {
    const bool first = !entered_.exchange(true);
    if (first && where_ == Where::kBeforeTurn) opened_.get_future().wait();
    return inner_.decide(now, purpose, [&](Rows& rows) {
      const std::uint64_t before = events_of(rows);
      const bool changed = decision(rows);
      {
        const std::lock_guard guard(mutex_);
        transactions_.push_back({events_of(rows) - before, now});
      }
      if (first && where_ == Where::kInTurn) {
        closed_ = true;
        opened_.get_future().wait();
      }
      if (fault_) fault_(rows);
      return changed;
    });
  }

  // The first one has come, and is held.
  [[nodiscard]] bool holds() const { return where_ == Where::kInTurn ? closed_ : entered_; }
  void open() { opened_.set_value(); }
  [[nodiscard]] std::vector<Transaction> transactions() const {
    const std::lock_guard guard(mutex_);
    return transactions_;
  }

 private:
  const Where where_;
  const Fault fault_;
  std::atomic<bool> entered_{false};
  std::atomic<bool> closed_{false};  // nobody joins the first one any more
  std::promise<void> opened_;
  mutable std::mutex mutex_;
  std::vector<Transaction> transactions_;
};

// The thread that has committed has no more memory from there on.
class ScarceBehindCommit final : public ForwardingStorage {
 public:
  using ForwardingStorage::ForwardingStorage;
  bool decide(Time now, Purpose purpose, const Decision& decision) override {
    const bool changed = inner_.decide(now, purpose, decision);
    test::make_memory_scarce(true);
    return changed;
  }
};

// Callers on threads of their own; the first is held at the gate until all others wait behind it.
struct Crowd {
  explicit Crowd(Gate::Fault fault = {}, Gate::Where where = Gate::Where::kInTurn)
      : gate(kept->storage(), where, std::move(fault)),
        group(group_writes(gate, clock, metrics, [this] { ++committed; })) {
    std::vector<Change> cards;
    for (std::uint32_t number = 1; number <= 9; ++number) cards.push_back(card(number));
    (void)kept->storage().write(cards, kNow);
  }

  std::future<std::vector<Outcome>> come(std::vector<Change> changes, Time now = kNow) {
    const std::size_t before = group->waiting();
    const bool first = !gate.holds();
    auto answer = std::async(std::launch::async, [this, changes = std::move(changes), now] {
      return group->write(changes, now);
    });
    REQUIRE(
        test::eventually([&] { return first ? gate.holds() : group->waiting() == before + 1; }));
    return answer;
  }

  std::unique_ptr<test::TestStore> kept = test::store_kinds().front().make();
  Gate gate;
  test::StillClock clock;
  Metrics metrics;
  std::atomic<int> committed{0};
  std::unique_ptr<GroupedStorage> group;
};

std::optional<ErrorCode> code_of(std::future<std::vector<Outcome>>& answer) {
  try {
    (void)answer.get();
    return std::nullopt;
  } catch (const Error& error) {
    return error.code();
  }
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("group commit: every writer's thread learns of its own posts, in its order") {
  constexpr std::uint32_t kWriters = 12;
  constexpr std::size_t kPosts = 40;
  for (const test::StoreKind& kind : test::store_kinds()) {
    CAPTURE(kind.name);
    const auto kept = kind.make();
    const test::StillClock clock;
    Metrics metrics;
    std::vector<std::vector<PostId>> posted(kWriters);
    {
      const auto group = group_writes(kept->storage(), clock, metrics, [] {});
      std::latch all(kWriters);
      std::vector<std::thread> writers;
      for (std::uint32_t writer = 0; writer < kWriters; ++writer) {
        writers.emplace_back([&, writer] {
          (void)group->write(std::vector{card(writer + 1)}, kNow);
          all.arrive_and_wait();
          while (posted[writer].size() < kPosts) {
            const auto outcomes = group->write(std::vector{post(writer + 1)}, kNow);
            if (outcomes.size() != 1 || outcomes[0].author != UserNumber{writer + 1}) return;
            posted[writer].push_back(outcomes[0].post);
          }
        });
      }
      for (std::thread& writer : writers) writer.join();
    }
    const auto snapshot = kept->storage().snapshot();
    for (std::uint32_t writer = 0; writer < kWriters; ++writer) {
      REQUIRE(posted[writer].size() == kPosts);
      CHECK(std::is_sorted(posted[writer].begin(), posted[writer].end()));
      const auto author = UserNumber{writer + 1};
      const auto log = snapshot->author_entries({&author, 1}, {}, Direction::kUp, 1000);
      std::vector<PostId> stored;
      for (const Entry& entry : log) stored.push_back(entry.id);
      CHECK(stored == posted[writer]);
    }
    CHECK(snapshot->state().log_end.value == 1 + kWriters * (kPosts + 1));
  }
}

TEST_CASE("group commit: writers that wait share one transaction, of the latest time") {
  Crowd crowd;
  std::vector<std::future<std::vector<Outcome>>> answers;
  answers.push_back(crowd.come({post(1)}));
  for (std::uint32_t i = 2; i <= 9; ++i) {
    answers.push_back(crowd.come({post(i), post(i)}, Time{kNow.ms + (i == 5 ? 100 : 0)}));
  }
  crowd.gate.open();
  std::set<std::uint64_t> ids;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    for (const Outcome& outcome : answers[i].get()) {
      CHECK(outcome.author == UserNumber{static_cast<std::uint32_t>(i + 1)});
      CHECK(ids.insert(outcome.post.value).second);
    }
  }
  CHECK(ids.size() == 17);
  const auto transactions = crowd.gate.transactions();
  REQUIRE(transactions.size() == 2);
  CHECK(transactions[0].done == 1);
  CHECK(transactions[1].done == 16);
  CHECK(transactions[1].now == Time{kNow.ms + 100});
  crowd.group.reset();
  CHECK(crowd.committed == 2);
  const std::string text = crowd.metrics.text();
  CHECK(text.find("chirp_syncs_total 2\n") != std::string::npos);
  CHECK(text.find("chirp_write_batch_changes_sum 17\n") != std::string::npos);
}

TEST_CASE("group commit: a writer that comes while the turn is awaited joins the transaction") {
  Crowd crowd({}, Gate::Where::kBeforeTurn);
  std::vector<std::future<std::vector<Outcome>>> answers;
  for (std::uint32_t i = 1; i <= 9; ++i) answers.push_back(crowd.come({post(i)}));
  crowd.gate.open();
  for (std::uint32_t i = 1; i <= 9; ++i) {
    CHECK(answers[i - 1].get().front().author == UserNumber{i});
  }
  const auto transactions = crowd.gate.transactions();
  REQUIRE(transactions.size() == 1);
  CHECK(transactions[0].done == 9);
}

TEST_CASE("group commit: a transaction of many writers is bounded, one of a single one is not") {
  Crowd crowd;
  const std::vector<Change> many(limits::kBatchChangesMax * 2 / 3, post(2));
  const std::vector<Change> more(limits::kBatchChangesMax * 2, post(3));
  std::vector<std::future<std::vector<Outcome>>> answers;
  answers.push_back(crowd.come({post(1)}));
  for (const auto& changes : {many, many, more}) answers.push_back(crowd.come(changes));
  answers.push_back(crowd.come({post(1)}));
  crowd.gate.open();
  for (auto& answer : answers) CHECK_FALSE(answer.get().empty());
  std::vector<std::uint64_t> sizes;
  for (const auto& transaction : crowd.gate.transactions()) sizes.push_back(transaction.done);
  CHECK(sizes == std::vector<std::uint64_t>{1, many.size(), many.size(), more.size(), 1});
}

TEST_CASE("group commit: one writer's refused change is an outcome, and fails nobody") {
  Crowd crowd;
  auto first = crowd.come({post(1)});
  auto nobody = crowd.come({post(77)});
  auto somebody = crowd.come({post(2)});
  crowd.gate.open();
  (void)first.get();
  CHECK(nobody.get().front().result == Result::kMissing);
  CHECK(somebody.get().front().result == Result::kDone);
}

TEST_CASE("group commit: one writer's damage fails that writer alone") {
  Crowd crowd([](const Rows& rows) {
    if (has_posts_by(rows, 3)) throw Error(ErrorCode::kCorrupt, "a record fails its check");
  });
  auto first = crowd.come({post(1)});
  auto second = crowd.come({post(2)});
  auto damaged = crowd.come({post(3)});
  auto fourth = crowd.come({post(4)});
  crowd.gate.open();
  CHECK(first.get().front().result == Result::kDone);
  CHECK(second.get().front().result == Result::kDone);
  CHECK(code_of(damaged) == ErrorCode::kCorrupt);
  CHECK(fourth.get().front().result == Result::kDone);
  CHECK(crowd.group->can_write());
  const auto author = UserNumber{2};
  CHECK(crowd.kept->storage()
            .snapshot()
            ->author_entries({&author, 1}, {}, Direction::kUp, 10)
            .size() == 1);
}

TEST_CASE("group commit: while storage is full, each writer gets an error, until one succeeds") {
  std::atomic<bool> full{true};
  Crowd crowd([&](const Rows&) {
    if (full) throw Error(ErrorCode::kStorageFull, "The disk is full; free some space.");
  });
  auto first = crowd.come({post(1)});
  auto second = crowd.come({post(2)});
  auto third = crowd.come({post(3)});
  crowd.gate.open();
  CHECK(code_of(first) == ErrorCode::kStorageFull);
  CHECK(code_of(second) == ErrorCode::kStorageFull);
  CHECK(code_of(third) == ErrorCode::kStorageFull);
  CHECK(crowd.gate.transactions().size() == 2);  // nobody is tried alone
  CHECK_FALSE(crowd.group->can_write());
  CHECK(crowd.kept->storage().snapshot()->state().log_end.value == 10);
  full = false;
  CHECK(crowd.group->write(std::vector{post(1)}, kNow).front().result == Result::kDone);
  CHECK(crowd.group->can_write());
}

TEST_CASE("group commit: after ten seconds without a writer, storage counts as healthy again") {
  Crowd crowd([](const Rows&) { throw Error(ErrorCode::kStorageFull, "The disk is full."); });
  crowd.gate.open();
  CHECK_THROWS_AS((void)crowd.group->write(std::vector{post(1)}, kNow), Error);
  crowd.clock.advance(10'000);
  CHECK_FALSE(crowd.group->can_write());
  crowd.clock.advance(1);
  CHECK(crowd.group->can_write());
}

TEST_CASE("group commit: a writer that has waited too long gets an error, and the others do not") {
  Crowd crowd;
  auto first = crowd.come({post(1)});
  auto early = crowd.come({post(2)});
  crowd.clock.advance(1);
  auto late = crowd.come({post(3)});
  crowd.clock.advance(limits::kBusyMs - 1);
  crowd.gate.open();
  CHECK(first.get().front().result == Result::kDone);
  CHECK(code_of(early) == ErrorCode::kUnavailable);
  CHECK(late.get().front().result == Result::kDone);
  CHECK(crowd.group->can_write());
}

TEST_CASE("group commit: a durable change is acknowledged though memory runs out later") {
  if (!test::can_make_memory_scarce()) return;
  const auto kept = test::store_kinds().front().make();
  ScarceBehindCommit scarce(kept->storage());
  const test::StillClock clock;
  Metrics metrics;
  const auto group = group_writes(scarce, clock, metrics, [] { test::make_memory_scarce(false); });
  CHECK(group->write(std::vector{card(1)}, kNow).front().result == Result::kDone);
  CHECK(group->write(std::vector{post(1)}, kNow).front().result == Result::kDone);
  CHECK(group->can_write());
  CHECK(kept->storage().snapshot()->state().log_end.value == 3);
}

TEST_CASE("group commit: writers that wait at the end are answered") {
  Crowd crowd;
  auto first = crowd.come({post(1)});
  auto second = crowd.come({post(2)});
  auto over = std::async(std::launch::async, [&] { crowd.group.reset(); });
  crowd.gate.open();
  over.get();
  CHECK(first.get().front().result == Result::kDone);
  CHECK(second.get().front().result == Result::kDone);
}

TEST_SUITE_END();
