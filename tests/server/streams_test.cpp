// Goal: a stream says what it is to say, when it is due and no faster than its reader, and ends
// when it should.
// Method: small worlds, fake outlets and a time that is handed in; every block that comes out is
// read.
#include "server/live/streams.h"

#include <utility>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/ports/forwarding_storage.h"
#include "core/rules/writing.h"
#include "server/limits.h"
#include "server/live/open_streams.h"
#include "tests/support/fake_outlet.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using live::place_after;
using live::place_at_end;
using live::StepResult;
using live::Streams;

class Readers {
 public:
  explicit Readers(Subject& subject) : Readers(subject, subject.storage()) {}
  Readers(Subject& subject, const Storage& storage)
      : subject_(subject), streams_(storage, digests()) {}

  std::shared_ptr<FakeOutlet> join(UserNumber viewer, std::optional<std::uint64_t> last_id = {},
                                   FakeOutlet::Speed speed = FakeOutlet::Speed::kFast) {
    const auto snapshot = subject_.see();
    live::Joining joining;
    joining.place = last_id ? place_after(*snapshot, digests(), id_in(subject_, *last_id))
                            : place_at_end(*snapshot, digests());
    return join(viewer, std::move(joining), speed);
  }
  std::shared_ptr<FakeOutlet> join(UserNumber viewer, live::Joining joining,
                                   FakeOutlet::Speed speed = FakeOutlet::Speed::kFast) {
    auto outlet = std::make_shared<FakeOutlet>(speed);
    joining.viewer = viewer;
    joining.opened_at = subject_.state().log_end;
    joining.outlet = outlet;
    joining.still_allowed = [this] { return allowed; };
    streams_.join(std::move(joining), now);
    return outlet;
  }
  // Until nothing is left to be done now.
  void settle() {
    while (streams_.step(now) == StepResult::kMore) continue;
  }
  Streams& streams() { return streams_; }

  std::int64_t now = 1'000'000;
  bool allowed = true;

 private:
  Subject& subject_;
  Streams streams_;
};

// Shows a state once more after it has announced a newer version, as a store may for a moment.
class LateStorage final : public ForwardingStorage {
 public:
  using ForwardingStorage::ForwardingStorage;
  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override {
    return late_ ? std::move(late_) : ForwardingStorage::snapshot();
  }
  void keep_state() {
    late_ = ForwardingStorage::snapshot();
    (void)late_->state();  // the state of its first answer, of which a store may take the newest
  }

 private:
  mutable std::unique_ptr<Snapshot> late_;
};

std::uint64_t end_id(const Subject& s) { return s.log_end().value * 4 - 1; }

// What came, without the heartbeat at the start.
std::string came(FakeOutlet& outlet) { return words(outlet.take_received()); }

}  // namespace

TEST_CASE("streams: blocks are server-sent events with the objects of the contract") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    Readers readers(s);
    const auto outlet = readers.join(users[0]);
    readers.settle();
    (void)outlet->take_received();
    const std::uint64_t id = s.log_end().value * 4;
    const PostId post = s.apply(Publish{users[0], "two\nlines"}).post;
    s.apply(React{users[1], post, ReactionType::kLove});
    readers.settle();
    readers.now += 1000;
    s.apply(RemovePost{post});
    readers.settle();
    const auto blocks = outlet->take_received();
    REQUIRE(words(blocks) == "post notification counts post_removed");
    CHECK(blocks[0].id == id);
    CHECK(json_value(blocks[0].data, "postId") == std::to_string(post.value));
    CHECK(json_value(blocks[0].data, "content") == "two\\nlines");
    CHECK(json_value(blocks[0].data, "userLiked") == "false");
    CHECK(json_value(blocks[0].data, "likeCount") == "1");
    CHECK(blocks[1].id == id + 5);
    const events::NotificationId told{std::stoull(json_value(blocks[1].data, "notificationId"))};
    CHECK(events::sequence_in(told) == Sequence{id / 4 + 1});
    CHECK(json_value(blocks[1].data, "type") == "like");
    CHECK(blocks[3].id == id + 8);
    CHECK(blocks[3].data == fmt::format("{{\"postId\":\"{}\"}}", post.value));
  });
}

TEST_CASE("streams: begin with their place, and tell it every 15 seconds when it has moved") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    Readers readers(s);
    const auto outlet = readers.join(users[0]);
    readers.settle();
    auto blocks = outlet->take_received();
    REQUIRE(blocks.size() == 1);
    CHECK(blocks.front().event.empty());
    CHECK(blocks.front().id == end_id(s));
    readers.now += limits::kHeartbeatMs - 1;
    readers.settle();
    CHECK(outlet->take_received().empty());
    ++readers.now;
    readers.settle();
    blocks = outlet->take_received();
    REQUIRE(blocks.size() == 1);
    CHECK(!blocks.front().id);
    s.post(users[1]);  // no followers: the only message is how far the log is
    readers.settle();
    CHECK(outlet->take_received().empty());
    readers.now += limits::kHeartbeatMs;
    readers.settle();
    blocks = outlet->take_received();
    REQUIRE(blocks.size() == 1);
    CHECK(blocks.front().id == end_id(s));
  });
}

TEST_CASE("streams: go on after the last message, with their id") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    const std::uint64_t start = end_id(s);
    s.post(users[0]);
    s.post(users[0]);
    Readers readers(s);
    const auto all = readers.join(users[0], start);
    const auto rest = readers.join(users[0], start + 1);  // the id of the first post
    const auto none = readers.join(users[0], end_id(s));
    readers.settle();
    CHECK(came(*all) == "post post");
    CHECK(came(*rest) == "post");
    CHECK(came(*none).empty());
  });
}

TEST_CASE("streams: a commit announced before it can be read is found at the next look") {
  for_each_store([](Subject& s) {
    const auto users = s.users(1);
    LateStorage storage(s.storage());
    Readers readers(s, storage);
    const auto outlet = readers.join(users[0]);
    readers.settle();
    storage.keep_state();
    s.post(users[0]);
    readers.settle();
    CHECK(came(*outlet).empty());
    readers.settle();
    CHECK(came(*outlet) == "post");
  });
}

TEST_CASE("streams: a reader that the log has left behind is disconnected") {
  for_each_store([](Subject& s) {
    const auto users = s.users(1);
    Readers readers(s);
    const auto outlet = readers.join(users[0], 7);
    for (int i = 0; i < 5; ++i) s.post(users[0]);
    s.drain();
    REQUIRE(rules::trim_log(s.storage(), Time{s.now.ms + 1}, 4) == 4);
    readers.settle();
    CHECK(outlet->closed());
    CHECK(came(*outlet).empty());
    CHECK(readers.streams().size() == 0);
  });
}

TEST_CASE("streams: counts of a post come once a second, to its author and whom it was sent") {
  for_each_store([](Subject& s) {
    const auto users = s.users(4);
    s.follow(users[1], users[0]);
    const PostId old = s.post(users[0]);
    Readers readers(s);
    const auto author = readers.join(users[0]);
    const auto follower = readers.join(users[1]);
    const auto stranger = readers.join(users[2]);
    readers.settle();
    const PostId post = s.post(users[0]);
    readers.settle();
    s.apply(React{users[3], post});
    s.apply(React{users[3], old});
    readers.settle();
    CHECK(came(*author) == "post notification notification counts counts");
    auto blocks = follower->take_received();
    REQUIRE(words(blocks) == "post counts");
    CHECK(!blocks.back().id);
    CHECK(blocks.back().data ==
          fmt::format("{{\"postId\":\"{}\",\"likeCount\":1,\"commentCount\":0,\"repostCount\":0,"
                      "\"likeCounts\":{{\"like\":1}}}}",
                      post.value));
    CHECK(came(*stranger).empty());
    s.apply(React{users[2], post});
    readers.settle();
    readers.now += 999;
    s.apply(Unreact{users[2], post});
    s.apply(AddComment{users[2], post, "c"});
    readers.settle();
    CHECK(came(*follower).empty());
    readers.now += 1;
    readers.settle();
    blocks = follower->take_received();
    REQUIRE(words(blocks) == "counts");
    CHECK(json_value(blocks.back().data, "likeCount") == "1");
    CHECK(json_value(blocks.back().data, "commentCount") == "1");
  });
}

TEST_CASE("streams: a reader is sent a part at a time, and dropped when it does not drain") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    s.follow(users[1], users[0]);
    Readers readers(s);
    const auto slow = readers.join(users[1], std::nullopt, FakeOutlet::Speed::kSlow);
    const auto stalled = readers.join(users[1], std::nullopt, FakeOutlet::Speed::kSlow);
    const auto fast = readers.join(users[1]);
    readers.settle();
    constexpr std::size_t kPosts = 3 * limits::kStreamTurnEvents;
    for (std::size_t i = 0; i < kPosts; ++i) s.post(users[0]);
    std::size_t received = 0;
    const std::int64_t start = readers.now;
    while (readers.now < start + limits::kStreamStallMs) {
      readers.settle();
      CHECK(slow->queued() <= limits::kStreamTurnEvents);
      CHECK(stalled->queued() <= limits::kStreamTurnEvents);
      slow->receive(limits::kStreamTurnEvents / 2);
      for (const Block& block : slow->take_received()) received += block.event == "post";
      readers.now += 100;
    }
    CHECK(received == kPosts);
    CHECK(fast->take_received().size() == kPosts + 1);
    CHECK(!stalled->closed());
    readers.settle();
    CHECK(stalled->closed());
    CHECK(!slow->closed());
    CHECK(readers.streams().size() == 2);
    const auto tally = readers.streams().take_tally();
    CHECK(tally.ends[static_cast<std::size_t>(live::StreamEnd::kSlow)] == 1);
  });
}

TEST_CASE("streams: a long replay holds nobody up") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    std::vector<Change> changes;
    for (int i = 0; i < 3'000; ++i) changes.emplace_back(Publish{users[0], "text"});
    s.storage().write(changes, s.now);
    Readers readers(s);
    const auto live = readers.join(users[1]);
    std::vector<std::shared_ptr<FakeOutlet>> replays;
    for (int i = 0; i < 10; ++i) replays.push_back(readers.join(users[0], 3));
    (void)readers.streams().step(readers.now);
    CHECK(live->take_received().size() == 1);
    s.post(users[1]);
    CHECK(readers.streams().step(readers.now) == StepResult::kMore);
    CHECK(came(*live) == "post");
    readers.settle();
    for (const auto& replay : replays) CHECK(replay->take_received().size() == 1 + 3'000);
  });
}

TEST_CASE("streams: end within a second when their reader may not go on, or is gone") {
  for_each_store([](Subject& s) {
    const auto users = s.users(1);
    Readers readers(s);
    const auto outlet = readers.join(users[0]);
    readers.settle();
    readers.now += 900;
    readers.settle();
    CHECK(readers.streams().size() == 1);
    readers.allowed = false;
    readers.now += 900;
    s.post(users[0]);
    readers.settle();
    CHECK(outlet->closed());
    CHECK(came(*outlet).empty());
    const auto gone = readers.join(users[0]);
    gone->leave();
    readers.settle();
    CHECK(readers.streams().size() == 0);
    readers.allowed = true;
    const auto stopped = readers.join(users[0]);
    readers.settle();
    readers.streams().close_all();
    CHECK(stopped->closed());
  });
}

TEST_CASE("streams: what was sent is taken back from all who got it") {
  for_each_store([](Subject& s) {
    const auto users = s.users(3);
    s.follow(users[1], users[0]);
    s.follow(users[2], users[0]);
    Readers readers(s);
    const auto blocked = readers.join(users[1]);
    const auto left = readers.join(users[2]);
    const auto late = readers.join(users[2]);
    readers.settle();
    const PostId post = s.apply(Publish{users[0], "text", Privacy::kFollowers}).post;
    const auto newcomer = readers.join(users[2]);
    readers.settle();
    s.apply(Relate{users[0], users[1], Relation::kBlock});
    s.apply(Unfollow{users[2], users[0]});
    s.apply(RemovePost{post});
    readers.settle();
    CHECK(came(*blocked) == "post post_removed");
    CHECK(came(*left) == "post post_removed");
    CHECK(came(*late) == "post post_removed");
    CHECK(came(*newcomer).empty());
  });
}

TEST_CASE("streams: so many may be open, in all and of one user") {
  live::StreamSlots slots(limits::kStreamsMax);
  std::vector<std::shared_ptr<void>> taken;
  const auto take = [&](std::uint32_t user, std::uint32_t address) {
    return slots.take(UserNumber{user}, std::to_string(address), 256);
  };
  for (std::uint32_t i = 0; i < limits::kStreamsPerUserMax; ++i) taken.push_back(take(1, i));
  CHECK_THROWS_AS((void)take(1, 99), Error);
  taken.pop_back();
  taken.push_back(take(1, 0));
  for (std::uint32_t user = 2; taken.size() < limits::kStreamsMax; ++user) {
    taken.push_back(take(user, user));
  }
  CHECK_THROWS_AS((void)take(9999, 9999), Error);
  CHECK(slots.taken() == limits::kStreamsMax);
  taken.clear();
  CHECK(slots.taken() == 0);
}

TEST_CASE("streams: where there are fewer descriptors, fewer may be open") {
  live::StreamSlots slots(2);
  const auto first = slots.take(UserNumber{1}, "a", 256);
  auto second = slots.take(UserNumber{2}, "b", 256);
  CHECK_THROWS_AS((void)slots.take(UserNumber{3}, "c", 256), Error);
  second.reset();
  CHECK_NOTHROW((void)slots.take(UserNumber{3}, "c", 256));
}

TEST_CASE("streams: however many accounts an address has, it does not take them all") {
  live::StreamSlots slots(limits::kStreamsMax);
  constexpr std::uint64_t kMost = 256;
  std::vector<std::shared_ptr<void>> taken;
  for (std::uint32_t user = 1; user <= kMost; ++user) {
    taken.push_back(slots.take(UserNumber{user}, "crowded", kMost));
  }
  CHECK_THROWS_AS((void)slots.take(UserNumber{9999}, "crowded", kMost), Error);
  // Nothing is kept of who was refused.
  CHECK(slots.taken() == kMost);
  const auto elsewhere = slots.take(UserNumber{9999}, "quiet", kMost);
  taken.pop_back();
  CHECK_NOTHROW(taken.push_back(slots.take(UserNumber{9999}, "crowded", kMost)));
}

}  // namespace chirp::test
