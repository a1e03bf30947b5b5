// Goal: entries of authors' logs that a load puts before their posts stand for nothing until the
// posts are there, whoever reads, and nothing of them is left in the end. Method: a few entries put
// by hand; every way to read them; everything else that may happen to them; an entry without a post
// that is damage.
#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/loads.h"
#include "core/rules/repairs.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test::early_entries_test {
namespace {

constexpr UserNumber kAda{1};
constexpr UserNumber kBob{2};
constexpr UserNumber kCid{3};
constexpr Time kThen{kStart.ms - 1000};

LoadedPost loaded(std::uint64_t source, UserNumber author, Time time = kThen) {
  return {SourceId{source}, author, time, "text " + std::to_string(source)};
}

// Bob follows Ada, who has a post of her own, older than those that are loaded.
struct Scene {
  Scene() {
    sign_up(storage(), 3);
    world.follow(kBob, kAda);
    const LoadedPost old = loaded(900, kAda, Time{kThen.ms - 1000});
    (void)rules::load_posts(storage(), {&old, 1}, world.now);
    world.drain();
  }
  [[nodiscard]] Storage& storage() const { return world.storage(); }
  [[nodiscard]] StoreState state() const { return world.state(); }

  // Gives public posts ids and puts entries for them, as a load does.
  void put(std::vector<LoadedPost>& posts) {
    std::vector<Time> times;
    for (const LoadedPost& post : posts) times.push_back(post.created_at);
    const auto snapshot = storage().snapshot();
    const auto ids = rules::ids_for_posts(*snapshot, snapshot->state(), times);
    std::vector<EarlyEntry> entries;
    for (std::size_t i = 0; i < posts.size(); ++i) {
      posts[i].id = ids[i];
      posts[i].is_early = true;
      entries.push_back({posts[i].author, ids[i]});
    }
    std::ranges::stable_sort(entries, {}, &EarlyEntry::author);
    rules::put_early_entries(storage(), entries, world.now);
  }
  LoadCounts load(std::span<const LoadedPost> posts) {
    return rules::load_posts(storage(), posts, world.now);
  }
  void end() {
    rules::end_early_entries(storage(), world.now);
    held.reset();
  }
  [[nodiscard]] std::int64_t posts_of(UserNumber user) const { return world.counters(user).posts; }
  // Entries of all levels, as a page of the author's posts has them.
  [[nodiscard]] std::vector<Entry> listed(UserNumber author) const {
    return storage().snapshot()->author_entries({{&author, 1}, Levels::of(7), author}, {},
                                                Direction::kDown, kAll);
  }
  // Everything is right, and no entry without a post is left, seen or not.
  void check_over() {
    CHECK(state().early_below == PostId{});
    CHECK(first_breach(storage()) == "");
  }
  // Puts an entry that has no post, as damage would.
  void put_damage(UserNumber author, PostId id) {
    auto& deciding = dynamic_cast<rules::DecidingStorage&>(storage());
    deciding.decide(world.now, Purpose::kRepair, [&](Rows& rows) {
      rows.put(tables::AuthorLogs::Key{author, id}, {});
      return true;
    });
  }
  [[nodiscard]] bool is_damage_found() const {
    const auto problems = storage().snapshot()->problems();
    return std::ranges::any_of(problems, [](const std::string& problem) {
      return problem.find("author_logs") != std::string::npos;
    });
  }

  Subject world{lmdb_kind()};
  std::shared_ptr<void> held = world.storage().early_entries();
};

using Log = tables::AuthorLogs;

}  // namespace

TEST_CASE("early entries: none is seen before its post, by any way to read it") {
  Scene scene;
  REQUIRE(scene.held);
  std::vector<LoadedPost> posts{loaded(1, kAda), loaded(2, kCid), loaded(3, kAda)};
  scene.put(posts);
  const PostId first = posts[0].id;
  const PostId last = posts[2].id;
  CHECK(scene.state().may_be_early(first));
  CHECK(scene.state().may_be_early(last));
  for (std::size_t stored = 0; stored <= posts.size(); ++stored) {
    CAPTURE(stored);
    if (stored > 0) (void)scene.load({&posts[stored - 1], 1});
    const auto snapshot = scene.storage().snapshot();
    const std::size_t of_ada = stored == 0 ? 1 : stored < 3 ? 2 : 3;
    CHECK(scene.listed(kAda).size() == of_ada);
    CHECK(scene.listed(kCid).size() == (stored >= 2 ? 1 : 0));
    const std::vector<UserNumber> both{kAda, kCid};
    for (const Direction direction : {Direction::kUp, Direction::kDown}) {
      const auto one = snapshot->author_entries(
          {both, Levels::of(7), kBob}, {PostId{first.value - 1}, kAboveAllPosts}, direction, 1);
      CHECK(one.size() == (stored == 0 ? 0 : 1));
      const auto rows = snapshot->range(Log::Key{kAda, kBelowAllPosts},
                                        Log::Key{kAda, kAboveAllPosts}, direction, kAll);
      CHECK(rows.size() == of_ada);
    }
    const std::vector<Log::Key> keys{{kAda, first}, {kCid, posts[1].id}, {kAda, last}};
    const auto found = snapshot->find_all(keys);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      CHECK(found[i].has_value() == (i < stored));
      CHECK(snapshot->find(keys[i]).has_value() == (i < stored));
    }
    CHECK(scene.posts_of(kAda) == static_cast<std::int64_t>(of_ada));
    CHECK(scene.posts_of(kCid) == (stored >= 2 ? 1 : 0));
    const auto traces = snapshot->traces_of(kCid);
    CHECK((std::ranges::count(traces, "posts") == 1) == (stored >= 2));
    CHECK(snapshot->table_rows().at("posts") == 1 + stored);
    CHECK(first_breach(scene.storage()) == "");
  }
  scene.end();
  scene.check_over();
}

TEST_CASE("early entries: a follow brings in no post that is not there") {
  Scene scene;
  std::vector<LoadedPost> posts{loaded(1, kCid)};
  scene.put(posts);
  scene.world.drain();
  scene.world.follow(kBob, kCid);
  scene.world.drain();
  CHECK(std::ranges::count(scene.world.timeline_ids(kBob), posts[0].id.value) == 0);
  (void)scene.load(posts);
  scene.end();
  scene.check_over();
}

TEST_CASE("early entries: a post that is refused or gets another id takes its entry back") {
  // The store has a post of the same source id, of the same place, or of both; or its author goes.
  enum class Before : std::uint8_t { kSource, kPlace, kSameAuthorsPlace, kAuthorGone, kComment };
  for (const Before before : {Before::kSource, Before::kPlace, Before::kSameAuthorsPlace,
                              Before::kAuthorGone, Before::kComment}) {
    CAPTURE(static_cast<int>(before));
    Scene scene;
    const PostId hers = scene.world.post(kAda);
    scene.world.drain();
    std::vector<LoadedPost> posts{loaded(1, kAda), loaded(2, kAda), loaded(3, kCid)};
    scene.put(posts);
    LoadedPost other = loaded(50, kBob);
    switch (before) {
      case Before::kSource:
        other = loaded(1, kBob, Time{kThen.ms - 5});
        CHECK(scene.load({&other, 1}).stored == 1);
        break;
      case Before::kSameAuthorsPlace:
        other.author = kAda;
        [[fallthrough]];
      case Before::kPlace:
        CHECK(scene.load({&other, 1}).stored == 1);
        CHECK(scene.storage().snapshot()->post(posts[0].id)->author == other.author);
        break;
      case Before::kAuthorGone:
        scene.world.apply(MarkRemoved{kCid});
        while (!rules::remove_traces(scene.storage(), kCid, 1, kStart)) continue;
        CHECK(scene.posts_of(kCid) == 0);
        break;
      case Before::kComment: {
        const LoadedComment comment{SourceId{60}, kBob, kThen, "said", hers};
        (void)rules::load_comments(scene.storage(), {&comment, 1}, kStart);
        break;
      }
    }
    CHECK(first_breach(scene.storage()) == "");
    std::uint64_t stored = 0;
    for (const LoadedPost& post : posts) {
      stored += scene.load({&post, 1}).stored;
      CHECK(first_breach(scene.storage()) == "");
    }
    CHECK(stored == (before == Before::kSource || before == Before::kAuthorGone ? 2 : 3));
    scene.end();
    scene.check_over();
  }
}

TEST_CASE("early entries: a post that is not public does not come into the log of those that are") {
  for (const Privacy privacy : {Privacy::kFollowers, Privacy::kPrivate}) {
    for (const bool before_the_entry : {true, false}) {
      CAPTURE(before_the_entry);
      Scene scene;
      std::vector<LoadedPost> posts{loaded(1, kAda)};
      LoadedPost hidden = loaded(50, kAda);
      hidden.privacy = privacy;
      if (before_the_entry) {
        // Another load stores it after the ids were given.
        posts[0].id =
            PostId{snowflake::make(snowflake::ticks_of(kThen), snowflake::kLoadMachine, 0)};
        posts[0].is_early = true;
        (void)scene.load({&hidden, 1});
        const EarlyEntry entry{kAda, posts[0].id};
        rules::put_early_entries(scene.storage(), {&entry, 1}, kStart);
      } else {
        scene.put(posts);
        (void)scene.load({&hidden, 1});
      }
      REQUIRE(scene.storage().snapshot()->post(posts[0].id)->privacy == privacy);
      const UserNumber ada = kAda;
      const auto entries = scene.storage().snapshot()->author_entries(
          {{&ada, 1}, Levels::of(1), kBob}, {}, Direction::kDown, kAll);
      CHECK(std::ranges::count(entries, posts[0].id, &Entry::id) == 0);
      CHECK(first_breach(scene.storage()) == "");
      CHECK(scene.load(posts).stored == 1);
      CHECK(first_breach(scene.storage()) == "");
      scene.end();
      scene.check_over();
    }
  }
}

TEST_CASE("early entries: they are put once, and none for people who are not there") {
  Scene scene;
  scene.world.apply(MarkRemoved{kCid});
  std::vector<LoadedPost> posts{loaded(1, kAda), loaded(2, kCid), loaded(3, UserNumber{77})};
  scene.put(posts);
  CHECK(scene.load(posts).stored == 1);
  CHECK(scene.posts_of(kAda) == 2);
  scene.end();
  scene.check_over();
}

TEST_CASE("early entries: only one load at a time puts them, and only it takes them back") {
  Scene scene;
  std::vector<LoadedPost> posts{loaded(1, kAda)};
  scene.put(posts);
  CHECK_FALSE(scene.storage().early_entries());
  // A bulk load of edges waits for it.
  BulkOptions bulk;
  bulk.since = kStart;
  bulk.wait = [](std::string_view who) {
    CHECK(who.starts_with("pid "));
    throw Error(ErrorCode::kUnavailable, "given up");
  };
  const auto edges = scene.storage().bulk_edges(bulk);
  const std::uint64_t edge = std::uint64_t{kAda.value} << 32 | kBob.value;
  CHECK_THROWS_AS(
      {
        edges->add({&edge, 1});
        (void)edges->finish(kStart, [](const std::function<void()>& turn) { turn(); });
      },
      Error);
  scene.storage().settle();
  CHECK(scene.state().early_below != PostId{});
  (void)scene.load(posts);
  CHECK(scene.posts_of(kAda) == 2);
  scene.end();
  scene.check_over();
  CHECK(scene.storage().early_entries());
}

TEST_CASE("early entries: those left by a load that died are hidden, and taken back") {
  constexpr std::uint64_t kMany = 5'000;  // more than one transaction takes back
  for (const bool by_the_next_load : {true, false}) {
    Scene scene;
    std::vector<LoadedPost> posts;
    for (std::uint64_t i = 1; i <= kMany; ++i) {
      posts.push_back(loaded(i, UserNumber{static_cast<std::uint32_t>(1 + i % 3)},
                             Time{kThen.ms + static_cast<std::int64_t>(i / 10)}));
    }
    scene.put(posts);
    (void)scene.load(std::span(posts).first(10));
    scene.held.reset();
    CHECK(scene.posts_of(kBob) == 4);
    CHECK(first_breach(scene.storage()) == "");
    if (by_the_next_load) {
      CHECK(scene.storage().early_entries());
    } else {
      scene.storage().settle();
    }
    scene.check_over();
    CHECK(scene.posts_of(kBob) == 4);
    // Nothing is left to do, so nothing is written.
    const std::uint64_t version = scene.storage().version();
    scene.storage().settle();
    CHECK(scene.storage().version() == version);
  }
}

TEST_CASE("early entries: repairs leave them to the load, and take back what one has left") {
  Scene scene;
  std::vector<LoadedPost> posts{loaded(1, kAda), loaded(2, kCid)};
  scene.put(posts);
  CHECK(scene.storage().repair_indexes(kStart) == 0);
  for (const UserNumber user : {kAda, kCid}) {
    const UserCounters actual = scene.world.counters(user);
    rules::repair_counters(scene.storage(), user, actual, kStart);
    CHECK(scene.world.counters(user) == actual);
  }
  (void)scene.load({posts.data(), 1});
  CHECK(scene.storage().repair_indexes(kStart) == 0);
  CHECK(first_breach(scene.storage()) == "");
  scene.held.reset();
  (void)scene.storage().repair_indexes(kStart);
  scene.check_over();
  CHECK(scene.posts_of(kAda) == 2);
  CHECK(scene.posts_of(kCid) == 0);
}

TEST_CASE("early entries: an entry without a post is damage where no load has put any") {
  Scene scene;
  std::vector<LoadedPost> posts{loaded(1, kAda), loaded(2, kCid)};
  scene.put(posts);
  CHECK_FALSE(scene.is_damage_found());
  const PostId below{posts[0].id.value - 1};
  const PostId above{posts[1].id.value + 1};
  for (const PostId id : {below, above}) {
    CAPTURE(id.value);
    scene.put_damage(kBob, id);
    CHECK(scene.is_damage_found());
    CHECK(scene.storage().repair_indexes(kStart) > 0);
    CHECK_FALSE(scene.is_damage_found());
  }
  scene.put_damage(kAda, above);
  CHECK(scene.is_damage_found());
  // The mark is gone before the entries: whatever has done that, it is found.
  rules::end_early_entries(scene.storage(), kStart);
  CHECK(scene.storage().snapshot()->problems().size() == 3);
}

}  // namespace chirp::test::early_entries_test
