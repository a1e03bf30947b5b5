// Goal: under load nothing is written for who does not read, no page loses a post by it, and
// fan-out rests after a large step no longer than it may. Method: small worlds in the in-memory
// store, with steps that count as large from few deliveries on.
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/events/consumers.h"
#include "core/events/gatherer.h"
#include "core/rules/writing.h"
#include "tests/support/small_world.h"

namespace chirp::test {
namespace {

using events::FanOut;
using events::Gathered;
using events::Gatherer;
using events::Progress;
using rules::DecidingStorage;

// A store that fails once, in the turn before which `turns` have been taken.
class FailingOnce final : public DecidingStorage {
 public:
  FailingOnce(Storage& inner, int turns) : inner_(inner), turns_(turns) {}
  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override { return inner_.snapshot(); }
  [[nodiscard]] std::uint64_t version() const override { return inner_.version(); }
  bool decide(Time now, Purpose purpose, const Decision& decision) override {
    if (turns_-- == 0) throw Error(ErrorCode::kIo, "the disk fails once");
    return inner_.decide(now, purpose, decision);
  }
  void settle() override { inner_.settle(); }
  [[nodiscard]] std::shared_ptr<void> early_entries() override { return inner_.early_entries(); }
  [[nodiscard]] bool early_pays() const override { return inner_.early_pays(); }
  std::uint64_t repair_indexes(Time now) override { return inner_.repair_indexes(now); }

 private:
  Storage& inner_;
  int turns_;
};

std::vector<PostId> held(const SmallWorld& world, std::uint32_t viewer) {
  std::vector<PostId> ids;
  const auto timeline = world.timeline(viewer);
  REQUIRE(timeline);
  for (const Entry& entry : timeline->entries) ids.push_back(entry.id);
  return ids;
}

}  // namespace

TEST_CASE("fan-out: a part that fails is delivered later, with all of its step") {
  for (const std::uint32_t large : {0u, 1u}) {
    for (int turns = 0; turns < 6; ++turns) {
      CAPTURE(large);
      CAPTURE(turns);
      SmallWorld world(4);
      for (const std::uint32_t reader : {1u, 2u, 3u}) world.follow(reader, 4);
      world.fan_out();
      world.post(4);
      FailingOnce storage(world.storage, turns);
      FanOut consumer(storage, world.clock, {.large = large}, {1, 1, 1});
      for (std::uint32_t viewer = 1; viewer <= 4; ++viewer) consumer.note_read(UserNumber{viewer});
      for (int calls = 0; calls < 20; ++calls) {
        try {
          (void)consumer.go_on(0);
        } catch (const Error&) {  // upkeep tries again
        }
      }
      CHECK(world.state().fan_out == world.state().log_end);
      for (std::uint32_t viewer = 1; viewer <= 4; ++viewer) CHECK(held(world, viewer).size() == 1);
    }
  }
}

TEST_CASE(
    "fan-out: a step that the cost rule has left posts out of is not taken under another policy") {
  SmallWorld world(2);
  world.change(feed::Policy::kCost);
  world.post(2);
  FanOutStep step;
  step.from = world.state().fan_out;
  step.to = world.state().log_end;
  step.reach = step.to;
  step.marks = {{UserNumber{2}, feed::Tier::kRegular, feed::kNeverPushed}};
  world.change(feed::Policy::kPush);
  step.from = world.state().fan_out;
  CHECK_FALSE(rules::commit(world.storage, step, world.clock.now()));
  world.change(feed::Policy::kCost);
  CHECK(rules::commit(world.storage, step, world.clock.now()));
}

TEST_CASE("fan-out: in large steps a timeline that nobody reads goes, and one that is read stays") {
  SmallWorld world(3);
  for (const std::uint32_t reader : {1u, 2u}) world.follow(reader, 3);
  FanOut consumer(world.storage, world.clock, {.large = 6});
  const auto deliver = [&](int posts) {
    for (int i = 0; i < posts; ++i) world.post(3);
    while (consumer.step() == Progress::kMoved) continue;
  };
  deliver(1);  // to two readers and the author
  CHECK(held(world, 2).size() == 1);
  consumer.note_read(UserNumber{1});
  deliver(2);
  CHECK(held(world, 1).size() == 3);
  CHECK_FALSE(world.timeline(2));
  CHECK_FALSE(world.timeline(3));
  feed::PageRequest request;
  request.viewer = UserNumber{2};
  CHECK(feed::home_feed(*world.storage.snapshot(), request, world.clock).items.size() == 3);
  // Built again it is kept again, for some steps.
  (void)feed::Feeds(world.storage, world.clock).rebuild(UserNumber{2});
  consumer.note_read(UserNumber{2});
  deliver(2);
  CHECK(held(world, 2).size() == 5);
  for (int i = 0; i < 3; ++i) deliver(2);
  CHECK_FALSE(world.timeline(2));
}

TEST_CASE("fan-out: users without a timeline are skipped; an earlier walk is not stored then") {
  SmallWorld world(3);
  for (const std::uint32_t reader : {1u, 2u}) world.follow(reader, 3);
  world.fan_out();
  rules::drop_timeline(world.storage, UserNumber{2});
  const auto early = feed::build_timeline(*world.storage.snapshot(), UserNumber{2}, world.clock);
  REQUIRE(early);
  world.post(3);
  Gatherer gatherer(events::Bindings(FanOut::kBindings), {});
  auto gathered = gatherer.gather(*world.storage.snapshot(), world.clock.now());
  REQUIRE(gathered);
  Gathered work = std::move(*gathered);
  CHECK(work.deliveries() == 3);
  CHECK(rules::commit(world.storage, work.announcement(), world.clock.now()));
  work.leave_out_absent(*world.storage.snapshot());
  CHECK(work.deliveries() == 2);
  CHECK_FALSE(rules::store(world.storage, *early, Replace::kKeepValid, world.clock.now()));
  const auto late = feed::build_timeline(*world.storage.snapshot(), UserNumber{2}, world.clock);
  CHECK(rules::store(world.storage, *late, Replace::kKeepValid, world.clock.now()));
  while (const auto part = work.next_part(1)) {
    CHECK(rules::commit(world.storage, *part, world.clock.now()));
  }
  for (const std::uint32_t viewer : {1u, 2u, 3u}) CHECK(held(world, viewer).size() == 1);
}

TEST_CASE("fan-out: what is left of a round is delivered later, and the offset moves at its end") {
  SmallWorld world(2);
  world.follow(1, 2);
  world.post(2);
  FanOut consumer(world.storage, world.clock);
  const Sequence before = world.storage.snapshot()->state().fan_out;
  CHECK(consumer.go_on(0) == Progress::kMoved);
  while (consumer.under_way()) CHECK(consumer.go_on(0) == Progress::kMoved);
  CHECK(world.storage.snapshot()->state().fan_out > before);
  CHECK(consumer.go_on(0) == Progress::kIdle);
}

TEST_CASE("fan-out: a round that took long is followed by a rest, unless much is pending") {
  events::FanOutTurns turns;
  StoreState state;
  state.log_end = Sequence{100};
  CHECK(turns.due(state, 0));
  turns.note(500, 1'000, false);
  turns.note(500, 2'000, true);
  CHECK_FALSE(turns.due(state, 2'001));
  CHECK_FALSE(turns.due(state, 9'999));
  CHECK(turns.due(state, 10'000));
  turns.note(3'600'000'000'000, 20'000, true);
  CHECK_FALSE(turns.due(state, 2'000'019'999));
  CHECK(turns.due(state, 2'000'020'000));
  state.log_end = Sequence{1 + limits::kPendingEventsMax};
  CHECK(turns.due(state, 2'001));
}

}  // namespace chirp::test
