// Goal: a batch of changes at a store that is far away takes a handful of exchanges, whatever is in
// it, leaves what it would leave in a store at hand, and leaves nothing when one of them fails.
// Method: batches of every kind of change, drawn at random, written one by one into the model and
// at once into a far store that counts its rounds and can fail each.
#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/rules/writing.h"
#include "tests/model/storage.h"
#include "tests/support/far_storage.h"
#include "tests/support/mixed_changes.h"
#include "tests/support/seeds.h"
#include "tests/support/storage_compare.h"
#include "tests/support/storage_contract.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

constexpr std::size_t kBatch = 1024;
constexpr int kFetchesMax = 4;
// The same for batches with changes that name what the batch itself makes: such ids depend on how
// the changes before them end.
constexpr int kWithinMax = 5;

// The model, and a far store that is to be the same.
struct Worlds {
  explicit Worlds(std::uint64_t seed) : changes(seed), random(seed) {}

  // A batch, and what the model made of its changes one by one.
  struct Batch {
    std::vector<Change> changes;
    std::vector<Outcome> outcomes;
  };
  enum class About : std::uint8_t { kEarlierBatches, kAlsoItself };

  Batch next_batch(About about) {
    Batch batch;
    for (std::size_t i = 0; i < kBatch; ++i) {
      batch.changes.push_back(changes.next());
      batch.outcomes.push_back(model.write({&batch.changes.back(), 1}, now).front());
      if (about == About::kAlsoItself) changes.made(batch.changes.back(), batch.outcomes.back());
    }
    for (std::size_t i = 0; about == About::kEarlierBatches && i < kBatch; ++i) {
      changes.made(batch.changes[i], batch.outcomes[i]);
    }
    now.ms += 1000;
    return batch;
  }
  // Moves the consumers of both, so that counters and notifications are there.
  void drain() {
    for (Storage* storage : {static_cast<Storage*>(&model), static_cast<Storage*>(&far)}) {
      const auto snapshot = storage->snapshot();
      const Sequence end = snapshot->state().log_end;
      REQUIRE(rules::commit(*storage, fan_out_step(*snapshot, end), now));
      REQUIRE(rules::commit(*storage, counter_step(*snapshot, end), now));
    }
  }
  [[nodiscard]] std::vector<std::string> differences() {
    return test::differences(model, far, random);
  }

  MixedChanges changes;
  std::mt19937_64 random;
  Time now = kStart;
  model::ModelStorage model{kTestMachine};
  model::ModelStorage behind{kTestMachine};
  FarStorage far{behind};
};

std::string line_of(const Outcome& outcome) {
  return fmt::format("{} {} {} {} {} {}", static_cast<int>(outcome.result), outcome.post.value,
                     outcome.author.value, outcome.time.ms, outcome.comment.value,
                     outcome.before ? static_cast<int>(*outcome.before) : 0);
}

void check_same(const Worlds::Batch& batch, const std::vector<Outcome>& outcomes) {
  REQUIRE(outcomes.size() == batch.outcomes.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    INFO("change " << i << " of kind " << batch.changes[i].index());
    CHECK(line_of(outcomes[i]) == line_of(batch.outcomes[i]));
  }
}

// Batches, one after the other; the most fetches that one of them took.
int most_fetches(std::uint64_t seed, Worlds::About about) {
  Worlds worlds(seed);
  int most_of_all = 0;
  for (int i = 0; i < 6; ++i) {
    const auto batch = worlds.next_batch(about);
    check_same(batch, worlds.far.write(batch.changes, Time{worlds.now.ms - 1000}));
    const auto found = worlds.differences();
    for (const std::string& line : found) FAIL_CHECK(line);
    const int most = worlds.far.take_most_fetches();
    if (!found.empty()) return most;
    most_of_all = std::max(most_of_all, most);
    worlds.drain();
    (void)worlds.far.take_most_fetches();
  }
  return most_of_all;
}

}  // namespace

TEST_CASE("far store: a batch of 1,024 changes of every kind takes four fetches at most") {
  const std::uint64_t seed = first_seed();
  for (std::uint64_t world = seed; world < seed + worlds_or(20); ++world) {
    INFO("CHIRP_SEED=" << world << " CHIRP_WORLDS=1 shows it again");
    CHECK(most_fetches(world, Worlds::About::kEarlierBatches) <= kFetchesMax);
    CHECK(most_fetches(world, Worlds::About::kAlsoItself) <= kWithinMax);
  }
}

TEST_CASE("far store: a removal that takes a long chain of parents along takes four fetches") {
  constexpr int kDepth = 40;
  Worlds worlds(first_seed());
  std::vector<Change> changes{PutCard{card(1)}, Publish{UserNumber{1}, "text"}};
  const PostId post = worlds.model.write(changes, worlds.now).back().post;
  worlds.far.write(changes, worlds.now);
  std::vector<CommentId> thread{kNoComment};
  for (int i = 0; i < kDepth; ++i) {
    const Change reply = AddComment{UserNumber{1}, post, "and", thread.back(), {}};
    worlds.far.write({&reply, 1}, worlds.now);
    thread.push_back(worlds.model.write({&reply, 1}, worlds.now).front().comment);
  }
  changes.clear();  // all but the last: they stay, since it answers them
  for (int i = 1; i < kDepth; ++i) {
    changes.push_back(RemoveComment{thread[static_cast<std::size_t>(i)]});
  }
  worlds.model.write(changes, worlds.now);
  worlds.far.write(changes, worlds.now);
  (void)worlds.far.take_most_fetches();
  changes = {RemoveComment{thread.back()}};
  worlds.model.write(changes, worlds.now);
  worlds.far.write(changes, worlds.now);
  CHECK(worlds.far.take_most_fetches() <= kFetchesMax);
  CHECK(worlds.differences().empty());
  worlds.model.decide(worlds.now, Purpose::kChange, [&](Rows& rows) {
    CHECK_FALSE(rows.find(tables::Comments::Key{thread[1]}));
    return false;
  });
}

TEST_CASE("far store: a batch of which a round fails leaves nothing behind") {
  Worlds worlds(first_seed());
  for (int i = 0; i < 2; ++i) {
    const auto batch = worlds.next_batch(Worlds::About::kEarlierBatches);
    worlds.far.write(batch.changes, Time{worlds.now.ms - 1000});
    worlds.drain();
  }
  const auto batch = worlds.next_batch(Worlds::About::kAlsoItself);
  const Time now{worlds.now.ms - 1000};
  const std::uint64_t version = worlds.far.version();
  const auto log_end = worlds.far.snapshot()->state().log_end;
  int failed = 0;
  for (;; ++failed) {
    worlds.far.fail_round(failed);
    const auto code = code_of([&] { (void)worlds.far.write(batch.changes, now); });
    if (!code) break;
    CHECK(*code == ErrorCode::kUnavailable);
    CHECK(worlds.far.version() == version);
    CHECK(worlds.far.snapshot()->state().log_end == log_end);
  }
  // The turn begins, fetches, and ends; then comes the batch that has lost none of them.
  CHECK(failed == worlds.far.fetches() + 2);
  CHECK(failed > 2);
  for (const std::string& line : worlds.differences()) FAIL_CHECK(line);
}

}  // namespace chirp::test
