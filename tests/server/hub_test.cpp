// Goal: streams are served from a thread of their own: whatever any thread or process writes
// arrives, and they end when they are to.
// Method: outlets that say when something has come; writers on several threads, and the program
// itself on the same directory; a clock that goes on at each look.
#include "server/live/hub.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/rules/writing.h"
#include "server/limits.h"
#include "server/live/streams.h"
#include "store/data_directory.h"
#include "tests/model/storage.h"
#include "tests/model/user_directory.h"
#include "tests/support/child.h"
#include "tests/support/eventually.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_outlet.h"
#include "tests/support/storage_contract.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

class NoHasher final : public PasswordHasher {
 public:
  [[nodiscard]] std::string hash(std::string_view, unsigned) const override { return "none"; }
  [[nodiscard]] bool matches(std::string_view, std::string_view, unsigned) const override {
    return false;
  }
};

// A reader on another thread.
class WaitingOutlet final : public http::Outlet {
 public:
  bool send(std::string_view bytes) override {
    {
      const std::lock_guard lock(mutex_);
      blocks_.push_back(parse_block(bytes));
    }
    changed_.notify_all();
    return true;
  }
  [[nodiscard]] Flow flow() const override { return Flow::kDrained; }
  void close() override {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }

  void cut() override { close(); }

  // All that came, once it is so many events or the stream has ended.
  std::vector<Block> events(std::size_t count) {
    std::unique_lock lock(mutex_);
    const auto events = [&] {
      return static_cast<std::size_t>(std::count_if(
          blocks_.begin(), blocks_.end(), [](const Block& block) { return !block.event.empty(); }));
    };
    (void)eventually(changed_, lock, [&] { return closed_ || events() >= count; });
    std::vector<Block> all = blocks_;
    std::erase_if(all, [](const Block& block) { return block.event.empty(); });
    return all;
  }
  // Whether it ends.
  bool ends() {
    std::unique_lock lock(mutex_);
    return eventually(changed_, lock, [&] { return closed_; });
  }
  // Whether it ends once the hub has asked again whether its reader may go on.
  bool ends_when_asked(FakeClock& clock) {
    return eventually([&] {
      clock.advance(limits::kStreamAllowedMs);
      const std::lock_guard lock(mutex_);
      return closed_;
    });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Block> blocks_;
  bool closed_ = false;
};

std::shared_ptr<WaitingOutlet> listen(
    live::Hub& hub, UserNumber viewer, std::function<bool()> still_allowed = [] { return true; }) {
  auto outlet = std::make_shared<WaitingOutlet>();
  hub.open({viewer, std::nullopt, std::move(still_allowed)})(outlet);
  return outlet;
}

struct Parts {
  explicit Parts(Storage& storage) : engine(storage, users, hasher, clock) {}

  model::ModelUserDirectory users;
  NoHasher hasher;
  FakeClock clock{kStart, 10'000'000};  // ten milliseconds a look
  Engine engine;
  Metrics metrics;
  live::Hub hub{engine, metrics, "a directory"};
};

using live::place_after;
using live::place_at_end;

}  // namespace

TEST_CASE("hub: an id of another history is refused, however far the log has come") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    for (int i = 0; i < 4; ++i) s.post(users[0]);
    for (std::uint64_t number = 0; number < s.log_end().value * 4; ++number) {
      live::EventId id = id_in(s, number);
      CHECK_NOTHROW((void)place_after(*s.see(), digests(), id));
      id.digest = *id.digest ^ 1;
      CHECK_THROWS_AS((void)place_after(*s.see(), digests(), id), Error);
      id.digest.reset();
      CHECK_THROWS_AS((void)place_after(*s.see(), digests(), id), Error);
    }
  });
}

TEST_CASE("hub: a log that is too short for an id, at either end, is said") {
  for_each_store([](Subject& s) {
    const auto users = s.users(1);
    for (int i = 0; i < 2; ++i) s.post(users[0]);
    const auto after = [&](const live::EventId& id) {
      return place_after(*s.see(), digests(), id).next;
    };
    const std::uint64_t end = s.log_end().value * 4 - 1;
    CHECK(after(id_in(s, 0)) == Sequence{1});
    CHECK(after(id_in(s, end)) == s.log_end());
    CHECK_THROWS_AS((void)after({end + 1, 7}), Error);
    CHECK_THROWS_AS((void)after({~std::uint64_t{0}, 7}), Error);
    const live::EventId second = id_in(s, 2 * 4 + 3);
    const live::EventId third = id_in(s, 3 * 4 + 3);
    s.drain();
    REQUIRE(rules::trim_log(s.storage(), Time{s.now.ms + 1}, 2) == 2);
    CHECK_THROWS_AS((void)after({2 * 4, second.digest}), Error);
    // The end of what was dropped can't be compared any more.
    CHECK_THROWS_AS((void)after(second), Error);
    CHECK(after(third) == Sequence{4});
    CHECK_THROWS_AS((void)after(id_in(s, 0)), Error);
  });
}

TEST_CASE("hub: in another directory every event has another digest, and so each field counts") {
  const events::Event plain{.sequence = {7}, .time = Time{1'000}, .actor = {3}, .post = {12}};
  std::vector<events::Event> others(6, plain);
  others[0].time.ms += 1;
  others[1].actor = {4};
  others[2].post = {13};
  others[3].privacy = Privacy::kPrivate;
  others[4].topic = events::Topic::kPostRemoved;
  others[5].reaction = ReactionType::kLike;
  std::set<std::uint32_t> seen{digests().of(plain), live::EventDigests("another").of(plain)};
  for (const events::Event& other : others) seen.insert(digests().of(other));
  CHECK(seen.size() == 8);
}

TEST_CASE("hub: a reader is disconnected when the log under it becomes another") {
  for_each_store([](Subject& s) {
    const auto users = s.users(1);
    live::Streams streams(s.storage(), digests());
    const auto join = [&](const live::LogPlace& place) {
      live::Joining joining;
      joining.viewer = users[0];
      joining.place = place;
      joining.opened_at = s.log_end();
      joining.still_allowed = [] { return true; };
      const auto outlet = std::make_shared<FakeOutlet>();
      joining.outlet = outlet;
      streams.join(std::move(joining), 1);
      return outlet;
    };
    live::LogPlace place = place_at_end(*s.see(), digests());
    const auto stays = join(place);
    place.digest = *place.digest ^ 1;
    const auto replaced = join(place);
    place.next.value += 5;  // of a log that has lost its end
    const auto ahead = join(place);
    s.post(users[0]);
    while (streams.step(1) == live::StepResult::kMore) continue;
    CHECK(replaced->closed());
    CHECK(words(replaced->take_received()).empty());
    CHECK(ahead->closed());
    CHECK(words(stays->take_received()) == "post");
    const auto changed = static_cast<std::size_t>(live::StreamEnd::kLogChanged);
    CHECK(streams.take_tally().ends[changed] == 2);
  });
}

TEST_CASE("hub: ids are read as they are written, and nothing else is") {
  for (const std::uint64_t number :
       {std::uint64_t{0}, std::uint64_t{48213}, ~std::uint64_t{0} / 2}) {
    const auto id = live::parse_event_id(live::event_id_text(number, 0xabc));
    REQUIRE(id);
    CHECK(id->number == number);
    CHECK(id->digest == 0xabc);
  }
  CHECK(live::parse_event_id("48213")->digest == std::nullopt);
  for (const char* bad : {"", "-", "1-", "-00000abc", "1-abc", "1-00000ABC", "1-00000abcd",
                          "1-0x000abc", "1 -00000abc", "+1-00000abc", "1-00000abc-1"}) {
    CAPTURE(bad);
    CHECK_FALSE(live::parse_event_id(bad));
  }
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("hub: what several threads write arrives on every stream, once and in order") {
  for_each_store([](Subject& s) {
    constexpr std::size_t kWriters = 3;
    constexpr std::size_t kPosts = 40;
    const auto users = s.users(kWriters + 1);
    for (std::size_t i = 0; i < kWriters; ++i) s.follow(users.back(), users[i]);
    Parts parts(s.storage());
    std::vector<std::shared_ptr<WaitingOutlet>> outlets;
    for (std::size_t i = 0; i < 8; ++i) outlets.push_back(listen(parts.hub, users.back()));
    std::vector<std::thread> writers;
    for (std::size_t i = 0; i < kWriters; ++i) {
      writers.emplace_back([&, author = users[i]] {
        for (std::size_t post = 0; post < kPosts; ++post) {
          const Change change = Publish{author, "text"};
          s.storage().write({&change, 1}, kStart);
          parts.hub.wake();
        }
      });
    }
    for (std::thread& writer : writers) writer.join();
    CHECK(parts.hub.streams() == outlets.size());
    for (const auto& outlet : outlets) {
      const auto blocks = outlet->events(kWriters * kPosts);
      REQUIRE(blocks.size() == kWriters * kPosts);
      CHECK(std::is_sorted(blocks.begin(), blocks.end(),
                           [](const Block& a, const Block& b) { return *a.id < *b.id; }));
    }
    parts.hub.stop();
    for (const auto& outlet : outlets) CHECK(outlet->ends());
    CHECK(parts.hub.streams() == 0);
    CHECK_THROWS_AS(parts.hub.open({users.back(), std::nullopt, {}}), Error);
  });
}

TEST_CASE("hub: a stream ends when its reader may not go on, and frees its slot") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    Parts parts(s.storage());
    std::atomic<bool> allowed = true;
    const auto revoked = listen(parts.hub, users[0], [&] { return allowed.load(); });
    const auto broken =
        listen(parts.hub, users[0], []() -> bool { throw Error(ErrorCode::kIo, "no answer"); });
    const auto other = listen(parts.hub, users[1]);
    CHECK(broken->ends_when_asked(parts.clock));
    allowed = false;
    CHECK(revoked->ends_when_asked(parts.clock));
    s.post(users[1]);
    parts.hub.wake();
    CHECK(words(other->events(1)) == "post");
    CHECK(parts.hub.streams() == 1);
    std::vector<std::function<void(std::shared_ptr<http::Outlet>)>> opened;
    for (std::size_t i = 1; i < limits::kStreamsPerUserMax; ++i) {
      opened.push_back(parts.hub.open({users[1], std::nullopt, {}}));
    }
    CHECK_THROWS_AS(parts.hub.open({users[1], std::nullopt, {}}), Error);
    opened.clear();  // never taken over: the client went before it began
    CHECK(parts.hub.streams() == 1);
    CHECK_THROWS_AS(parts.hub.open({users[1], live::EventId{std::uint64_t{1} << 60, 7}, {}}),
                    Error);
    CHECK(parts.hub.streams() == 1);
  });
}

TEST_CASE("hub: what the command line writes meanwhile arrives without anybody waking it") {
  const TempFolder folder;
  const std::string data = (folder / "data").string();
  const auto chirp = [&](std::vector<std::string> arguments) {
    const Ended ended = run(chirp_command(data, std::move(arguments)));
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  };
  chirp({"init"});
  chirp({"user", "add", "ann"});
  chirp({"user", "add", "ben"});
  chirp({"follow", "add", "ben", "ann"});
  const auto directory = store::DataDirectory::open(data);
  Parts parts(directory->storage());
  const auto ann = listen(parts.hub, UserNumber{1});
  const auto ben = listen(parts.hub, UserNumber{2});
  chirp({"post", "add", "ann", "from another process"});
  const auto blocks = ben->events(1);
  REQUIRE(words(blocks) == "post");
  CHECK(json_value(blocks.front().data, "content") == "from another process");
  const std::string post = json_value(blocks.front().data, "postId");
  chirp({"post", "react", "ben", post});
  CHECK(words(ann->events(3)) == "post notification counts");
  chirp({"post", "remove", post});
  CHECK(words(ben->events(3)) == "post counts post_removed");
}

TEST_SUITE_END();

}  // namespace chirp::test
